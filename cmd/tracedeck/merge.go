package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/run"
)

func mergeCommand() *command {
	return &command{name: "merge", args: "RUN…", short: "put the runs of all shards together",
		long:     "Each RUN is the folder of a shard's run. It fails when a shard is missing, is there\ntwice, or is of another run, so that a part never looks like the whole.",
		examples: []example{{"tracedeck merge shards/*", "the folders that four machines uploaded"}},
		flags: func(fs *pflag.FlagSet) runner {
			out := fs.StringP("output", "o", "", "folder of the whole run instead of one in .tracedeck/runs")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return mergeRuns(ctx, env, *out, args)
			}
		}}
}

func mergeRuns(ctx context.Context, env *env, out string, args []string) (int, error) {
	p, err := openProject()
	if err != nil {
		return 0, err
	}
	var parts []*run.Summary
	for _, dir := range args {
		s, err := run.Load(dir)
		if err != nil {
			return 0, err
		}
		parts = append(parts, s)
	}
	c := &ciRun{env: env, p: p, o: ciFlags{out: out}}
	if err := c.begin(nil); err != nil {
		return 0, err
	}
	whole, err := run.Merge(c.summary.RunID, parts)
	if err != nil {
		if out == "" {
			os.Remove(c.dir)
		}
		return 0, withHint(err, "give the folder of each shard once")
	}
	c.summary = whole
	for i, dir := range args {
		if err := gather(ctx, c, dir, parts[i]); err != nil {
			return 0, err
		}
	}
	return c.finish(ctx)
}

// gather brings the pictures of a shard's report into the store.
func gather(ctx context.Context, c *ciRun, dir string, s *run.Summary) error {
	shard := project.Project{Dir: filepath.Join(dir, "..", "..")}
	local := shard.Blobs()
	for _, session := range s.Sessions {
		for _, p := range session.Pictures {
			if p.Actual == nil || p.Status == run.Pass {
				continue
			}
			if err := bring(ctx, c.comparer.Blobs, p.Actual.Digest, dir, local); err != nil {
				c.env.warn("%s %s: %v", session.ID, p.Key, err)
			}
		}
	}
	return nil
}
