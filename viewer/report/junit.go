package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
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

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"` // the schema knows skipped only of suites
	Time     string       `xml:"time,attr"`
	Suites   []*junitPart `xml:"testsuite"`
}

type junitPart struct {
	Name     string      `xml:"name,attr"`
	Hostname string      `xml:"hostname,attr,omitempty"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Stamp    string      `xml:"timestamp,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
	seconds  float64
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	Class     string        `xml:"classname,attr"`
	Time      string        `xml:"time,attr"`
	Skipped   *struct{}     `xml:"skipped,omitempty"`
	Error     *junitFail    `xml:"error,omitempty"`
	Failure   *junitFail    `xml:"failure,omitempty"`
	Reruns    []junitFail   `xml:"rerunFailure,omitempty"`
	Flaky     []junitFail   `xml:"flakyFailure,omitempty"`
	SystemOut *junitEscaped `xml:"system-out,omitempty"`
}

type junitFail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type junitEscaped struct {
	Text string `xml:",chardata"`
}

// JUnit writes the run as JUnit XML: a suite for each file and project, a case
// for each test. Assertions that do not hold are failures, timeouts, crashes
// and other trouble are errors.
func JUnit(w io.Writer, r *Run, o JUnitOptions) error {
	doc := junitSuites{Name: "tracedeck"}
	suites := map[string]*junitPart{}
	total := 0.0
	for i := 0; i < len(r.Sessions); {
		k := i + 1
		for k < len(r.Sessions) && r.Sessions[k].test() == r.Sessions[i].test() && r.Sessions[k].Retry > r.Sessions[k-1].Retry {
			k++
		}
		attempts := r.Sessions[i:k]
		key := attempts[0].Suite + "\x00" + attempts[0].Project
		if suites[key] == nil {
			suites[key] = &junitPart{Name: legal(first(attempts[0].Suite, "traces")), Hostname: legal(attempts[0].Project), Stamp: stamp(attempts[0].Started)}
			doc.Suites = append(doc.Suites, suites[key])
		}
		total += suites[key].add(attempts, o)
		i = k
	}
	for _, s := range doc.Suites {
		doc.Tests, doc.Failures, doc.Errors = doc.Tests+s.Tests, doc.Failures+s.Failures, doc.Errors+s.Errors
		s.Time = seconds(s.seconds)
	}
	doc.Time = seconds(total)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// stamp is a time as the schema of JUnit has it: without a zone.
func stamp(started string) string {
	if len(started) < 19 {
		return ""
	}
	return started[:19]
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", max(0, s)) }

// add writes one test of however many attempts.
func (p *junitPart) add(attempts []Session, o JUnitOptions) float64 {
	last := &attempts[len(attempts)-1]
	took := 0.0
	for _, a := range attempts {
		took += a.Duration / 1000
	}
	c := junitCase{Name: legal(last.Title), Class: legal(first(last.Suite, last.Project, "trace")), Time: seconds(took)}
	p.Tests++
	p.seconds += took
	switch last.Status {
	case Skipped:
		c.Skipped = &struct{}{}
		p.Skipped++
	case Failed:
		fail := failOf(last)
		if assertion(last) {
			c.Failure = &fail
			p.Failures++
		} else {
			c.Error = &fail
			p.Errors++
		}
	}
	for i := range attempts[:len(attempts)-1] {
		if a := &attempts[i]; o.Surefire && a.Status == Failed && last.Status == Passed {
			c.Flaky = append(c.Flaky, failOf(a))
		} else if o.Surefire && a.Status == Failed {
			c.Reruns = append(c.Reruns, failOf(a))
		}
	}
	if out := systemOut(attempts); out != "" {
		c.SystemOut = &junitEscaped{out}
	}
	p.Cases = append(p.Cases, c)
	return took
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

func failOf(s *Session) junitFail {
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
	return junitFail{Message: legal(message(f)), Type: legal(kind), Text: legal(b.String())}
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
	return legal(b.String())
}

// legal leaves out what XML 1.0 does not allow.
func legal(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xD7FF, r >= 0xE000 && r <= 0xFFFD, r >= 0x10000:
			return r
		}
		return -1
	}, s)
}
