package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// traceDiffFlags are the flags that only mean something for traces.
type traceDiffFlags struct {
	rules    string
	skip     []string
	all      bool
	hidden   bool
	strict   bool
	markdown bool
	junit    bool
}

func (o *traceDiffFlags) bind(fs *pflag.FlagSet) {
	fs.StringVar(&o.rules, "rules", "", "JSON file of rules that mask what differs from run to run")
	fs.StringSliceVar(&o.skip, "skip", nil, "sections that are not compared: "+sectionNames())
	fs.BoolVar(&o.all, "all", false, "list every step, also long runs of the same ones")
	fs.BoolVar(&o.hidden, "hidden", false, "compare getters, routes and configuration too")
	fs.BoolVar(&o.strict, "strict-counts", false, "an error that came at least twice as often is a regression")
	fs.BoolVar(&o.markdown, "markdown", false, "print the answer as Markdown, for a comment")
	fs.BoolVar(&o.junit, "junit", false, "print the answer as JUnit XML, a test case a section")
}

func sectionNames() string {
	var list []string
	for _, s := range diff.Sections() {
		list = append(list, string(s))
	}
	return strings.Join(list, ", ")
}

// pictureEnds are what names of pictures end with.
var pictureEnds = []string{".png", ".jpg", ".jpeg", ".webp"}

// isPicture tells a picture by its name, or by how its bytes begin.
func isPicture(name string) bool {
	if slices.Contains(pictureEnds, strings.ToLower(filepath.Ext(name))) {
		return true
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 12)
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	return bytes.HasPrefix(head, []byte("\x89PNG")) || bytes.HasPrefix(head, []byte("\xff\xd8\xff")) || n == 12 && string(head[:4]) == "RIFF" && string(head[8:]) == "WEBP"
}

func diffTraces(ctx context.Context, env *env, o diffFlags, args []string) (int, error) {
	if len(args) != 2 {
		return 0, usageError("which two traces, folders or pictures? %d given", len(args))
	}
	if o.traces.markdown && o.traces.junit || env.json && (o.traces.markdown || o.traces.junit) {
		return 0, usageError("one of --json, --markdown and --junit, not two")
	}
	options, err := o.traceOptions()
	if err != nil {
		return 0, err
	}
	if holdsTraces(args[0]) && holdsTraces(args[1]) {
		return diffFolders(ctx, env, o, options, args[0], args[1])
	}
	r, err := compareTraces(ctx, env, options, args[0], args[1])
	if err != nil {
		return 0, err
	}
	return outcomeCode(r.Verdict), o.answer(env, func(to *printing) error { return printTraceDiff(to, o.traces, r) })
}

// printing is where an answer goes.
type printing = env

// answer lets print write to standard output, or to the file that was asked
// for.
func (o *diffFlags) answer(env *env, print func(*printing) error) error {
	if o.out == "" || o.out == "-" {
		return print(env)
	}
	return writeOutput(env, o.out, func(w io.Writer) error {
		to := *env
		to.out, to.color = w, false
		return print(&to)
	})
}

func printTraceDiff(env *env, o traceDiffFlags, r *diff.Result) error {
	switch {
	case env.json:
		return env.printJSON(r)
	case o.markdown:
		return markdownDiff(env.out, r)
	case o.junit:
		return junitDiff(env.out, []*diff.Result{r})
	}
	textDiff{env: env, all: o.all}.print(r)
	return nil
}

func outcomeCode(o verdict.Outcome) int {
	if o == verdict.Same {
		return exitOK
	}
	return exitFound
}

func (o *diffFlags) traceOptions() (diff.Options, error) {
	if err := o.settle(); err != nil {
		return diff.Options{}, err
	}
	pixels := o.Options
	pixels.Sizes = visual.SizesDiffer
	out := diff.Options{Pixels: &pixels, Hidden: o.traces.hidden, StrictCounts: o.traces.strict}
	for _, name := range o.traces.skip {
		if !slices.Contains(diff.Sections(), diff.SectionName(name)) {
			return out, usageError("--skip %q: there is %s", name, sectionNames())
		}
		out.Skip = append(out.Skip, diff.SectionName(name))
	}
	if o.traces.rules == "" {
		return out, nil
	}
	f, err := os.Open(o.traces.rules)
	if err != nil {
		return out, err
	}
	defer f.Close()
	if out.Rules, err = diff.ReadRules(f); err != nil {
		return out, withHint(fmt.Errorf("%s: %w", o.traces.rules, err), `a rule is {"name": "order", "scopes": ["dom"], "pattern": "ORD-\\d+", "replacement": "[order]"}`)
	}
	return out, nil
}

// compareTraces opens, loads and compares two traces.
func compareTraces(ctx context.Context, env *env, o diff.Options, a, b string) (*diff.Result, error) {
	var sides [2]diff.Side
	var errs [2]error
	for i, arg := range []string{a, b} {
		archive, err := env.openTrace(ctx, arg)
		if err != nil {
			return nil, err
		}
		defer archive.Close()
		sides[i] = diff.Side{Name: arg, Archive: archive}
	}
	env.progress.update("comparing", -1)
	var wg sync.WaitGroup
	for i := range sides {
		wg.Go(func() {
			sides[i].Trace, errs[i] = trace.Load(ctx, sides[i].Archive, trace.LoadOptions{NoLogs: true})
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", sides[i].Name, err)
		}
	}
	return diff.Traces(ctx, sides[0], sides[1], o)
}
