package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
)

type redactFlags struct {
	redact.Options
	out        string
	patterns   []string
	valuesFile string
	version    int
	list       bool
}

func redactCommand() *command {
	return &command{name: "redact", args: "TRACE -o OUT", short: "write a copy without passwords, tokens, cookies and keys",
		long: `A secret is known by its place (authorization headers, cookies, password fields,
members and parameters with names like access_token), by its form (tokens and
keys of known services), or because you name it. It is then replaced everywhere:
parameters, typed values, DOM, headers, addresses, bodies, console, sockets,
logs and sources, also where it is encoded. The report says what was cut and
where, never what it was. Pictures are not looked into: --no-pictures leaves
them out. TRACE is never touched.`,
		examples: []example{
			{"tracedeck redact trace.zip -o safe.zip", "before you attach it to an issue"},
			{"tracedeck redact trace.zip --values-file secrets.txt --typed --no-pictures -o safe.zip", "everything that was typed too, and no pictures"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o redactFlags
			fs.StringVarP(&o.out, "output", "o", "", "the new trace; - for standard output")
			fs.StringVar(&o.valuesFile, "values-file", "", "file with secrets, one a line; - for standard input")
			fs.StringSliceVar(&o.Names, "name", nil, "more names of headers, members, parameters or fields whose values are secrets")
			fs.StringSliceVar(&o.KeepNames, "keep-name", nil, "names whose values are no secrets")
			fs.StringArrayVar(&o.patterns, "pattern", nil, "regular expression of a secret; of its first group, if it has one")
			fs.BoolVar(&o.TypedText, "typed", false, "all typed text, not only passwords")
			fs.BoolVar(&o.NoPictures, "no-pictures", false, "leave out screencast and screenshots")
			fs.BoolVar(&o.list, "list", false, "list every place")
			fs.IntVar(&o.version, "version", 0, "version to write what has to be written anew; 0 keeps what can be kept")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runRedact(ctx, env, o, args) }
		}}
}

func runRedact(ctx context.Context, env *env, o redactFlags, args []string) (int, error) {
	in, err := oneTrace(args)
	if err != nil {
		return 0, err
	}
	if err := o.compile(env); err != nil {
		return 0, err
	}
	var r *redact.Report
	err = copyTo(ctx, env, in, o.out, trace.WriterOptions{Version: o.version}, func(dst *trace.Writer, src *trace.Archive) (err error) {
		r, err = redact.Run(ctx, dst, src, o.Options)
		return err
	})
	if err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(r)
	}
	o.print(env, r)
	return exitOK, nil
}

func (o *redactFlags) compile(env *env) error {
	for _, p := range o.patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return withHint(fmt.Errorf("--pattern %q: %w", p, err), "put a backslash before characters that mean something in regular expressions")
		}
		o.Patterns = append(o.Patterns, re)
	}
	if o.valuesFile == "" {
		return nil
	}
	in := env.in
	if o.valuesFile != "-" {
		f, err := os.Open(o.valuesFile)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if v := strings.TrimRight(lines.Text(), "\r"); v != "" {
			o.Values = append(o.Values, v)
		}
	}
	return lines.Err()
}

func (o *redactFlags) print(env *env, r *redact.Report) {
	for _, w := range r.Warnings {
		env.warn("%s", w)
	}
	if o.list {
		for _, p := range r.Places {
			env.report("%s: %s → %s", printable(p.Place), printable(p.What), p.With)
		}
		if r.Hidden > 0 {
			env.report("and %d more", r.Hidden)
		}
	}
	rules := make([]string, 0, len(r.Rules))
	for rule := range r.Rules {
		rules = append(rules, rule)
	}
	sort.Slice(rules, func(i, j int) bool { return r.Rules[rules[i]] > r.Rules[rules[j]] })
	for _, rule := range rules {
		env.report("%6d  %s", r.Rules[rule], printable(rule))
	}
	env.report("%s: %s replaced in %s", o.out, plural(r.Secrets, "secret"), plural(r.Replaced, "place"))
	if r.Pictures > 0 {
		env.warn("%s may show secrets: --no-pictures leaves them out", plural(r.Pictures, "picture"))
	}
}
