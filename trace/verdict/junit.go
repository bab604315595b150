package verdict

import (
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/trace/junit"
)

// WriteJUnit writes the results as JUnit XML: a suite a trace, a test case a
// finding, and one for each check that found nothing. Findings that are fail
// or worse are failures; a check that could not be done is skipped.
func WriteJUnit(w io.Writer, tool Tool, results []Result, fail Severity) error {
	all := junit.Report{Name: tool.Name}
	for _, r := range results {
		all.Suites = append(all.Suites, junitSuite(r, fail))
	}
	return all.Write(w)
}

func junitSuite(r Result, fail Severity) *junit.Suite {
	s := &junit.Suite{Name: r.Trace}
	for i := range r.Report.Findings {
		s.Cases = append(s.Cases, junitCase(&r.Report.Findings[i], fail))
	}
	for i := range r.Report.Checks {
		c := &r.Report.Checks[i]
		tc := junit.Case{Class: c.Name, Name: c.Name}
		switch c.State {
		case Found:
			continue
		case NotRecorded:
			why := "not recorded: " + c.Reasons()
			tc.Skipped = &why
		case Partial:
			tc.Out = "looked at in part: " + c.Reasons()
		}
		s.Cases = append(s.Cases, tc)
	}
	return s
}

func junitCase(f *Finding, fail Severity) junit.Case {
	c := junit.Case{Class: f.Category, Name: f.Line()}
	text := []string{f.Description, f.Recommendation}
	for _, part := range []string{f.CWE, f.Evidence.Place} {
		if part != "" {
			text = append(text, part)
		}
	}
	body := strings.Join(append(text, f.Evidence.Notes...), "\n")
	if f.Severity.AtLeast(fail) {
		c.Failure = &junit.Problem{Message: f.Title, Type: string(f.Severity), Text: body}
	} else {
		c.Out = body
	}
	return c
}
