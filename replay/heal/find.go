package heal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/web"
)

// CodeUsed is the warning for an action whose element was healed.
const CodeUsed = "W_HEALING_USED"

// ErrNotFound is the cause when no element is certain enough to be the one.
var ErrNotFound = errors.New("no element is certain to be the one")

// Page is a document in which elements are looked for.
type Page interface {
	// Evaluate runs an expression in a world of the document in which the
	// page's own scripts have no part and [Script] has run, and returns its
	// value as JSON.
	Evaluate(ctx context.Context, expression string) (json.RawMessage, error)
}

// Element is the expression that yields the element of the last [Match], in
// the world in which it was found, until the next call of Find there.
const Element = "__deckHeal.found"

// Script returns what must have run in the world of a Page.
func Script() string { return script() }

var script = sync.OnceValue(func() string {
	b, err := fs.ReadFile(web.Dist(), "inject/heal.js")
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
})

// Options say how far healing goes.
type Options struct {
	// Floor is the confidence below which nothing is taken.
	Floor float64
	// Patience is how long the recorded selector alone is tried, in real time.
	Patience time.Duration
	// Poll is how often.
	Poll time.Duration
	// NoPrimary leaves out the recorded selector, for those who tried it.
	NoPrimary bool
	// Overlay, if set, gives what was accepted before.
	Overlay *Overlay
}

// DefaultOptions returns what most want.
func DefaultOptions() Options {
	return Options{Floor: 0.4, Patience: 1500 * time.Millisecond, Poll: 100 * time.Millisecond}
}

// Strategy is a way to find an element.
type Strategy string

// The strategies, with their confidences.
const (
	Accepted     Strategy = "accepted"      // the overlay's; 1.00
	Primary      Strategy = "primary"       // the recorded selector; 1.00
	TestID       Strategy = "test-id"       // 0.95
	RoleName     Strategy = "role-name"     // 0.90
	RoleText     Strategy = "role-text"     // 0.85
	TextTag      Strategy = "text-tag"      // 0.75
	Attributes   Strategy = "attributes"    // 0.70
	ParentText   Strategy = "parent-text"   // 0.65
	Structure    Strategy = "structure"     // 0.50
	PositionText Strategy = "position-text" // 0.40
)

// Match is the element that was found.
type Match struct {
	// Element is an expression that yields it; see [Element].
	Element    string     `json:"-"`
	Strategy   Strategy   `json:"strategy"`
	Confidence float64    `json:"confidence"`
	OldBox     trace.Rect `json:"oldBox"` // CSS pixels in the frame's viewport
	NewBox     trace.Rect `json:"newBox"`
	// Selector means the element now, and Name is what it is called.
	Selector string  `json:"selector"`
	Name     string  `json:"name,omitempty"`
	Tried    []Tried `json:"tried,omitempty"` // strategies that came to nothing
}

// Healed reports whether it was not found by what was recorded.
func (m *Match) Healed() bool { return m.Strategy != Primary }

// Tried is a strategy that came to nothing.
type Tried struct {
	Strategy   Strategy `json:"strategy"`
	Candidates int      `json:"candidates"`
	Rejected   string   `json:"rejected,omitempty"` // why, if there were any
}

// Error says why nothing was found. Its cause is ErrNotFound.
type Error struct {
	Target *Target
	Tried  []Tried
}

// Error says what each strategy that had candidates came to.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %v", e.Target.Selector, ErrNotFound)
	for _, t := range e.Tried {
		if t.Rejected != "" {
			fmt.Fprintf(&b, "; %s: %s", t.Strategy, t.Rejected)
		}
	}
	return b.String()
}

// Unwrap returns ErrNotFound.
func (e *Error) Unwrap() error { return ErrNotFound }

// Find looks for the target's element. The error is an *Error where no
// strategy is certain enough.
func Find(ctx context.Context, p Page, t *Target, o Options) (*Match, error) {
	if m, err := accepted(ctx, p, t, o); m != nil || err != nil {
		return m, err
	}
	if !o.NoPrimary {
		m, err := patient(ctx, p, t, o)
		if m != nil || err != nil {
			return m, err
		}
	}
	m, tried, err := search(ctx, p, t, o.Floor, !o.NoPrimary)
	if err != nil {
		return nil, err
	}
	if m != nil && o.Overlay != nil && m.Healed() && o.Overlay.Rejects(t, m) {
		tried, m = append(tried, Tried{m.Strategy, 1, "it was rejected before"}), nil
	}
	if m != nil {
		return m, nil
	}
	return nil, &Error{Target: t, Tried: tried}
}

// patient tries the recorded selector until it is there.
func patient(ctx context.Context, p Page, t *Target, o Options) (*Match, error) {
	until := time.Now().Add(o.Patience)
	for {
		m, _, err := search(ctx, p, t, 1, true)
		if m != nil || err != nil || !time.Now().Add(o.Poll).Before(until) {
			return m, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(max(o.Poll, time.Millisecond)):
		}
	}
}

// accepted tries what the overlay has for the target. What it names must still
// be one element, and of the same kind.
func accepted(ctx context.Context, p Page, t *Target, o Options) (*Match, error) {
	if o.Overlay == nil {
		return nil, nil
	}
	h := o.Overlay.accepted(t.Key())
	if h == nil {
		return nil, nil
	}
	now := *t
	now.Selector, now.Selectors, now.Name, now.Text, now.TestID, now.ID, now.Alike = h.Selector, []string{h.Selector}, h.Name, "", "", "", 0
	m, _, err := search(ctx, p, &now, 1, true)
	if m != nil {
		m.Strategy = Accepted
	}
	return m, err
}

func search(ctx context.Context, p Page, t *Target, floor float64, primary bool) (*Match, []Tried, error) {
	target, err := json.Marshal(t)
	if err != nil {
		return nil, nil, err
	}
	var f struct {
		Match
		Box *trace.Rect `json:"box"`
	}
	err = evaluate(ctx, p, fmt.Sprintf("__deckHeal.find(%s, {floor: %g, primary: %t})", target, floor, primary), &f)
	if err != nil || f.Strategy == "" || f.Box == nil {
		return nil, f.Tried, err
	}
	f.Element, f.OldBox, f.NewBox = Element, t.Box, *f.Box
	return &f.Match, f.Tried, nil
}

func evaluate(ctx context.Context, p Page, expression string, result any) error {
	raw, err := p.Evaluate(ctx, expression)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, result)
}
