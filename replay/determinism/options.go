package determinism

import (
	"fmt"
	"time"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// Regime is the way in which a browser is kept from having a clock of its own.
type Regime string

// The regimes, best first.
const (
	// Frames needs chromium-headless-shell: time is virtual, and frames are
	// made when the driver asks for them. Pictures show the true state of the
	// page, also in the middle of an animation.
	Frames Regime = "frames"
	// Timers needs chromium-headless-shell too: time is virtual, frames are the
	// browser's. Animations are ended or taken back before a picture.
	Timers Regime = "timers"
	// Clock works in every Chromium: the page is given a clock that the driver
	// moves. Animations are ended or taken back before a picture.
	Clock Regime = "clock"
	// Real leaves clock and frames alone, for watching. Random numbers are
	// still given.
	Real Regime = "real"
)

// DefaultEpoch is the date at which sessions begin unless told otherwise.
var DefaultEpoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Options say which browser is started. The zero value starts the best there is.
type Options struct {
	// Regime that is wanted; "" means the best that passes the test at the start.
	Regime Regime
	// Prefer is the regime that is tried first where none is wanted: the one
	// of the pictures that are compared with.
	Prefer Regime
	// Path is the program; "" means the one that suits the regime.
	Path string
	// Headed shows a window, which only the regimes Clock and Real can.
	Headed    bool
	NoSandbox bool
	// Flags are added to the command line.
	Flags []string
	// Log, if set, is told what is decided, from several goroutines.
	Log func(format string, args ...any)
}

// SessionOptions say what the pages of a session are told about the world.
type SessionOptions struct {
	Seed  string    // of all random numbers
	Epoch time.Time // the date at the beginning of the session
	// Width and Height are of the viewport, in CSS pixels.
	Width, Height int
	Scale         float64 // device pixels a CSS pixel
	Mobile, Touch bool
	UserAgent     string // "" is the browser's
	Locale        string
	Languages     []string // that the user prefers, the first one first; none is the locale
	Screen        [2]int   // width and height of the screen, in CSS pixels; zero is that of the viewport
	Timezone      string
	ColorScheme   string // "light", "dark" or "" for no preference
	ReducedMotion bool
	// Network answers requests; nil lets all of them out.
	Network Network
	// Proxy, as host:port, is what all connections of the session go through,
	// those to this machine too.
	Proxy string
	// Scripts run in each document and worker before its own, after those of
	// this package.
	Scripts []string
	// Hear, if set, is given what Scripts tell by calling the function named
	// [Teller] with a text. What it returns, if that is not "", runs wherever
	// they have run, and after them from then on. It must not wait.
	Hear func(text string) (script string)
	// Dialog answers the dialogs of pages; nil accepts them.
	Dialog func(kind, message, preset string) (accept bool, text string)
	// Coverage counts which code runs, by blocks.
	Coverage bool
	// ServiceWorkers lets pages have service workers, of which it is not
	// certain when they answer.
	ServiceWorkers bool
	// Media lets video and audio load, which play in real time.
	Media bool
	// Stuck is how long, in real time, a step of the clock may take before
	// it is given up; 0 means 20 s.
	Stuck time.Duration
}

// Teller is the function by which scripts of a session tell the driver
// something; see [SessionOptions.Hear]. They are to take it away before scripts
// of the page see it.
const Teller = "__deckTell"

// DefaultSession returns what most want: 1280×720 in English, UTC.
func DefaultSession() SessionOptions {
	return SessionOptions{Seed: "tracedeck", Epoch: DefaultEpoch, Width: 1280, Height: 720, Scale: 1, Locale: "en-US", Timezone: "UTC", ColorScheme: "light"}
}

func (o *SessionOptions) settle() {
	d := DefaultSession()
	if o.Seed == "" {
		o.Seed = d.Seed
	}
	if o.Epoch.IsZero() {
		o.Epoch = d.Epoch
	}
	if o.Width <= 0 || o.Height <= 0 {
		o.Width, o.Height = d.Width, d.Height
	}
	if o.Scale <= 0 {
		o.Scale = 1
	}
	if o.Locale == "" {
		o.Locale = d.Locale
	}
	if o.Timezone == "" {
		o.Timezone = d.Timezone
	}
	if o.Stuck <= 0 {
		o.Stuck = 20 * time.Second
	}
}

// epoch is in milliseconds since 1970.
func (o *SessionOptions) epoch() float64 { return float64(o.Epoch.UnixMilli()) }

// Error is what kept a session from going on.
type Error struct {
	// Code is one of E_TIME_STUCK, E_PAGE_BUSY, E_PAGE_CRASHED, E_PAGE_GONE,
	// E_NAVIGATION, E_SCRIPT, E_DIALOG_LOOP and E_NO_REGIME.
	Code string
	Err  error
	// Pending are the addresses of requests that were not answered.
	Pending []string
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func errorf(code, format string, args ...any) *Error {
	return &Error{Code: code, Err: fmt.Errorf(format, args...)}
}

// screen adds the size of the screen to the metrics of a page.
func (o *SessionOptions) screen(metrics object) {
	metrics["screenWidth"], metrics["screenHeight"] = metrics["width"], metrics["height"]
	if o.Screen[0] > 0 && o.Screen[1] > 0 {
		metrics["screenWidth"], metrics["screenHeight"] = o.Screen[0], o.Screen[1]
	}
}

var fullVersion = lazyregexp.New(`(Chrome/\d+)\.[\d.]+`)

// reducedAgent is the user agent as pages see it: headless shells say their
// whole version, and other browsers the first part of it.
func reducedAgent(agent string) string { return fullVersion.ReplaceAllString(agent, "$1.0.0.0") }
