package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/trace/code"
	"github.com/tracedeck/tracedeck/viewer/report/regression"
)

// writeReports writes report.html, report.md and junit.xml into the folder of
// a run.
func writeReports(ctx context.Context, dir string, s *run.Summary, c *run.Comparer, inline int) (string, error) {
	page, err := regression.Files(ctx, dir, s, runPictures{c}, regression.PageOptions{Inline: inline})
	if err != nil {
		return "", err
	}
	for name, write := range map[string]func(io.Writer) error{
		"junit.xml": func(w io.Writer) error { return regression.JUnit(w, s) },
		"report.md": func(w io.Writer) error { return regression.Markdown(w, s, "") },
	} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		if err := errors.Join(write(f), f.Close()); err != nil {
			return "", err
		}
	}
	return page, nil
}

var statusColor = map[run.Status]string{run.Pass: green, run.Diff: red, run.Missing: red, run.Error: red, run.New: dim, run.Flaky: yellow, run.Skipped: yellow}

func printRun(env *env, s *run.Summary) {
	for _, session := range s.Sessions {
		fmt.Fprintf(env.out, "%s  %s  %s\n", env.paint(statusColor[session.Status], fmt.Sprintf("%-5s", session.Status)), session.ID,
			env.paint(dim, plural(session.Screenshots, "picture")+flakyOnes(session.FlakyCount)))
		for _, e := range session.Errors {
			fmt.Fprintf(env.out, "         %s %s\n", env.paint(red, e.Code), e.Message)
		}
		for i := range session.Pictures {
			if p := &session.Pictures[i]; p.Status != run.Pass {
				fmt.Fprintf(env.out, "         %s  %-9s  %s\n", env.paint(statusColor[p.Status], fmt.Sprintf("%-7s", p.Status)), p.Key, regression.Explain(p))
			}
		}
	}
	for _, e := range s.Errors {
		fmt.Fprintf(env.out, "%s %s\n", env.paint(red, e.Code), e.Message)
	}
	for _, w := range s.Warnings {
		fmt.Fprintf(env.out, "%s %s\n", env.paint(yellow, w.Code), w.Message)
	}
	headline, _ := regression.Headline(s)
	fmt.Fprintf(env.out, "%s: %s, %s\n", headline, plural(s.Totals.Sessions, "session"), plural(s.Totals.Screenshots, "picture"))
}

// flakyOnes is said of a session beside its status: such pictures let it pass.
func flakyOnes(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d flaky", n)
}

// advise says what to do next.
func (e *env) advise(s *run.Summary) {
	faults, next := s.Errors, ""
	for _, session := range s.Sessions {
		faults = append(slices.Clip(faults), session.Errors...)
		for _, p := range session.Pictures {
			faults = append(faults, p.Errors...)
		}
	}
	for _, f := range faults {
		if c, ok := code.Find(f.Code); ok && c.Next != "nothing" && next == "" {
			next = c.Next
		}
	}
	switch {
	case next != "":
		e.report("hint: %s", next)
	case len(faults) > 0: // what went wrong is no picture to approve
	case s.Totals.DiffScreenshots > 0:
		e.report("if that is how it should look: tracedeck approve")
	case s.Totals.NewScreenshots > 0:
		e.report("to make the new pictures the baseline: tracedeck approve")
	}
}
