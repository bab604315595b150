package recorder_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/trace"
)

// What a program does with rod is recorded by itself; groups give it an order.
func ExampleStart() {
	ctx := context.Background()
	b, err := browser.Launch(ctx, browser.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	zip := filepath.Join(os.TempDir(), fmt.Sprintf("login-%d.zip", os.Getpid()))
	defer os.Remove(zip)

	s, err := recorder.Start(ctx, b.Rod, recorder.DefaultOptions(zip))
	if err != nil {
		fmt.Println(err)
		return
	}
	s.StartGroup("Log in")
	page := b.Rod.MustPage("data:text/html,<input id=user><button>Go on</button>").MustWaitLoad()
	page.MustElement("button").MustClick()
	s.StopGroup()
	if err := s.Stop(ctx); err != nil {
		fmt.Println(err)
		return
	}

	a, err := trace.Open(ctx, zip, trace.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer a.Close()
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, action := range t.Actions {
		fmt.Println(action.Title().Text)
	}
	// Output:
	// Log in
	// Create page
	// Navigate
	// Click
}

// Each test of a suite gets a zip of its own; bodies are stored once.
func ExampleSession_StopChunk() {
	ctx := context.Background()
	o := recorder.DefaultOptions("")
	o.Dir = "suite.recording"
	s, err := recorder.Attach(ctx, "9222", o)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, test := range []string{"login", "order", "logout"} {
		if i > 0 { // a session begins with a chunk
			_ = s.StartChunk(test)
		}
		// … the test runs, in whatever drives the browser …
		if err := s.StopChunk(ctx, test+".zip"); err != nil {
			fmt.Println(err)
		}
	}
	if err := s.Stop(ctx); err != nil {
		fmt.Println(err)
	}
}
