package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

type junitReport struct {
	XMLName  xml.Name    `xml:"testsuites"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Suites   []junitPair `xml:"testsuite"`
}

type junitPair struct {
	Name     string         `xml:"name,attr"`
	Tests    int            `xml:"tests,attr"`
	Failures int            `xml:"failures,attr"`
	Errors   int            `xml:"errors,attr"`
	Skipped  int            `xml:"skipped,attr"`
	Cases    []junitSection `xml:"testcase"`
}

type junitSection struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *string       `xml:"skipped"` // the schema gives it no attributes
	Out     string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// junitDiff writes results as JUnit XML: a suite two traces, a test case a
// section. What is worse, mixed or changed is a failure; what is better is none;
// what cannot be told is skipped.
func junitDiff(w io.Writer, results []*diff.Result) error {
	all := junitReport{Name: "tracedeck diff"}
	for _, r := range results {
		s := junitPair{Name: xmlText(r.A + " → " + r.B)}
		for i := range r.Sections {
			s.add(r, &r.Sections[i])
		}
		all.Tests, all.Failures = all.Tests+s.Tests, all.Failures+s.Failures
		all.Suites = append(all.Suites, s)
	}
	return writeXML(w, all)
}

func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (s *junitPair) add(r *diff.Result, section *diff.Section) {
	c := junitSection{Class: s.Name, Name: string(section.Name)}
	text := xmlText(sectionText(r, section))
	switch section.Verdict {
	case verdict.Regressed, verdict.Mixed, verdict.Changed:
		n := len(section.Changes) + section.More
		c.Failure = &junitMessage{Message: fmt.Sprintf("%s: %s", section.Verdict, plural(n, "change")), Type: string(section.Verdict), Text: text}
		s.Failures++
	case verdict.Inconclusive:
		note := xmlText(section.Note)
		c.Skipped = &note
		c.Out = text
		s.Skipped++
	default:
		c.Out = text
	}
	s.Tests++
	s.Cases = append(s.Cases, c)
}

func sectionText(r *diff.Result, s *diff.Section) string {
	var b strings.Builder
	for _, c := range s.Changes {
		if c.Pair != nil {
			fmt.Fprintf(&b, "%s %s: ", r.Pairs[*c.Pair].Kind.Sign(), r.Pairs[*c.Pair].Step().Title)
		}
		b.WriteString(c.String() + "\n")
	}
	return b.String()
}

// xmlText leaves out characters that XML cannot hold.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r >= 0x20 && r != 0xfffe && r != 0xffff && (r < 0xd800 || r > 0xdfff) {
			return r
		}
		return -1
	}, s)
}
