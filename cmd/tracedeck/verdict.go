package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/diff/verify"
)

// verifyCompared is the answer of "verify compare --json".
type verifyCompared struct {
	ID     string         `json:"session_id,omitempty"`
	Status verify.Status  `json:"status"`
	Label  string         `json:"label,omitempty"`
	Result *verify.Result `json:"result"`
}

func compareVerify(ctx context.Context, e *deskEnv, args []string) (int, error) {
	o := verify.VerifyOptions{StrictCounts: e.f.strict}
	if len(args) == 2 && !e.known(args[0]) {
		r, err := e.compareTwo(ctx, args, o)
		if err != nil {
			return 0, err
		}
		return e.printVerdict(verifyCompared{Status: verify.Compared, Result: r})
	}
	var s *verify.Session
	var path string
	var span verify.Span
	var err error
	if len(args) == 2 {
		path = args[1]
		s, err = e.desk.WatchedAt(args[0], path)
	} else if s, err = e.desk.Watched(args[0]); err == nil {
		path, span, err = s.Watch.Find()
	}
	if err == nil && e.f.span != "" {
		span, err = parseSpan(e.f.span)
	}
	if err != nil {
		return 0, err
	}
	after, err := e.capture(ctx, path, s.URLFilter, span)
	if err != nil {
		return 0, err
	}
	s, r, err := e.desk.Compare(s.ID, after, o)
	if err != nil {
		return 0, err
	}
	return e.printVerdict(verifyCompared{s.ID, s.Status, s.Label, r})
}

// known reports whether an argument names a verification.
func (e *deskEnv) known(name string) bool {
	_, err := e.desk.Session(name)
	if err != nil {
		_, missing := os.Stat(name)
		return strings.HasPrefix(name, "verify-") && missing != nil
	}
	return true
}

func (e *deskEnv) compareTwo(ctx context.Context, args []string, o verify.VerifyOptions) (*verify.Result, error) {
	var states [2]*verify.State
	for i, text := range []string{e.f.before, e.f.after} {
		span, err := parseSpan(text)
		if err != nil {
			return nil, err
		}
		if states[i], err = e.capture(ctx, args[i], e.f.url, span); err != nil {
			return nil, err
		}
	}
	return verify.Verify(states[0], states[1], o), nil
}

// good are the verdicts after which nothing needs doing.
var good = []verify.Verdict{verify.Fixed, verify.Improved, verify.NoIssues}

func (e *deskEnv) printVerdict(c verifyCompared) (int, error) {
	code := exitOK
	if !slices.Contains(good, c.Result.Verdict) {
		code = exitFound
	}
	if e.json {
		return code, e.printJSON(c)
	}
	color := map[int]string{exitOK: green, exitFound: red}[code]
	if c.Result.Verdict == verify.Inconclusive {
		color = yellow
	}
	r := c.Result
	fmt.Fprintln(e.out, e.paint(color, string(r.Verdict)))
	fmt.Fprintf(e.out, "  before  %s in %s\n  after   %s in %s\n", plural(r.Before.TotalIssues, "error"), plural(r.Before.Kinds, "kind"), plural(r.After.TotalIssues, "error"), plural(r.After.Kinds, "kind"))
	colors := map[string]string{"resolved": green, "new": red, "not_exercised": yellow}
	for _, ch := range append(slices.Clone(r.NewIssues), r.Changes...) {
		text := ch.Before
		switch ch.Type {
		case "new":
			text = ch.After
		case "changed":
			text += "  ⇒  " + ch.After
		case "resolved":
			if ch.Category == verify.Network {
				text += "  ⇒  " + ch.After
			}
		}
		fmt.Fprintf(e.out, "  %s %-8s %s\n", e.paint(colors[ch.Type], fmt.Sprintf("%-13s", strings.ReplaceAll(ch.Type, "_", " "))), ch.Category, printable(text))
	}
	for _, p := range r.Performance {
		if p.Effect == "regressed" || p.Effect == "improved" {
			fmt.Fprintf(e.out, "  %-13s %s: %.4g before, %.4g after\n", p.Effect, p.Name, *p.Before, *p.After)
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(e.out, "  %s\n", e.paint(dim, printable(n)))
	}
	return code, nil
}

var errNoCurrent = errors.New(`"current" needs a snapshot beside it, whose trace is looked at again`)
