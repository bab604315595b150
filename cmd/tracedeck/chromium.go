package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/trace"
)

func browserCommand() *command {
	return &command{name: "browser", args: "[install]", short: "say which Chromium is used, or install one",
		long: `Recording, and drawing pages as PNG, need Chromium. $TRACEDECK_BROWSER names one;
otherwise the PATH and the usual places are searched. "install" takes Debian's
packages where apt-get serves, and a download into the user's cache elsewhere.`,
		examples: []example{{"tracedeck browser install", "make sure there is one"}},
		flags: func(*pflag.FlagSet) runner {
			return func(ctx context.Context, env *env, args []string) (int, error) {
				if len(args) > 1 || len(args) == 1 && args[0] != "install" {
					return 0, usageError("tracedeck browser, or tracedeck browser install")
				}
				find := func() (string, error) { return browser.Find("") }
				if len(args) == 1 {
					find = func() (string, error) { return browser.Install(ctx, env.err) }
				}
				path, err := find()
				if err != nil {
					return 0, err
				}
				if env.json {
					return exitOK, env.printJSON(map[string]string{"path": path})
				}
				_, err = fmt.Fprintln(env.out, path)
				return exitOK, err
			}
		}}
}

// drawPage lets headless Chromium draw a document and writes the PNG.
func drawPage(ctx context.Context, w io.Writer, doc []byte, size trace.Size, chrome string) error {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	dir, err := os.MkdirTemp("", "tracedeck-draw-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, doc, 0o600); err != nil {
		return err
	}
	chromium, stop, err := startChromium(ctx, chrome)
	if err != nil {
		return err
	}
	defer stop()
	png, err := shoot(chromium, "file://"+filepath.ToSlash(file), size)
	if err != nil {
		return fmt.Errorf("drawing the page: %w", err)
	}
	_, err = w.Write(png)
	return err
}

func shoot(chromium *rod.Browser, url string, size trace.Size) ([]byte, error) {
	page, err := chromium.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		return nil, err
	}
	width, height := int(size.Width), int(size.Height)
	if width <= 0 || height <= 0 || width > 10000 || height > 10000 {
		width, height = 1280, 720
	}
	err = page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1})
	if err == nil {
		err = page.Navigate(url)
	}
	if err == nil {
		err = page.WaitLoad()
	}
	if err != nil {
		return nil, err
	}
	return page.Screenshot(false, &proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng})
}

// startChromium starts headless Chromium with a profile of its own.
func startChromium(ctx context.Context, path string) (*rod.Browser, func(), error) {
	b, err := browser.Launch(ctx, browser.Options{Path: path, Flags: []string{"hide-scrollbars"}})
	if err != nil {
		return nil, nil, err
	}
	return b.Rod.Context(ctx), func() { _ = b.Close() }, nil
}
