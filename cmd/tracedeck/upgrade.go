package main

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
)

func upgradeCommand() *command {
	return &command{name: "upgrade", args: "TRACE -o OUT", short: "write a trace in another version of the format",
		long: `Traces of any version are read; 8, 9 and 10 can be written. Version 8 is the one
that the most viewers open. TRACE is never touched.`,
		examples: []example{
			{"tracedeck upgrade old.zip --to 10 -o new.zip", "a trace of Playwright 1.20 for today's viewer"},
			{"tracedeck upgrade new.zip --to 8 -o older.zip", "for a viewer that refuses newer traces"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var out string
			var version int
			fs.StringVarP(&out, "output", "o", "", "the new trace; - for standard output")
			fs.IntVar(&version, "to", trace.CurrentVersion, "version to write: 8, 9 or 10")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return upgrade(ctx, env, out, version, args)
			}
		}}
}

func upgrade(ctx context.Context, env *env, out string, version int, args []string) (int, error) {
	in, err := oneTrace(args)
	if err != nil {
		return 0, err
	}
	var r *trace.CopyReport
	err = copyTo(ctx, env, in, out, trace.WriterOptions{Version: version}, func(dst *trace.Writer, src *trace.Archive) (err error) {
		r, err = trace.Copy(ctx, dst, src, trace.CopyOptions{Convert: true, Edit: withoutOrphans()})
		return err
	})
	if err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(r)
	}
	for _, w := range r.Warnings {
		env.warn("%s", w)
	}
	if r.Dropped > 0 {
		env.warn("%s without the action they belong to left out: the standard viewer would refuse the trace", plural(r.Dropped, "line"))
	}
	env.report("%s: version %d, %s and %s", out, version, plural(r.Events, "event"), entries(r.Entries))
	return exitOK, nil
}

// withoutOrphans leaves out ends and inputs of actions that did not begin in
// their file.
func withoutOrphans() func(*trace.Event) trace.Change {
	began := map[string]bool{}
	return func(e *trace.Event) trace.Change {
		key := func(id string) string { return e.Position.File + " " + id }
		switch b := e.Body.(type) {
		case *trace.Before:
			began[key(b.CallID)] = true
		case *trace.After:
			if !began[key(b.CallID)] {
				return trace.Drop
			}
		case *trace.Input:
			if !began[key(b.CallID)] {
				return trace.Drop
			}
		}
		return trace.Keep
	}
}

func packCommand() *command {
	return &command{name: "pack", args: "FOLDER -o OUT", short: "make a zip of a folder that a trace was recorded into",
		long: `Works on folders of tracedeck and of Playwright, also when the recorder died: a
last line that is only half there is left out and said so.`,
		examples: []example{{"tracedeck pack recording/ -o trace.zip", "after a crash, or for sending it"}},
		flags: func(fs *pflag.FlagSet) runner {
			var out string
			fs.StringVarP(&out, "output", "o", "", "the zip to write")
			return func(ctx context.Context, env *env, args []string) (int, error) { return pack(ctx, env, out, args) }
		}}
}

func pack(ctx context.Context, env *env, out string, args []string) (int, error) {
	in, err := oneTrace(args)
	switch {
	case err != nil:
		return 0, err
	case out == "":
		return 0, usageError("where to? -o names the zip")
	case same(in, out):
		return 0, withHint(fmt.Errorf("%s is the folder that is read", out), "give the zip another name")
	}
	r, err := trace.Pack(ctx, in, out)
	if err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(r)
	}
	for _, w := range r.Warnings {
		env.warn("%s", w)
	}
	env.report("%s: %s", out, entries(r.Entries))
	return exitOK, nil
}
