package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
	"github.com/tracedeck/tracedeck/trace/junit"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// JUnitOptions say how JUnit XML is written. The zero value is what most
// readers take.
type JUnitOptions struct {
	// Surefire writes attempts that failed before one that passed as
	// flakyFailure, and further failed attempts as rerunFailure, which
	// Maven's readers know and others may not.
	Surefire bool
}

// JUnit writes the run as JUnit XML: a suite for each file and project, a case
// for each test. Assertions that do not hold are failures, timeouts, crashes
// and other trouble are errors.
func JUnit(w io.Writer, r *Run, o JUnitOptions) error {
	doc := junit.Report{Name: "tracedeck"}
	suites := map[string]*junit.Suite{}
	for i := 0; i < len(r.Sessions); {
		k := i + 1
		for k < len(r.Sessions) && r.Sessions[k].test() == r.Sessions[i].test() && r.Sessions[k].Retry > r.Sessions[k-1].Retry {
			k++
		}
		attempts := r.Sessions[i:k]
		key := attempts[0].Suite + "\x00" + attempts[0].Project
		s := suites[key]
		if s == nil {
			s = &junit.Suite{Name: first(attempts[0].Suite, "traces"), Hostname: attempts[0].Project, Stamp: stamp(attempts[0].Started)}
			suites[key] = s
			doc.Suites = append(doc.Suites, s)
		}
		c := junitCase(attempts, o)
		s.Cases, s.Seconds, doc.Seconds = append(s.Cases, c), s.Seconds+c.Seconds, doc.Seconds+c.Seconds
		i = k
	}
	return doc.Write(w)
}

// stamp is a time as the schema of JUnit has it: without a zone.
func stamp(started string) string {
	if len(started) < 19 {
		return ""
	}
	return started[:19]
}

// junitCase is one test of however many attempts.
func junitCase(attempts []Session, o JUnitOptions) junit.Case {
	last := &attempts[len(attempts)-1]
	c := junit.Case{Name: last.Title, Class: first(last.Suite, last.Project, "trace"), Out: systemOut(attempts)}
	for _, a := range attempts {
		c.Seconds += a.Duration / 1000
	}
	switch last.Status {
	case Skipped:
		c.Skipped = new(string)
	case Failed:
		fail := failOf(last)
		if assertion(last) {
			c.Failure = &fail
		} else {
			c.Error = &fail
		}
	}
	for i := range attempts[:len(attempts)-1] {
		if a := &attempts[i]; o.Surefire && a.Status == Failed && last.Status == Passed {
			c.Flaky = append(c.Flaky, failOf(a))
		} else if o.Surefire && a.Status == Failed {
			c.Reruns = append(c.Reruns, failOf(a))
		}
	}
	return c
}

// decisive is the failure that made the test fail.
func decisive(s *Session) *failures.Failure {
	for i := range s.Failures {
		if s.Failures[i].Kind != trace.FailedPage {
			return &s.Failures[i]
		}
	}
	if len(s.Failures) > 0 {
		return &s.Failures[0]
	}
	return &failures.Failure{Message: "the test failed; the results do not say why"}
}

func failOf(s *Session) junit.Problem {
	f := decisive(s)
	kind := first(f.Name, "Error")
	var b strings.Builder
	fmt.Fprintln(&b, message(f))
	if f.Title != "" {
		fmt.Fprintln(&b, "in "+f.Title+at(f.Time))
	}
	if f.Detail != "" {
		fmt.Fprintln(&b, f.Detail)
	}
	for _, frame := range f.Stack {
		fmt.Fprintln(&b, "  "+frame)
	}
	return junit.Problem{Message: message(f), Type: kind, Text: b.String()}
}

var assertionText = lazyregexp.New(`(?i)^(Error: )?(Timed out \d+ms waiting for )?expect\b|assert|^expected `)

// assertion holds for a failure that is about what the test expected.
func assertion(s *Session) bool {
	f := decisive(s)
	return assertionText.MatchString(f.Message) || strings.Contains(f.Name, "Assert") || strings.HasPrefix(f.Title, "Expect")
}

// systemOut is what the browser tells of the test, and where its traces are.
func systemOut(attempts []Session) string {
	var b strings.Builder
	for i := range attempts {
		s := &attempts[i]
		for k := range s.Failures {
			if len(attempts) > 1 && k == 0 {
				fmt.Fprintf(&b, "attempt %d\n", s.Retry+1)
			}
			b.WriteString(FailureContext(s, &s.Failures[k], 4*DefaultBudget))
		}
		if s.Trace != "" {
			fmt.Fprintf(&b, "[[ATTACHMENT|%s]]\n", strings.ReplaceAll(s.Trace, "]]", ""))
		}
	}
	return b.String()
}
