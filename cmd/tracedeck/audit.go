package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace/audit"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

func auditCommand() *command {
	return &command{name: "audit", args: "TRACE…", short: "list the security faults that a trace gives away",
		long: `Looks for credentials in addresses, bodies, scripts, WebSocket messages and logs;
for personal data; for endpoints that answer with it without authentication; for
plain HTTP and mixed content; and at the headers and cookies of pages. Secrets are
never printed, only enough of them to find them again.

A check whose data is not in the trace is said to be "not recorded", which is not
the same as clean. The exit code is 1 if there is a finding of --fail-on or worse.`,
		examples: []example{
			{"tracedeck audit trace.zip", "what should be mended, worst first"},
			{"tracedeck audit --check credentials --severity info trace.zip", "all credentials, also those that are made to be public"},
			{"tracedeck audit --sarif audit.sarif --junit audit.xml --fail-on critical trace.zip", "in CI"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			o := auditFlags{}
			fs.StringArrayVar(&o.Checks, "check", nil, "only this check ("+strings.Join(audit.Checks, ", ")+"); may be given several times")
			fs.StringVar(&o.url, "url", "", "only addresses that hold this, or match glob:… or re:…")
			fs.StringVar(&o.severity, "severity", "warning", "list what is this or worse: critical, warning or info")
			fs.StringVar(&o.failOn, "fail-on", "warning", "exit with 1 if something is this or worse: critical, warning, info or none")
			fs.IntVar(&o.Limit, "limit", audit.DefaultLimit, "how many findings of a check are listed; -1 for all")
			fs.StringVar(&o.sarif, "sarif", "", "write SARIF 2.1.0 to this file (- for standard output)")
			fs.StringVar(&o.junit, "junit", "", "write JUnit XML to this file (- for standard output)")
			fs.BoolVar(&o.lines, "lines", false, "print findings as lines of JSON as they are made, and the summary as the last")
			fs.BoolVar(&o.rules, "rules", false, "list the kinds of findings")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runAudit(ctx, env, o, args) }
		}}
}

type auditFlags struct {
	audit.Options
	url, severity, failOn, sarif, junit string
	lines, rules                        bool
}

// auditAnswer is the answer of "audit --json" for one trace.
type auditAnswer struct {
	Path string `json:"path"`
	*verdict.Report
}

func (o *auditFlags) parse() (fail verdict.Severity, err error) {
	hint := "tracedeck audit --help lists what there is"
	if o.Options.URL, err = template.ParseFilter(o.url); err != nil {
		return "", withHint(err, "a filter is a part of the address, glob: with a pattern, or re: with a regular expression")
	}
	if o.Least, err = verdict.ParseSeverity(o.severity); err != nil {
		return "", withHint(fmt.Errorf("--severity: %w", err), hint)
	}
	if o.failOn != "none" {
		if fail, err = verdict.ParseSeverity(o.failOn); err != nil {
			return "", withHint(fmt.Errorf("--fail-on: %w, and none", err), hint)
		}
	}
	if o.sarif == "-" && o.junit == "-" || o.lines && (o.sarif == "-" || o.junit == "-") {
		return "", usageError("only one answer can go to standard output")
	}
	return fail, nil
}

func runAudit(ctx context.Context, env *env, o auditFlags, args []string) (int, error) {
	if o.rules {
		return exitOK, printRules(env)
	}
	fail, err := o.parse()
	if err != nil {
		return 0, err
	}
	if len(args) == 0 {
		return 0, usageError("which trace?")
	}
	var results []verdict.Result
	answers, code := []auditAnswer{}, exitOK
	for _, arg := range args {
		r, worst, err := auditOne(ctx, env, o, fail, arg)
		if err != nil {
			return 0, err
		}
		if fail != "" && worst.AtLeast(fail) && worst != "" {
			code = exitFound
		}
		results, answers = append(results, verdict.Result{Trace: arg, Report: r}), append(answers, auditAnswer{arg, r})
	}
	return code, printAudit(env, o, fail, results, answers)
}

// auditOne also returns the severity of the worst there is, listed or not.
func auditOne(ctx context.Context, env *env, o auditFlags, fail verdict.Severity, arg string) (r *verdict.Report, worst verdict.Severity, err error) {
	a, err := env.openTrace(ctx, arg)
	if err != nil {
		return nil, "", err
	}
	defer a.Close()
	o.OnProgress = func(done float64) { env.progress.update("auditing "+arg, done) }
	if o.lines {
		o.OnFinding = func(f verdict.Finding) { printLine(env.out, auditLine{Path: arg, Finding: &f}) }
	}
	r, err = audit.Run(ctx, a, o.Options)
	env.progress.done()
	if err != nil {
		return nil, "", withHint(fmt.Errorf("%s: %w", arg, err), "tracedeck audit --help lists the checks")
	}
	return r, r.Worst, nil
}

// auditLine is a line of "audit --lines".
type auditLine struct {
	Path    string           `json:"path"`
	Finding *verdict.Finding `json:"finding,omitempty"`
	Summary *verdict.Summary `json:"summary,omitempty"`
	Checks  []verdict.Check  `json:"checks,omitempty"`
	Notes   []string         `json:"notes,omitempty"`
}

func printLine(w io.Writer, l auditLine) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(l)
}

func printAudit(env *env, o auditFlags, fail verdict.Severity, results []verdict.Result, answers []auditAnswer) error {
	tool := verdict.Tool{Name: "tracedeck audit", Version: buildVersion(), Rules: audit.Rules}
	if fail == "" {
		fail = verdict.Critical
	}
	if o.sarif != "" {
		if err := writeOutput(env, o.sarif, func(w io.Writer) error { return verdict.WriteSARIF(w, tool, results) }); err != nil {
			return err
		}
	}
	if o.junit != "" {
		if err := writeOutput(env, o.junit, func(w io.Writer) error { return verdict.WriteJUnit(w, tool, results, fail) }); err != nil {
			return err
		}
	}
	switch {
	case o.sarif == "-" || o.junit == "-":
	case o.lines:
		for _, a := range answers {
			printLine(env.out, auditLine{Path: a.Path, Summary: &a.Summary, Checks: a.Checks, Notes: a.Notes})
		}
	case env.json && len(answers) == 1:
		return env.printJSON(answers[0])
	case env.json:
		return env.printJSON(answers)
	default:
		for i, a := range answers {
			printReport(env, a, len(answers) > 1, i)
		}
	}
	return nil
}

var severityColors = map[verdict.Severity]string{verdict.Critical: red, verdict.Warning: yellow, verdict.Info: dim}

func printReport(env *env, a auditAnswer, many bool, i int) {
	if i > 0 {
		fmt.Fprintln(env.out)
	}
	if many {
		fmt.Fprintln(env.out, env.paint(bold, printable(a.Path)))
	}
	for i := range a.Findings {
		printFinding(env, &a.Findings[i])
	}
	for _, note := range a.Remarks() {
		fmt.Fprintln(env.out, env.paint(dim, "note     "+printable(note)))
	}
	s := a.Summary
	fmt.Fprintf(env.out, "%d critical, %s, %d info in %s, %s and %s of bodies\n", s.Critical, plural(s.Warning, "warning"), s.Info,
		plural(s.Scanned.NetworkRequests, "request"), plural(s.Scanned.ConsoleEntries, "message"), bytesText(s.Scanned.BodyBytes))
}

func printFinding(env *env, f *verdict.Finding) {
	fmt.Fprintf(env.out, "%s %s: %s\n", env.paint(severityColors[f.Severity], fmt.Sprintf("%-8s", f.Severity)), f.Code, printable(f.Line()))
	e := f.Evidence
	details := []string{}
	if e.Pattern != "" {
		details = append(details, e.Pattern)
	}
	if e.Page != "" && e.Type == "request" {
		details = append(details, "on "+e.Page)
	}
	if len(e.PIIFields) > 0 && e.Pattern == "" {
		details = append(details, strings.Join(e.PIIFields, ", "))
	}
	details = append(append(details, e.Notes...), e.Place, f.CWE)
	fmt.Fprintln(env.out, "         "+env.paint(dim, printable(strings.Join(details, "; "))))
	fmt.Fprintln(env.out, "         "+printable(f.Recommendation))
}

func printRules(env *env) error {
	if env.json {
		return env.printJSON(audit.Rules)
	}
	tb := table{head: []string{"code", "check", "CWE", "title"}, flex: 3}
	for _, r := range audit.Rules {
		tb.add(plain(r.Code), plain(r.Category), plain(r.CWE), plain(r.Title))
	}
	return tb.print(env)
}

func init() {
	answers["audit"] = anyOf{auditAnswer{}, []auditAnswer{}}
	documents["audit-lines"] = auditLine{}
}
