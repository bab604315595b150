package audit

import (
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// action looks through the arguments of an action: what was typed, and what
// scripts and addresses it was given.
func (s *scan) action(b *trace.Before, at trace.Position) {
	if len(b.Params) == 0 || !s.checks[Credentials] {
		return
	}
	c := s.actionJSON(b.Params)
	if h, ok := typed(b.Params); ok {
		c.hit(h, "/value")
	}
	e := verdict.Evidence{Type: "action", Source: strings.Trim(b.Class+"."+b.Method, "."), Place: placeOf(at)}
	s.credentials(c, spot{where: inAction, evidence: e})
}

func (s *scan) actionJSON(text json.RawMessage) *content {
	source := s.source(srcActions)
	source.Looked++
	if len(text) > maxLog {
		text = text[:maxLog]
		source.Skipped++
	}
	return inspect(string(text), data)
}

// typing is what actions that type are called with.
type typing struct {
	Selector string `json:"selector"`
	Value    string `json:"value"`
	Text     string `json:"text"`
	Target   struct {
		Name  string `json:"name"`
		Label string `json:"label"`
		CSS   string `json:"css"`
	} `json:"_target"`
}

var selectorWord = lazyregexp.New(`[A-Za-z][A-Za-z0-9_-]{2,}`)

// typed says whether what was typed is a secret by the name of its field.
func typed(params json.RawMessage) (hit, bool) {
	var t typing
	if json.Unmarshal(params, &t) != nil {
		return hit{}, false
	}
	value := t.Value + t.Text
	if len(value) < 4 || value == "" {
		return hit{}, false
	}
	for _, text := range []string{t.Selector, t.Target.Name, t.Target.Label, t.Target.CSS} {
		for _, word := range selectorWord.FindAllString(text[:min(len(text), 1000)], 50) {
			if h, ok := fieldHit([]string{word}, value, contains(passwordNames, plainName(word))); ok {
				return h, true
			}
		}
	}
	return hit{}, false
}

// result looks through what an action returned, and what it failed with.
func (s *scan) result(b *trace.After, at trace.Position) {
	if !s.checks[Credentials] {
		return
	}
	if len(b.Result) > 2 {
		e := verdict.Evidence{Type: "action", Source: "result", Place: placeOf(at)}
		s.credentials(s.actionJSON(b.Result), spot{where: inAction, evidence: e})
	}
	if b.Error != nil {
		s.actionText(b.Error.Message, "error", at)
	}
}

func (s *scan) actionText(text, source string, at trace.Position) {
	if len(text) < 8 || !s.checks[Credentials] {
		return
	}
	c := inspect(text[:min(len(text), maxLog)], prose)
	s.credentials(c, spot{where: inAction, evidence: verdict.Evidence{Type: "action", Source: source, Place: placeOf(at)}})
}
