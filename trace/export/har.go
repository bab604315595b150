// Package export writes what a trace holds in forms that other programs read:
// an HTTP Archive, lines of JSON, or MessagePack.
package export

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// HAROptions say what goes into an HTTP Archive.
type HAROptions struct {
	NoBodies bool  // leave request and response bodies out
	MaxBody  int64 // bytes of one body; longer ones are left out with a comment. 0 means 16 MiB
	Creator  string
	Version  string // of the creator
}

// HARReport says what an export could not take along.
type HARReport struct {
	Entries int      `json:"entries"`
	Bodies  int      `json:"bodies"`  // that were written
	Missing []string `json:"missing"` // bodies that are named and not there, or damaged
	TooLong []string `json:"tooLong"`
}

// HAR writes all requests of a trace as an HTTP Archive 1.2 with their
// bodies. Entries are streamed: only one body is in memory at a time.
func HAR(ctx context.Context, w io.Writer, a *trace.Archive, t *trace.Trace, o HAROptions) (*HARReport, error) {
	if o.MaxBody <= 0 {
		o.MaxBody = 16 << 20
	}
	x := &harWriter{w: bufio.NewWriterSize(w, 64<<10), a: a, t: t, o: o, report: &HARReport{Missing: []string{}, TooLong: []string{}}}
	x.head()
	for i, r := range t.Network {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := x.entry(ctx, i, r); err != nil {
			return nil, err
		}
	}
	x.print("\n    ]\n  }\n}\n")
	if x.err != nil {
		return nil, x.err
	}
	return x.report, x.w.Flush()
}

type harWriter struct {
	w      *bufio.Writer
	a      *trace.Archive
	t      *trace.Trace
	o      HAROptions
	report *HARReport
	err    error
}

func (x *harWriter) print(text string) {
	if _, err := x.w.WriteString(text); err != nil && x.err == nil {
		x.err = err
	}
}

func (x *harWriter) json(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil && x.err == nil {
		x.err = err
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (x *harWriter) head() {
	type named struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	browser := named{Version: ""}
	for _, c := range x.t.Contexts {
		if c.BrowserName != "" {
			browser.Name = c.BrowserName
		}
	}
	x.print("{\n  \"log\": {\n    \"version\": \"1.2\",\n    \"creator\": " + x.json(named{x.o.Creator, x.o.Version}))
	x.print(",\n    \"browser\": " + x.json(browser) + ",\n    \"pages\": " + x.json(x.pages()) + ",\n    \"entries\": [")
}

func (x *harWriter) pages() []any {
	pages := []any{}
	for _, p := range x.t.Pages {
		at := x.t.Start
		if p.Opened.Known() {
			at = at.Add(time.Duration(p.Opened))
		}
		pages = append(pages, map[string]any{"startedDateTime": at.UTC().Format("2006-01-02T15:04:05.000Z"), "id": p.ID, "title": p.ID,
			"pageTimings": map[string]any{"onContentLoad": -1, "onLoad": -1}})
	}
	return pages
}

func (x *harWriter) entry(ctx context.Context, i int, r *trace.Request) error {
	e := *r.Entry
	e.Complete()
	if r.Start.Known() && !x.t.Start.IsZero() && e.StartedDateTime == "" {
		e.StartedDateTime = x.t.Start.Add(time.Duration(r.Start)).UTC().Format("2006-01-02T15:04:05.000Z")
	}
	if !x.o.NoBodies {
		if err := x.bodies(ctx, &e); err != nil {
			return err
		}
	}
	if i > 0 {
		x.print(",")
	}
	x.print("\n      " + x.json(e))
	x.report.Entries++
	return x.err
}

func (x *harWriter) bodies(ctx context.Context, e *har.Entry) error {
	if file := e.Response.Content.File; file != "" {
		body, ok, err := x.body(ctx, file)
		if err != nil {
			return err
		}
		if ok {
			e.Response.Content.Text, e.Response.Content.Encoding = encodeBody(body)
		}
	}
	if p := e.Request.PostData; p != nil && p.File != "" {
		body, ok, err := x.body(ctx, p.File)
		if err != nil {
			return err
		}
		if ok {
			copied := *p
			copied.Text = strings.ToValidUTF8(string(body), "\uFFFD")
			e.Request.PostData = &copied
		}
	}
	return nil
}

// body reads a body whole; ok is false where it cannot be had.
func (x *harWriter) body(ctx context.Context, file string) (body []byte, ok bool, err error) {
	rc, err := x.a.Resource(ctx, file)
	if err != nil {
		x.report.Missing = append(x.report.Missing, file)
		return nil, false, ctx.Err()
	}
	defer rc.Close()
	body, err = io.ReadAll(io.LimitReader(rc, x.o.MaxBody+1))
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case err != nil:
		x.report.Missing = append(x.report.Missing, file)
		return nil, false, nil
	case int64(len(body)) > x.o.MaxBody:
		x.report.TooLong = append(x.report.TooLong, file)
		return nil, false, nil
	}
	x.report.Bodies++
	return body, true, nil
}

func encodeBody(body []byte) (text, encoding string) {
	if utf8.Valid(body) {
		return string(body), ""
	}
	return base64.StdEncoding.EncodeToString(body), "base64"
}

// Sink takes the events of a trace one by one.
type Sink interface {
	Event(e *trace.Event) error
	Close() error
}

// Events writes every event of a trace to a sink. Lines that are none are
// given to onBad and left out.
func Events(ctx context.Context, a *trace.Archive, sink Sink, onBad func(error)) error {
	for e, err := range a.Events(ctx) {
		var bad *trace.SyntaxError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &bad), err != nil:
			onBad(err)
			continue
		case e.Body.EventType() == "":
			continue
		}
		if err := sink.Event(e); err != nil {
			return fmt.Errorf("%s:%d: %w", e.Position.File, e.Position.Line, err)
		}
	}
	return sink.Close()
}
