package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/slim"
)

type slimFlags struct {
	slim.Options
	out     string
	version int
	all     bool
}

func slimCommand() *command {
	return &command{name: "slim", args: "TRACE -o OUT", short: "write a smaller copy: a part of the time, or the steps around a failure",
		long: `Without flags the steps around what failed are kept; of a trace in which nothing
failed, all. Pictures that repeat the one before and resources that nothing
names are left out in any case. What is left is a whole trace: its snapshots
show what they showed. TRACE is never touched.`,
		examples: []example{
			{"tracedeck slim trace.zip -o small.zip", "the five steps before and after each failure"},
			{"tracedeck slim trace.zip --from 12s --to 20s -o part.zip", "eight seconds of it"},
			{"tracedeck slim trace.zip --all --drop-bodies 'image/*,font/*' -o lean.zip", "everything, but no pictures of the pages"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o slimFlags
			fs.StringVarP(&o.out, "output", "o", "", "the new trace; - for standard output")
			fs.DurationVar(&o.From, "from", 0, "keep what happened from this time on")
			fs.DurationVar(&o.To, "to", 0, "keep what happened up to this time; 0 is the end")
			fs.IntVar(&o.Steps, "steps", 5, "steps to keep before and after each failure")
			fs.BoolVar(&o.all, "all", false, "keep all steps")
			fs.BoolVar(&o.NoFrames, "no-frames", false, "leave out the screencast")
			fs.BoolVar(&o.FailedSnapshots, "failed-snapshots", false, "keep only the snapshots of failed actions")
			fs.BoolVar(&o.NoSnapshots, "no-snapshots", false, "leave out all snapshots")
			fs.StringSliceVar(&o.BodyTypes, "drop-bodies", nil, "leave out bodies of these types, such as image/* or */*")
			fs.Int64Var(&o.MaxBody, "max-body", 0, "leave out bodies of more bytes")
			fs.BoolVar(&o.NoLogs, "no-logs", false, "leave out the log lines of actions that did not fail")
			fs.IntVar(&o.version, "version", 0, "version to write what has to be written anew; 0 keeps what can be kept")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runSlim(ctx, env, o, args) }
		}}
}

func runSlim(ctx context.Context, env *env, o slimFlags, args []string) (int, error) {
	in, err := oneTrace(args)
	if err != nil {
		return 0, err
	}
	if o.To > 0 && o.To < o.From {
		return 0, withHint(fmt.Errorf("--to %v is before --from %v", o.To, o.From), "times count from the start of the recording")
	}
	o.DuplicateFrames = true
	o.Failures = !o.all && o.From == 0 && o.To == 0
	r, err := o.run(ctx, env, in)
	if errors.Is(err, slim.ErrNothingFailed) && in != "-" {
		env.report("nothing failed: all steps are kept")
		o.Failures = false
		r, err = o.run(ctx, env, in)
	}
	if err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(r)
	}
	for _, w := range r.Warnings {
		env.warn("%s", w)
	}
	env.report("%s: %s to %s of the recording, %s, %s, %s", o.out, shortDuration(r.From), shortDuration(r.To),
		plural(r.Kept.Actions, "action"), plural(r.Kept.Snapshots, "snapshot"), plural(r.Kept.Frames, "picture"))
	env.report("left out: %s, %s, %s, %s of resources", plural(r.Dropped.Actions, "action"), plural(r.Dropped.Snapshots, "snapshot"),
		plural(r.Dropped.Frames, "picture"), bytesText(r.Dropped.Bytes))
	return exitOK, nil
}

func (o slimFlags) run(ctx context.Context, env *env, in string) (r *slim.Report, err error) {
	err = copyTo(ctx, env, in, o.out, trace.WriterOptions{Version: o.version}, func(dst *trace.Writer, src *trace.Archive) (err error) {
		r, err = slim.Run(ctx, dst, src, o.Options)
		return err
	})
	return r, err
}
