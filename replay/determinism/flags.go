package determinism

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/tracedeck/tracedeck/recorder/browser"
)

// drawing are the flags that take chance out of drawing and scheduling. They
// hold in all regimes, so that pictures differ as little as can be.
var drawing = []string{
	"disable-threaded-animation", "disable-threaded-scrolling", "disable-checker-imaging", "disable-image-animation-resync",
	"disable-new-content-rendering-timeout", "disable-partial-raster", "disable-skia-runtime-opts", "disable-lcd-text",
	"disable-font-subpixel-positioning", "font-render-hinting=none", "force-color-profile=srgb", "hide-scrollbars", "mute-audio", "disable-gpu",
	"disable-dev-shm-usage", // it is small in containers, and a full one crashes pages
	// Frames of other sites stay in the process whose time is ours, and all
	// pages of a session share it.
	"disable-site-isolation-trials", "renderer-process-limit=1",
	// DeferRendererTasksAfterInput holds loading back until a frame follows an
	// input: none does while time stands still.
	"disable-blink-features=PointerRawUpdateOnlyInSecureContext", // which tells that a move has come
	// Scripts are compiled where they run, and documents and bodies are read
	// there: what another thread does takes an uncertain time.
	"disable-features=DeferRendererTasksAfterInput,PaintHolding,IsolateOrigins,site-per-process,ScriptStreaming,BackgroundResourceFetch,ThreadedBodyLoader,ThreadedPreloadScanner,PrecompileInlineScripts",
}

// flags are of the command line in a regime.
func (r Regime) flags() []string {
	list := append([]string{}, drawing...)
	switch r {
	case Frames:
		list = append(list, "!headless", "enable-begin-frame-control", "run-all-compositor-stages-before-draw")
	case Timers:
		list = append(list, "!headless", "blink-settings=imageAnimationPolicy=2")
	case Clock:
		list = append(list, "blink-settings=imageAnimationPolicy=2") // moving pictures stand still
	}
	return list
}

var shells = []string{"chromium-headless-shell", "chrome-headless-shell", "headless_shell", "headless-shell"}

// ShellEnv is the environment variable that names the headless shell to use.
const ShellEnv = "TRACEDECK_HEADLESS_SHELL"

// Shell returns the path of a headless shell, or "" where there is none.
func Shell() string {
	if p := os.Getenv(ShellEnv); p != "" {
		return p
	}
	for _, name := range shells {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	home, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	for _, pattern := range []string{"ms-playwright/chromium_headless_shell-*/*/headless_shell", "ms-playwright/chromium_headless_shell-*/*/chrome-headless-shell"} {
		if found, err := filepath.Glob(filepath.Join(home, pattern)); err == nil && len(found) > 0 {
			return found[len(found)-1]
		}
	}
	return ""
}

// named looks whether the browsers that the environment names are there: where one
// is not, another would be taken in its place, and without a word.
func (o Options) named() error {
	if o.Path != "" {
		return nil
	}
	if os.Getenv(browser.Env) != "" {
		if _, err := browser.Find(""); err != nil {
			return err
		}
	}
	if p := os.Getenv(ShellEnv); p != "" {
		if _, err := exec.LookPath(p); err != nil {
			return &Error{Code: "E_NO_REGIME", Err: fmt.Errorf("$%s: %q is no program that can be run: %v", ShellEnv, p, err)}
		}
	}
	return nil
}

// program returns the browser that a regime needs, or "" where there is none.
func (o Options) program(r Regime) string {
	if o.Path != "" {
		return o.Path
	}
	if r == Frames || r == Timers {
		return Shell()
	}
	p, err := browser.Find("")
	if err != nil {
		return ""
	}
	return p
}
