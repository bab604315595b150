package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
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
	index.Counts
	Errors        int `json:"errors"` // failed actions, failed tests and page errors
	FailedActions int `json:"failedActions"`
	Stdio         int `json:"stdio"`
	Entries       int `json:"entries"`
}

func info(ctx context.Context, env *env, arg string) error {
	a, x, err := env.indexTrace(ctx, arg)
	if err != nil {
		return err
	}
	defer a.Close()
	defer x.Close()
	in := describe(a, x)
	if env.json {
		return env.printJSON(in)
	}
	in.print(env)
	return nil
}

func describe(a *trace.Archive, x *index.Index) traceInfo {
	clock := x.Clock()
	in := traceInfo{Path: a.Name(), Duration: milliseconds(clock.End), Digest: a.Digest(), Growing: a.Growing(),
		Counts: count(a, x), Contexts: []contextInfo{}, Warnings: append([]trace.Warning{}, x.Warnings()...)}
	if !clock.Start.IsZero() {
		in.Start = &clock.Start
	}
	for _, e := range a.Entries() {
		in.Size += max(0, e.CompressedSize)
	}
	var options []*trace.ContextOptions
	for _, c := range x.Contexts() {
		in.context(c)
		options = append(options, &c.Options)
	}
	in.Producer = trace.ProducerOf(options, someMethod(x), in.Warnings)
	in.badLines(x)
	in.judge(x)
	return in
}

// someMethod returns the method of a call by which Vibium's recordings are known.
func someMethod(x *index.Index) string {
	for r := range min(x.Len(index.Actions), 100) {
		if m := x.Action(index.Row(r)).Method; strings.HasPrefix(m, "vibium:") {
			return m
		}
	}
	return ""
}

func (in *traceInfo) context(c index.Context) {
	ci := contextInfo{File: c.File, Version: c.Options.Version, Origin: c.Options.Origin, Title: c.Options.Title, Browser: c.Options.BrowserName}
	if v, ok := c.Options.Viewport(); ok {
		ci.View = &v
	}
	in.Contexts = append(in.Contexts, ci)
	in.Version = max(in.Version, c.Options.Version)
	in.Title = firstOf(in.Title, c.Options.Title)
	in.Browser = firstOf(in.Browser, c.Options.BrowserName)
	in.Platform = firstOf(in.Platform, c.Options.Platform)
}

// badLines tells of lines that are no events, the first ones one by one.
func (in *traceInfo) badLines(x *index.Index) {
	const most = 10
	first, total := x.BadLines()
	for i, b := range first {
		if i == most {
			in.Warnings = append(in.Warnings, trace.Warning{Code: "W_BAD_LINE", Text: fmt.Sprintf("%d more lines are not read", total-most)})
			break
		}
		in.Warnings = append(in.Warnings, trace.Warning{Code: "W_BAD_LINE", Place: place(b.Position), Text: "not read: " + b.Text})
	}
}

func (in *traceInfo) judge(x *index.Index) {
	in.Verdict = "passed"
	if c := in.Counts; c.Actions+c.Network+c.Frames+c.Console == 0 {
		in.Verdict = "empty"
	}
	for r := range x.Len(index.Errors) {
		if e := x.Error(index.Row(r)); e.Source != index.PageError {
			in.Verdict = "failed"
			in.FirstError = firstLine(printableLines(e.Message))
			return
		}
	}
}

func count(a *trace.Archive, x *index.Index) traceCounts {
	c := traceCounts{Counts: x.Counts(), Errors: x.Len(index.Errors), Entries: len(a.Entries())}
	c.Resources = 0
	for _, e := range a.Entries() {
		if strings.HasPrefix(e.Name, "resources/") && !strings.HasSuffix(e.Name, "/") {
			c.Resources++
		}
	}
	for r := range x.Len(index.Actions) {
		if x.Action(index.Row(r)).Flags&index.Failed != 0 {
			c.FailedActions++
		}
	}
	c.Stdio = x.Len(index.Console) - c.Console
	return c
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
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
