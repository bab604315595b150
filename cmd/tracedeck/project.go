package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/nearest"
	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/viewer/report/regression"
)

func init() { project.Nearest = nearest.Word }

// openProject opens the project around the working directory.
func openProject() (*project.Project, error) {
	p, err := project.Find(".")
	if errors.Is(err, project.ErrNone) {
		return nil, withHint(err, "tracedeck init makes one")
	}
	return p, err
}

// takenIn reads the screenshots of a trace.
func (e *env) takenIn(ctx context.Context, path string) (*run.Taken, time.Duration, error) {
	a, t, err := e.loadTrace(ctx, []string{path})
	if err != nil {
		return nil, 0, err
	}
	defer a.Close()
	taken, err := run.Shots(ctx, a, t)
	return taken, t.Duration, err
}

// costOf is how long a recorded session takes. What cannot be opened costs
// nothing here; it fails when it is replayed.
func costOf(ctx context.Context, s project.Session) run.Cost {
	c := run.Cost{ID: s.ID}
	a, err := trace.Open(ctx, s.Path, trace.Options{})
	if err != nil {
		return c
	}
	defer a.Close()
	if t, err := trace.Load(ctx, a, trace.LoadOptions{}); err == nil {
		c.Duration = t.Duration
	}
	return c
}

// divide is what the shard i/n has of all sessions.
func divide(shard string, all []run.Cost) ([]string, run.Shard, error) {
	var index, count int
	if n, err := fmt.Sscanf(shard, "%d/%d", &index, &count); n != 2 || err != nil {
		return nil, run.Shard{}, usageError("--shard %q: it is written i/n, such as 2/4", shard)
	}
	mine, part, err := run.Divide(all, index, count)
	if err != nil {
		return nil, run.Shard{}, usageError("--%v", err)
	}
	return mine, part, nil
}

// runPictures gives reports the pictures of a run.
type runPictures struct{ *run.Comparer }

func (r runPictures) Picture(ctx context.Context, ref blob.Ref) ([]byte, error) {
	return blob.ReadAll(ctx, r.Blobs, ref)
}

// shown is a path as the user would write it.
func shown(path string) string {
	dir, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// outcomeText is what a run came to, in a few words.
func outcomeText(s *run.Summary) string {
	text, _ := regression.Headline(s)
	return text
}
