package regression

import (
	"io"
	"time"

	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/trace/junit"
)

// JUnit writes a run as JUnit XML: a suite for each session, a case for each
// picture, and one for the session itself where it had no pictures or failed.
func JUnit(w io.Writer, s *run.Summary) error {
	all := junit.Report{Name: "tracedeck " + s.RunID, Seconds: seconds(s.Totals.DurationMs)}
	for i := range s.Sessions {
		all.Suites = append(all.Suites, suiteOf(&s.Sessions[i], s.Timestamp))
	}
	return all.Write(w)
}

func seconds(ms int64) float64 { return float64(ms) / 1000 }

func suiteOf(s *run.Session, at time.Time) *junit.Suite {
	suite := &junit.Suite{Name: s.ID, Seconds: seconds(s.DurationMs), Stamp: at.UTC().Format("2006-01-02T15:04:05")}
	if len(s.Errors) > 0 || len(s.Pictures) == 0 {
		c := junit.Case{Class: s.ID, Name: "replay", Seconds: suite.Seconds}
		for _, e := range s.Errors {
			if c.Error == nil {
				c.Error = &junit.Problem{Message: e.Message, Type: e.Code}
			}
			c.Error.Text += e.Code + ": " + e.Message + "\n"
		}
		suite.Cases = append(suite.Cases, c)
	}
	for i := range s.Pictures {
		suite.Cases = append(suite.Cases, caseOf(s.ID, &s.Pictures[i]))
	}
	return suite
}

func caseOf(class string, p *run.Picture) junit.Case {
	c := junit.Case{Class: class, Name: p.Key}
	text := Explain(p)
	switch p.Status {
	case run.Diff, run.Missing:
		c.Failure = &junit.Problem{Message: text, Type: string(p.Status), Text: text}
	case run.Error:
		kind := "E_COMPARE"
		if len(p.Errors) > 0 {
			kind = p.Errors[0].Code
		}
		c.Error = &junit.Problem{Message: text, Type: kind, Text: text}
	case run.Skipped:
		c.Skipped = &text
	default:
		c.Out = text
	}
	return c
}
