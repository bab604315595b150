package heal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
	"sync"

	"github.com/tracedeck/tracedeck/trace/wholefile"
)

// State says what became of a heal.
type State string

// The states of a heal.
const (
	Proposed   State = "proposed"
	Approved   State = "accepted" // by a person
	Promoted   State = "promoted" // by having been right often enough
	RejectedBy State = "rejected" // by a person; it is not taken again
)

// A heal is promoted after so many runs in a row that came to the same element
// with at least this confidence.
const (
	PromoteRuns       = 3
	PromoteConfidence = 0.9
)

// Heal is how a target was found after its selector had failed.
type Heal struct {
	Key        string   `json:"key"`    // of the target
	Target     string   `json:"target"` // the recorded selector
	Selector   string   `json:"selector"`
	Name       string   `json:"name,omitempty"`
	Strategy   Strategy `json:"strategy"`
	Confidence float64  `json:"confidence"`
	State      State    `json:"state"`
	// Runs counts the runs in a row that came to this.
	Runs int `json:"runs"`
	// LastRun names the last of them: when it began, and what it wrote.
	LastRun string `json:"lastRun,omitempty"`
}

// Overlay holds the heals of recordings, in a file beside them. It is safe for
// concurrent use.
type Overlay struct {
	mu    sync.Mutex
	heals map[string]*Heal
}

// file is what an overlay is on disk.
type file struct {
	Version int     `json:"version"`
	Heals   []*Heal `json:"heals"`
}

const (
	version = 1
	maxFile = 64 << 20
)

// ErrNoHeal is the cause for a key that the overlay does not hold.
var ErrNoHeal = errors.New("there is no such heal")

// NewOverlay returns one that holds nothing.
func NewOverlay() *Overlay { return &Overlay{heals: map[string]*Heal{}} }

// ReadOverlay reads the overlay at path; one that is not there holds nothing.
func ReadOverlay(path string) (*Overlay, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return NewOverlay(), nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	o, err := parseOverlay(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return o, nil
}

func parseOverlay(b []byte) (*Overlay, error) {
	if len(b) > maxFile {
		return nil, fmt.Errorf("the overlay is longer than %d bytes", maxFile)
	}
	if len(bytes.TrimSpace(b)) == 0 {
		b = []byte("{}")
	}
	var on file
	if err := json.Unmarshal(b, &on); err != nil {
		return nil, fmt.Errorf("this is no overlay of heals: %w", err)
	}
	if on.Version > version {
		return nil, fmt.Errorf("the overlay has version %d, newer than %d", on.Version, version)
	}
	o := NewOverlay()
	for _, h := range on.Heals {
		if h == nil || h.Key == "" || h.Selector == "" {
			return nil, errors.New("the overlay holds a heal without key or selector")
		}
		switch h.State {
		case Proposed, Approved, Promoted, RejectedBy:
		default:
			return nil, fmt.Errorf("heal %s: state %q is none", h.Key, h.State)
		}
		o.heals[h.Key] = h
	}
	return o, nil
}

// Write writes the overlay to path, whole or not at all.
func (o *Overlay) Write(path string) error {
	b, err := json.MarshalIndent(file{version, o.list()}, "", "  ")
	if err != nil {
		return err
	}
	return wholefile.Write(path, append(b, '\n'), 0o644)
}

func (o *Overlay) list() []*Heal {
	o.mu.Lock()
	defer o.mu.Unlock()
	list := []*Heal{}
	for _, h := range o.heals {
		one := *h
		list = append(list, &one)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Key < list[j].Key })
	return list
}

// Heals returns all of them, by key.
func (o *Overlay) Heals() []Heal {
	var out []Heal
	for _, h := range o.list() {
		out = append(out, *h)
	}
	return out
}

// Note takes in how a run found a target. Run names the run: what one run comes
// to more than once counts once. A target that was found by its own selector
// again needs no heal: one that nobody decided about is forgotten.
func (o *Overlay) Note(t *Target, m *Match, run string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	key := t.Key()
	h := o.heals[key]
	if m == nil || m.Strategy == Primary {
		if h != nil && h.State == Proposed {
			delete(o.heals, key)
		}
		return
	}
	if m.Strategy == Accepted {
		return
	}
	if h == nil || h.Selector != m.Selector && h.State != RejectedBy {
		o.heals[key] = &Heal{Key: key, Target: t.Selector, Selector: m.Selector, Name: m.Name, Strategy: m.Strategy, Confidence: m.Confidence, State: Proposed, Runs: 1, LastRun: run}
		return
	}
	if h.State != Proposed || h.LastRun == run && run != "" {
		return
	}
	h.Runs, h.LastRun = h.Runs+1, run
	if m.Confidence < PromoteConfidence || h.Confidence < PromoteConfidence {
		h.Runs = 1 // the row begins anew
	}
	h.Strategy, h.Confidence = m.Strategy, m.Confidence
	if h.Runs >= PromoteRuns && h.Confidence >= PromoteConfidence {
		h.State = Promoted
	}
}

// Proposes reports whether something was found in the place of what a selector
// means, which nobody decided about yet.
func (o *Overlay) Proposes(selector string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, h := range o.heals {
		if h.State == Proposed && h.Target == selector {
			return true
		}
	}
	return false
}

// Rejects reports whether a person said that this is not the element.
func (o *Overlay) Rejects(t *Target, m *Match) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.heals[t.Key()]
	return h != nil && h.State == RejectedBy && h.Selector == m.Selector
}

// Accept has a heal taken from now on.
func (o *Overlay) Accept(key string) error { return o.decide(key, Approved) }

// Reject has a heal never taken again.
func (o *Overlay) Reject(key string) error { return o.decide(key, RejectedBy) }

func (o *Overlay) decide(key string, s State) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.heals[key]
	if h == nil {
		return fmt.Errorf("heal %q: %w", key, ErrNoHeal)
	}
	h.State = s
	return nil
}

func (o *Overlay) accepted(key string) *Heal {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.heals[key]
	if h == nil || h.State != Approved && h.State != Promoted {
		return nil
	}
	one := *h
	return &one
}
