package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/viewer/report/regression"
)

// diffApproved compares the pictures of one trace with what the project
// approved for the session that its file is named after. No run is kept.
func diffApproved(ctx context.Context, env *env, o diffFlags, path string) (int, error) {
	if err := o.traces.oneForm(env); err != nil {
		return 0, err
	}
	p, err := openProject()
	if err != nil {
		return 0, err
	}
	c, err := comparerOf(p)
	if err != nil {
		return 0, err
	}
	taken, _, err := env.takenIn(ctx, path)
	if err != nil {
		return 0, err
	}
	id := strings.TrimSuffix(filepath.Base(filepath.Clean(path)), ".zip")
	if len(taken.Shots) == 0 && len(c.Manifest.Keys(id)) == 0 {
		return 0, withHint(fmt.Errorf("%s: it holds no pictures, and none are approved for a session %q", path, id), "tracedeck status lists the sessions; two traces are compared by tracedeck diff A.zip B.zip")
	}
	session, err := c.Session(ctx, id, taken)
	if err != nil {
		return 0, err
	}
	s := &run.Summary{RunID: "diff", Timestamp: time.Now().UTC().Truncate(time.Second), Program: buildVersion()}
	s.Add(session, taken.Renderer)
	s.Settle()
	if err := o.junitFile(env, func(w io.Writer) error { return regression.JUnit(w, s) }); err != nil {
		return 0, err
	}
	return s.ExitCode, o.answer(env, func(to *printing) error {
		switch {
		case to.json:
			return to.printJSON(s)
		case o.traces.markdown:
			return regression.Markdown(to.out, s, "")
		case o.traces.junit == "-":
			return regression.JUnit(to.out, s)
		case o.traces.html:
			return regression.Page(ctx, to.out, s, runPictures{c}, regression.PageOptions{})
		}
		printRun(to, s)
		return nil
	})
}
