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
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/trace/verdict"
	"github.com/tracedeck/tracedeck/viewer/report/comparison"
)

// traceDiffFlags are the flags that only mean something for traces.
type traceDiffFlags struct {
	rules    string
	skip     []string
	all      bool
	hidden   bool
	strict   bool
	markdown bool
	junit    string // - for standard output
	html     bool
}

func (o *traceDiffFlags) bind(fs *pflag.FlagSet) {
	fs.StringVar(&o.rules, "rules", "", "JSON file of rules that mask what differs from run to run")
	fs.StringSliceVar(&o.skip, "skip", nil, "sections that are not compared: "+sectionNames())
	fs.BoolVar(&o.all, "all", false, "list every step, also long runs of the same ones")
	fs.BoolVar(&o.hidden, "hidden", false, "compare getters, routes and configuration too")
	fs.BoolVar(&o.strict, "strict-counts", false, "an error that came at least twice as often is a regression")
	fs.BoolVar(&o.markdown, "markdown", false, "print the answer as Markdown, for a comment")
	fs.StringVar(&o.junit, "junit", "", "write JUnit XML, a test case a section, to this file; alone, it is the answer")
	fs.Lookup("junit").NoOptDefVal = "-"
	fs.BoolVar(&o.html, "html", false, "write the answer as a page of one file, with the pictures of the steps; with -o")
}

func sectionNames() string {
	var list []string
	for _, s := range diff.Sections() {
		list = append(list, string(s))
	}
	return strings.Join(list, ", ")
}

// pictureEnds are what names of pictures end with, also of those that cannot be
// read, so that this is what is said of them.
var pictureEnds = []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".svg"}

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
	if err := o.traces.oneForm(env); err != nil {
		return 0, err
	}
	options, err := o.traceOptions()
	if err != nil {
		return 0, err
	}
	if holdsTraces(args[0]) && holdsTraces(args[1]) {
		return diffFolders(ctx, env, o, options, args[0], args[1])
	}
	page := o.page(args[0], args[1])
	r, err := compareTraces(ctx, env, options, args[0], args[1], page.add("steps"))
	if err != nil {
		return 0, err
	}
	if err := o.junitFile(env, func(w io.Writer) error { return junitDiff(w, r) }); err != nil {
		return 0, err
	}
	if o.traces.html {
		return outcomeCode(r.Verdict), o.answer(env, func(to *printing) error { return page.Write(to.out) })
	}
	return outcomeCode(r.Verdict), o.answer(env, func(to *printing) error { return printTraceDiff(to, o.traces, r) })
}

// oneForm refuses to give an answer in two forms.
func (o *traceDiffFlags) oneForm(env *env) error {
	n := 0
	for _, wanted := range []bool{env.json, o.markdown, o.junit == "-", o.html} {
		if wanted {
			n++
		}
	}
	if n > 1 {
		return usageError("one of --json, --markdown, --junit and --html, not two")
	}
	return nil
}

// diffPage is a page that is wanted, or not.
type diffPage struct {
	*comparison.Report
	wanted bool
}

func (o *diffFlags) page(a, b string) diffPage {
	return diffPage{&comparison.Report{A: a, B: b, Program: buildVersion()}, o.traces.html}
}

// add takes two traces into the page while they are open.
func (p diffPage) add(name string) func(context.Context, *diff.Comparer, *diff.Result) error {
	return func(ctx context.Context, c *diff.Comparer, r *diff.Result) error {
		if !p.wanted {
			return nil
		}
		return p.Add(ctx, name, c, r)
	}
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

// takeJUnit makes "--junit FILE" what it is for other commands: the file must be called .xml to be told from a trace.
func (o *traceDiffFlags) takeJUnit(args []string) []string {
	if o.junit != "-" {
		return args
	}
	i := slices.IndexFunc(args, func(a string) bool {
		return strings.EqualFold(filepath.Ext(a), ".xml") || a == "-" && len(args) == 3
	})
	if i < 0 {
		return args
	}
	o.junit = args[i]
	return slices.Delete(args, i, i+1)
}

// junitFile writes JUnit XML to the file that was asked for, beside the answer.
func (o *diffFlags) junitFile(env *env, write func(io.Writer) error) error {
	if o.traces.junit == "" || o.traces.junit == "-" {
		return nil
	}
	return writeOutput(env, o.traces.junit, write)
}

func printTraceDiff(env *env, o traceDiffFlags, r *diff.Result) error {
	switch {
	case env.json:
		return env.printJSON(r)
	case o.markdown:
		return markdownDiff(env.out, r)
	case o.junit == "-":
		return junitDiff(env.out, r)
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

// compareTraces opens, loads and compares two traces, and lets show look at
// them while they are open. The result is made of what they hold, and told
// without its secrets: answers of CI are read by many.
func compareTraces(ctx context.Context, env *env, o diff.Options, a, b string, show func(context.Context, *diff.Comparer, *diff.Result) error) (*diff.Result, error) {
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
	c, err := diff.New(ctx, sides[0], sides[1], o)
	if err != nil {
		return nil, err
	}
	r, err := c.Result(ctx)
	if err != nil {
		return nil, err
	}
	m := redact.NewMasker(redact.Options{})
	if err := m.Learn(ctx, sides[0].Archive, sides[1].Archive); err != nil {
		return nil, err
	}
	m.Strings(r)
	return r, show(ctx, c, r)
}
