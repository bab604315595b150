package verdict

import (
	"encoding/xml"
	"io"
	"strings"
	"unicode/utf8"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string       `xml:"classname,attr"`
	Name    string       `xml:"name,attr"`
	Time    string       `xml:"time,attr"`
	Skipped *junitSkip   `xml:"skipped"`
	Failure *junitFailed `xml:"failure"`
	Out     string       `xml:"system-out,omitempty"`
}

type junitSkip struct {
	Message string `xml:",chardata"` // the schema gives it no attributes
}

type junitFailed struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the results as JUnit XML: a suite a trace, a test case a
// finding, and one for each check that found nothing. Findings that are fail
// or worse are failures; a check that could not be done is skipped.
func WriteJUnit(w io.Writer, tool Tool, results []Result, fail Severity) error {
	all := junitSuites{Name: tool.Name}
	for _, r := range results {
		s := junitSuiteOf(r, fail)
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Suites = append(all.Suites, s)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitSuiteOf(r Result, fail Severity) junitSuite {
	s := junitSuite{Name: xmlText(r.Trace), Time: "0"}
	for i := range r.Report.Findings {
		s.add(junitCaseOf(&r.Report.Findings[i], fail))
	}
	for i := range r.Report.Checks {
		c := &r.Report.Checks[i]
		if c.State == Found {
			continue
		}
		tc := junitCase{Class: c.Name, Name: c.Name, Time: "0"}
		switch c.State {
		case NotRecorded:
			tc.Skipped = &junitSkip{xmlText("not recorded: " + c.Reasons())}
		case Partial:
			tc.Out = xmlText("looked at in part: " + c.Reasons())
		}
		s.add(tc)
	}
	return s
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func junitCaseOf(f *Finding, fail Severity) junitCase {
	c := junitCase{Class: f.Category, Name: xmlText(f.Line()), Time: "0"}
	text := []string{f.Description, f.Recommendation}
	for _, part := range []string{f.CWE, f.Evidence.Place} {
		if part != "" {
			text = append(text, part)
		}
	}
	body := xmlText(strings.Join(append(text, f.Evidence.Notes...), "\n"))
	if f.Severity.AtLeast(fail) {
		c.Failure = &junitFailed{xmlText(f.Title), string(f.Severity), body}
	} else {
		c.Out = body
	}
	return c
}

// xmlText leaves out what XML 1.0 cannot hold.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n', r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r < utf8.RuneError, r >= 0x10000:
			return r
		}
		return -1
	}, s)
}
