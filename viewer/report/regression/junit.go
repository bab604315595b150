package regression

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/diff/run"
)

type testSuites struct {
	XMLName  xml.Name    `xml:"testsuites"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Suites   []testSuite `xml:"testsuite"`
}

type testSuite struct {
	Name      string     `xml:"name,attr"`
	Tests     int        `xml:"tests,attr"`
	Failures  int        `xml:"failures,attr"`
	Errors    int        `xml:"errors,attr"`
	Skipped   int        `xml:"skipped,attr"`
	Time      string     `xml:"time,attr"`
	Timestamp string     `xml:"timestamp,attr"`
	Cases     []testCase `xml:"testcase"`
}

type testCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Time    string   `xml:"time,attr"`
	Error   *problem `xml:"error"`
	Failure *problem `xml:"failure"`
	Skipped *skipped `xml:"skipped"`
	Out     string   `xml:"system-out,omitempty"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

type skipped struct {
	Message string `xml:",chardata"` // the schema gives it no attributes
}

// JUnit writes a run as JUnit XML: a suite for each session, a case for each
// picture, and one for the session itself where it had no pictures or failed.
func JUnit(w io.Writer, s *run.Summary) error {
	all := testSuites{Name: "tracedeck " + s.RunID, Time: seconds(s.Totals.DurationMs)}
	for _, session := range s.Sessions {
		suite := suiteOf(&session, s.Timestamp)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }

func suiteOf(s *run.Session, at time.Time) testSuite {
	suite := testSuite{Name: clean(s.ID), Time: seconds(s.DurationMs), Timestamp: at.UTC().Format("2006-01-02T15:04:05")}
	if len(s.Errors) > 0 || len(s.Pictures) == 0 {
		c := testCase{Class: suite.Name, Name: "replay", Time: suite.Time}
		for _, e := range s.Errors {
			if c.Error == nil {
				c.Error = &problem{Message: clean(e.Message), Type: e.Code}
			}
			c.Error.Text += clean(e.Code+": "+e.Message) + "\n"
		}
		suite.add(c)
	}
	for i := range s.Pictures {
		suite.add(caseOf(suite.Name, &s.Pictures[i]))
	}
	return suite
}

func (s *testSuite) add(c testCase) {
	s.Tests++
	switch {
	case c.Error != nil:
		s.Errors++
	case c.Failure != nil:
		s.Failures++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func caseOf(class string, p *run.Picture) testCase {
	c := testCase{Class: class, Name: clean(p.Key), Time: "0.000"}
	text := clean(Explain(p))
	switch p.Status {
	case run.Diff, run.Missing:
		c.Failure = &problem{Message: text, Type: string(p.Status), Text: text}
	case run.Error:
		kind := "E_COMPARE"
		if len(p.Errors) > 0 {
			kind = p.Errors[0].Code
		}
		c.Error = &problem{Message: text, Type: kind, Text: text}
	case run.Skipped:
		c.Skipped = &skipped{Message: text}
	default:
		c.Out = text
	}
	return c
}

// clean drops what XML cannot hold.
func clean(s string) string {
	return strings.Map(func(c rune) rune {
		if c == utf8.RuneError || c < ' ' && c != '\t' && c != '\n' || c == 0xfffe || c == 0xffff {
			return -1
		}
		return c
	}, s)
}
