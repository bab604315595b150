package trace_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracedeck/tracedeck/trace"
)

// The joined view: what was done, and what failed.
func ExampleLoad() {
	ctx := context.Background()
	a, err := trace.Open(ctx, "../testdata/corpus/playwright/fail.zip", trace.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Producer())
	for _, action := range t.Tree()[:3] {
		fmt.Println(action.Title(), action.Error != nil)
	}
	// Output:
	// playwright 1.65.1
	// Create page false
	// Navigate localhost:8931/fail false
	// Click locator('#hidden') true
}

// The events, one at a time: nothing is held in memory.
func ExampleArchive_Events() {
	ctx := context.Background()
	a, err := trace.Open(ctx, "../testdata/corpus/playwright/old/v3-pw-1.20.2.zip", trace.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer a.Close()
	for event, err := range a.Events(ctx) {
		if err != nil {
			log.Print(err) // a bad line, or the end of a damaged entry: reading goes on
			continue
		}
		if console, ok := event.Body.(*trace.Console); ok && console.Kind == "error" {
			fmt.Printf("%s:%d %s\n", event.Position.File, event.Position.Line, console.Text)
			break
		}
	}
	// Output:
	// trace.trace:34 Failed to load resource: the server responded with a status of 404 (Not Found)
}
