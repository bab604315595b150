package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/recorder/userflow"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/export"
)

// launch starts a browser with a profile of its own, and records it.
func (f *recordFlags) launch(ctx context.Context, env *env) (int, error) {
	var flow *userflow.Flow
	if f.script != "" {
		var err error
		if flow, err = userflow.ReadFile(f.script); err != nil {
			return 0, withHint(err, "export a recording as JSON from the Recorder panel of Chrome's developer tools")
		}
		if f.o.Title == "" {
			f.o.Title = flow.Title
		}
	}
	chromium, err := f.start(ctx)
	if err != nil {
		return 0, err
	}
	defer chromium.Close()
	for _, w := range chromium.Warnings {
		env.warn("%s", w)
	}
	f.o.Browser.Dialog = f.dialog(flow)
	f.o.Browser.Overlay = !f.headless && flow == nil && !f.noOverlay
	s, err := recorder.Start(ctx, chromium.Rod, f.o)
	if err != nil {
		return 0, err
	}
	if flow != nil {
		return f.follow(ctx, env, s, func(ctx context.Context) error { return f.perform(ctx, s, chromium.Rod, flow) })
	}
	page, err := f.page(chromium.Rod)
	if err == nil && f.url != "" {
		err = page.Context(ctx).Navigate(f.url)
	}
	if err != nil {
		env.warn("%s: %v", f.url, err)
	}
	return f.follow(ctx, env, s, nil)
}

// dialog answers dialogs where nobody sees them.
func (f *recordFlags) dialog(flow *userflow.Flow) func(kind, message, preset string) (bool, string) {
	if !f.headless && flow == nil {
		return nil
	}
	return func(_, _, preset string) (bool, string) { return true, preset }
}

// page returns the page that the browser opened by itself, or a new one.
func (f *recordFlags) page(b *rod.Browser) (*rod.Page, error) {
	pages, err := b.Pages()
	if err != nil {
		return nil, err
	}
	if len(pages) > 0 {
		return pages[0], nil
	}
	return b.Page(proto.TargetCreateTarget{})
}

func (f *recordFlags) perform(ctx context.Context, s *recorder.Session, b *rod.Browser, flow *userflow.Flow) error {
	page, err := f.page(b)
	if err != nil {
		return err
	}
	if f.url != "" && !flow.Navigates() {
		if err := page.Context(ctx).Navigate(f.url); err != nil {
			return fmt.Errorf("%s: %w", f.url, err)
		}
	}
	return userflow.Run(ctx, s, b, page, flow)
}

// start starts Chromium with a fresh profile.
func (f *recordFlags) start(ctx context.Context) (*browser.Browser, error) {
	o := browser.Options{Path: f.browser, Headed: !f.headless}
	if f.size != "" {
		if n, _ := fmt.Sscanf(f.size, "%dx%d", &o.Width, &o.Height); n != 2 || o.Width < 1 || o.Height < 1 {
			return nil, usageError("--viewport %q: it is written 1280x720", f.size)
		}
	}
	return browser.Launch(ctx, o)
}

// writeHAR writes the trace's requests as HAR.
func (f *recordFlags) writeHAR(ctx context.Context, env *env, a *trace.Archive) error {
	return writeOutput(env, filepath.Clean(f.har), func(w io.Writer) error {
		return exportHAR(ctx, env, w, a, export.HAROptions{MaxBody: 16 << 20})
	})
}
