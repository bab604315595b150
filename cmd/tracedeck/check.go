package main

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace/check"
)

func checkCommand() *command {
	return &command{name: "check", args: "TRACE…", short: "list everything in a trace that is not as it should be",
		long: `Every finding has a code, a severity and a place. An error means that something
is lost, or that Playwright's viewer refuses the trace or misses a part of it;
tracedeck fix mends what can be mended. The exit code is 1 if there is an error,
with --strict if there is an error or a warning.`,
		examples: []example{
			{"tracedeck check trace.zip", "what is wrong, worst first"},
			{"tracedeck check --codes", "what each code means"},
			{"tracedeck check --json --no-info trace.zip", "for programs, without what is harmless"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o checkFlags
			fs.BoolVar(&o.noInfo, "no-info", false, "without what is unusual and harmless")
			fs.BoolVar(&o.strict, "strict", false, "exit with 1 for warnings too")
			fs.BoolVar(&o.NoBodies, "no-bodies", false, "do not read the resources")
			fs.IntVar(&o.PerCode, "per-code", 20, "how many findings of one code are listed")
			fs.BoolVar(&o.codes, "codes", false, "list the codes and what they mean")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runCheck(ctx, env, o, args) }
		}}
}

type checkFlags struct {
	check.Options
	noInfo, strict, codes bool
}

// checkAnswer is the answer of "check --json" for one trace.
type checkAnswer struct {
	Path string `json:"path"`
	*check.Report
}

func runCheck(ctx context.Context, env *env, o checkFlags, args []string) (int, error) {
	if o.codes {
		return exitOK, printCodes(env)
	}
	if len(args) == 0 {
		return 0, usageError("which trace?")
	}
	code := exitOK
	answers := []checkAnswer{}
	for _, arg := range args {
		r, err := checkOne(ctx, env, o, arg)
		if err != nil {
			return 0, err
		}
		if w := r.Worst(); w == check.Fault || o.strict && w == check.Warning {
			code = exitFound
		}
		answers = append(answers, checkAnswer{arg, r})
		if !env.json {
			printCheck(env, arg, r, len(args) > 1)
		}
	}
	if !env.json {
		return code, nil
	}
	if len(answers) == 1 {
		return code, env.printJSON(answers[0])
	}
	return code, env.printJSON(answers)
}

func checkOne(ctx context.Context, env *env, o checkFlags, arg string) (*check.Report, error) {
	quiet := env.quiet
	env.quiet = true // what opening warns of is among the findings
	a, err := env.openTrace(ctx, arg)
	env.quiet = quiet
	if err != nil {
		return nil, err
	}
	defer a.Close()
	o.OnEntry = func(done, total int) { env.progress.update("checking "+arg, float64(done)/float64(total)) }
	r, err := check.Run(ctx, a, o.Options)
	env.progress.done()
	if err != nil || !o.noInfo {
		return r, err
	}
	kept := []check.Finding{}
	for _, f := range r.Findings {
		if f.Severity != check.Info {
			kept = append(kept, f)
		}
	}
	r.Findings = kept
	return r, nil
}

func printCheck(env *env, arg string, r *check.Report, many bool) {
	if many {
		fmt.Fprintln(env.out, env.paint(bold, printable(arg)))
	}
	colors := map[check.Severity]string{check.Fault: red, check.Warning: yellow, check.Info: dim}
	for _, f := range r.Findings {
		fmt.Fprintf(env.out, "%s %s: %s\n", env.paint(colors[f.Severity], fmt.Sprintf("%-7s", f.Severity)), f.Code, printable(placed(f)))
	}
	if r.Hidden > 0 {
		fmt.Fprintf(env.out, "and %d more of the same codes (--per-code lists more)\n", r.Hidden)
	}
	if len(r.Findings) == 0 {
		fmt.Fprintf(env.out, "nothing found in %s and %s\n", plural(r.Lines, "line"), entries(r.Entries))
	}
}

// placed returns the place and the text of a finding; the text of an error
// that was read from an entry begins with the entry's name already.
func placed(f check.Finding) string {
	if f.Place == "" || strings.HasPrefix(f.Text, f.Place+": ") {
		return f.Text
	}
	return f.Place + ": " + f.Text
}

func printCodes(env *env) error {
	if env.json {
		return env.printJSON(check.Codes)
	}
	codes := make([]string, 0, len(check.Codes))
	for c := range check.Codes {
		codes = append(codes, c)
	}
	sort.Strings(codes)
	tb := table{head: []string{"code", "severity", "meaning"}, flex: 2}
	for _, c := range codes {
		tb.add(plain(c), plain(string(check.Codes[c].Severity)), plain(check.Codes[c].Text))
	}
	return tb.print(env)
}
