package codegen

import (
	"strings"
	"time"
)

// snap moves the beginnings of steps that a recorder saw in a browser: under load
// it hears of a click a little after the request that the click made, which is
// then no effect of the step before.
func (s *Scenario) snap() {
	if !strings.HasPrefix(s.Producer, "tracedeck") {
		return
	}
	for i := 1; i < len(s.Steps); i++ {
		step, before := s.Steps[i], s.Steps[i-1]
		if !step.Verb.acts() || step.Verb.types() {
			continue
		}
		slack, least := 60*time.Millisecond, before.time[0].Add(100*time.Millisecond)
		if before.Verb.types() {
			slack, least = 250*time.Millisecond, before.time[0]
		}
		from := step.time[0].Add(-slack)
		for _, q := range s.trace.Network {
			if q.Start > least && q.Start >= from && q.Start < step.time[0] && (isAPI(q) || isDocument(q)) {
				step.time[0] = q.Start
			}
		}
	}
}

// types reports whether a step only changes what a field holds.
func (v Verb) types() bool { return v == Fill || v == TypeText || v == Clear }
