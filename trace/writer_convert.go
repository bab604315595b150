package trace

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/fields"
)

// conversion brings the events of one file to the version that is written.
// It has seen the whole file once before, because a line can depend on later
// ones: on the snapshots that it must name, and on the ids that it must not take.
type conversion struct {
	low    lowering
	anchor *ClockAnchor      // of a file that knows its clock only later
	ids    map[string]string // call ids that change
	naming naming
	stacks map[string][]StackFrame
	inline bool // stacks go into the before lines
}

// scan is what the first pass over a file finds.
type scan struct {
	runner    bool
	calls     []*Before
	snapshots map[snapshotKey]bool
	began     map[string]bool
	inputs    map[string]bool
	ended     map[string]bool
	anchor    *ClockAnchor // where the first line does not say it
}

type snapshotKey struct {
	call  string
	phase Phase
}

func (c *copying) conversion(f File) (*conversion, error) {
	s, err := c.scan(f)
	if err != nil {
		return nil, err
	}
	conv := &conversion{ids: map[string]string{}, anchor: s.anchor}
	conv.low = lowering{version: c.dst.version, runner: s.runner, joined: c.joined(),
		named:  func(call string, phase Phase) bool { return s.snapshots[snapshotKey{call, phase}] },
		inputs: func(call string) bool { return s.inputs[call] }}
	conv.naming = naming{on: c.dst.version < 9, s: s, written: map[snapshotKey]bool{}}
	if c.dst.version >= 10 {
		conv.join(s, c.taken)
	}
	stacks, warnings := c.src.stacks(c.ctx, f)
	c.report.Warnings = append(c.report.Warnings, warnings...)
	conv.takeStacks(stacks)
	c.renameSources(s, stacks)
	return conv, nil
}

func (c *copying) scan(f File) (*scan, error) {
	s := &scan{snapshots: map[snapshotKey]bool{}, began: map[string]bool{}, inputs: map[string]bool{}, ended: map[string]bool{}}
	r, err := c.src.ReadFile(c.ctx, f, f.Trace)
	if err != nil {
		return s, nil // told when it is copied
	}
	defer r.Close()
	for n := 0; ; n++ {
		if n%256 == 0 && c.ctx.Err() != nil {
			return nil, c.ctx.Err()
		}
		e, err := r.Next()
		var bad *SyntaxError
		if err != nil && !errors.As(err, &bad) {
			return s, nil
		}
		if err == nil {
			s.event(e.Body)
		}
	}
}

func (s *scan) event(body Body) {
	switch b := body.(type) {
	case *ContextOptions:
		s.runner = b.Origin == "testRunner"
	case *ClockAnchor:
		s.anchor = b
	case *Before:
		s.began[b.CallID] = true
		s.calls = append(s.calls, &Before{CallID: b.CallID, StepID: b.StepID, Stack: b.Stack})
	case *Input:
		s.inputs[b.CallID] = true
	case *After:
		s.ended[b.CallID] = true
	case *FrameSnapshot:
		s.snapshots[snapshotKey{b.CallID, b.Phase}] = true
	}
}

// joined reports whether runner and library lines of one call are to be
// joined by an id of their own.
func (c *copying) joined() bool { return len(c.src.files) > 1 }

// join gives each call the one id that version 10 has for it: the runner's,
// where it is a step of a test. Ids that another file of the library has used
// are changed, because they mean another call there.
func (conv *conversion) join(s *scan, taken map[string]bool) {
	used := map[string]bool{}
	for _, b := range s.calls {
		id := b.CallID
		if b.StepID != "" && b.StepID != id && !used[b.StepID] {
			id = b.StepID
		}
		if !s.runner && id == b.CallID && taken[id] {
			id = unusedID(b.CallID, taken, used)
		}
		used[id] = true
		if id != b.CallID {
			conv.ids[b.CallID] = id
		}
	}
	if !s.runner {
		for id := range used {
			taken[id] = true
		}
	}
}

func unusedID(id string, taken, used map[string]bool) string {
	for n := 2; ; n++ {
		other := fmt.Sprintf("%s-%d", id, n)
		if !taken[other] && !used[other] {
			return other
		}
	}
}

// body returns the event as it is to be written.
func (conv *conversion) body(body Body) Body {
	switch b := body.(type) {
	case *ContextOptions:
		c := *b
		c.Version = conv.low.version
		if conv.anchor != nil {
			c.WallTime, c.MonotonicTime = conv.anchor.WallTime, conv.anchor.MonotonicTime
		}
		return &c
	case *Before:
		return conv.before(b)
	case *FrameSnapshot:
		if conv.low.version >= 9 && b.Name != "" {
			c := *b
			c.Name = ""
			b, body = &c, &c
		}
	}
	conv.newID(body)
	return body
}

func (conv *conversion) before(b *Before) *Before {
	c := *b
	if len(c.Stack) == 0 && conv.inline {
		c.Stack = conv.stacks[b.CallID]
	}
	if conv.low.version >= 10 {
		c.StepID = ""
		c.CallID, c.ParentID = conv.id(c.CallID), conv.id(c.ParentID)
	}
	return &c
}

func (conv *conversion) id(old string) string {
	if id, ok := conv.ids[old]; ok {
		return id
	}
	return old
}

// newID changes the id of the call that the event is of.
func (conv *conversion) newID(body Body) {
	if len(conv.ids) == 0 {
		return
	}
	switch b := body.(type) {
	case *Input:
		b.CallID = conv.id(b.CallID)
	case *Log:
		b.CallID = conv.id(b.CallID)
	case *After:
		b.CallID = conv.id(b.CallID)
	case *FrameSnapshot:
		b.CallID = conv.id(b.CallID)
	case *Screenshot:
		b.CallID = conv.id(b.CallID)
	case *AriaSnapshot:
		b.CallID = conv.id(b.CallID)
	}
}

// takeStacks decides where stacks go: a .stacks entry of versions before 10
// can only mean calls whose id is "call@" and a number.
func (conv *conversion) takeStacks(stacks map[string][]StackFrame) {
	conv.stacks = stacks
	for id := range stacks {
		if _, ok := callNumber(id); !ok && conv.low.version < 10 {
			conv.inline = true
		}
	}
}

func callNumber(id string) (int, bool) {
	rest, ok := strings.CutPrefix(id, "call@")
	n, err := strconv.Atoi(rest)
	return n, ok && err == nil && strconv.Itoa(n) == rest
}

// stacksText is the .stacks entry; ok is false where none is needed.
func (conv *conversion) stacksText() (text []byte, ok bool) {
	if conv.inline || len(conv.stacks) == 0 {
		return nil, false
	}
	ids := sortedKeys(conv.stacks)
	files := map[string]int{}
	doc := struct {
		Files  []string `json:"files"`
		Stacks []any    `json:"stacks"`
	}{Files: []string{}}
	for _, id := range ids {
		rows := [][]any{}
		for _, f := range conv.stacks[id] {
			n, known := files[f.File]
			if !known {
				n = len(doc.Files)
				files[f.File] = n
				doc.Files = append(doc.Files, f.File)
			}
			rows = append(rows, []any{n, f.Line, f.Column, f.Function})
		}
		var key any = conv.id(id)
		if n, ok := callNumber(id); ok && conv.low.version < 10 {
			key = n
		}
		doc.Stacks = append(doc.Stacks, []any{key, rows})
	}
	text, err := fields.Marshal(doc)
	return text, err == nil
}

// renameSources finds the names that the entries of sources have in the
// version that is written: they are made of the hash of the path.
func (c *copying) renameSources(s *scan, stacks map[string][]StackFrame) {
	add := func(frames []StackFrame) {
		for _, f := range frames {
			c.renameSource(f.File)
		}
	}
	for _, b := range s.calls {
		add(b.Stack)
	}
	for _, frames := range stacks {
		add(frames)
	}
}

func (c *copying) renameSource(file string) {
	sum := sha1.Sum([]byte(file))
	hash := hex.EncodeToString(sum[:])
	old, now := "resources/src@"+hash+".txt", "src/"+hash+path.Ext(file)
	if c.dst.version < 9 {
		old, now = now, old
	}
	c.sources[old] = now
}

func sortedKeys[V any](m map[string]V) []string {
	set := make(map[string]bool, len(m))
	for k := range m {
		set[k] = true
	}
	return sortedTrue(set)
}
