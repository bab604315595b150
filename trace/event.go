package trace

import (
	"github.com/tracedeck/tracedeck/trace/internal/fields"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Event is one event of a trace: what the line says, in the shape of
// [CurrentVersion] whatever the version of the file, and where it stands.
type Event struct {
	Body     Body
	Position Position
	// Raw is the line as it is in the file, without its line end. Several
	// events may come from one line of an old version, and some lines of
	// theirs mean nothing today; Raw is set on the first event of a line.
	Raw []byte
}

// Position says where a line stands.
type Position struct {
	File   string // name of the entry, such as "0-trace.trace"
	Line   int    // counted from 1
	Offset int64  // bytes of the inflated entry before the line
	Length int    // bytes of the line, without its end
}

// Body is what an event says: one of the pointer types of this package, such
// as *[Before] or *[FrameSnapshot], or *[Unknown].
type Body interface {
	// EventType is the value of the "type" member.
	EventType() string
	fields() []fields.Field
	extra() *Extra
}

// Extra holds the members of an event that this package gives no field of
// their own, and those whose value is not of the kind it should be.
type Extra struct{ obj rawjson.Object }

func (x *Extra) extra() *Extra { return x }

// Get returns the JSON text of the member, and nil if there is none.
func (x *Extra) Get(key string) []byte { return x.obj.Get(key) }

// Text returns the string that the member holds, and "" if it holds none.
func (x *Extra) Text(key string) string { return x.obj.Text(key) }

// Set gives the member a value, which must be JSON; nil removes it.
func (x *Extra) Set(key string, value []byte) {
	if value == nil {
		x.obj.Delete(key)
		return
	}
	x.obj.Set(key, value)
}

// Keys returns the names of the members in their order.
func (x *Extra) Keys() []string {
	keys := make([]string, len(x.obj))
	for i, m := range x.obj {
		keys[i] = m.Key
	}
	return keys
}

// Unknown is an event of a type that this package does not know. Everything
// it says is in Extra.
type Unknown struct {
	Type string
	Extra
}

// EventType returns the type as it was read.
func (u *Unknown) EventType() string      { return u.Type }
func (u *Unknown) fields() []fields.Field { return nil }

// Dropped is a line of an old version that means nothing today, such as the
// creation of an object by which other lines named it. Only Raw tells of it.
type Dropped struct{ Extra }

// EventType returns "".
func (*Dropped) EventType() string      { return "" }
func (*Dropped) fields() []fields.Field { return nil }

// ClockAnchor ties the clocks of a file of version 6 or older, whose
// [ContextOptions] do not: WallTime and MonotonicTime are of one moment. It
// comes before the first action and stands in no file.
type ClockAnchor struct {
	WallTime      float64 // milliseconds since the epoch
	MonotonicTime Time
	Extra
}

// EventType returns "".
func (*ClockAnchor) EventType() string      { return "" }
func (*ClockAnchor) fields() []fields.Field { return nil }

func newClockAnchor(obj rawjson.Object) *ClockAnchor {
	mono, _ := parseTime(obj.Get("monotonicTime"))
	wall, _ := parseTime(obj.Get("wallTime"))
	return &ClockAnchor{WallTime: wall.Milliseconds(), MonotonicTime: mono}
}

// DecodeBody makes a Body of one line of [CurrentVersion]. It goes wrong only
// when line is not a JSON object: a member that does not have the kind of
// value it should have is kept in Extra.
func DecodeBody(line []byte) (Body, error) {
	obj, err := rawjson.Parse(line)
	if err != nil {
		return nil, err
	}
	return decodeObject(obj), nil
}

func decodeObject(obj rawjson.Object) Body {
	body := newBody(obj.Text("type"))
	if w, ok := body.(wrapped); ok && obj.Has("snapshot") {
		if inner, err := rawjson.Parse(obj.Get("snapshot")); err == nil {
			outer := obj[:0:0]
			for _, m := range obj {
				if m.Key != "snapshot" {
					outer = append(outer, m)
				}
			}
			w.wrapper().obj = fields.Decode(outer, nil)
			obj = inner
			body.extra().obj = decodeInner(obj, body)
			return body
		}
	}
	body.extra().obj = fields.Decode(obj, body.fields())
	return body
}

// decodeInner keeps a member "type" of a nested object, which is not the
// event's type and would be left out otherwise.
func decodeInner(obj rawjson.Object, body Body) rawjson.Object {
	extra := fields.Decode(obj, body.fields())
	if v := obj.Get("type"); v != nil {
		extra.Set("type", append([]byte(nil), v...))
	}
	return extra
}

// wrapped bodies have their members in a "snapshot" object.
type wrapped interface{ wrapper() *Extra }

// AppendBody appends the event's line in the shape of [CurrentVersion] to b,
// without a line end.
func AppendBody(b []byte, body Body) ([]byte, error) {
	w, ok := body.(wrapped)
	if !ok {
		return fields.Encode(b, body.EventType(), body.fields(), body.extra().obj)
	}
	inner, err := fields.Encode(nil, "", body.fields(), body.extra().obj)
	if err != nil {
		return nil, err
	}
	outer := append(rawjson.Object{{Key: "type", Value: rawjson.Quote(body.EventType())},
		{Key: "snapshot", Value: inner}}, w.wrapper().obj...)
	return outer.AppendTo(b), nil
}

func newBody(typ string) Body {
	switch typ {
	case "context-options":
		return &ContextOptions{}
	case "before":
		return &Before{}
	case "begun":
		return &Begun{}
	case "input":
		return &Input{}
	case "log":
		return &Log{}
	case "after":
		return &After{}
	case "event":
		return &ContextEvent{}
	case "console":
		return &Console{}
	case "stdout", "stderr":
		return &Stdio{Stream: typ}
	case "error":
		return &TestError{}
	case "screencast-frame":
		return &ScreencastFrame{}
	case "screenshot":
		return &Screenshot{}
	case "aria-snapshot":
		return &AriaSnapshot{}
	case "frame-snapshot":
		return &FrameSnapshot{}
	case "resource-snapshot":
		return &ResourceSnapshot{}
	}
	return &Unknown{Type: typ}
}
