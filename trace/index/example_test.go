package index_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

func ExampleOpen() {
	ctx := context.Background()
	archive, err := trace.Open(ctx, "../../testdata/corpus/playwright/pair-a.zip", trace.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer archive.Close()
	x, err := index.Open(ctx, archive, index.Options{NoCache: true})
	if err != nil {
		log.Fatal(err)
	}
	defer x.Close()
	for r := range min(x.Len(index.Actions), 3) {
		a := x.Action(index.Row(r))
		fmt.Println(a.Method+":", a.Title)
	}
	// Output:
	// newPage: Create page
	// goto: Navigate
	// click: Click
}

func ExampleIndex_Search() {
	ctx := context.Background()
	archive, err := trace.Open(ctx, "../../testdata/corpus/playwright/network.zip", trace.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer archive.Close()
	x, err := index.Build(ctx, archive, index.Options{})
	if err != nil {
		log.Fatal(err)
	}
	query, err := index.ParseQuery(`status:5xx kind:request`)
	if err != nil {
		log.Fatal(err)
	}
	err = x.Search(ctx, query, index.SearchOptions{}, func(h index.Hit) bool {
		fmt.Println(h.Kind, h.Snippet)
		return true
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// request GET http://localhost:8931/status?s=500
	// request GET http://localhost:8931/status?s=503
}
