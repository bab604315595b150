package browser

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotFound is the cause when there is no Chromium on this machine.
var ErrNotFound = errors.New("no Chromium was found")

// ErrSandbox is the cause when Chromium cannot have its sandbox here.
var ErrSandbox = errors.New("the sandbox cannot be used here")

// ErrNoDisplay is the cause when there is nothing to show a window on.
var ErrNoDisplay = errors.New("there is no display to show a window on")

// Error is what went wrong, and what to do about it.
type Error struct {
	Code string // E_NO_BROWSER, E_BROWSER_START, E_BROWSER_SANDBOX, E_NO_DISPLAY, E_BROWSER_GONE, E_BROWSER_CONNECT, E_BROWSER_INSTALL
	Err  error
	// Output is the end of what the browser wrote, if it was started.
	Output string
	hint   string
}

// Error says what went wrong, with the last lines of the browser's own words.
func (e *Error) Error() string {
	if e.Output == "" {
		return e.Err.Error()
	}
	return fmt.Sprintf("%v; it wrote: %s", e.Err, e.Output)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Hint says what to do.
func (e *Error) Hint() string { return e.hint }

func notFound(err error) error {
	return &Error{Code: "E_NO_BROWSER", Err: err,
		hint: "install one with: tracedeck browser install (on Debian: apt-get install chromium), or name it with --browser or $" + Env}
}

// diagnose makes an error of a browser that ended or did not come up, by what it wrote.
func diagnose(path string, err error, output string) error {
	e := &Error{Code: "E_BROWSER_START", Err: fmt.Errorf("starting %s: %w", path, err), Output: lastLines(output, 4), hint: "start it by hand to see what it lacks: " + path + " --headless=new --dump-dom about:blank"}
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(output, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("Running as root without --no-sandbox"):
		e.Code, e.Err = "E_BROWSER_SANDBOX", fmt.Errorf("starting %s: %w: root may not have it", path, ErrSandbox)
		e.hint = "run as another user, or, for pages that you trust, turn the sandbox off (--no-sandbox)"
	case has("No usable sandbox", "clone() failed", "namespace sandbox failed", "Failed to move to new namespace"):
		e.Code, e.Err = "E_BROWSER_SANDBOX", fmt.Errorf("starting %s: %w: this system keeps user namespaces from programs", path, ErrSandbox)
		e.hint = "allow them (sysctl kernel.apparmor_restrict_unprivileged_userns=0, or kernel.unprivileged_userns_clone=1; in Docker: --security-opt seccomp=unconfined), or, for pages that you trust, turn the sandbox off (--no-sandbox)"
	case has("Missing X server", "cannot open display", "Unable to open X display", "Failed to connect to Wayland", "no DISPLAY environment variable"):
		e.Code, e.Err = "E_NO_DISPLAY", fmt.Errorf("starting %s: %w", path, ErrNoDisplay)
		e.hint = noDisplayHint
	case has("error while loading shared libraries"):
		e.hint = "install the library that it names; apt-get install chromium brings all of them"
	case has("ProcessSingleton", "SingletonLock", "profile appears to be in use"):
		e.hint = "another browser uses that profile; close it or take another folder"
	case has("No space left on device"):
		e.hint = "make room on the disk of the folder for temporary files ($TMPDIR)"
	}
	return e
}

const noDisplayHint = "go without a window (--headless), or start a display first, such as: xvfb-run tracedeck …"

// noise are words of lines that Chromium writes when nothing is wrong.
var noise = []string{"dbus/", "DevTools listening", "vaapi_wrapper", "gcm/engine", "google_apis/", "/etc/chromium.d", "unexpected operator", "InitializeSandbox()"}

// lastLines are the last lines that say something.
func lastLines(s string, n int) string {
	var kept []string
	for _, line := range strings.Split(s, "\n") {
		line = strings.TrimSpace(line)
		if line != "" && !contains(line, noise) {
			kept = append(kept, line)
		}
	}
	if len(kept) > n {
		kept = kept[len(kept)-n:]
	}
	return strings.Join(kept, " | ")
}

func contains(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
