// Package junit writes results as JUnit XML that is valid by the schema of Jenkins, whatever is in their texts.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// Report is a document: <testsuites>. What it counts is counted when it is written.
type Report struct {
	Name    string
	Seconds float64
	Suites  []*Suite
}

// Suite is a group of cases, such as those of a file or of a trace.
type Suite struct {
	Name     string
	Hostname string // empty for none
	Stamp    string // when it began, as 2006-01-02T15:04:05: the schema wants no zone; empty if that is not known
	Seconds  float64
	Cases    []Case
}

// Case is one test or check. It is skipped, in error, failed or none of these, and then passed.
type Case struct {
	Class   string
	Name    string
	Seconds float64
	// Skipped, if not nil, says why it was not done.
	Skipped *string
	Error   *Problem // it could not be told
	Failure *Problem
	// Reruns are further attempts that failed, and Flaky those that failed before one that passed. Readers of Surefire's
	// files know them, the schema does not.
	Reruns []Problem
	Flaky  []Problem
	Out    string // what else is to be told
}

// Problem is what went wrong.
type Problem struct {
	Message string // one line
	Type    string
	Text    string // all of it
}

// Write writes the document.
func (r *Report) Write(w io.Writer) error {
	doc := suites{Name: Clean(r.Name), Time: decimal(r.Seconds)}
	for _, s := range r.Suites {
		one := suiteOf(s)
		doc.Tests, doc.Failures, doc.Errors = doc.Tests+one.Tests, doc.Failures+one.Failures, doc.Errors+one.Errors
		doc.Suites = append(doc.Suites, one)
	}
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

// Clean leaves out of a text what XML 1.0 cannot hold.
func Clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t', r == '\n', r == '\r', r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r <= 0xfffd, r >= 0x10000:
			return r
		}
		return -1
	}, s)
}

func decimal(seconds float64) string { return fmt.Sprintf("%.3f", max(0, seconds)) }
