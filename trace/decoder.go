package trace

import (
	"github.com/tracedeck/tracedeck/trace/internal/modernize"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// Decoder makes events of the lines of one file, given to it one by one and
// in their order. It is what a [Reader] is for those who have the lines from
// elsewhere, such as from a file that is still being written.
type Decoder struct {
	file string
	up   *modernize.File
	obj  rawjson.Object // memory that is used again for each line
}

// NewDecoder returns a Decoder for the file called name, whose first line
// tells the version.
func NewDecoder(name string) *Decoder { return &Decoder{file: name} }

// Beside returns a Decoder for the .network file that belongs to the .trace
// file of d, of which the first line must have been decoded.
func (d *Decoder) Beside(name string) *Decoder {
	other := NewDecoder(name)
	if d.up != nil {
		other.up = modernize.New(d.up.Header(), name)
	}
	return other
}

// Line returns the events of one line without its end, which stands at p.
// A line that is none gives a *[SyntaxError]. Raw shares memory with line.
func (d *Decoder) Line(line []byte, p Position) ([]*Event, error) {
	obj, err := rawjson.ParseInto(d.obj[:0], line)
	if err != nil {
		return nil, newSyntaxError(line, p, err)
	}
	d.obj = obj
	var events []*Event
	if d.up == nil {
		d.up = modernize.New(modernize.ReadHeader(obj), d.file)
		events = d.opening()
	}
	return append(events, d.take(obj, line, p)...), nil
}

// opening returns the events that the file should begin with and does not.
func (d *Decoder) opening() []*Event {
	var events []*Event
	for _, obj := range d.up.Opening() {
		events = append(events, &Event{Body: decodeObject(obj), Position: Position{File: d.file}})
	}
	return events
}

func (d *Decoder) take(obj rawjson.Object, line []byte, p Position) []*Event {
	var events []*Event
	raw := line
	for _, now := range d.up.Line(obj) {
		if now.Text("type") == modernize.AnchorType {
			events = append(events, &Event{Body: newClockAnchor(now), Position: p})
			continue
		}
		events = append(events, &Event{Body: decodeObject(now), Position: p, Raw: raw})
		raw = nil
	}
	if raw != nil {
		events = append(events, &Event{Body: &Dropped{}, Position: p, Raw: raw})
	}
	return events
}

func newSyntaxError(line []byte, p Position, err error) error {
	const excerpt = 80
	return &SyntaxError{Position: p, Text: string(line[:min(len(line), excerpt)]), Err: err}
}
