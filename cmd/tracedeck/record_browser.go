package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder"
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
	profile, err := os.MkdirTemp("", "tracedeck-record-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(profile)
	browser, stop, err := f.start(context.WithoutCancel(ctx), profile)
	if err != nil {
		return 0, err
	}
	defer stop()
	f.o.Browser.Dialog = f.dialog(flow)
	s, err := recorder.Start(ctx, browser, f.o)
	if err != nil {
		return 0, err
	}
	if flow != nil {
		return f.follow(ctx, env, s, func(ctx context.Context) error { return f.perform(ctx, s, browser, flow) })
	}
	page, err := f.page(browser)
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
func (f *recordFlags) page(browser *rod.Browser) (*rod.Page, error) {
	pages, err := browser.Pages()
	if err != nil {
		return nil, err
	}
	if len(pages) > 0 {
		return pages[0], nil
	}
	return browser.Page(proto.TargetCreateTarget{})
}

func (f *recordFlags) perform(ctx context.Context, s *recorder.Session, browser *rod.Browser, flow *userflow.Flow) error {
	page, err := f.page(browser)
	if err != nil {
		return err
	}
	if f.url != "" {
		if err := page.Context(ctx).Navigate(f.url); err != nil {
			return fmt.Errorf("%s: %w", f.url, err)
		}
	}
	return userflow.Run(ctx, s, browser, page, flow)
}

// start starts Chromium. The sandbox stays on, except for root, for whom
// Chromium refuses to have one.
func (f *recordFlags) start(ctx context.Context, profile string) (*rod.Browser, func(), error) {
	path := f.browser
	if path == "" {
		var found bool
		if path, found = findChromium(); !found {
			return nil, nil, withHint(errors.New("no Chromium was found"), "install it (on Debian: apt-get install chromium) or name it with --browser")
		}
	}
	if !f.headless && runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return nil, nil, withHint(errors.New("there is no display for a window"), "--headless with --script or --for records without one")
	}
	l := launcher.New().Context(ctx).Bin(path).Leakless(false).UserDataDir(profile).Headless(false).
		Set("no-first-run").Set("no-default-browser-check").Set("disable-background-networking").Set("disable-component-update").Set("disable-sync").
		NoSandbox(os.Geteuid() == 0).Delete("enable-automation")
	if f.headless {
		l = l.Set("headless", "new").Set("disable-gpu").Set("hide-scrollbars")
	}
	if f.size != "" {
		var w, h int
		if n, _ := fmt.Sscanf(f.size, "%dx%d", &w, &h); n != 2 || w < 1 || h < 1 {
			return nil, nil, usageError("--viewport %q: it is written 1280x720", f.size)
		}
		l = l.Set("window-size", fmt.Sprintf("%d,%d", w, h))
	}
	address, err := l.Launch()
	if err != nil {
		return nil, nil, withHint(fmt.Errorf("starting %s: %w", path, err), "does it start by hand?")
	}
	browser := rod.New().Context(ctx).ControlURL(address).NoDefaultDevice()
	if err := browser.Connect(); err != nil {
		l.Kill()
		return nil, nil, err
	}
	return browser, func() {
		_ = browser.Close()
		l.Kill()
		l.Cleanup()
	}, nil
}

// writeHAR writes the trace's requests as HAR.
func (f *recordFlags) writeHAR(ctx context.Context, env *env, a *trace.Archive) error {
	return writeOutput(env, filepath.Clean(f.har), func(w io.Writer) error {
		return exportHAR(ctx, env, w, a, export.HAROptions{MaxBody: 16 << 20})
	})
}
