package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace/codegen"
)

func bugreportCommand() *command {
	return &command{name: "bugreport", args: "TRACE [-o FOLDER]", short: "write a bug report about a session that a person can read",
		long: `The report is a folder with report.md and pictures: steps, what was expected and
what happened, the errors of the session, the environment, and a script that
does it again. --inline prints all of it as one text with at most three small
pictures in it, for programs that read no folders.

Secrets are replaced. Pictures are not looked into: --no-pictures leaves them out.`,
		examples: []example{
			{"tracedeck bugreport trace.zip -o report", "a folder to attach to an issue"},
			{"tracedeck bugreport trace.zip --inline --no-pictures", "text for an issue's form"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var f codeFlags
			var o codegen.ReportOptions
			f.Options = codegen.DefaultOptions()
			f.fixture = string(codegen.NoFixtures)
			fs.StringVarP(&f.out, "output", "o", "", "folder to write; otherwise NAME-report beside where you are")
			fs.BoolVar(&o.Inline, "inline", false, "print one text")
			fs.BoolVar(&o.NoPictures, "no-pictures", false, "without pictures")
			fs.BoolVar(&o.NoScript, "no-script", false, "without the script")
			fs.StringVar(&f.Name, "name", "", "name of the session; the trace's title otherwise")
			fs.StringVar(&f.To, "to", "", "call id of the last action")
			fs.BoolVar(&f.secrets, "keep-secrets", false, "do not look for secrets other than what was typed as a password")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return runBugreport(ctx, env, &f, o, args)
			}
		}}
}

func runBugreport(ctx context.Context, env *env, f *codeFlags, o codegen.ReportOptions, args []string) (int, error) {
	s, done, err := f.scenario(ctx, env, args)
	if err != nil {
		return 0, err
	}
	defer done()
	o.Inline = o.Inline || env.json && f.out == ""
	r, err := s.Report(ctx, o)
	if err != nil {
		return 0, err
	}
	answer := newCodeAnswer(s)
	if o.Inline && f.out == "" {
		if !env.json {
			_, err = env.out.Write(r.Markdown)
			return exitOK, err
		}
		answer.Files = []codeFile{{Name: "report.md", Text: string(r.Markdown)}}
		return exitOK, env.printJSON(answer)
	}
	dir := f.out
	if dir == "" {
		dir = strings.TrimSuffix(filepath.Base(args[0]), ".zip") + "-report"
	}
	if answer.Files, err = writeReport(dir, r); err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(answer)
	}
	env.report("%s: %s", filepath.Join(dir, "report.md"), plural(len(r.Pictures), "picture"))
	if len(r.Pictures) > 0 {
		env.warn("pictures may show secrets: --no-pictures leaves them out")
	}
	return exitOK, nil
}

// writeReport writes the text and the pictures into a folder. It writes over
// no other file than those of an earlier report.
func writeReport(dir string, r *codegen.Report) (files []codeFile, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, withHint(fmt.Errorf("%s: %w", dir, err), "-o names a folder, which is made")
	}
	write := func(name string, data []byte) error {
		path := filepath.Join(dir, name)
		files = append(files, codeFile{Name: filepath.ToSlash(path)})
		return os.WriteFile(path, data, 0o644)
	}
	for _, p := range r.Pictures {
		if err := write(p.Name, p.Data); err != nil {
			return nil, err
		}
	}
	return files, write("report.md", r.Markdown)
}
