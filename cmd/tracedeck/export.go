package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/recorder/userflow"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/export"
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/viewer"
)

type exportFlags struct {
	format string
	html   bool
	out    string
	har    export.HAROptions
	redact bool
	shots  bool
}

func exportCommand() *command {
	return &command{name: "export", args: "TRACE [TRACE]", short: "write a trace as a web page, as HAR 1.2, as lines of JSON, or as MessagePack",
		long: `HAR holds the requests with their bodies. JSON lines and MessagePack hold every
event, in the shape of the newest version. A page is the viewer with the trace,
or with two side by side, in one HTML file that opens from a disk, without a
server. Without --format the name of the
output decides.`,
		examples: []example{
			{"tracedeck export -o session.har trace.zip", "open it in a browser's developer tools"},
			{"tracedeck export -o trace.html trace.zip", "a page to attach to an issue"},
			{"tracedeck export --redact -o trace.html trace.zip", "without the secrets in it"},
			{"tracedeck export -o diff.html passing.zip failing.zip", "two traces side by side"},
			{"tracedeck export --format ndjson trace.zip | jq .type", "every event, whatever version recorded it"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o exportFlags
			fs.StringVarP(&o.format, "format", "f", "", "html, har, ndjson, msgpack or user-flow (JSON for the Recorder panel of Chrome)")
			fs.BoolVar(&o.html, "html", false, "the same as --format html")
			fs.StringVarP(&o.out, "output", "o", "-", "file to write to; - for standard output")
			fs.BoolVar(&o.har.NoBodies, "no-bodies", false, "HAR without bodies")
			fs.Int64Var(&o.har.MaxBody, "max-body", 16<<20, "HAR: leave out bodies of more bytes")
			fs.BoolVar(&o.redact, "redact", false, "a page: take secrets out first")
			fs.BoolVar(&o.shots, "no-pictures", false, "a page: leave out screenshots, in which anything may show, and take secrets out")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runExport(ctx, env, o, args) }
		}}
}

var formatOfName = map[string]string{".html": "html", ".htm": "html", ".har": "har", ".ndjson": "ndjson", ".jsonl": "ndjson", ".json": "ndjson", ".msgpack": "msgpack", ".mp": "msgpack"}

func runExport(ctx context.Context, env *env, o exportFlags, args []string) (int, error) {
	format := firstOf(o.format, formatOfName[strings.ToLower(filepath.Ext(o.out))])
	if o.html {
		format = "html"
	}
	if format == "html" {
		return exportPage(ctx, env, o, args)
	}
	if len(args) != 1 {
		return 0, usageError("which trace? one is expected, not %d", len(args))
	}
	switch format {
	case "har", "ndjson", "msgpack", "user-flow":
	case "":
		return 0, usageError("which format? --format html, har, ndjson, msgpack or user-flow")
	default:
		return 0, usageError("--format %q: there is html, har, ndjson, msgpack and user-flow", format)
	}
	a, err := env.openTrace(ctx, args[0])
	if err != nil {
		return 0, err
	}
	defer a.Close()
	code := exitOK
	err = writeOutput(env, o.out, func(w io.Writer) error {
		if format == "user-flow" {
			return exportFlow(ctx, w, a)
		}
		if format == "har" {
			return exportHAR(ctx, env, w, a, o.har)
		}
		sink := export.NDJSON(w)
		if format == "msgpack" {
			sink = export.MessagePack(w)
		}
		return export.Events(ctx, a, sink, func(err error) {
			env.warn("%v", err)
			code = exitFound
		})
	})
	return code, err
}

// exportPage writes the viewer with one trace, or two, in one file.
func exportPage(ctx context.Context, env *env, o exportFlags, args []string) (int, error) {
	if len(args) < 1 || len(args) > 2 {
		return 0, usageError("which trace? one is expected, or two that are compared, not %d", len(args))
	}
	code := exitOK
	err := writeOutput(env, o.out, func(w io.Writer) error {
		page := viewer.ExportOptions{Paths: args, Version: buildVersion(), MaxBody: o.har.MaxBody}
		if o.redact || o.shots {
			page.Redact = &redact.Options{NoPictures: o.shots}
		}
		r, err := viewer.Export(ctx, w, page)
		if r.Missing > 0 || r.Steps > 0 {
			code = exitFound
			env.warn("left out, because it is too large or damaged: %s, details of %s", plural(r.Missing, "resource"), plural(r.Steps, "row"))
		}
		if err == nil {
			fmt.Fprintf(env.err, "%s, %s\n", plural(r.Pages, "page"), plural(r.Bodies, "resource"))
		}
		return err
	})
	return code, err
}

// exportFlow writes what was done as steps that Chrome's Recorder panel and
// "record --script" carry out.
func exportFlow(ctx context.Context, w io.Writer, a *trace.Archive) error {
	t, err := trace.Load(ctx, a, trace.LoadOptions{NoLogs: true, NoProtocol: true})
	if err != nil {
		return err
	}
	return userflow.From(t).Write(w)
}

func exportHAR(ctx context.Context, env *env, w io.Writer, a *trace.Archive, o export.HAROptions) error {
	t, err := trace.Load(ctx, a, trace.LoadOptions{NoLogs: true, NoProtocol: true})
	if err != nil {
		return err
	}
	o.Creator, o.Version = "tracedeck", buildVersion()
	r, err := export.HAR(ctx, w, a, t, o)
	if err != nil {
		return err
	}
	for _, file := range r.Missing {
		env.warn("%s: the body is not in the trace or is damaged", file)
	}
	for _, file := range r.TooLong {
		env.warn("%s: the body is above --max-body", file)
	}
	fmt.Fprintf(env.err, "%s, %d bodies\n", plural(r.Entries, "request"), r.Bodies)
	return nil
}
