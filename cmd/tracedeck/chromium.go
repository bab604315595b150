package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace"
)

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
	browser, stop, err := startChromium(ctx, chrome, filepath.Join(dir, "profile"))
	if err != nil {
		return err
	}
	defer stop()
	png, err := shoot(browser, "file://"+filepath.ToSlash(file), size)
	if err != nil {
		return fmt.Errorf("drawing the page: %w", err)
	}
	_, err = w.Write(png)
	return err
}

func shoot(browser *rod.Browser, url string, size trace.Size) ([]byte, error) {
	page, err := browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
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

// startChromium starts headless Chromium with a profile of its own. The
// sandbox stays on, except for root in a container, where it cannot be.
func startChromium(ctx context.Context, path, profile string) (*rod.Browser, func(), error) {
	if path == "" {
		var found bool
		if path, found = findChromium(); !found {
			return nil, nil, withHint(errors.New("no Chromium was found"), "install it (on Debian: apt-get install chromium) or name it with --browser")
		}
	}
	l := launcher.New().Context(ctx).Bin(path).Leakless(false).UserDataDir(profile).Headless(false).
		Set("headless", "new").Set("disable-gpu").Set("disable-quic").Set("no-first-run").Set("disable-background-networking").
		Set("disable-component-update").Set("disable-sync").Set("hide-scrollbars").NoSandbox(os.Geteuid() == 0)
	address, err := l.Launch()
	if err != nil {
		return nil, nil, withHint(fmt.Errorf("starting %s: %w", path, err), "does it start by hand?")
	}
	browser := rod.New().Context(ctx).ControlURL(address)
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

func findChromium() (string, bool) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, true
		}
	}
	return launcher.LookPath()
}
