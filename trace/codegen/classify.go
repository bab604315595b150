package codegen

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// observeRequests gives a step the answers that it brings: those of requests
// which the page made because of it, and at no other time.
func (s *Scenario) observeRequests(i int) {
	step := s.Steps[i]
	if !step.Verb.acts() || step.Error != "" {
		return
	}
	from, to := s.window(i, requestWindow)
	seen := map[string]bool{}
	for _, q := range s.trace.Network {
		if q.Start < from || q.Start >= to || !isAPI(q) || !answered(q.Entry) || trackers.MatchString(q.Request.URL) || origin(q.Request.URL) != s.recorded && !isJSON(q.Response.Content.MimeType) {
			continue
		}
		key := q.Request.Method + " " + path(q.Request.URL)
		if seen[key] || s.repeats(q) || len(step.Waits) == 3 {
			continue
		}
		seen[key] = true
		step.Waits = append(step.Waits, &Request{Method: strings.ToUpper(q.Request.Method), URL: q.Request.URL, Status: q.Response.Status, Step: i + 1, entry: q})
	}
}

// repeats reports whether a request is one that the page also makes by itself:
// the same one was made outside of what steps brought.
func (s *Scenario) repeats(q *trace.Request) bool {
	same := 0
	for _, other := range s.trace.Network {
		if other == q || other.Request.Method != q.Request.Method || path(other.Request.URL) != path(q.Request.URL) {
			continue
		}
		if !s.brought(other) {
			same++
		}
	}
	return same >= 2
}

func (s *Scenario) brought(q *trace.Request) bool {
	for i, step := range s.Steps {
		if !step.Verb.acts() && !step.Verb.navigates() {
			continue
		}
		if from, to := s.window(i, requestWindow); q.Start >= from && q.Start < to {
			return true
		}
	}
	return false
}

// classify says of each request what it is to a test.
func (s *Scenario) classify(ctx context.Context) {
	begin := s.beginning()
	for _, q := range s.trace.Network {
		if ctx.Err() != nil {
			return
		}
		r := s.newRequest(ctx, q)
		if i := s.indexAt(q.Start); i < len(s.Steps) && s.Steps[i].time[0] <= q.Start {
			r.Step = i + 1
		}
		r.Class, r.Reason = s.classOf(r, begin)
		s.Requests = append(s.Requests, r)
	}
	s.findSetup()
	for _, step := range s.Steps {
		for i, w := range step.Waits {
			for _, r := range s.Requests {
				if r.entry == w.entry {
					step.Waits[i] = r
				}
			}
		}
	}
}

// beginning is where the part of the session begins that shows the failure:
// the last page that was opened before it.
func (s *Scenario) beginning() trace.Time {
	if s.Failure == nil || s.Failure.Step >= len(s.Steps) {
		return s.Steps[0].time[0]
	}
	for i := s.Failure.Step; i >= 0; i-- {
		if s.Steps[i].Verb.navigates() {
			return s.Steps[i].time[0]
		}
	}
	return s.Steps[0].time[0]
}

func (s *Scenario) classOf(r *Request, begin trace.Time) (Class, string) {
	q := r.entry
	switch {
	case r.Method == "OPTIONS":
		return Irrelevant, "preflight"
	case trackers.MatchString(r.URL):
		return Irrelevant, "analytics or tooling"
	case isAsset(q):
		return Irrelevant, "asset"
	case !answered(q.Entry):
		return Irrelevant, "no answer"
	case !isAPI(q) && !r.mutates():
		return Irrelevant, "page"
	case r.mutates() && q.Start >= begin:
		return Act, "changes data during the session"
	case r.mutates() && r.Status/100 == 2:
		return Irrelevant, "changes data before the session; nothing of its answer is used later"
	case r.mutates():
		return Irrelevant, "was not accepted"
	case r.json:
		return Mocked, "its answer fed the page"
	case q.Response.Content.MimeType == "" || r.Status == 204 || r.Status == 304:
		return Irrelevant, "no body"
	}
	return Irrelevant, "its answer is no JSON"
}

// findSetup finds the requests that made data which is used later.
func (s *Scenario) findSetup() {
	for i, r := range s.Requests {
		if !r.mutates() || r.Status/100 != 2 || !strings.HasPrefix(r.Reason, "changes data before") {
			continue
		}
		for _, id := range idsOf(r.got, nil) {
			if s.usedAfter(i, id) {
				r.Class, r.Reason = Setup, "made "+cut(id, 40)+", which is used later"
				break
			}
		}
	}
}

// usedAfter reports whether an id occurs in later addresses, bodies or steps.
func (s *Scenario) usedAfter(i int, id string) bool {
	for _, r := range s.Requests[i+1:] {
		if hasWord(r.URL, id) || hasWord(r.sentText, id) || hasWord(r.gotText, id) {
			return true
		}
	}
	for _, step := range s.Steps {
		if step.time[0] > s.Requests[i].entry.Start && (hasWord(step.Text, id) || hasWord(step.URL, id) || hasWord(step.Target.Selector, id)) {
			return true
		}
	}
	return false
}

// hasWord reports whether a word stands in a text with no letter or digit
// beside it.
func hasWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		if (i == 0 || !alphanumeric(text[i-1])) && (i+len(word) == len(text) || !alphanumeric(text[i+len(word)])) {
			return true
		}
		at = i + 1
	}
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// idsOf returns the values of members that are called id, or end so.
func idsOf(v any, list []string) []string {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range sortedKeys(v) {
			lower := strings.ToLower(name)
			if lower == "id" || lower == "_id" || lower == "uuid" || strings.HasSuffix(name, "Id") || strings.HasSuffix(lower, "_id") {
				if id := idText(v[name]); id != "" {
					list = append(list, id)
				}
				continue
			}
			list = idsOf(v[name], list)
		}
	case []any:
		for _, item := range v {
			list = idsOf(item, list)
		}
	}
	return list
}

// idText is an id as text; numbers below 1 and words that mean much else are none.
func idText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		if v >= 1 {
			return number(v)
		}
	case json.Number:
		return v.String()
	}
	return ""
}
