package trace

import "strings"

// Producer returns the program that recorded the trace, with its version
// where the files tell it: "playwright 1.65.1", "vibium", "tracedeck 1.0".
// It is "unknown" where nothing gives the recorder away.
func (t *Trace) Producer() string {
	for _, c := range t.Contexts {
		if p := c.Producer(); p != "" {
			return p
		}
	}
	for _, a := range t.Actions {
		if strings.HasPrefix(a.Before.Method, "vibium:") {
			return "vibium"
		}
	}
	for _, c := range t.Contexts {
		switch {
		case c.WallTime > 0 && c.MonotonicTime == Milliseconds(c.WallTime):
			return "vibium" // the only recorder that counts from the epoch on both clocks
		case c.Version > 0 && c.Version <= 8 && c.SDKLanguage+c.BrowserName != "":
			return "playwright" // did not write its version then
		}
	}
	for _, w := range t.Warnings {
		if w.Code == "W_LEGACY_BUNDLE" {
			return "vibium"
		}
	}
	return "unknown"
}
