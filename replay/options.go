package replay

import (
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/heal"
	"github.com/tracedeck/tracedeck/replay/mock"
)

// Strategy says of which steps pictures are taken.
type Strategy string

// The strategies.
const (
	Tiered Strategy = "tiered" // after navigations and after what the user did
	Every  Strategy = "every"  // after every step, assertions too
	Manual Strategy = "manual" // where the recorded program took one, and at the end
)

// Limits are how long things may take in real time before they are given up.
type Limits struct {
	Step       time.Duration // 0 means 20 s
	Navigation time.Duration // 0 means 30 s
	Session    time.Duration // 0 means 120 s
	// Patience is how long an element is waited for, by the session's clock,
	// where the recorded action does not say; 0 means 5 s.
	Patience time.Duration
}

func (l *Limits) settle() {
	for _, d := range []struct {
		value   *time.Duration
		usually time.Duration
	}{{&l.Step, 20 * time.Second}, {&l.Navigation, 30 * time.Second}, {&l.Session, 120 * time.Second}, {&l.Patience, 5 * time.Second}} {
		if *d.value <= 0 {
			*d.value = d.usually
		}
	}
}

// Options say where and how a session is replayed.
type Options struct {
	// URL is where the app is now: its origin takes the place of the recorded
	// one. "" leaves addresses as they were recorded.
	URL string
	// Origins maps further recorded origins to those that serve them now.
	Origins map[string]string
	// Output is the zip that is written.
	Output string
	Title  string
	// Browser is the one to use; nil starts one for this replay.
	Browser *determinism.Browser
	// Start says which browser is started if none is given.
	Start determinism.Options
	// Session, where its members are not zero, takes the place of what was
	// recorded of the page's surroundings.
	Session determinism.SessionOptions
	// Context, if set, says of the browser context what the recording does not.
	Context  *ContextOptions
	Strategy Strategy
	// Network says which requests may leave, and which are answered from the
	// recording. Its Target and OriginMap are those of these options.
	Network mock.Options
	// Open lets all requests out and answers none.
	Open bool
	// Heal looks for an element by what else is known of it where its selector
	// finds none. Floor is the confidence that is enough; 0 means what package
	// heal takes. Overlay, if set, has heals from before, and gets those of now.
	Heal    bool
	Floor   float64
	Overlay *heal.Overlay
	// Run names what this replay is part of, for Overlay: what it found several
	// times counts once. "" is this replay alone.
	Run string
	// Until is the call id, or the number, of the last recorded action that is
	// carried out; "" means all are.
	Until string
	// Slow is waited before each step, in real time, for watching.
	Slow   time.Duration
	Limits Limits
	// Boxes are CSS selectors of elements whose place in each picture is kept, for masks that follow them.
	Boxes []string
	// Coverage puts which code ran into the trace.
	Coverage bool
	// Secrets keeps cookies and tokens in the new trace.
	Secrets bool
	// Values are for what was masked in the recording: by call id, or by the
	// selector of the field, or its locator in JavaScript.
	Values map[string]string
	// Files are for uploads, by name: traces do not hold what was in them.
	Files map[string]string
	// Log, if set, is told every decision.
	Log func(format string, args ...any)
}

// DefaultOptions are for a replay into output.
func DefaultOptions(output string) Options {
	return Options{Output: output, Strategy: Tiered, Heal: true, Network: mock.Options{Mode: mock.Mock, OnMiss: mock.Pass}}
}

func (o *Options) settle() {
	o.Limits.settle()
	if o.Strategy == "" {
		o.Strategy = Tiered
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	o.Start.Flags = append(append([]string{}, o.Start.Flags...), mock.BrowserFlags()...)
	if o.Start.Log == nil {
		o.Start.Log = o.Log
	}
}
