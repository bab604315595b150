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
