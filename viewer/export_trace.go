package viewer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/content"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

type exportedTrace struct {
	ID      string         `json:"id"`
	Frames  [][]byte       `json:"frames"`
	Answers map[string]any `json:"answers"`
	IDs     []string       `json:"ids"`     // call ids of the actions
	Pages   map[int]int    `json:"pages"`   // numbers of rendered snapshots, by row
	Entries map[string]int `json:"entries"` // numbers of entries, by name
}

type exportedResource struct {
	Kind string `json:"k"`
	Body []byte `json:"b"`
}

// trace takes what the page would get over the wire and from the content's
// origin.
func (x *exported) trace(ctx context.Context, r *recording) (*exportedTrace, error) {
	p := r.progress()
	if p.index == nil {
		return nil, errReading
	}
	t := &exportedTrace{ID: r.id, Answers: map[string]any{}, Pages: map[int]int{}, Entries: map[string]int{}}
	var err error
	if t.Frames, err = allFrames(r); err != nil {
		return nil, err
	}
	if err := x.answers(ctx, r, p.index, t); err != nil {
		return nil, err
	}
	return t, x.things(ctx, r, p.index, t)
}

// allFrames are the messages that bring a page all rows.
func allFrames(r *recording) (all [][]byte, err error) {
	s, e := newStream(wire.Open{Ref: 1, Trace: r.id}, r, make(chan struct{}, 1)), wire.NewEncoder()
	defer s.cancel()
	for {
		b, err := s.control(e, time.Now())
		if err != nil {
			return nil, err
		}
		if b == nil {
			b = s.frame(e)
		}
		if b == nil {
			return all, nil
		}
		all = append(all, bytes.Clone(b))
	}
}

// answers asks all that the page could ask.
func (x *exported) answers(ctx context.Context, r *recording, i *index.Index, t *exportedTrace) error {
	files := map[string]bool{}
	for _, q := range []struct {
		what  string
		table index.Table
	}{{"action", index.Actions}, {"request", index.Network}, {"message", index.Console}, {"error", index.Errors}, {"attachment", index.Attachments}} {
		for row := range i.Len(q.table) {
			if row >= mostExportSteps {
				x.done.Steps += i.Len(q.table) - row
				break
			}
			v, err := r.detail(ctx, i, wire.Get{What: q.what, Row: row})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				continue // a damaged line
			}
			t.Answers[fmt.Sprint(q.what, "/", row)] = v
			if d, ok := v.(actionDetail); ok {
				noteFiles(files, d)
			}
		}
	}
	for row := range i.Len(index.Actions) {
		t.IDs = append(t.IDs, i.Action(index.Row(row)).CallID)
	}
	for _, what := range []string{"audit", "contract", "performance", "storage", "limits"} {
		if v, err := r.detail(ctx, i, wire.Get{What: what, Row: -1}); err == nil {
			t.Answers[what+"/-1"] = v
			for _, place := range placesOf(v) {
				t.Answers["place/"+place] = rowAt(i, place)
			}
		}
	}
	for file := range files {
		if v, err := r.source(ctx, file); err == nil {
			t.Answers["source/"+file] = v
		}
	}
	return ctx.Err()
}

// noteFiles notes which source files a step names.
func noteFiles(files map[string]bool, d actionDetail) {
	var line struct {
		Stack []struct{ File string }
	}
	for _, raw := range []json.RawMessage{d.Before, d.StepBefore} {
		if json.Unmarshal(raw, &line) != nil {
			continue
		}
		for _, f := range line.Stack {
			if len(files) < mostExportFiles {
				files[f.File] = true
			}
		}
	}
	for _, f := range d.Stack {
		if len(files) < mostExportFiles {
			files[f.File] = true
		}
	}
}

// things puts pages, pictures and bodies aside. Pages come first: they are what
// people look at.
func (x *exported) things(ctx context.Context, r *recording, i *index.Index, t *exportedTrace) error {
	e := content.NewEmbedder(r.content, min(x.o.MaxBody, x.o.MaxBytes), func(kind string, body []byte) int {
		x.left -= int64(len(body))
		x.Resources = append(x.Resources, exportedResource{kind, body})
		return len(x.Resources) - 1
	})
	for row := range i.Len(index.Snapshots) {
		if i.Snapshot(index.Row(row)).Flags&index.MainFrame == 0 || !x.room(ctx) {
			continue
		}
		n, err := e.Page(ctx, row)
		if err != nil {
			x.done.Missing++
			continue
		}
		t.Pages[row] = n
		x.done.Pages++
	}
	for _, name := range entriesOf(i) {
		if _, known := t.Entries[name]; known || name == "" || !x.room(ctx) {
			continue
		}
		n, err := e.Entry(ctx, name)
		if err != nil {
			x.done.Missing++
			continue
		}
		t.Entries[name] = n
		x.done.Bodies++
	}
	return ctx.Err()
}

// room reports whether more may be taken, and counts what may not.
func (x *exported) room(ctx context.Context) bool {
	if x.left <= 0 {
		x.done.Missing++
	}
	return x.left > 0 && ctx.Err() == nil
}

// entriesOf lists the entries that a page can ask for.
func entriesOf(i *index.Index) (all []string) {
	for n := range index.Row(i.Len(index.Stills)) {
		all = append(all, i.Still(n).Entry)
	}
	for n := range index.Row(i.Len(index.Attachments)) {
		all = append(all, i.Attachment(n).Entry)
	}
	for n := range index.Row(i.Len(index.Network)) {
		r := i.Request(n)
		all = append(all, r.Body, r.Sent)
	}
	for n := range index.Row(i.Len(index.Frames)) {
		all = append(all, i.Frame(n).Entry)
	}
	return all
}
