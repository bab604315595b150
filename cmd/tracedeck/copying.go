package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/tracedeck/tracedeck/trace"
)

// copyTo opens the trace in, lets write fill a new trace zip called out, and
// never touches in: out must be another file, and appears when it is whole.
func copyTo(ctx context.Context, env *env, in, out string, o trace.WriterOptions, write func(dst *trace.Writer, src *trace.Archive) error) error {
	if out == "" {
		return usageError("where to? -o names the new trace, - is standard output")
	}
	if out == "-" && env.json {
		return usageError("--json and -o - cannot both have the standard output")
	}
	if same(in, out) {
		return withHint(fmt.Errorf("%s is the trace that is read", out), "give the copy another name")
	}
	a, err := env.openTrace(ctx, in)
	if err != nil {
		return err
	}
	defer a.Close()
	dst, err := createTrace(env, out, o)
	if errors.Is(err, os.ErrNotExist) {
		return withHint(err, "make the folder of "+out+" first")
	}
	if err != nil {
		return err
	}
	env.progress.update("writing "+out, -1)
	if err := write(dst, a); err != nil {
		dst.Discard()
		return err
	}
	return dst.Close()
}

func createTrace(env *env, out string, o trace.WriterOptions) (*trace.Writer, error) {
	if out == "-" {
		return trace.NewWriter(env.out, o)
	}
	return trace.CreateZip(out, o)
}

// same reports whether two names are of one file.
func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// oneTrace returns the only argument.
func oneTrace(args []string) (string, error) {
	if len(args) != 1 {
		return "", usageError("which trace? one is expected, not %d", len(args))
	}
	return args[0], nil
}

// report prints what a copying command did, on standard error: standard
// output may be the trace itself.
func (e *env) report(format string, args ...any) {
	if !e.quiet {
		e.progress.clear()
		fmt.Fprintf(e.err, format+"\n", args...)
	}
}
