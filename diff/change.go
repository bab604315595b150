package diff

import "github.com/tracedeck/tracedeck/trace/verdict"

// ChangeKind says what became of something.
type ChangeKind string

// What can become of something.
const (
	Added       ChangeKind = "added"   // only B has it
	Removed     ChangeKind = "removed" // only A has it
	ChangeValue ChangeKind = "changed"
	Moved       ChangeKind = "moved"
)

func kindOf(inA, inB bool) ChangeKind {
	switch {
	case inA && !inB:
		return Removed
	case inB && !inA:
		return Added
	}
	return ChangeValue
}

// Change is one difference.
type Change struct {
	Kind ChangeKind `json:"kind"`
	// Effect is what it does to the verdict: improved, regressed, changed,
	// inconclusive, or same for what is only told.
	Effect verdict.Outcome `json:"effect"`
	What   string          `json:"what"`           // "console error", "GET /users/[n]", "attribute class"
	Path   string          `json:"path,omitempty"` // where inside: "$.items[2].price", "body > main > p"
	A      string          `json:"a,omitempty"`    // the value in A
	B      string          `json:"b,omitempty"`
	CountA int             `json:"countA,omitempty"` // how often, where that was counted
	CountB int             `json:"countB,omitempty"`
	Note   string          `json:"note,omitempty"`
	// Pair is the number of the pair of steps it belongs to, where it belongs
	// to one.
	Pair *int `json:"pair,omitempty"`
	// CallA and CallB are the calls of that pair.
	CallA string `json:"callA,omitempty"`
	CallB string `json:"callB,omitempty"`
}

// Effects, by shorter names.
const (
	better  = verdict.Improved
	worse   = verdict.Regressed
	neutral = verdict.Changed
	told    = verdict.Same
	unclear = verdict.Inconclusive
)

// SectionName names a section of a comparison.
type SectionName string

// The sections, in the order in which they are told.
const (
	Steps         SectionName = "steps"
	Errors        SectionName = "errors"
	Console       SectionName = "console"
	Network       SectionName = "network"
	WebSocket     SectionName = "websocket"
	Storage       SectionName = "storage"
	DOM           SectionName = "dom"
	Accessibility SectionName = "accessibility"
	Screenshots   SectionName = "screenshots"
	Performance   SectionName = "performance"
	Environment   SectionName = "environment"
)

// Sections returns the names of all sections in their order.
func Sections() []SectionName {
	return []SectionName{Steps, Errors, Console, Network, WebSocket, Storage, DOM, Accessibility, Screenshots, Performance, Environment}
}
