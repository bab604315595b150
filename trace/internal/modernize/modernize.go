// Package modernize turns lines of older trace versions into lines of the
// current one, one version step at a time. It also levels the differences
// between recorders that claim the same version. Nobody else meets an old line.
package modernize

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Current is the version that lines have when they come out.
const Current = 10

// File is the state of bringing one file's lines up to date. The lines of a
// context's .network file go through a File with the same Header as its .trace.
type File struct {
	header  Header
	v3      stateV3
	phases  map[string]string // snapshot name to phase
	anchor  bool              // the first action is still to give version 6 its clock
	apiRef  string
	emitted []rawjson.Object
}

// Header is what the first line of a .trace file says about the others.
type Header struct {
	Version  int
	Implicit bool // there was no context-options: a test runner's file of version 6 or older
	Epoch    bool // times are milliseconds since the epoch, and _monotonicTime is in seconds
	Width    string
	Height   string // of the context's viewport, as JSON numbers
}

// ReadHeader takes what matters from the first line of a .trace file.
func ReadHeader(first rawjson.Object) Header {
	h := Header{Version: Current}
	if first.Text("type") != "context-options" {
		return Header{Version: 6, Implicit: true}
	}
	if n, err := strconv.Atoi(string(first.Get("version"))); err == nil {
		h.Version = n
	} else {
		h.Version = 6
	}
	h.Epoch = number(first.Get("monotonicTime")) > 1e11
	if vp := first.Object("options").Object("viewport"); vp != nil {
		h.Width, h.Height = string(vp.Get("width")), string(vp.Get("height"))
	}
	return h
}

// New returns the state for a file with that header. ref names the file, for
// ids that have to be made up.
func New(h Header, ref string) *File {
	return &File{header: h, phases: map[string]string{}, anchor: h.Version <= 6, apiRef: ref,
		v3: stateV3{consoles: map[string]rawjson.Object{}, handles: map[string][]byte{}}}
}

// Header returns the header the file was made with.
func (f *File) Header() Header { return f.header }

// Line brings one line up to date. It becomes none, one or several lines,
// which are valid until the next call. obj may be changed.
func (f *File) Line(obj rawjson.Object) []rawjson.Object {
	f.emitted = append(f.emitted[:0], obj)
	if f.header.Version >= Current && f.settled(obj) {
		return f.emitted
	}
	for v := f.header.Version; v < Current; v++ {
		if step := steps[v]; step != nil {
			f.apply(step)
		}
	}
	f.apply(splitAction)
	f.apply(level)
	return f.emitted
}

// settled reports whether nothing is left to do for a line of the current version.
func (f *File) settled(obj rawjson.Object) bool {
	switch string(obj.Get("type")) {
	case `"action"`:
		return false
	case `"frame-snapshot"`:
		return named(obj.Get("snapshot"))
	case `"resource-snapshot"`:
		return !f.header.Epoch
	}
	return true
}

// named tells from a snapshot's first members, as the recorders of the current
// version write them, that it has its call and its phase. Parsing a large page
// to find out would take as long as reading it.
func named(snapshot []byte) bool {
	const head = 160
	return bytes.HasPrefix(snapshot, []byte(`{"callId":"`)) && bytes.Contains(snapshot[:min(len(snapshot), head)], []byte(`","phase":"`))
}

// Opening returns the lines that a file must begin with and does not.
func (f *File) Opening() []rawjson.Object {
	if !f.header.Implicit {
		return nil
	}
	return []rawjson.Object{{
		{Key: "version", Value: []byte("6")}, {Key: "type", Value: []byte(`"context-options"`)},
		{Key: "origin", Value: []byte(`"testRunner"`)}, {Key: "browserName", Value: []byte(`""`)},
		{Key: "options", Value: []byte("{}")}, {Key: "platform", Value: []byte(`""`)},
		{Key: "wallTime", Value: []byte("0")}, {Key: "monotonicTime", Value: []byte("0")},
		{Key: "sdkLanguage", Value: []byte(`"javascript"`)},
	}}
}

// step turns one line into none, one or several of the next version.
type step func(*File, rawjson.Object) []rawjson.Object

var steps = map[int]step{
	0: from0, 1: from1, 2: from2, 3: from3, 4: from4, 5: from5, 6: from6, 7: from7, 8: from8, 9: from9,
}

func (f *File) apply(s step) {
	var out []rawjson.Object
	for _, obj := range f.emitted {
		out = append(out, s(f, obj)...)
	}
	f.emitted = out
}

func one(obj rawjson.Object) []rawjson.Object { return []rawjson.Object{obj} }

func number(b []byte) float64 {
	v, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return 0
	}
	return v
}

// change parses the member as an object, lets edit change it, and puts it back.
func change(obj *rawjson.Object, key string, edit func(*rawjson.Object)) {
	inner, err := rawjson.Parse(obj.Get(key))
	if err != nil {
		return
	}
	edit(&inner)
	obj.Set(key, inner.AppendTo(nil))
}

// splitAction gives the one-line form of an action, which even the current
// version allows, the shape of all others.
func splitAction(_ *File, obj rawjson.Object) []rawjson.Object {
	if obj.Text("type") != "action" {
		return one(obj)
	}
	before, after := rawjson.Object{}, rawjson.Object{}
	var logs []rawjson.Object
	before.SetText("type", "before")
	after.SetText("type", "after")
	for _, m := range obj {
		switch m.Key {
		case "type":
		case "callId":
			before = append(before, m)
			after = append(after, m)
		case "endTime", "error", "result", "point", "attachments", "annotations", "afterSnapshot":
			after = append(after, m)
		case "log":
			logs = logLines(obj.Get("callId"), m.Value)
			if logs == nil {
				before = append(before, m)
			}
		default:
			before = append(before, m)
		}
	}
	return append(append(one(before), logs...), after)
}

func logLines(callID, list []byte) []rawjson.Object {
	texts, err := rawjson.Elements(list)
	if err != nil {
		return nil
	}
	var lines []rawjson.Object
	for _, text := range texts {
		lines = append(lines, rawjson.Object{
			{Key: "type", Value: []byte(`"log"`)}, {Key: "callId", Value: callID},
			{Key: "time", Value: []byte("-1")}, {Key: "message", Value: text}})
	}
	return lines
}

// level evens out what recorders of the same version do differently, and what
// the steps of the public loader lose.
func level(f *File, obj rawjson.Object) []rawjson.Object {
	switch obj.Text("type") {
	case "resource-snapshot":
		if f.header.Epoch {
			change(&obj, "snapshot", secondsToMilliseconds)
		}
	case "frame-snapshot":
		if s, err := rawjson.Parse(obj.Get("snapshot")); err == nil && f.nameSnapshot(&s) {
			obj.Set("snapshot", s.AppendTo(nil))
		}
	}
	return one(obj)
}

// secondsToMilliseconds puts _monotonicTime on the clock of all other times:
// recorders that count from the epoch write it in seconds.
func secondsToMilliseconds(s *rawjson.Object) {
	if v := number(s.Get("_monotonicTime")); v > 1e9 && v < 1e11 {
		s.Set("_monotonicTime", strconv.AppendFloat(nil, v*1000, 'f', 3, 64))
	}
}

// nameSnapshot gives a snapshot that only has a name its call and its phase.
func (f *File) nameSnapshot(s *rawjson.Object) (changed bool) {
	if s.Has("phase") && s.Has("callId") {
		return false
	}
	name := s.Text("snapshotName")
	prefix, call, ok := strings.Cut(name, "@")
	if !s.Has("phase") {
		phase, known := f.phases[name]
		if !known && ok {
			phase = phaseOf(prefix)
		}
		if phase != "" {
			s.SetText("phase", phase)
		}
	}
	if !s.Has("callId") && ok {
		s.SetText("callId", call)
	}
	return true
}

func phaseOf(prefix string) string {
	switch prefix {
	case "before", "after", "action":
		return prefix
	case "input":
		return "action"
	}
	return ""
}
