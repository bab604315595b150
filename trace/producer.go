package trace

import "strings"

// Producer returns the program that recorded the trace, with its version
// where the files tell it: "playwright 1.65.1", "vibium", "tracedeck 1.0".
// It is "unknown" where nothing gives the recorder away.
func (t *Trace) Producer() string {
	contexts := make([]*ContextOptions, len(t.Contexts))
	for i, c := range t.Contexts {
		contexts[i] = c.ContextOptions
	}
	method := ""
	for _, a := range t.Actions {
		if strings.HasPrefix(a.Before.Method, "vibium:") {
			method = a.Before.Method
		}
	}
	return ProducerOf(contexts, method, t.Warnings)
}

// ProducerOf is [Trace.Producer] for those who have no Trace: it takes what
// the contexts say, the method of some call, and the archive's warnings.
func ProducerOf(contexts []*ContextOptions, method string, warnings []Warning) string {
	for _, c := range contexts {
		if p := c.Producer(); p != "" {
			return p
		}
	}
	if strings.HasPrefix(method, "vibium:") {
		return "vibium"
	}
	for _, c := range contexts {
		switch {
		case c.WallTime > 0 && c.MonotonicTime == Milliseconds(c.WallTime):
			return "vibium" // the only recorder that counts from the epoch on both clocks
		case c.Version > 0 && c.Version <= 8 && c.SDKLanguage+c.BrowserName != "":
			return "playwright" // did not write its version then
		}
	}
	for _, w := range warnings {
		if w.Code == "W_LEGACY_BUNDLE" {
			return "vibium"
		}
	}
	return "unknown"
}
