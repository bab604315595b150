package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
)

type consoleFlags struct {
	grep    string
	level   string
	noStdio bool
}

func consoleCommand() *command {
	return &command{name: "console", args: "TRACE", short: "list console messages, page errors and what the test printed",
		long: `The exit code is 1 if an error is listed.`,
		examples: []example{
			{"tracedeck console --level warning trace.zip", "warnings and errors"},
			{"tracedeck console --grep 'failed|denied' trace.zip", "only lines that match"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o consoleFlags
			fs.StringVarP(&o.grep, "grep", "g", "", "only messages that match the regular expression")
			fs.StringVar(&o.level, "level", "", "only this level and worse: debug, info, warning or error")
			fs.BoolVar(&o.noStdio, "no-stdio", false, "without what the test printed")
			return func(ctx context.Context, env *env, args []string) (int, error) { return console(ctx, env, o, args) }
		}}
}

// consoleRecord is one line in the answer of "console --json".
type consoleRecord struct {
	Time   float64 `json:"time"`   // milliseconds since the start of the trace
	Level  string  `json:"level"`  // debug, info, warning or error
	Kind   string  `json:"kind"`   // the console's own word, or pageerror, stdout, stderr
	Source string  `json:"source"` // page or test
	Text   string  `json:"text"`
	URL    string  `json:"url,omitempty"`
	Line   int     `json:"line,omitempty"` // counted from 1
	Page   string  `json:"page,omitempty"`
	Stack  string  `json:"stack,omitempty"`
	Place  string  `json:"place,omitempty"`
}

var levels = map[string]int{"debug": 0, "info": 1, "warning": 2, "error": 3}

// levelOf sorts the console's words into four levels.
func levelOf(kind string) string {
	switch kind {
	case "error", "assert", "pageerror":
		return "error"
	case "warning", "warn":
		return "warning"
	case "debug", "trace":
		return "debug"
	}
	return "info"
}

func console(ctx context.Context, env *env, o consoleFlags, args []string) (int, error) {
	re, err := regexp.Compile("(?i)" + o.grep)
	if err != nil {
		return 0, withHint(fmt.Errorf("--grep %q: %w", o.grep, err), "put a backslash before characters that mean something in regular expressions")
	}
	least, known := levels[firstOf(o.level, "debug")]
	if !known {
		return 0, usageError("--level %q: there is debug, info, warning and error", o.level)
	}
	a, t, err := env.loadTrace(ctx, args)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	list, code := []consoleRecord{}, exitOK
	for _, r := range consoleRecords(t, !o.noStdio) {
		if levels[r.Level] >= least && re.MatchString(r.Text) {
			list = append(list, r)
			if r.Level == "error" {
				code = exitFound
			}
		}
	}
	if env.json {
		return code, env.printJSON(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(env.err, nothing("messages", o != consoleFlags{}))
		return code, nil
	}
	return code, printConsole(env, list)
}

func consoleRecords(t *trace.Trace, stdio bool) []consoleRecord {
	var list []consoleRecord
	for _, m := range t.Console {
		list = append(list, consoleRecord{Time: m.Time.Milliseconds(), Level: levelOf(m.Kind), Kind: m.Kind, Source: "page", Text: m.Text,
			URL: m.Location.URL, Line: m.Location.Line + 1, Page: m.PageID, Place: place(m.Position)})
	}
	for _, f := range t.Errors {
		if f.Kind == trace.FailedPage {
			list = append(list, consoleRecord{Time: f.Time.Milliseconds(), Level: "error", Kind: "pageerror", Source: "page", Text: failureText(f),
				URL: f.Location.URL, Line: f.Location.Line + 1, Page: f.PageID, Stack: f.Stack, Place: place(f.Position)})
		}
	}
	if stdio {
		for _, o := range t.Stdio {
			list = append(list, consoleRecord{Time: o.Time.Milliseconds(), Level: "info", Kind: o.Stream, Source: "test", Text: stdioText(o)})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Time < list[j].Time })
	return list
}

func stdioText(o *trace.Output) string {
	if o.Base64 == "" {
		return strings.TrimRight(o.Text, "\n")
	}
	b, err := base64.StdEncoding.DecodeString(o.Base64)
	if err != nil {
		return o.Base64
	}
	return strings.TrimRight(string(b), "\n")
}

func failureText(f *trace.Failure) string {
	if f.Name != "" && !strings.HasPrefix(f.Message, f.Name) {
		return f.Name + ": " + f.Message
	}
	return f.Message
}

func printConsole(env *env, list []consoleRecord) error {
	tb := table{head: []string{"time", "kind", "message", "from"}, right: map[int]bool{0: true}, flex: 2}
	colors := map[string]string{"error": red, "warning": yellow, "debug": dim}
	for _, r := range list {
		color := colors[r.Level]
		from := r.Source
		if r.URL != "" {
			from = fmt.Sprintf("%s:%d", shortURL(r.URL), r.Line)
		}
		tb.add(plain(offset(time.Duration(r.Time*1e6))), colored(color, r.Kind), colored(color, r.Text), colored(dim, from))
	}
	return tb.print(env)
}

// nothing says that a list is empty, and whether that may be due to a filter.
func nothing(what string, filtered bool) string {
	if filtered {
		return "no such " + what
	}
	return "no " + what
}
