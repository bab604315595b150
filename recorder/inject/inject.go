// Package inject holds the script that runs in each frame of a recorded page:
// it makes DOM snapshots, names elements and hears what the user does. It runs
// in a world of its own, which the page cannot see. Its sources and what it
// offers are in web/inject/recorder.ts.
package inject

import (
	"encoding/json"
	"io/fs"
	"sync"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/web"
)

// World is the usual name of the world that the script runs in.
const World = "tracedeck"

// Options are what the script is told when it starts.
type Options struct {
	Mask      string `json:"mask"`      // CSS selector of elements whose text is left out
	Secrets   bool   `json:"keep"`      // keep what is in password fields
	TestID    string `json:"testId"`    // attribute by which tests name elements
	Snapshots bool   `json:"snapshots"` // hand one over with each act of the user
	Canvas    bool   `json:"canvas"`    // pixels of canvases and videos
	Input     bool   `json:"input"`     // tell what the user does
	Vitals    bool   `json:"vitals"`    // tell how the page performs
	Overlay   bool   `json:"overlay"`   // show a stop button and a count, and hear hot keys
	Binding   string `json:"binding"`   // name of the function that takes messages
}

// DefaultOptions returns what most want: everything but secrets.
func DefaultOptions() Options {
	return Options{TestID: "data-testid", Snapshots: true, Canvas: true, Input: true, Vitals: true, Binding: "__deckReport"}
}

// Script returns the source to evaluate in the world, in each document anew.
// Where it runs already it does nothing.
func (o Options) Script() string {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err) // strings and booleans
	}
	return "globalThis.__deckDocument === document || (globalThis.__deckOptions = " + string(data) + ");\n" + recorderScript()
}

var recorderScript = sync.OnceValue(func() string { return built("inject/recorder.js") })

// SelectorScript returns the source of __deckSelector, which names elements
// and finds them and does nothing else.
func SelectorScript() string { return selectorScript() }

var selectorScript = sync.OnceValue(func() string { return built("inject/selector.js") })

func built(name string) string {
	data, err := fs.ReadFile(web.Dist(), name)
	if err != nil {
		panic(err) // it is built and embedded, or this program would not be
	}
	return string(data)
}

// Snapshot is what __deck.snapshot() returns: the DOM of a frame.
type Snapshot struct {
	HTML      json.RawMessage `json:"html"`
	Doctype   string          `json:"doctype"`
	URL       string          `json:"url"`
	Width     float64         `json:"width"` // CSS pixels
	Height    float64         `json:"height"`
	Wall      float64         `json:"wall"` // ms since 1970, by the page's clock
	Took      float64         `json:"took"` // ms
	Overrides []Override      `json:"overrides"`
	Suspects  bool            `json:"suspects"` // __deck.suspects() has some
	Pictures  []Picture       `json:"pictures"`
}

// Override is a linked style sheet that a script changed.
type Override struct {
	URL  string `json:"url"`
	Text string `json:"text"`
}

// Picture is what a canvas or video shows. Attributes __tracedeck_picture_ of
// the snapshot, and of later ones, name it.
type Picture struct {
	Name string `json:"name"`   // SHA-1 of the bytes, and .png or .jpeg
	Data []byte `json:"base64"` // decoded
}

// Target is an element in every way in which a replay could look for it.
type Target struct {
	Selector        string            `json:"selector"`  // the best that means this element and no other
	Selectors       []string          `json:"selectors"` // all that do, best first
	Tag             string            `json:"tag"`
	TestIDAttribute string            `json:"testIdAttribute,omitempty"`
	TestID          string            `json:"testId,omitempty"`
	ID              string            `json:"id,omitempty"`
	GeneratedID     bool              `json:"generatedId,omitempty"` // it will be another one next time
	Role            string            `json:"role,omitempty"`
	Name            string            `json:"name,omitempty"`
	Label           string            `json:"label,omitempty"`
	Placeholder     string            `json:"placeholder,omitempty"`
	Text            string            `json:"text,omitempty"`
	Attributes      map[string]string `json:"attributes"`
	CSS             string            `json:"css"`  // path through shadow hosts
	Path            []string          `json:"path"` // the same, a CSS selector for each tree
	XPath           string            `json:"xpath"`
	Closed          bool              `json:"closed,omitempty"` // inside a closed shadow tree
	Box             trace.Rect        `json:"box"`              // CSS pixels of the frame's viewport
	Row             *Row              `json:"row,omitempty"`
}

// Row is the item of a list or table that an element is in.
type Row struct {
	Role     string `json:"role"`
	Text     string `json:"text"`
	Index    int    `json:"index"` // among its siblings
	Position *int   `json:"position,omitempty"`
	Virtual  bool   `json:"virtual"` // the document has only a part of the list
}
