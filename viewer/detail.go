package viewer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// errNoRow is what a page gets that asks for a row that there is not.
var errNoRow = errors.New("there is no such row")

// detail answers a get: what the lines of a row say beyond its columns, as
// JSON in the shape of the newest version of the format.
func (r *recording) detail(ctx context.Context, x *index.Index, g wire.Get) (any, error) {
	switch g.What {
	case "action":
		return r.actionDetail(ctx, x, g.Row)
	case "request":
		return r.lineOf(ctx, x, index.Network, g.Row)
	case "message":
		return r.lineOf(ctx, x, index.Console, g.Row)
	case "error":
		return r.lineOf(ctx, x, index.Errors, g.Row)
	case "source":
		return r.source(ctx, g.Text)
	case "id":
		if g.Row < 0 || g.Row >= x.Len(index.Actions) {
			return nil, errNoRow
		}
		return map[string]string{"id": x.Action(index.Row(g.Row)).CallID}, nil
	case "find":
		return map[string]index.Row{"row": findCall(x, g.Text)}, nil
	case "limits":
		return r.limits(ctx, x)
	case "locator":
		return r.codeOf(g.Text)
	case "audit":
		return r.audit(ctx)
	case "contract":
		return r.contract(ctx)
	case "performance":
		return r.performance(ctx)
	case "code":
		return r.code(ctx, g.Text)
	case "place":
		return rowAt(x, g.Text), nil
	case "storage":
		return r.storage(ctx)
	case "attachment":
		return r.lineOf(ctx, x, index.Attachments, g.Row)
	}
	return nil, fmt.Errorf("nothing is known of %.40q", g.What)
}

// findCall returns the first action with a call id.
func findCall(x *index.Index, id string) index.Row {
	for r := range index.Row(x.Len(index.Actions)) {
		if x.Action(r).CallID == id {
			return r
		}
	}
	return index.NoRow
}

// actionDetail is what the page gets of an action.
type actionDetail struct {
	Before     json.RawMessage    `json:"before,omitempty"`
	After      json.RawMessage    `json:"after,omitempty"`
	StepBefore json.RawMessage    `json:"stepBefore,omitempty"`
	StepAfter  json.RawMessage    `json:"stepAfter,omitempty"`
	Stack      []trace.StackFrame `json:"stack,omitempty"`
	Logs       []logLine          `json:"logs"`
	MoreLogs   int                `json:"moreLogs,omitempty"`
}

type logLine struct {
	Time *float64 `json:"time"` // microseconds; null where it was not recorded
	Text string   `json:"text"`
}

func (r *recording) actionDetail(ctx context.Context, x *index.Index, row int) (any, error) {
	if row < 0 || row >= x.Len(index.Actions) {
		return nil, errNoRow
	}
	a := x.Action(index.Row(row))
	d := actionDetail{Logs: []logLine{}}
	for _, part := range []struct {
		at   trace.Position
		into *json.RawMessage
	}{{a.Before, &d.Before}, {a.After, &d.After}, {a.StepBefore, &d.StepBefore}, {a.StepAfter, &d.StepAfter}} {
		if part.at.Line == 0 {
			continue
		}
		body, err := body(ctx, x, r.archive, part.at)
		if err != nil {
			return nil, err
		}
		*part.into = body
	}
	d.Logs, d.MoreLogs = logsOf(x, index.Row(row))
	d.Stack = r.stack(ctx, a)
	return d, nil
}

const mostLogs = 2000

// logsOf finds the log lines of an action: one column of the table, read in
// large pieces, which takes a millisecond for a million rows.
func logsOf(x *index.Index, action index.Row) (lines []logLine, more int) {
	const piece = 16 << 10
	words := make([]uint32, 0, piece)
	lines = []logLine{}
	for from := 0; from < x.Len(index.Logs); from += piece {
		words = x.AppendWords(words[:0], index.Logs, index.LogAction, index.Row(from), piece)
		for i, w := range words {
			if index.Row(w) != action {
				continue
			}
			if len(lines) == mostLogs {
				more++
				continue
			}
			l := x.Log(index.Row(from + i))
			lines = append(lines, logLine{micros(l.Time), l.Message})
		}
	}
	return lines, more
}

func (r *recording) lineOf(ctx context.Context, x *index.Index, t index.Table, row int) (any, error) {
	if row < 0 || row >= x.Len(t) {
		return nil, errNoRow
	}
	var at trace.Position
	switch t {
	case index.Network:
		at = x.Request(index.Row(row)).Position
	case index.Console:
		at = x.Message(index.Row(row)).Position
	case index.Errors:
		at = x.Error(index.Row(row)).Position
	default:
		at = x.Attachment(index.Row(row)).Position
	}
	return body(ctx, x, r.archive, at)
}

// body returns the event of a line as JSON, its long texts cut.
func body(ctx context.Context, x *index.Index, a *trace.Archive, at trace.Position) (json.RawMessage, error) {
	events, err := eventsAt(ctx, x, a, at)
	if err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return json.RawMessage("null"), nil
	}
	b, err := trace.AppendBody(nil, events[0].Body)
	if err != nil {
		return nil, err
	}
	return shorten(b), nil
}

// eventsAt reads a line by way of the index, which reaches the middle of large
// entries faster than the archive, and brings it up to date by the version
// that the first line of its .trace file tells.
func eventsAt(ctx context.Context, x *index.Index, a *trace.Archive, at trace.Position) ([]*trace.Event, error) {
	for _, f := range a.Files() {
		first, ok := x.LinePosition(f.Trace, 1)
		if !ok || at.File != f.Trace && at.File != f.Network || at == first {
			continue
		}
		d := trace.NewDecoder(f.Trace)
		head, err := x.Line(ctx, first)
		if err != nil {
			return nil, err
		}
		if _, err := d.Line(head, first); err != nil {
			break // the archive copes with a damaged first line
		}
		if at.File == f.Network {
			d = d.Beside(f.Network)
		}
		line, err := x.Line(ctx, at)
		if err != nil {
			return nil, err
		}
		return d.Line(line, at)
	}
	return a.EventsAt(ctx, at)
}

// What a page gets of one line, and of one text in it.
const (
	mostLine = 256 << 10
	mostText = 16 << 10
)

// shorten cuts long texts in large JSON, so that a line with a file inside
// does not fill the wire.
func shorten(b []byte) json.RawMessage {
	if len(b) <= mostLine {
		return b
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return json.RawMessage("null")
	}
	left := mostLine / 2
	short, err := json.Marshal(cutValue(v, &left))
	if err != nil {
		return json.RawMessage("null")
	}
	return short
}

func cutValue(v any, left *int) any {
	switch v := v.(type) {
	case string:
		return cutText(v, left)
	case []any:
		for i := range v {
			if *left <= 0 {
				return append(v[:i:i], fmt.Sprintf("… %d more", len(v)-i))
			}
			v[i] = cutValue(v[i], left)
		}
	case map[string]any:
		for k := range v {
			*left -= len(k) + 8
			if *left <= 0 {
				delete(v, k)
				continue
			}
			v[k] = cutValue(v[k], left)
		}
	}
	*left -= 8
	return v
}

func cutText(s string, left *int) string {
	most := max(min(mostText, *left), 64)
	*left -= min(len(s), most)
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:most], len(s))
}

// sourceText is a file of the program that was recorded.
type sourceText struct {
	File string `json:"file"`
	Text string `json:"text"`
	Kept bool   `json:"kept"` // whether the recorder kept it
	Cut  bool   `json:"cut,omitempty"`
}

func (r *recording) source(ctx context.Context, file string) (any, error) {
	rc, ok := r.archive.Source(ctx, file)
	if !ok {
		return sourceText{File: file}, nil
	}
	defer rc.Close()
	const most = 512 << 10
	text, err := io.ReadAll(io.LimitReader(rc, most+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	s := sourceText{File: file, Kept: true, Cut: len(text) > most}
	s.Text = string(bytes.ToValidUTF8(text[:min(len(text), most)], []byte("\uFFFD")))
	return s, nil
}
