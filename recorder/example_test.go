package recorder_test

import (
	"context"
	"fmt"

	"github.com/go-rod/rod"

	"github.com/tracedeck/tracedeck/recorder"
)

// What a program does with rod is recorded by itself; groups give it an order.
func ExampleStart() {
	ctx := context.Background()
	browser := rod.New().MustConnect()
	defer browser.MustClose()

	s, err := recorder.Start(ctx, browser, recorder.DefaultOptions("login.zip"))
	if err != nil {
		fmt.Println(err)
		return
	}
	s.StartGroup("Log in")
	page := browser.MustPage("https://shop.example/login")
	page.MustElement("#user").MustInput("ada")
	page.MustElement("button").MustClick()
	s.StopGroup()
	if err := s.Stop(ctx); err != nil {
		fmt.Println(err)
	}
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
