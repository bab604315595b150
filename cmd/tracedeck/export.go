package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/export"
)

type exportFlags struct {
	format string
	out    string
	har    export.HAROptions
}

func exportCommand() *command {
	return &command{name: "export", args: "TRACE", short: "write a trace as HAR 1.2, as lines of JSON, or as MessagePack",
		long: `HAR holds the requests with their bodies. JSON lines and MessagePack hold every
event, in the shape of the newest version. Without --format the name of the
output decides.`,
		examples: []example{
			{"tracedeck export -o session.har trace.zip", "open it in a browser's developer tools"},
			{"tracedeck export --format ndjson trace.zip | jq .type", "every event, whatever version recorded it"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o exportFlags
			fs.StringVarP(&o.format, "format", "f", "", "har, ndjson or msgpack")
			fs.StringVarP(&o.out, "output", "o", "-", "file to write to; - for standard output")
			fs.BoolVar(&o.har.NoBodies, "no-bodies", false, "HAR without bodies")
			fs.Int64Var(&o.har.MaxBody, "max-body", 16<<20, "HAR: leave out bodies of more bytes")
			return func(ctx context.Context, env *env, args []string) (int, error) { return runExport(ctx, env, o, args) }
		}}
}

var formatOfName = map[string]string{".har": "har", ".ndjson": "ndjson", ".jsonl": "ndjson", ".json": "ndjson", ".msgpack": "msgpack", ".mp": "msgpack"}

func runExport(ctx context.Context, env *env, o exportFlags, args []string) (int, error) {
	format := firstOf(o.format, formatOfName[strings.ToLower(filepath.Ext(o.out))])
	if len(args) != 1 {
		return 0, usageError("which trace? one is expected, not %d", len(args))
	}
	switch format {
	case "har", "ndjson", "msgpack":
	case "":
		return 0, usageError("which format? --format har, ndjson or msgpack")
	default:
		return 0, usageError("--format %q: there is har, ndjson and msgpack", format)
	}
	a, err := env.openTrace(ctx, args[0])
	if err != nil {
		return 0, err
	}
	defer a.Close()
	code := exitOK
	err = writeOutput(env, o.out, func(w io.Writer) error {
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
