package main

import (
	"context"
	"fmt"
	"sort"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/repair"
)

func fixCommand() *command {
	return &command{name: "fix", args: "TRACE -o OUT", short: "write a repaired copy that shows correctly in Playwright's viewer",
		long: `What is sound is copied as it is. Snapshots come behind the lines that name
them, all times are on one clock, what began without end or ended without
beginning is closed or left out, console messages are made of protocol events,
and a zip that was cut off gets a directory. TRACE is never touched.`,
		examples: []example{
			{"tracedeck fix vibium.zip -o fixed.zip", "now Playwright's viewer shows its snapshots and console"},
			{"tracedeck fix half.zip -o whole.zip", "open what is left of a download that broke off"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var out string
			var o repair.Options
			var version int
			fs.StringVarP(&out, "output", "o", "", "the repaired trace; - for standard output")
			fs.IntVar(&version, "to", trace.WriteVersion, "version to write files in that are older than version 8")
			fs.IntVar(&o.PerCode, "per-code", 10, "how many fixes of one kind are listed")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return fix(ctx, env, out, version, o, args)
			}
		}}
}

func fix(ctx context.Context, env *env, out string, version int, o repair.Options, args []string) (int, error) {
	in, err := oneTrace(args)
	if err != nil {
		return 0, err
	}
	var r *repair.Report
	err = copyTo(ctx, env, in, out, trace.WriterOptions{Version: version}, func(dst *trace.Writer, src *trace.Archive) (err error) {
		if len(src.Files()) == 0 {
			return withHint(fmt.Errorf("%s holds no .trace file: there is nothing a viewer could show", in), "tracedeck extract unpacks what it holds")
		}
		r, err = repair.Run(ctx, dst, src, o)
		return err
	})
	if err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(r)
	}
	for _, w := range r.Warnings {
		env.warn("%s", w)
	}
	codes := make([]string, 0, len(r.Counts))
	for c := range r.Counts {
		codes = append(codes, c)
	}
	sort.Strings(codes)
	for _, c := range codes {
		env.report("%5d  %s  %s", r.Counts[c], c, repair.Codes[c])
	}
	env.report("%s", summary(r.Total(), out))
	return exitOK, nil
}

func summary(n int, out string) string {
	if n == 0 {
		return fmt.Sprintf("nothing had to be put right; the copy is in %s", out)
	}
	if n == 1 {
		return "1 thing was put right in " + out
	}
	return fmt.Sprintf("%d things were put right in %s", n, out)
}
