package audit

import (
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// action looks through the arguments of an action: what was typed, and what
// scripts and addresses it was given.
func (s *scan) action(b *trace.Before, at trace.Position) {
	if len(b.Params) == 0 || !s.looksAtActions() {
		return
	}
	c := s.actionJSON(b.Params)
	c.typed(b.Params)
	e := verdict.Evidence{Type: "action", Source: strings.Trim(b.Class+"."+b.Method, "."), Place: placeOf(at)}
	s.told(c, e)
}

func (s *scan) looksAtActions() bool { return s.checks[Credentials] || s.checks[Personal] }

// told makes findings of what an action was given, or gave.
func (s *scan) told(c *content, e verdict.Evidence) {
	s.credentials(c, spot{where: inAction, evidence: e})
	s.people(c, "pii-in-action", e, "")
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

var selectorWord = lazyregexp.New(`[A-Za-z][A-Za-z0-9_-]+`)

// typed looks at what was typed by the name of its field: whether it is a secret,
// and what it tells of a person.
func (c *content) typed(params json.RawMessage) {
	var t typing
	if json.Unmarshal(params, &t) != nil {
		return
	}
	value, at := t.Value, "/value"
	if value == "" {
		value, at = t.Text, "/text"
	}
	if value == "" {
		return
	}
	names := []string{t.Selector, t.Target.Name, t.Target.Label, t.Target.CSS}
	if h, ok := typedHit(names, value); ok {
		c.hit(h, at)
		return
	}
	c.typedPersons(names, value, at)
}

func typedHit(names []string, value string) (hit, bool) {
	if len(value) < 4 {
		return hit{}, false
	}
	for _, text := range names {
		for _, word := range selectorWord.FindAllString(text[:min(len(text), 1000)], 50) {
			if h, ok := fieldHit([]string{word}, value, contains(passwordNames, assignment.Plain(word))); ok {
				return h, true
			}
		}
	}
	return hit{}, false
}

// result looks through what an action returned, and what it failed with.
func (s *scan) result(b *trace.After, at trace.Position) {
	if !s.looksAtActions() {
		return
	}
	if len(b.Result) > 2 {
		e := verdict.Evidence{Type: "action", Source: "result", Place: placeOf(at)}
		s.told(s.actionJSON(b.Result), e)
	}
	if b.Error != nil {
		s.actionText(b.Error.Message, "error", at)
	}
}

func (s *scan) actionText(text, source string, at trace.Position) {
	if len(text) < 8 || !s.looksAtActions() {
		return
	}
	c := inspect(text[:min(len(text), maxLog)], prose)
	s.told(c, verdict.Evidence{Type: "action", Source: source, Place: placeOf(at)})
}
