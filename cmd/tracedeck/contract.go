package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/contract"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

func contractCommand() *command {
	return &command{name: "contract", args: "learn|check|report|clear TRACE…", short: "learn what an API answers, and say where answers break with it",
		long: `learn adds what the JSON answers in good traces look like to the file --file: which
fields there are, which of them always, and of what kind, for each method, path and
GraphQL operation. check compares the answers of a trace with that file, with an
OpenAPI document (--openapi), or without either with what the trace itself began
with. report prints what is known; clear forgets it. Values are never kept.

An API that was changed on purpose shows as a candidate once three answers in a row
agree on the new shape; learn --accept takes it over. The exit code of check is 1 if
there is a violation of --fail-on or worse.`,
		examples: []example{
			{"tracedeck contract learn --file api.json good1.zip good2.zip", "from traces of runs that passed"},
			{"tracedeck contract check --file api.json new.zip", "what changed"},
			{"tracedeck contract check trace.zip", "what changed within one session"},
			{"tracedeck contract check --openapi openapi.yaml trace.zip", "whether the server keeps to its description"},
			{"tracedeck contract report --file api.json --as openapi", "as OpenAPI 3.1; --as json-schema for JSON Schema 2020-12"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			o := contractFlags{}
			fs.StringVarP(&o.file, "file", "f", "", "the file that the contract is kept in")
			fs.StringVar(&o.openapi, "openapi", "", "check: an OpenAPI document, JSON or YAML")
			fs.StringVar(&o.url, "url", "", "only addresses that hold this, or match glob:… or re:…; report and clear: endpoints")
			fs.StringArrayVar(&o.ignore, "ignore", nil, "not these addresses; may be given several times")
			fs.IntVar(&o.Depth, "depth", contract.DefaultDepth, fmt.Sprintf("levels of objects and lists that are looked into, at most %d", contract.MaxDepth))
			fs.BoolVar(&o.AnyHost, "any-host", false, "endpoints are the same on all hosts")
			fs.BoolVar(&o.accept, "accept", false, "learn: only take over what changed for good")
			fs.StringVar(&o.as, "as", "text", "report: text, json-schema or openapi")
			fs.StringVar(&o.failOn, "fail-on", "warning", "check: exit with 1 if something is this or worse: critical, warning, info or none")
			fs.StringVar(&o.sarif, "sarif", "", "check: write SARIF 2.1.0 to this file (- for standard output)")
			fs.StringVar(&o.junit, "junit", "", "check: write JUnit XML to this file (- for standard output)")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runContract(ctx, env, o, args) }
		}}
}

type contractFlags struct {
	contract.Options
	file, openapi, url, as, failOn, sarif, junit string
	ignore                                       []string
	accept                                       bool
}

func runContract(ctx context.Context, env *env, o contractFlags, args []string) (int, error) {
	if len(args) == 0 {
		return 0, usageError("learn, check, report or clear?")
	}
	if err := o.parse(); err != nil {
		return 0, err
	}
	switch args[0] {
	case "learn":
		return learnContract(ctx, env, o, args[1:])
	case "check":
		return checkContract(ctx, env, o, args[1:])
	case "report":
		return reportContract(ctx, env, o, args[1:])
	case "clear":
		return clearContract(env, o, args[1:])
	}
	return 0, usageError("there is no contract %q: learn, check, report or clear?", args[0])
}

func (o *contractFlags) parse() (err error) {
	hint := "a filter is a part of the address, glob: with a pattern, or re: with a regular expression"
	if o.Options.URL, err = template.ParseFilter(o.url); err != nil {
		return withHint(err, hint)
	}
	for _, text := range o.ignore {
		f, err := template.ParseFilter(text)
		if err != nil {
			return withHint(err, hint)
		}
		o.Ignore = append(o.Ignore, f)
	}
	if o.failOn != "none" {
		if _, err := verdict.ParseSeverity(o.failOn); err != nil {
			return withHint(fmt.Errorf("--fail-on: %w, and none", err), "tracedeck contract --help lists the flags")
		}
	}
	if o.sarif == "-" && o.junit == "-" {
		return usageError("only one answer can go to standard output")
	}
	if o.Depth < 1 || o.Depth > contract.MaxDepth {
		return usageError("--depth %d: it is 1 to %d", o.Depth, contract.MaxDepth)
	}
	return nil
}

// readContract returns nil if the file is not there and may be missing.
func readContract(path string, mayMiss bool) (*contract.Contract, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) && mayMiss {
		return nil, nil
	}
	if err != nil {
		return nil, withHint(fmt.Errorf("contract: %w", err), "tracedeck contract learn --file makes one")
	}
	defer f.Close()
	c, err := contract.Read(f)
	if err != nil {
		return nil, withHint(fmt.Errorf("%s: %w", path, err), "tracedeck contract learn --file writes contracts")
	}
	return c, nil
}

func writeContract(env *env, path string, c *contract.Contract) error {
	return writeOutput(env, path, c.Write)
}

// eachTrace opens the traces one by one.
func eachTrace(ctx context.Context, env *env, args []string, do func(arg string, a *trace.Archive) error) error {
	if len(args) == 0 {
		return usageError("which trace?")
	}
	for _, arg := range args {
		a, err := env.openTrace(ctx, arg)
		if err != nil {
			return err
		}
		err = do(arg, a)
		a.Close()
		env.progress.done()
		if err != nil {
			return err
		}
	}
	return nil
}

// contractAnswer is the answer of "contract check --json" for one trace.
type contractAnswer struct {
	Path string `json:"path"`
	*contract.Result
}

func checkContract(ctx context.Context, env *env, o contractFlags, args []string) (int, error) {
	check, err := o.checker()
	if err != nil {
		return 0, err
	}
	code, answers := exitOK, []contractAnswer{}
	err = eachTrace(ctx, env, args, func(arg string, a *trace.Archive) error {
		r, err := check(ctx, a, o.Options)
		if err != nil {
			return fmt.Errorf("%s: %w", arg, err)
		}
		if worst := r.Worst(); worst != "" && o.failOn != "none" && worst.AtLeast(verdict.Severity(o.failOn)) {
			code = exitFound
		}
		answers = append(answers, contractAnswer{arg, r})
		return nil
	})
	if err == nil {
		err = writeContractFiles(env, o, answers)
	}
	switch {
	case err != nil:
		return 0, err
	case o.sarif == "-" || o.junit == "-":
		return code, nil
	case env.json && len(answers) == 1:
		return code, env.printJSON(answers[0])
	case env.json:
		return code, env.printJSON(answers)
	}
	for _, a := range answers {
		printContract(env, a, len(answers) > 1)
	}
	return code, nil
}

// writeContractFiles writes the answers as findings, in the formats asked for.
func writeContractFiles(env *env, o contractFlags, answers []contractAnswer) error {
	tool := verdict.Tool{Name: "tracedeck contract", Version: buildVersion(), Rules: contract.Rules}
	var results []verdict.Result
	for _, a := range answers {
		results = append(results, verdict.Result{Trace: a.Path, Report: a.Report()})
	}
	fail := verdict.Severity(o.failOn)
	if o.failOn == "none" {
		fail = verdict.Critical
	}
	if o.sarif != "" {
		if err := writeOutput(env, o.sarif, func(w io.Writer) error { return verdict.WriteSARIF(w, tool, results) }); err != nil {
			return err
		}
	}
	if o.junit == "" {
		return nil
	}
	return writeOutput(env, o.junit, func(w io.Writer) error { return verdict.WriteJUnit(w, tool, results, fail) })
}

type checker func(context.Context, *trace.Archive, contract.Options) (*contract.Result, error)

func (o *contractFlags) checker() (checker, error) {
	switch {
	case o.file != "" && o.openapi != "":
		return nil, usageError("either --file or --openapi")
	case o.openapi != "":
		f, err := os.Open(o.openapi)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		api, err := contract.ParseOpenAPI(f)
		if err != nil {
			return nil, withHint(fmt.Errorf("%s: %w", o.openapi, err), "--openapi takes a document of version 3.0 or 3.1, in one file")
		}
		return api.Check, nil
	case o.file != "":
		c, err := readContract(o.file, false)
		if err != nil {
			return nil, err
		}
		return c.Check, nil
	}
	return (*contract.Contract)(nil).Check, nil
}

func printContract(env *env, a contractAnswer, many bool) {
	if many {
		fmt.Fprintln(env.out, env.paint(bold, printable(a.Path)))
	}
	for _, v := range a.Violations {
		fmt.Fprintf(env.out, "%s %s: %s: %s", env.paint(severityColors[v.Severity], fmt.Sprintf("%-8s", v.Severity)), v.Type, printable(v.Endpoint), printable(v.Description))
		if v.Of > 0 {
			fmt.Fprintf(env.out, " (%d of %d)", v.Count, v.Of)
		}
		fmt.Fprintln(env.out)
		if e := v.LastError; e != nil && e.Message != "" {
			fmt.Fprintln(env.out, "         "+printable(e.Message))
		}
	}
	for _, r := range a.Rebaseline {
		fmt.Fprintf(env.out, "changed  %s: the last %d answers agree on a new shape\n", printable(r.Endpoint), r.Answers)
	}
	for _, name := range a.Untracked {
		fmt.Fprintf(env.out, "note     %s is not tracked: there are too many endpoints\n", printable(name))
	}
	for _, hint := range a.Hints {
		fmt.Fprintln(env.out, env.paint(dim, "note     "+hint))
	}
	fmt.Fprintf(env.out, "%s in %s, %s, %d of them clean\n", plural(len(a.Violations), "violation"), plural(a.Calls, "call"), plural(len(a.Endpoints), "endpoint"), a.Clean)
}

func reportContract(ctx context.Context, env *env, o contractFlags, args []string) (int, error) {
	c := &contract.Contract{}
	if o.file != "" {
		var err error
		if c, err = readContract(o.file, false); err != nil {
			return 0, err
		}
	}
	if o.file == "" || len(args) > 0 {
		if err := eachTrace(ctx, env, args, func(_ string, a *trace.Archive) error { _, err := c.Learn(ctx, a, o.Options); return err }); err != nil {
			return 0, err
		}
	} else if !o.Options.URL.All() {
		c = selected(c, o.Options.URL)
	}
	switch {
	case o.as == "json-schema":
		return exitOK, env.printJSON(c.JSONSchema())
	case o.as == "openapi":
		return exitOK, env.printJSON(c.OpenAPI("recorded API"))
	case o.as != "text":
		return 0, usageError("--as %q: there is text, json-schema and openapi", o.as)
	case env.json:
		return exitOK, c.Write(env.out)
	}
	return exitOK, printEndpoints(env.out, c)
}

func selected(c *contract.Contract, filter template.Filter) *contract.Contract {
	kept := *c
	kept.Endpoints = nil
	for _, e := range c.Endpoints {
		if filter.Match(e.String()) {
			kept.Endpoints = append(kept.Endpoints, e)
		}
	}
	return &kept
}

func printEndpoints(w io.Writer, c *contract.Contract) error {
	if len(c.Endpoints) == 0 {
		_, err := fmt.Fprintln(w, "no endpoints")
		return err
	}
	for _, e := range c.Endpoints {
		state := "established"
		if !e.Established() {
			state = "learning"
		}
		var statuses []string
		for _, status := range slices.Sorted(maps.Keys(e.Statuses)) {
			statuses = append(statuses, fmt.Sprintf("%s ×%d", status, e.Statuses[status]))
		}
		fmt.Fprintf(w, "%s\n  %s, %s, %s, %s\n", printable(e.String()), state, plural(e.Calls, "call"), plural(e.Samples, "sample"), strings.Join(statuses, ", "))
		if e.Shape != nil {
			fmt.Fprintf(w, "  %s\n", printable(e.Shape.String()))
		}
	}
	return nil
}

// clearAnswer is the answer of "contract clear --json": numbers of endpoints.
type clearAnswer struct {
	Cleared int `json:"cleared"`
	Left    int `json:"left"`
}

func clearContract(env *env, o contractFlags, args []string) (int, error) {
	if o.file == "" || len(args) > 0 {
		return 0, withHint(errors.New("which file?"), "clear takes a contract with --file and no trace; --url selects endpoints")
	}
	c, err := readContract(o.file, false)
	if err != nil {
		return 0, err
	}
	n := c.Clear(o.Options.URL)
	if err := writeContract(env, o.file, c); err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(clearAnswer{n, len(c.Endpoints)})
	}
	fmt.Fprintf(env.out, "forgot %s, %d left\n", plural(n, "endpoint"), len(c.Endpoints))
	return exitOK, nil
}

func init() {
	ownJSON[reflect.TypeFor[contract.Shape]()] = map[string]any{"type": "object", "description": "kinds of values with counts; fields of objects, items of lists",
		"required": []string{"kinds"}, "additionalProperties": false, "properties": map[string]any{
			"kinds":  map[string]any{"type": "object", "additionalProperties": kind("integer")},
			"fields": map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "object", "required": []string{"present", "shape"}, "properties": map[string]any{"present": kind("integer"), "shape": kind("object")}}},
			"items":  kind("object"), "opaque": kind("boolean")}}
	answers["contract"] = anyOf{contractAnswer{}, []contractAnswer{}}
	documents["contract-learn"] = learnAnswer{}
	documents["contract-report"] = contract.Contract{}
	documents["contract-clear"] = clearAnswer{}
}
