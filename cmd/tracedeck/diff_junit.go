package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace/junit"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// junitDiff writes a result as JUnit XML: a suite two traces, a test case a
// section. What is worse, mixed or changed is a failure; what is better is none;
// what cannot be told is skipped.
func junitDiff(w io.Writer, r *diff.Result) error {
	return (&junit.Report{Name: "tracedeck diff", Suites: []*junit.Suite{junitSuite(r.A+" → "+r.B, r)}}).Write(w)
}

func junitSuite(name string, r *diff.Result) *junit.Suite {
	s := &junit.Suite{Name: name}
	for i := range r.Sections {
		s.Cases = append(s.Cases, junitSection(name, r, &r.Sections[i]))
	}
	return s
}

func junitSection(class string, r *diff.Result, section *diff.Section) junit.Case {
	c := junit.Case{Class: class, Name: string(section.Name)}
	text := sectionText(r, section)
	switch section.Verdict {
	case verdict.Regressed, verdict.Mixed, verdict.Changed:
		n := len(section.Changes) + section.More
		c.Failure = &junit.Problem{Message: fmt.Sprintf("%s: %s", section.Verdict, plural(n, "change")), Type: string(section.Verdict), Text: text}
	case verdict.Inconclusive:
		c.Skipped, c.Out = &section.Note, text
	default:
		c.Out = text
	}
	return c
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
