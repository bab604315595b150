package main

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/diff/run"
)

// diffApproved compares the pictures of one trace with what the project
// approved for the session that its file is named after. No run is kept.
func diffApproved(ctx context.Context, env *env, path string) (int, error) {
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
	session, err := c.Session(ctx, id, taken)
	if err != nil {
		return 0, err
	}
	s := &run.Summary{RunID: "diff", Timestamp: time.Now().UTC().Truncate(time.Second), Program: buildVersion()}
	s.Add(session, taken.Renderer)
	s.Settle()
	if env.json {
		return s.ExitCode, env.printJSON(s)
	}
	printRun(env, s)
	return s.ExitCode, nil
}
