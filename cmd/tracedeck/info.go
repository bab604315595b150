package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
)

func infoCommand() *command {
	return &command{name: "info", args: "TRACE…", short: "say what a trace holds: who recorded it, how long, how much of what",
		examples: []example{
			{"tracedeck info trace.zip", "what is inside"},
			{"tracedeck info --json trace.zip | jq .counts.actions", "one number of it"},
		},
		flags: func(*pflag.FlagSet) runner {
			return func(ctx context.Context, env *env, args []string) (int, error) {
				if len(args) == 0 {
					return 0, usageError("which trace?")
				}
				for i, arg := range args {
					if i > 0 && !env.json {
						fmt.Fprintln(env.out)
					}
					if err := info(ctx, env, arg); err != nil {
						return 0, err
					}
				}
				return exitOK, nil
			}
		}}
}

// traceInfo is the answer of "info --json".
type traceInfo struct {
	Path       string          `json:"path"`
	Producer   string          `json:"producer"`          // "playwright 1.65.1", "vibium 26.8.21", "tracedeck …", or "unknown"
	Version    int             `json:"version"`           // of the format, as the newest context claims it
	Title      string          `json:"title,omitempty"`   // of the first context that has one
	Browser    string          `json:"browser,omitempty"` // name
	Platform   string          `json:"platform,omitempty"`
	Start      *time.Time      `json:"start,omitempty"`
	Duration   float64         `json:"duration"` // milliseconds from the first to the last that happened
	Verdict    string          `json:"verdict"`  // "passed", "failed" or "empty"
	FirstError string          `json:"firstError,omitempty"`
	Size       int64           `json:"size"` // bytes of all entries as stored
	Digest     string          `json:"digest"`
	Growing    bool            `json:"growing,omitempty"`
	Contexts   []contextInfo   `json:"contexts"`
	Counts     traceCounts     `json:"counts"`
	Warnings   []trace.Warning `json:"warnings"`
}

type contextInfo struct {
	File    string      `json:"file"`
	Version int         `json:"version"`
	Origin  string      `json:"origin"`
	Title   string      `json:"title,omitempty"`
	Browser string      `json:"browser,omitempty"`
	View    *trace.Size `json:"viewport,omitempty"`
}

// traceCounts says how much of what a trace holds.
type traceCounts struct {
	Actions       int `json:"actions"` // runner and library merged; groups and protocol commands included
	Groups        int `json:"groups"`
	Pages         int `json:"pages"`
	Snapshots     int `json:"snapshots"`
	Network       int `json:"network"`
	Console       int `json:"console"`
	PageErrors    int `json:"pageErrors"`
	Frames        int `json:"frames"` // of the screencast
	Logs          int `json:"logs"`
	Inputs        int `json:"inputs"`
	Attachments   int `json:"attachments"`
	Resources     int `json:"resources"` // entries below resources/
	Errors        int `json:"errors"`    // failed actions, failed tests and page errors
	FailedActions int `json:"failedActions"`
	Stdio         int `json:"stdio"`
	Entries       int `json:"entries"`
}

func info(ctx context.Context, env *env, arg string) error {
	a, t, err := env.loadTrace(ctx, []string{arg})
	if err != nil {
		return err
	}
	defer a.Close()
	in := describe(a, t)
	if env.json {
		return env.printJSON(in)
	}
	in.print(env)
	return nil
}

func describe(a *trace.Archive, t *trace.Trace) traceInfo {
	in := traceInfo{Path: a.Name(), Producer: t.Producer(), Duration: milliseconds(t.Duration), Digest: a.Digest(),
		Growing: a.Growing(), Counts: count(a, t), Warnings: t.Warnings, Contexts: []contextInfo{}}
	if !t.Start.IsZero() {
		in.Start = &t.Start
	}
	if in.Warnings == nil {
		in.Warnings = []trace.Warning{}
	}
	for _, e := range a.Entries() {
		in.Size += max(0, e.CompressedSize)
	}
	for _, c := range t.Contexts {
		in.context(c)
	}
	in.judge(t)
	return in
}

func (in *traceInfo) context(c *trace.Context) {
	ci := contextInfo{File: c.File, Version: c.Version, Origin: c.Origin, Title: c.Title, Browser: c.BrowserName}
	if v, ok := c.Viewport(); ok {
		ci.View = &v
	}
	in.Contexts = append(in.Contexts, ci)
	in.Version = max(in.Version, c.Version)
	in.Title = firstOf(in.Title, c.Title)
	in.Browser = firstOf(in.Browser, c.BrowserName)
	in.Platform = firstOf(in.Platform, c.Platform)
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

func (in *traceInfo) judge(t *trace.Trace) {
	in.Verdict = "passed"
	if len(t.Actions) == 0 && len(t.Network) == 0 && len(t.Frames) == 0 {
		in.Verdict = "empty"
	}
	for _, f := range t.Errors {
		if f.Kind != trace.FailedPage {
			in.Verdict = "failed"
			in.FirstError = firstLine(printableLines(f.Message))
			return
		}
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func printableLines(s string) string {
	lines := strings.Split(stripSGR(s), "\n")
	for i := range lines {
		lines[i] = printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

func count(a *trace.Archive, t *trace.Trace) traceCounts {
	c := traceCounts{Actions: len(t.Actions), Pages: len(t.Pages), Snapshots: len(t.Snapshots), Network: len(t.Network),
		Console: len(t.Console), Frames: len(t.Frames), Attachments: len(t.Attachments), Errors: len(t.Errors), Stdio: len(t.Stdio), Entries: len(a.Entries())}
	for _, act := range t.Actions {
		if act.Kind == trace.KindGroup {
			c.Groups++
		}
		if act.Error != nil {
			c.FailedActions++
		}
		c.Logs += len(act.Logs)
		c.Inputs += len(act.Inputs)
	}
	for _, f := range t.Errors {
		if f.Kind == trace.FailedPage {
			c.PageErrors++
		}
	}
	for _, e := range a.Entries() {
		if strings.HasPrefix(e.Name, "resources/") && !strings.HasSuffix(e.Name, "/") {
			c.Resources++
		}
	}
	return c
}

func (in traceInfo) print(env *env) {
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(env.out, "%s %s\n", env.paint(dim, fmt.Sprintf("%-10s", name)), value)
		}
	}
	row("trace", printable(in.Path))
	row("title", printable(in.Title))
	verdict := env.paint(green, in.Verdict)
	if in.Verdict == "failed" {
		verdict = env.paint(red, in.Verdict) + ": " + in.FirstError
	}
	row("verdict", verdict)
	row("recorded", in.recorded())
	row("duration", shortDuration(time.Duration(in.Duration*1e6)))
	row("size", fmt.Sprintf("%s in %s", bytesText(in.Size), entries(in.Counts.Entries)))
	c := in.Counts
	row("actions", fmt.Sprintf("%d (%d failed, %s)", c.Actions, c.FailedActions, plural(c.Groups, "group")))
	row("pages", fmt.Sprintf("%d, with %s and %s", c.Pages, plural(c.Snapshots, "snapshot"), plural(c.Frames, "screencast frame")))
	row("network", plural(c.Network, "request"))
	row("console", fmt.Sprintf("%s, %s", plural(c.Console, "message"), plural(c.PageErrors, "page error")))
	row("more", fmt.Sprintf("%s, %s, %s, %s", plural(c.Logs, "log line"), plural(c.Inputs, "input"), plural(c.Attachments, "attachment"), plural(c.Resources, "resource")))
	for _, w := range in.Warnings {
		row("warning", env.paint(yellow, printable(w.String())))
	}
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

func (in traceInfo) recorded() string {
	s := in.Producer + ", trace version " + fmt.Sprint(in.Version)
	if in.Browser != "" {
		s += ", " + in.Browser
	}
	if in.Platform != "" {
		s += " on " + in.Platform
	}
	if in.Start != nil {
		s += ", " + in.Start.Local().Format("2006-01-02 15:04:05")
	}
	return printable(s)
}
