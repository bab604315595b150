package viewer

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/codegen"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/viewer/content"
	"github.com/tracedeck/tracedeck/viewer/wire"
	"github.com/tracedeck/tracedeck/web"
)

// ExportOptions say what goes into a page that needs no server.
type ExportOptions struct {
	Paths []string // one trace, or two that are compared
	Index index.Options
	// Version is the program's, shown in the page.
	Version string
	// Known is what the sessions are held against.
	Known Known
	// Redact says which secrets are taken out first; nil keeps all there is.
	Redact *redact.Options
	// MaxBytes is about how much may be put into the page before it is
	// compressed; 0 means 256 MB. What comes after is left out.
	MaxBytes int64
	// MaxBody leaves out bodies and pictures of more bytes; 0 means 4 MB.
	MaxBody int64
}

// ExportReport is what an export left out.
type ExportReport struct {
	Pages, Bodies int // that are in the page
	Missing       int // that are not: too large, damaged, or beyond MaxBytes
	Steps         int // whose details were left out, since there are too many
}

const (
	mostExport      = 256 << 20
	mostExportBody  = 4 << 20
	mostExportSteps = 20_000
	mostExportFiles = 400
)

// Export writes a trace, or two side by side, as one HTML file that shows them
// like the viewer does, opened from a disk, without a server or a network.
func Export(ctx context.Context, w io.Writer, o ExportOptions) (ExportReport, error) {
	if len(o.Paths) < 1 || len(o.Paths) > 2 {
		return ExportReport{}, errors.New("one trace is exported, or two that are compared")
	}
	var all []*recording
	defer func() {
		for _, r := range all {
			r.close()
		}
	}()
	for _, path := range o.Paths {
		r, err := openRecording(ctx, path, o.Index, o.Known)
		if err != nil {
			return ExportReport{}, err
		}
		all = append(all, r)
		if err := r.readAll(ctx); err != nil {
			return ExportReport{}, fmt.Errorf("%s: %w", path, err)
		}
	}
	return exportRecordings(ctx, w, o, all)
}

func (r *recording) close() {
	if x := r.progress().index; x != nil {
		_ = x.Close()
	}
	_ = r.archive.Close() // both were only ever read from
}

// readAll reads what there is now.
func (r *recording) readAll(ctx context.Context) error {
	r.started = time.Now()
	o := r.options
	o.OnBatch = func(b index.Batch) { r.tell(func() { r.take(b) }) }
	if r.archive.Growing() {
		_, err := index.NewBuilder(r.archive, o).Resume(ctx)
		r.pulse(true)
		return err
	}
	_, err := index.Open(ctx, r.archive, o)
	return err
}

// redactedRecordings makes copies of recordings without their secrets. Links
// lead to them as to the originals. Call done when they are no longer needed.
func redactedRecordings(ctx context.Context, all []*recording, o ExportOptions) (copies []*recording, done func(), err error) {
	var undo []func()
	done = func() {
		for _, f := range undo {
			f()
		}
	}
	for _, r := range all {
		a, remove, err := codegen.Redacted(ctx, r.archive, *o.Redact)
		if err != nil {
			done()
			return nil, nil, fmt.Errorf("%s: %w", r.name, err)
		}
		c := newRecording(a, r.path, index.Options{NoCache: true}, o.Known)
		c.id, c.content.ID, c.name = r.id, r.id, r.name
		undo = append(undo, func() {
			if x := c.progress().index; x != nil {
				_ = x.Close()
			}
			remove()
		})
		if err := c.readAll(ctx); err != nil {
			done()
			return nil, nil, fmt.Errorf("%s: %w", r.name, err)
		}
		copies = append(copies, c)
	}
	return copies, done, nil
}

// exported is the content of the page.
type exported struct {
	Welcome   []byte             `json:"welcome"`
	Traces    []*exportedTrace   `json:"traces"`
	Compare   map[string][]any   `json:"compare,omitempty"` // lots of answers, by question
	Resources []exportedResource `json:"resources"`

	o    ExportOptions
	left int64
	done ExportReport
}

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

func exportRecordings(ctx context.Context, w io.Writer, o ExportOptions, all []*recording) (ExportReport, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = mostExport
	}
	if o.MaxBody == 0 {
		o.MaxBody = mostExportBody
	}
	x := &exported{o: o, left: o.MaxBytes}
	if o.Redact != nil {
		copies, done, err := redactedRecordings(ctx, all, o)
		if err != nil {
			return x.done, err
		}
		defer done()
		all = copies
	}
	hello := welcomeMessage{Program: o.Version, Tables: schemas(), Compare: len(all) == 2}
	for _, r := range all {
		hello.Traces = append(hello.Traces, traceEntry{r.id, r.name, false})
		t, err := x.trace(ctx, r)
		if err != nil {
			return x.done, fmt.Errorf("%s: %w", r.name, err)
		}
		x.Traces = append(x.Traces, t)
	}
	welcome, err := wire.NewEncoder().Welcome(hello)
	if err != nil {
		return x.done, err
	}
	x.Welcome = welcome
	if len(all) == 2 {
		if err := x.compare(ctx, all[0], all[1]); err != nil {
			return x.done, err
		}
	}
	return x.done, x.write(w, all)
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

// compare asks all that the page could ask of two traces.
func (x *exported) compare(ctx context.Context, a, b *recording) error {
	c := &comparison{a: a, b: b, token: "exported"}
	if err := c.begin(ctx); err != nil {
		return err
	}
	x.Compare = map[string][]any{}
	add := func(question string, v any, err error) error {
		if err == nil {
			x.Compare[question] = append(x.Compare[question], v)
		}
		return err
	}
	for lot := range c.lots() {
		if err := add("align/-1", lot, nil); err != nil {
			return err
		}
	}
	for n := range c.pairs.Pairs {
		v, err := c.pair(ctx, n)
		if err := add(fmt.Sprint("pair/", n), v, err); err != nil {
			return err
		}
	}
	whole, err := c.all(ctx)
	if err := add("all/-1", whole, err); err != nil {
		return err
	}
	noise, err := c.noise(ctx, -1)
	return add("noise/-1", noise, err)
}

// write puts the page together: its style and its script, and the content as
// compressed text that the script reads.
func (x *exported) write(w io.Writer, all []*recording) error {
	script, err := fs.ReadFile(web.Dist(), "viewer.js")
	if err != nil {
		return err
	}
	style, err := fs.ReadFile(web.Dist(), "viewer.css")
	if err != nil {
		return err
	}
	script = bytes.ReplaceAll(script, []byte("</script"), []byte(`<\/script`))
	sum := sha256.Sum256(script)
	policy := "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; style-src 'unsafe-inline' data:; img-src data: blob:; font-src data:; media-src data:; " +
		"connect-src data:; frame-src data: blob:; base-uri 'none'; form-action 'none'"
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = r.name[strings.LastIndexAny(r.name, `/\`)+1:]
	}
	_, err = fmt.Fprintf(w, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>%s</title>
<link rel="icon" href="data:,">
<style>%s</style>
</head>
<body><div id="app"><noscript>This page needs JavaScript; nothing of a recording ever runs in it.</noscript></div>
<script type="application/octet-stream" id="deck-data">`, html.EscapeString(policy), html.EscapeString(strings.Join(names, " and ")+" · tracedeck"), style)
	if err != nil {
		return err
	}
	if err := x.encode(w); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "</script>\n<script type=\"module\">%s</script>\n</body>\n</html>\n", script)
	return err
}

// encode writes the content as JSON, compressed, in base64.
func (x *exported) encode(w io.Writer) error {
	text := base64.NewEncoder(base64.StdEncoding, w)
	packed := gzip.NewWriter(text)
	if err := json.NewEncoder(packed).Encode(x); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return text.Close()
}
