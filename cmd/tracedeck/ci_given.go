package main

import (
	"context"
	"path/filepath"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/run"
)

// givenTraces takes the pictures from traces that are there, one folder for
// each time.
type givenTraces struct {
	env     *env
	folders []string
}

func (g *givenTraces) Take(ctx context.Context, s project.Session, attempt int) (*takenSession, error) {
	if attempt >= len(g.folders) {
		return nil, nil
	}
	path := filepath.Join(g.folders[attempt], filepath.Base(s.Path))
	taken, duration, err := g.env.takenIn(ctx, path)
	if err != nil {
		return nil, err
	}
	k := &takenSession{Taken: taken, Trace: path, Duration: duration}
	if len(taken.Shots) == 0 {
		k.Warnings = append(k.Warnings, run.Remark{Code: "W_NO_PICTURES", Message: "the trace has no screenshots attached"})
	}
	return k, nil
}

func (g *givenTraces) Close() error { return nil }

func (g *givenTraces) atOnce() int { return 1 }
