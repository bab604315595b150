package codegen

import (
	"encoding/json"
	"fmt"
	"strings"
)

// longestMock is how many bytes of JSON an answer in a test has, after which
// its lists are shortened.
const longestMock = 10 << 10

// trimmer shortens recorded answers: never in the middle of a value, only
// lists, and never of what the steps speak of.
type trimmer struct {
	s     *Scenario
	said  string // everything that steps name and expect
	notes []string
}

func newTrimmer(s *Scenario) *trimmer {
	var b strings.Builder
	for _, step := range s.Steps {
		b.WriteString(" " + step.Text + " " + step.Target.Selector + " " + step.URL)
		for _, item := range step.Items {
			b.WriteString(" " + item.Text)
		}
		if step.Assert != nil {
			for _, a := range step.Assert.Args {
				b.WriteString(" " + a.Text)
			}
		}
		for _, e := range step.Effects {
			b.WriteString(" " + e.Text + " " + e.Target.Selector)
		}
	}
	return &trimmer{s: s, said: b.String()}
}

func (t *trimmer) trim(r *Request) any {
	if len(r.gotText) <= longestMock {
		return r.got
	}
	for keep := 20; keep >= 1; keep /= 2 {
		gone := 0
		body := t.shorten(r.got, keep, &gone)
		if b, err := json.Marshal(body); err == nil && len(b) <= longestMock || keep == 1 {
			if gone > 0 {
				t.notes = append(t.notes, fmt.Sprintf("%s %s: %d entries of lists are left out", r.Method, path(r.URL), gone))
			}
			return body
		}
	}
	return r.got
}

// shorten keeps of each list the entries that the steps speak of, and as many
// others as are to be kept.
func (t *trimmer) shorten(v any, keep int, gone *int) any {
	switch v := v.(type) {
	case []any:
		out, others := []any{}, 0
		for _, item := range v {
			if !t.spokenOf(item) {
				if others++; others > keep {
					*gone++
					continue
				}
			}
			out = append(out, t.shorten(item, keep, gone))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name, item := range v {
			out[name] = t.shorten(item, keep, gone)
		}
		return out
	}
	return v
}

// spokenOf reports whether an entry's id or one of its texts occurs in the steps.
func (t *trimmer) spokenOf(item any) bool {
	switch v := item.(type) {
	case string:
		return len(v) > 2 && strings.Contains(t.said, v)
	case map[string]any:
		for _, name := range sortedKeys(v) {
			if s, ok := v[name].(string); ok && len(s) > 2 && strings.Contains(t.said, s) {
				return true
			}
		}
		for _, id := range idsOf(v, nil) {
			if hasWord(t.said, id) {
				return true
			}
		}
	}
	return false
}
