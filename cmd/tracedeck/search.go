package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace/index"
)

func searchCommand() *command {
	return &command{name: "search", args: "TRACE WORDS…", short: "search actions, requests, console, bodies, pages and sources at once",
		long: `All words must be found. "exact phrases" and /regular expressions/ may be among
them, a minus in front turns a word around. Filters narrow the search:
kind:request,body  status:5xx  method:post  type:fetch  level:error
slower-than:200ms  larger-than:10kB. The exit code is 1 if nothing is found.`,
		examples: []example{
			{`tracedeck search trace.zip "order 913"`, "wherever it occurs"},
			{"tracedeck search trace.zip kind:body -- token", "only in request and response bodies"},
			{"tracedeck search trace.zip status:5xx method:post", "requests, by what they are"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o index.SearchOptions
			fs.IntVar(&o.MaxHits, "most", 100, "hits of one kind at the most")
			fs.Int64Var(&o.MaxBody, "max-body", 32<<20, "bytes of one body that are searched")
			return func(ctx context.Context, env *env, args []string) (int, error) { return search(ctx, env, o, args) }
		}}
}

// hitRecord is one hit in the answer of "search --json": a line of JSON each,
// as it is found.
type hitRecord struct {
	Kind    string   `json:"kind"`
	Time    *float64 `json:"time,omitempty"` // milliseconds since the start of the trace
	Entry   string   `json:"entry,omitempty"`
	Line    int      `json:"line,omitempty"`
	Snippet string   `json:"snippet"`
	From    int      `json:"from"` // where the match is in the snippet, in bytes
	To      int      `json:"to"`
}

func search(ctx context.Context, env *env, o index.SearchOptions, args []string) (int, error) {
	if len(args) < 2 {
		return 0, usageError("which trace, and which words?")
	}
	q, err := index.ParseQuery(joinWords(args[1:]))
	if err != nil {
		return 0, err
	}
	a, x, err := env.indexTrace(ctx, args[0])
	if err != nil {
		return 0, err
	}
	defer a.Close()
	defer x.Close()
	env.progress.done()
	w := bufio.NewWriter(env.out)
	defer w.Flush()
	n := 0
	err = x.Search(ctx, q, o, func(h index.Hit) bool {
		n++
		if env.json {
			return printHitJSON(w, h) == nil
		}
		printHit(env, w, h)
		return w.Flush() == nil
	})
	if err == nil && n == 0 {
		env.report("nothing found")
		return exitFound, nil
	}
	return exitOK, err
}

// joinWords puts quotes around arguments that the shell has taken them from.
func joinWords(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		if strings.ContainsAny(a, " \t") && !strings.ContainsAny(a, `"/`) {
			a = `"` + a + `"`
		}
		words[i] = a
	}
	return strings.Join(words, " ")
}

func newHitRecord(h index.Hit) hitRecord {
	r := hitRecord{Kind: h.Kind, Entry: h.Entry, Line: h.Line, Snippet: h.Snippet, From: h.From, To: h.To}
	if h.Time != index.NoTime {
		ms := milliseconds(h.Time)
		r.Time = &ms
	}
	return r
}

func printHitJSON(w *bufio.Writer, h index.Hit) error {
	b, err := json.Marshal(newHitRecord(h))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return err
}

func printHit(env *env, w *bufio.Writer, h index.Hit) {
	when := ""
	if h.Time != index.NoTime {
		when = offset(h.Time)
	}
	text := printable(h.Snippet)
	if env.color && h.From <= h.To && h.To <= len(h.Snippet) {
		text = printable(h.Snippet[:h.From]) + env.paint(yellow, printable(h.Snippet[h.From:h.To])) + printable(h.Snippet[h.To:])
	}
	where := ""
	if h.Entry != "" {
		where = fmt.Sprintf("  %s:%d", h.Entry, h.Line)
	}
	fmt.Fprintf(w, "%8s  %-10s %s%s\n", when, h.Kind, text, env.paint(dim, printable(where)))
}
