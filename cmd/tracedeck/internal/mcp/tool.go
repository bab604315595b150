package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/trace/redact"
)

// List is a part of a list: what was asked for, as far as it fits an answer.
type List[T any] struct {
	Items []T    `json:"items"`
	Total int    `json:"total" jsonschema:"how many there are that match"`
	From  int    `json:"from" jsonschema:"number of the first item, from 0"`
	Left  int    `json:"left" jsonschema:"how many come after these"`
	Note  string `json:"note,omitempty" jsonschema:"what was left out, and how to get it"`
}

// Range says which part of a list is wanted.
type Range struct {
	From  int `json:"from,omitempty" jsonschema:"number of the first item, from 0"`
	Limit int `json:"limit,omitempty" jsonschema:"how many items; 50 unless told, 500 at most"`
}

// part cuts a list to what was asked for.
func part[T any](all []T, r Range) List[T] {
	limit := r.Limit
	if limit <= 0 {
		limit = 50
	}
	from := min(max(0, r.From), len(all))
	to := min(len(all), from+min(limit, 500))
	l := List[T]{Items: append([]T{}, all[from:to]...), Total: len(all), From: from}
	l.count()
	return l
}

func (l *List[T]) count() {
	l.Left = l.Total - l.From - len(l.Items)
	l.Note = ""
	if l.Left > 0 {
		l.Note = fmt.Sprintf("%d more: ask again with from=%d, or narrow the filters", l.Left, l.From+len(l.Items))
	}
}

// shrink gives up the last quarter of the items.
func (l *List[T]) shrink() bool {
	n := len(l.Items) - max(1, len(l.Items)/4)
	if n < 1 {
		return false
	}
	l.Items = l.Items[:n]
	l.count()
	return true
}

// shrinker is an answer that can do with less.
type shrinker interface{ shrink() bool }

// Text is a text, or a part of one that is long.
type Text struct {
	Text  string `json:"text"`
	Total int    `json:"total" jsonschema:"letters in all"`
	From  int    `json:"from" jsonschema:"number of the first letter, from 0"`
	Left  int    `json:"left" jsonschema:"letters that come after these"`
	Note  string `json:"note,omitempty"`
}

// textPart cuts a text, which must be masked already: a secret across the cut
// must not escape.
func textPart(s string, from, limit int) Text {
	if limit <= 0 {
		limit = 8000
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	runes := []rune(s)
	from = min(max(0, from), len(runes))
	to := min(len(runes), from+min(limit, 30000))
	t := Text{Text: string(runes[from:to]), Total: len(runes), From: from, Left: len(runes) - to}
	if t.Left > 0 {
		t.Note = fmt.Sprintf("%d letters more: ask again with from=%d", t.Left, to)
	}
	return t
}

func (t *Text) shrink() bool {
	runes := []rune(t.Text)
	if len(runes) < 100 {
		return false
	}
	keep := len(runes) * 3 / 4
	t.Text = string(runes[:keep])
	t.Left = t.Total - t.From - keep
	t.Note = fmt.Sprintf("%d letters more: ask again with from=%d", t.Left, t.From+keep)
	return true
}

// reply is what a tool answers besides its output.
type reply struct {
	masker  *redact.Masker // nil: one that knows nothing
	session *session
	content []mcp.Content // instead of the output as text
	// redacted says that the output was made of a trace without secrets. A
	// program must not be masked again: what it says of secrets are names.
	redacted bool
}

// tool adds a tool whose output is masked and cut to size.
func tool[In, Out any](s *Server, t *mcp.Tool, do func(context.Context, In) (Out, reply, error)) {
	readOnly := true
	if t.Annotations == nil {
		t.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: readOnly}
	}
	if schema, err := jsonschema.For[In](nil); err == nil {
		s.takes[t.Name] = slices.Sorted(maps.Keys(schema.Properties))
	}
	mcp.AddTool(s.sdk, t, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, r, err := do(ctx, in)
		if r.session != nil {
			r.masker = r.session.masker
		}
		if r.masker == nil {
			r.masker = redact.NewMasker(s.o.Redact)
		}
		if err != nil {
			var zero Out
			return nil, zero, maskedError(r.masker, err)
		}
		if r.redacted {
			r.masker = nil
		}
		masked, err := finish(s, r.masker, out)
		if err != nil {
			return nil, out, err
		}
		res := &mcp.CallToolResult{Content: r.content}
		if r.session != nil && r.session.live {
			res.Meta = mcp.Meta{"tracedeck/findings": r.session.log.Last()}
		}
		return res, masked, nil
	})
}

func maskedError(m *redact.Masker, err error) error { return fmt.Errorf("%s", m.Text(err.Error())) }

// finish takes secrets out of an answer, unless there is no masker, and makes
// it fit.
func finish[Out any](s *Server, m *redact.Masker, out Out) (Out, error) {
	for {
		b, err := json.Marshal(out)
		if err != nil {
			return out, err
		}
		if len(b) > s.o.MaxAnswer {
			if sh, ok := any(&out).(shrinker); ok && sh.shrink() {
				continue
			}
		}
		if m == nil {
			return out, nil
		}
		var masked Out
		if err := json.Unmarshal(m.JSON(b), &masked); err != nil {
			return out, fmt.Errorf("an answer could not be masked: %w", err)
		}
		return masked, nil
	}
}
