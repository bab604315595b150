package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/junit"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// folderDiff is the answer of "diff --json" for two folders of traces.
type folderDiff struct {
	A       string          `json:"a"`
	B       string          `json:"b"`
	Verdict verdict.Outcome `json:"verdict"`
	Traces  []folderPair    `json:"traces"`
}

// folderPair is a trace of both folders, or of one.
type folderPair struct {
	Name    string          `json:"name"`
	A       string          `json:"a,omitempty"` // path; empty where the folder has none
	B       string          `json:"b,omitempty"`
	Verdict verdict.Outcome `json:"verdict"`
	Error   string          `json:"error,omitempty"` // why they cannot be compared
	Result  *diff.Result    `json:"result,omitempty"`
}

// holdsTraces reports whether a name is a folder of traces, and no trace.
func holdsTraces(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir() && !isTraceFolder(name)
}

// byPath returns the traces below a folder by their path inside it.
func byPath(dir string) (map[string]string, error) {
	list, err := tracesIn(dir)
	all := map[string]string{}
	for _, p := range list {
		name, err := filepath.Rel(dir, p)
		if err != nil {
			return nil, err
		}
		all[filepath.ToSlash(name)] = p
	}
	return all, err
}

func diffFolders(ctx context.Context, env *env, o diffFlags, options diff.Options, a, b string) (int, error) {
	pairs, err := pairFolders(ctx, a, b)
	if err != nil {
		return 0, err
	}
	if len(pairs) == 0 {
		return 0, withHint(fmt.Errorf("%s and %s: neither holds a trace", a, b), "a trace is a .zip file, or a folder with .trace files")
	}
	answer := folderDiff{A: a, B: b, Traces: pairs}
	page := o.page(a, b)
	code := exitOK
	var parts []verdict.Outcome
	for i := range answer.Traces {
		p := &answer.Traces[i]
		code = max(code, p.compare(ctx, env, options, page))
		parts = append(parts, p.Verdict)
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	answer.Verdict = verdict.Combine(parts...)
	if err := o.junitFile(env, answer.junit); err != nil {
		return 0, err
	}
	if page.wanted {
		return code, o.answer(env, func(to *printing) error { return page.Write(to.out) })
	}
	return code, o.answer(env, func(to *printing) error { return answer.print(to, o.traces) })
}

func (p *folderPair) compare(ctx context.Context, env *env, o diff.Options, page diffPage) int {
	if p.A == "" || p.B == "" {
		p.Verdict = verdict.Changed
		page.AddProblem(p.Name, p.Verdict, p.says())
		return exitFound
	}
	r, err := compareTraces(ctx, env, o, p.A, p.B, page.add(p.Name))
	if err != nil {
		p.Verdict, p.Error = verdict.Inconclusive, err.Error()
		page.AddProblem(p.Name, p.Verdict, p.Error)
		env.warn("%s: %v", p.Name, err)
		return exitTrouble
	}
	p.Result, p.Verdict = r, r.Verdict
	return outcomeCode(r.Verdict)
}

// pairFolders pairs traces by their path, and those that are left by title,
// where only one on each side has it.
func pairFolders(ctx context.Context, a, b string) ([]folderPair, error) {
	inA, errA := byPath(a)
	inB, errB := byPath(b)
	if err := errors.Join(errA, errB); err != nil {
		return nil, err
	}
	var list []folderPair
	for name, p := range inA {
		if q, ok := inB[name]; ok {
			list = append(list, folderPair{Name: name, A: p, B: q})
			delete(inA, name)
			delete(inB, name)
		}
	}
	byTitle := titles(ctx, inB)
	for title, names := range titles(ctx, inA) {
		if others := byTitle[title]; title != "" && len(names) == 1 && len(others) == 1 {
			list = append(list, folderPair{Name: title, A: inA[names[0]], B: inB[others[0]]})
			delete(inA, names[0])
			delete(inB, others[0])
		}
	}
	for name, p := range inA {
		list = append(list, folderPair{Name: name, A: p})
	}
	for name, p := range inB {
		list = append(list, folderPair{Name: name, B: p})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list, nil
}

// titles returns the names of traces by the title that they were given.
func titles(ctx context.Context, traces map[string]string) map[string][]string {
	all := map[string][]string{}
	for name, path := range traces {
		t := titleOf(ctx, path)
		all[t] = append(all[t], name)
	}
	return all
}

func titleOf(ctx context.Context, path string) string {
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return ""
	}
	defer a.Close()
	x, err := index.Open(ctx, a, index.Options{})
	if err != nil {
		return ""
	}
	defer x.Close()
	for _, c := range x.Contexts() {
		if c.Options.Title != "" {
			return c.Options.Title
		}
	}
	return ""
}

func (f *folderDiff) print(env *env, o traceDiffFlags) error {
	var results []*diff.Result
	for _, p := range f.Traces {
		if p.Result != nil {
			results = append(results, p.Result)
		}
	}
	switch {
	case env.json:
		return env.printJSON(f)
	case o.junit == "-":
		return f.junit(env.out)
	case o.markdown:
		return f.markdown(env, results)
	}
	fmt.Fprintf(env.out, "%s  %s\n\n", env.paint(outcomeColors[f.Verdict], string(f.Verdict)), plural(len(f.Traces), "trace"))
	for _, p := range f.Traces {
		fmt.Fprintf(env.out, "%s  %s  %s\n", env.paint(outcomeColors[p.Verdict], fmt.Sprintf("%-12s", p.Verdict)), printable(p.Name), env.paint(dim, printable(p.says())))
	}
	for _, r := range results {
		if r.Verdict == verdict.Same {
			continue
		}
		fmt.Fprintln(env.out)
		textDiff{env: env, all: o.all}.print(r)
	}
	return nil
}

// says tells in a few words what became of a pair.
func (p *folderPair) says() string {
	switch {
	case p.Error != "":
		return p.Error
	case p.A == "":
		return "only in B"
	case p.B == "":
		return "only in A"
	}
	var list []string
	for _, s := range p.Result.Sections {
		if s.Verdict != verdict.Same && s.Verdict != verdict.Inconclusive {
			list = append(list, string(s.Name))
		}
	}
	return strings.Join(list, ", ")
}

func (f *folderDiff) markdown(env *env, results []*diff.Result) error {
	w := bufio.NewWriter(env.out)
	fmt.Fprintf(w, "# %s %s: %s\n\n| trace | verdict | differs in |\n| --- | --- | --- |\n", outcomeMarks[f.Verdict], f.Verdict, plural(len(f.Traces), "trace"))
	for _, p := range f.Traces {
		fmt.Fprintf(w, "| %s | %s %s | %s |\n", cellText(p.Name), outcomeMarks[p.Verdict], p.Verdict, cellText(p.says()))
	}
	for _, r := range results {
		if r.Verdict == verdict.Same {
			continue
		}
		fmt.Fprintln(w)
		if err := markdownDiff(w, r); err != nil {
			return err
		}
	}
	return w.Flush()
}

func (f *folderDiff) junit(w io.Writer) error {
	all := junit.Report{Name: "tracedeck diff"}
	for _, p := range f.Traces {
		s := &junit.Suite{Name: p.Name}
		if p.Result != nil {
			s = junitSuite(p.Name, p.Result)
		} else {
			s.Cases = []junit.Case{{Class: p.Name, Name: "trace", Failure: &junit.Problem{Message: p.says(), Type: string(p.Verdict)}}}
		}
		all.Suites = append(all.Suites, s)
	}
	return all.Write(w)
}
