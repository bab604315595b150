package heal

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// Target describes an element in every way in which it can be looked for. The
// recorder writes one into the "_target" parameter of each action; Describe
// makes one of a recorded page.
type Target struct {
	Selector        string            `json:"selector"`            // the best one that meant this element alone
	Selectors       []string          `json:"selectors,omitempty"` // all that did, best first
	Tag             string            `json:"tag"`
	TestIDAttribute string            `json:"testIdAttribute,omitempty"`
	TestID          string            `json:"testId,omitempty"`
	ID              string            `json:"id,omitempty"`
	GeneratedID     bool              `json:"generatedId,omitempty"` // a program made the id up
	Role            string            `json:"role,omitempty"`
	Name            string            `json:"name,omitempty"` // the accessible one
	Label           string            `json:"label,omitempty"`
	Placeholder     string            `json:"placeholder,omitempty"`
	Text            string            `json:"text,omitempty"`
	Attributes      map[string]string `json:"attributes,omitempty"`
	CSS             string            `json:"css,omitempty"` // the path
	Path            []string          `json:"path,omitempty"`
	XPath           string            `json:"xpath,omitempty"`
	Box             trace.Rect        `json:"box"` // CSS pixels in the frame's viewport
	Row             *Row              `json:"row,omitempty"`
	Around          []Around          `json:"around,omitempty"`   // what it was in, nearest first
	Alike           int               `json:"alike,omitempty"`    // how many had its role and name; 0 is not known
	Siblings        int               `json:"siblings,omitempty"` // how many had its role; 0 is not known
	Numbered        int               `json:"numbered,omitempty"` // how many had its role, and its name but for the numbers in it
}

// Row is the item of a list or table that an element is in.
type Row struct {
	Role     string `json:"role"`
	Text     string `json:"text"`
	Index    int    `json:"index"`
	Position *int   `json:"position,omitempty"` // as the page counts
	Virtual  bool   `json:"virtual"`
}

// Around is an element that the target was in.
type Around struct {
	Tag    string `json:"tag"`
	Role   string `json:"role"`
	ID     string `json:"id,omitempty"`
	TestID string `json:"testId,omitempty"`
	Name   string `json:"name"`
	Text   string `json:"text"`
	Depth  int    `json:"depth"`
}

// Key names the target in an Overlay: the same for every recording of it.
func (t *Target) Key() string {
	row := ""
	if t.Row != nil {
		row = t.Row.Text
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\n%s\n%s\n%s", t.Selector, t.Tag, t.Role, t.Name, row))
	return hex.EncodeToString(sum[:8])
}

// TargetOf returns the target that this recorder described in an action; ok is
// false for actions without one, such as those of other recorders.
func TargetOf(a *trace.Action) (t *Target, ok bool) {
	var p struct {
		Target *Target `json:"_target"`
	}
	if a == nil || a.Before == nil || json.Unmarshal(a.Before.Params, &p) != nil || p.Target == nil || p.Target.Tag == "" {
		return nil, false
	}
	return p.Target, true
}

// SelectorOf returns the selector that an action names its element by, or "".
func SelectorOf(a *trace.Action) string {
	var p struct {
		Selector string `json:"selector"`
	}
	if a == nil || a.Before == nil || json.Unmarshal(a.Before.Params, &p) != nil {
		return ""
	}
	return p.Selector
}

// Describe returns the target of an action of any recorder from what the trace
// shows of the page at that moment. scratch is a blank document of about the
// size of the recorded one; the recorded page is written into it, in which
// nothing runs and nothing loads. The error wraps ErrNotFound where no snapshot
// marks the element.
func Describe(ctx context.Context, scratch Page, store *snapshot.Store, a *trace.Action) (*Target, error) {
	for _, phase := range []trace.Phase{trace.PhaseAction, trace.PhaseBefore, trace.PhaseAfter} {
		for _, s := range a.Snapshots {
			if s.Phase != phase {
				continue
			}
			n, ok := store.Lookup(snapshot.Key{File: s.Position.File, CallID: s.CallID, Phase: phase, FrameID: s.FrameID})
			if !ok {
				continue
			}
			t, err := describe(ctx, scratch, store, n)
			if err != nil {
				return nil, err
			}
			if t != nil {
				return t.with(a), nil
			}
		}
	}
	return nil, fmt.Errorf("%w: no snapshot of %s marks its element", ErrNotFound, a.ID())
}

// with joins what the recorder said itself.
func (t *Target) with(a *trace.Action) *Target {
	if own, ok := TargetOf(a); ok {
		own.Around, own.Alike, own.Siblings, own.Numbered = t.Around, t.Alike, t.Siblings, t.Numbered
		return own
	}
	if s := SelectorOf(a); s != "" {
		t.Selectors = append([]string{t.Selector}, t.Selectors...)
		t.Selector = s
	}
	for _, in := range a.Inputs {
		if in.Box != nil {
			t.Box = *in.Box
		}
	}
	return t
}

func describe(ctx context.Context, scratch Page, store *snapshot.Store, n int) (*Target, error) {
	var b bytes.Buffer
	if _, err := store.Render(ctx, &limited{w: &b, left: maxPage}, n, snapshot.Options{NoCanvas: true, MaxBytes: maxPage}); err != nil {
		return nil, err
	}
	if !bytes.Contains(b.Bytes(), []byte("data-tracedeck-target")) {
		return nil, nil
	}
	page, err := json.Marshal(b.String())
	if err != nil {
		return nil, err
	}
	var t *Target
	err = evaluate(ctx, scratch, "__deckHeal.show("+string(page)+")", &t)
	return t, err
}

const maxPage = 32 << 20 // of a recorded page, in bytes of HTML

type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, snapshot.ErrTooLarge
	}
	return l.w.Write(p)
}
