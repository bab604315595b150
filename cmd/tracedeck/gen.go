package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/codegen"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// codeFlags are those of the commands that make programs and reports.
type codeFlags struct {
	codegen.Options
	out     string
	lang    string
	with    []string
	without []string
	secrets bool
	table   bool
	also    string
	style   string
	fixture string
	expect  string
}

func (f *codeFlags) bind(fs *pflag.FlagSet) {
	f.Options = codegen.DefaultOptions()
	fs.StringVarP(&f.out, "output", "o", "-", "file to write; - is standard output")
	fs.StringVar(&f.BaseURL, "base-url", "", "origin to run against, instead of the recorded one")
	fs.StringVar(&f.From, "from", "", "call id of the first action")
	fs.StringVar(&f.To, "to", "", "call id of the last action")
	fs.IntVar(&f.Last, "last", 0, "only the last actions, as many as this")
	fs.BoolVar(&f.Screenshots, "screenshots", false, "take a picture after each step that changed the page")
	fs.BoolVar(&f.secrets, "keep-secrets", false, "do not look for secrets other than what was typed as a password")
	fs.StringVar(&f.fixture, "fixtures", string(f.Fixtures), "data of the server: none, mock (recorded answers are given) or seed (requests that made it are made again)")
}

func genCommand() *command {
	return &command{name: "gen", args: "test TRACE", short: "make a Playwright test out of a session",
		long: `The test does the recorded steps again: elements are named by test id, role and
name, label, text, id or CSS, whichever is there first; selectors of Playwright
are kept. It waits for what was observed, never for a time. What it asserts is
chosen by --style: smoke (where steps lead, errors of the page), standard (also
the server's answers and the texts that steps bring) or full (also the shape of
answers, and pictures); --assert and --no-assert add to it and take from it.
Assertions of a recorded test are kept.

Secrets become variables of the environment that the head of the file names.`,
		examples: []example{
			{"tracedeck gen test trace.zip -o checkout.spec.ts", "a test to keep"},
			{"tracedeck gen test trace.zip --fixtures mock -o checkout.spec.ts", "one that needs no server for its data"},
			{"tracedeck gen test trace.zip --expect fixed -o bug.spec.ts", "one that fails until what went wrong is mended"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var f codeFlags
			f.bind(fs)
			fs.StringVar(&f.Name, "name", "", "name of the test; the trace's title otherwise")
			fs.StringVar(&f.style, "style", string(f.Style), "how much is asserted: smoke, standard or full")
			fs.StringSliceVar(&f.with, "assert", nil, "assert also: url, errors, network, dom, shape, visual")
			fs.StringSliceVar(&f.without, "no-assert", nil, "do not assert: url, errors, network, dom, shape, visual")
			fs.StringVar(&f.expect, "expect", string(f.Expect), "where the session went wrong: recorded (the same again) or fixed")
			fs.Float64Var(&f.MaxDiffRatio, "max-diff", f.MaxDiffRatio, "share of pixels that a picture may differ in")
			fs.BoolVar(&f.NoMasks, "no-masks", false, "compare pictures whole, also where the page is another one each time")
			fs.StringVar(&f.also, "also", "", "another recording of the same session: what differs there is masked in pictures, and not asserted")
			fs.StringVar(&f.lang, "lang", "playwright", "playwright (TypeScript) or rod (a Go program)")
			fs.BoolVar(&f.table, "requests", false, "print what requests were taken for, instead of the test")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				if len(args) > 0 && (args[0] == "repro" || args[0] == "bugreport") {
					return 0, usageError("%s is a command of its own: tracedeck %s TRACE", args[0], args[0])
				}
				if len(args) == 0 || args[0] != "test" {
					return 0, usageError("what? there is: gen test TRACE")
				}
				return runCode(ctx, env, &f, args[1:], (*codegen.Scenario).Test)
			}
		}}
}

func reproCommand() *command {
	return &command{name: "repro", args: "TRACE", short: "make a script that does a session again and says whether its failure shows",
		long: `The script exits with 1 if the failure of the session shows again, with 0 if it
does not, and with 125 if it did not get that far: "git bisect run" understands
that. It is a program for Playwright in TypeScript, or one for rod in Go.

Secrets become variables of the environment that the head of the file names.`,
		examples: []example{
			{"tracedeck repro trace.zip -o repro.mts && npx tsx repro.mts", "see it again"},
			{"tracedeck repro trace.zip --lang rod -o main.go", "the same as a Go program"},
			{"tracedeck repro trace.zip --last 5", "only the end of a long session"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var f codeFlags
			f.bind(fs)
			fs.StringVar(&f.lang, "lang", "playwright", "playwright (TypeScript) or rod (a Go program)")
			fs.BoolVar(&f.table, "requests", false, "print what requests were taken for, instead of the script")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return runCode(ctx, env, &f, args, (*codegen.Scenario).Script)
			}
		}}
}

// codeAnswer is the answer of gen, repro and bugreport with --json.
type codeAnswer struct {
	Name     string             `json:"name"`
	Files    []codeFile         `json:"files"`
	Steps    int                `json:"steps"`
	Asserts  int                `json:"assertions"` // of the recorded test
	Needs    []codegen.Variable `json:"needs"`      // variables of the environment
	Failure  *codegen.Failure   `json:"failure,omitempty"`
	Requests []*codegen.Request `json:"requests"`
	Warnings []trace.Warning    `json:"warnings"`
}

// codeFile is a file that was made. The text is there where it went nowhere else.
type codeFile struct {
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
}

func runCode(ctx context.Context, env *env, f *codeFlags, args []string, write func(*codegen.Scenario) []byte) (int, error) {
	switch f.lang {
	case "playwright":
	case "rod":
		write = (*codegen.Scenario).Go
		if f.fixture != string(codegen.NoFixtures) {
			return 0, usageError("--fixtures %s: a program for rod needs the server", f.fixture)
		}
	default:
		return 0, usageError("--lang %q: there is playwright and rod", f.lang)
	}
	s, done, err := f.scenario(ctx, env, args)
	if err != nil {
		return 0, err
	}
	defer done()
	if f.also != "" {
		if err := f.compare(ctx, env, s); err != nil {
			return 0, err
		}
	}
	if f.table && !env.json {
		return exitOK, printClasses(env, s)
	}
	text := write(s)
	if env.json {
		answer := newCodeAnswer(s)
		answer.Files = []codeFile{{Name: f.out}}
		if f.out == "-" {
			answer.Files[0].Text = string(text)
		} else if err := os.WriteFile(f.out, text, 0o644); err != nil {
			return 0, err
		}
		return exitOK, env.printJSON(answer)
	}
	for _, w := range s.Warnings {
		env.warn("%s", w)
	}
	if f.out == "-" {
		_, err = env.out.Write(text)
		return exitOK, err
	}
	if err := os.WriteFile(f.out, text, 0o644); err != nil {
		return 0, err
	}
	steps, asserts := s.Numbers()
	env.report("%s: %s, %s of the recorded test", f.out, plural(steps, "step"), plural(asserts, "assertion"))
	for _, v := range s.Needs {
		env.report("needs %s: %s", v.Name, printable(v.What))
	}
	return exitOK, nil
}

// compare takes what differs in the other recording out of what is asserted.
func (f *codeFlags) compare(ctx context.Context, env *env, s *codegen.Scenario) error {
	other := *f
	other.From, other.To, other.Last = "", "", 0
	twin, done, err := other.scenario(ctx, env, []string{f.also})
	if err != nil {
		return err
	}
	defer done()
	if s.Compare(ctx, twin) == 0 {
		return withHint(fmt.Errorf("%s: it has no step in common with the session", f.also), "--also takes another recording of the same session")
	}
	return nil
}

func newCodeAnswer(s *codegen.Scenario) codeAnswer {
	a := codeAnswer{Name: s.Name, Needs: s.Needs, Failure: s.Failure, Requests: s.Requests, Warnings: s.Warnings}
	a.Steps, a.Asserts = s.Numbers()
	if a.Needs == nil {
		a.Needs = []codegen.Variable{}
	}
	if a.Requests == nil {
		a.Requests = []*codegen.Request{}
	}
	if a.Warnings == nil {
		a.Warnings = []trace.Warning{}
	}
	return a
}

// scenario reads the trace that is named, without its secrets.
func (f *codeFlags) scenario(ctx context.Context, env *env, args []string) (*codegen.Scenario, func(), error) {
	if err := f.settle(); err != nil {
		return nil, nil, err
	}
	in, err := oneTrace(args)
	if err != nil {
		return nil, nil, err
	}
	a, err := env.openTrace(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	done := func() { a.Close() }
	if !f.secrets {
		env.progress.update("looking for secrets", -1)
		copied, release, err := codegen.Redacted(ctx, a, redact.Options{})
		a.Close()
		if err != nil {
			return nil, nil, err
		}
		a, done = copied, release
	}
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err == nil {
		var s *codegen.Scenario
		if s, err = codegen.Read(ctx, a, t, f.Options); err == nil {
			return s, done, nil
		}
	}
	done()
	if errors.Is(err, codegen.ErrNoSteps) {
		err = withHint(fmt.Errorf("%s: %w", in, err), "tracedeck actions lists what the trace holds")
	}
	return nil, nil, err
}

func (f *codeFlags) settle() error {
	f.Fixtures = codegen.Fixtures(f.fixture)
	if f.style != "" {
		f.Style, f.Expect = codegen.Style(f.style), codegen.Expectation(f.expect)
	}
	for _, c := range f.with {
		f.With = append(f.With, codegen.Check(strings.TrimSpace(c)))
	}
	for _, c := range f.without {
		f.Without = append(f.Without, codegen.Check(strings.TrimSpace(c)))
	}
	if err := f.Valid(); err != nil {
		return usageError("%w", err)
	}
	return nil
}

func printClasses(env *env, s *codegen.Scenario) error {
	for _, r := range s.Requests {
		step := "-"
		if r.Step > 0 {
			step = fmt.Sprint(r.Step)
		}
		what := shortURL(r.URL)
		if r.Operation != "" {
			what += " " + r.Operation
		}
		fmt.Fprintf(env.out, "%-10s  step %-3s  %-6s %3d  %s  (%s)\n", r.Class, step, printable(r.Method), r.Status, printable(what), printable(r.Reason))
	}
	return nil
}

func init() {
	for _, name := range []string{"gen", "repro", "bugreport"} {
		answers[name] = codeAnswer{}
	}
}
