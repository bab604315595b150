package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/viewer/report"
)

type reportFlags struct {
	format  string
	results string
	out     string
	budget  int
	test    string
	failOn  string
	flavour string
	before  time.Duration
}

func reportCommand() *command {
	return &command{name: "report", args: "TRACE|FOLDER…", short: "say what failed in a run of traces, for people, CI or a language model",
		long: `Folders are searched for traces. --results takes what the test runner reported
(Playwright's JSON, or JUnit XML), which knows which tests passed; without it a
trace with no failure in it counts as unknown, not as passed. Secrets are
masked in every format. The exit code is 1 if a test failed.`,
		examples: []example{
			{"tracedeck report test-results", "why the tests failed"},
			{"tracedeck report --format ai-context test-results", "the same in 500 tokens a failure, with hints"},
			{"tracedeck report --results results.json --format junit -o junit.xml test-results", "for a CI server, with traces attached"},
			{"tracedeck report --format markdown test-results >> $GITHUB_STEP_SUMMARY", "on the summary page of the job"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o reportFlags
			fs.StringVarP(&o.format, "format", "f", "text", "text, json, ai-context, junit or markdown")
			fs.StringVar(&o.results, "results", "", "results of the test runner: Playwright's JSON or JUnit XML; the same as naming the file among the traces")
			fs.StringVarP(&o.out, "output", "o", "-", "file to write; - is standard output")
			fs.IntVar(&o.budget, "budget", report.DefaultBudget, "tokens of one failure with --format ai-context")
			fs.StringVar(&o.test, "test", "", "only tests whose title, file or project holds this text")
			fs.StringVar(&o.failOn, "fail-on", "failures", "what makes the exit code 1: failures, browser-errors (failures too) or never")
			fs.StringVar(&o.flavour, "junit-flavour", "", "surefire: with flakyFailure and rerunFailure")
			fs.DurationVar(&o.before, "before", 3*time.Second, "how long before a failure to look for related trouble")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runReport(ctx, env, o, args) }
		}}
}

func (o *reportFlags) check(env *env) error {
	if env.json {
		o.format = "json"
	}
	switch o.format {
	case "text", "json", "ai-context", "junit", "markdown":
	default:
		return usageError("--format %q: there is text, json, ai-context, junit and markdown", o.format)
	}
	switch o.failOn {
	case "failures", "browser-errors", "never":
	default:
		return usageError("--fail-on %q: there is failures, browser-errors and never", o.failOn)
	}
	if o.flavour != "" && o.flavour != "surefire" {
		return usageError("--junit-flavour %q: there is surefire", o.flavour)
	}
	if o.budget < 1 {
		return usageError("--budget %d: at least 1", o.budget)
	}
	return nil
}

// takeResults takes a runner's results from among the traces, where no flag
// names them, and returns the rest.
func (o *reportFlags) takeResults(args []string) []string {
	var rest []string
	for _, name := range args {
		ext := strings.ToLower(filepath.Ext(name))
		info, err := os.Stat(name)
		if o.results == "" && (ext == ".json" || ext == ".xml") && err == nil && info.Mode().IsRegular() {
			o.results = name
			continue
		}
		rest = append(rest, name)
	}
	return rest
}

func runReport(ctx context.Context, env *env, o reportFlags, args []string) (int, error) {
	if err := o.check(env); err != nil {
		return 0, err
	}
	run, err := o.read(ctx, env, o.takeResults(args))
	if err != nil {
		return 0, err
	}
	if err := writeOutput(env, o.out, func(w io.Writer) error { return o.write(env, w, run) }); err != nil {
		return 0, err
	}
	if o.failOn != "never" && run.Summary.Failed > 0 || o.failOn == "browser-errors" && run.Summary.BrowserErrors > 0 {
		return exitFound, nil
	}
	return exitOK, nil
}

// read opens the traces one by one; one that is none is a warning as long as
// another can be read.
func (o reportFlags) read(ctx context.Context, env *env, args []string) (*report.Run, error) {
	header, err := env.header()
	if err != nil {
		return nil, err
	}
	opts := report.Options{Trace: trace.Options{Header: header, Stdin: env.in}}
	opts.Failures.Before = o.before
	if o.results != "" {
		f, err := os.Open(o.results)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		if opts.Results, err = report.ReadResults(f); err != nil {
			return nil, withHint(fmt.Errorf("%s: %w", o.results, err), "npx playwright test --reporter=json writes one; PLAYWRIGHT_JSON_OUTPUT_NAME names the file")
		}
	}
	if o.test != "" {
		opts.Keep = func(s report.Session) bool {
			return strings.Contains(strings.ToLower(s.Suite+" "+s.Project+" "+s.Title), strings.ToLower(o.test))
		}
	}
	names, err := findTraces(args)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 && o.results == "" {
		return nil, withHint(errors.New("no trace is there"), "give zips or folders with traces in them, or --results")
	}
	return report.Read(ctx, o.readable(ctx, env, names, opts.Trace), opts)
}

// readable leaves out what cannot be opened, and warns.
func (o reportFlags) readable(ctx context.Context, env *env, names []string, opts trace.Options) []string {
	if len(names) < 2 {
		return names
	}
	var list []string
	for _, name := range names {
		a, err := trace.Open(ctx, name, opts)
		if err != nil {
			env.warn("%v", err)
			continue
		}
		a.Close()
		list = append(list, name)
	}
	return list
}

func (o reportFlags) write(env *env, w io.Writer, run *report.Run) error {
	switch o.format {
	case "json":
		return writeJSON(w, run)
	case "ai-context":
		return report.Context(w, run, o.budget)
	case "junit":
		return report.JUnit(w, run, report.JUnitOptions{Surefire: o.flavour == "surefire"})
	case "markdown":
		return report.Markdown(w, run)
	}
	paint := env.paint
	if o.out != "-" {
		paint = nil
	}
	return report.Text(w, run, paint)
}

// findTraces returns the traces that arguments name: files, addresses, folders
// that are traces, and what lies in other folders.
func findTraces(args []string) ([]string, error) {
	var list []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil && (trace.IsAddress(arg) || arg == "-" || strings.Contains(arg, "!")):
			list = append(list, arg)
		case err != nil:
			return nil, err
		case !info.IsDir() || isTraceFolder(arg):
			list = append(list, arg)
		default:
			found, err := tracesIn(arg)
			if err != nil {
				return nil, err
			}
			list = append(list, found...)
		}
	}
	return list, nil
}

func isTraceFolder(dir string) bool {
	m, _ := filepath.Glob(filepath.Join(dir, "*.trace"))
	return len(m) > 0
}

// tracesIn searches a folder: zips that hold a .trace file, and folders that
// are recorded into.
func tracesIn(dir string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != dir && isTraceFolder(path):
			list = append(list, path)
			return filepath.SkipDir
		case d.IsDir() && d.Name() == "node_modules":
			return filepath.SkipDir
		case strings.EqualFold(filepath.Ext(path), ".zip") && isFile(path, d):
			list = append(list, path)
		}
		return nil
	})
	sort.Strings(list)
	return list, err
}

// isFile is whether a path is a file, or a link to one, as caches of CI systems
// make them.
func isFile(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
