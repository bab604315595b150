package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace/perf"
	"github.com/tracedeck/tracedeck/trace/redact"
)

func perfCommand() *command {
	return &command{name: "perf", args: "TRACE [OTHER]", short: "say how a session performed, against another or a budget",
		long: `Web vitals (of the worst load), requests and bytes, long tasks, and how long
actions took. What the recorder did not measure is said to be not recorded.

With a second trace the first is what was before. --budget names a JSON file of
limits, such as {"LCP": 2500, "CLS": 0.1, "requests": 80, "bytes": 1500000,
"TBT": 300}; a limit of something that was not recorded is not kept. The exit
code is 1 if something got worse or a limit is not kept.`,
		examples: []example{
			{"tracedeck perf trace.zip", "vitals, slowest requests and actions"},
			{"tracedeck perf before.zip after.zip", "what got slower"},
			{"tracedeck perf --budget budget.json trace.zip", "in CI"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			budget := fs.String("budget", "", "JSON file of limits by the names of metrics")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return runPerf(ctx, env, *budget, args)
			}
		}}
}

// perfAnswer is the answer of "perf --json".
type perfAnswer struct {
	*perf.Report
	Before   *perf.Report  `json:"before,omitempty"` // of the first of two traces
	Changes  []perf.Change `json:"changes,omitempty"`
	Exceeded []perf.Excess `json:"exceeded,omitempty"`
}

func runPerf(ctx context.Context, env *env, budgetFile string, args []string) (int, error) {
	if len(args) < 1 || len(args) > 2 {
		return 0, usageError("which trace? one is expected, or one from before and one from after")
	}
	budget, err := readBudget(budgetFile)
	if err != nil {
		return 0, err
	}
	var reports []*perf.Report
	for _, arg := range args {
		r, err := env.measure(ctx, arg)
		if err != nil {
			return 0, err
		}
		reports = append(reports, r)
	}
	answer := perfAnswer{Report: reports[len(reports)-1], Exceeded: budget.Exceeded(reports[len(reports)-1])}
	code := exitOK
	if len(reports) == 2 {
		answer.Before, answer.Changes = reports[0], perf.Compare(reports[0], reports[1])
	}
	for _, c := range answer.Changes {
		if c.Effect == "regressed" {
			code = exitFound
		}
	}
	if len(answer.Exceeded) > 0 {
		code = exitFound
	}
	if env.json {
		return code, env.printJSON(answer)
	}
	return code, answer.print(env)
}

func readBudget(name string) (perf.Budget, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := perf.ReadBudget(f)
	if err != nil {
		return nil, withHint(fmt.Errorf("%s: %w", name, err), `a budget is written {"LCP": 2500, "bytes": 1500000}`)
	}
	return b, nil
}

// measure measures a trace, without the secrets that addresses may hold.
func (e *env) measure(ctx context.Context, arg string) (*perf.Report, error) {
	a, t, err := e.loadTrace(ctx, []string{arg})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	m := redact.NewMasker(redact.Options{})
	if err := m.Learn(ctx, a); err != nil {
		return nil, err
	}
	b, err := json.Marshal(perf.Of(t))
	if err != nil {
		return nil, err
	}
	r := &perf.Report{}
	return r, json.Unmarshal(m.JSON(b), r)
}

func (p *perfAnswer) print(env *env) error {
	tb := table{head: []string{"metric", "value", "rating"}, right: map[int]bool{1: true}}
	if p.Before != nil {
		tb = table{head: []string{"metric", "before", "after", "effect"}, right: map[int]bool{1: true, 2: true}}
	}
	colors := map[string]string{"good": green, "needs improvement": yellow, "poor": red, "improved": green, "regressed": red, "inconclusive": yellow, "same": dim}
	effects := map[string]string{}
	for _, c := range p.Changes {
		effects[c.Name] = c.Effect
	}
	for i, m := range p.Metrics {
		if p.Before == nil {
			tb.add(plain(m.Name), plain(m.String()), colored(colors[m.Rating], m.Rating))
		} else if effect := effects[m.Name]; effect != "" {
			tb.add(plain(m.Name), plain(p.Before.Metrics[i].String()), plain(m.String()), colored(colors[effect], effect))
		}
	}
	if err := tb.print(env); err != nil {
		return err
	}
	printSlow(env, "slowest requests", p.SlowRequest)
	printSlow(env, "slowest actions", p.SlowActions)
	for _, x := range p.Exceeded {
		value := "not recorded"
		if x.Value != nil {
			value = p.Metric(x.Name).String()
		}
		fmt.Fprintf(env.out, "%s\n", env.paint(red, fmt.Sprintf("over budget: %s is %s, the limit is %s", x.Name, value, strings.TrimSuffix(fmt.Sprintf("%.3f", x.Limit), ".000"))))
	}
	return nil
}

func printSlow(env *env, head string, list []perf.Slow) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(env.out, "\n%s\n", env.paint(bold, head))
	for _, s := range list {
		fmt.Fprintf(env.out, "  %8.0f ms  %s  %s\n", s.Took, printable(s.What), env.paint(dim, s.ID))
	}
}
