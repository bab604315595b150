package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
)

type extractFlags struct {
	out  string
	list bool
}

func extractCommand() *command {
	return &command{name: "extract", args: "TRACE [NAME…]", short: "write entries of a trace to files, or one to standard output",
		long: `Names may hold * and ?. Without names everything is extracted. An entry that is
damaged is written as far as it goes, and said so.`,
		examples: []example{
			{"tracedeck extract -o dir trace.zip", "everything into a folder"},
			{"tracedeck extract -o - trace.zip trace.network", "one entry to standard output"},
			{"tracedeck extract --list trace.zip", "what there is"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o extractFlags
			fs.StringVarP(&o.out, "output", "o", "", "folder to write to; - for standard output")
			fs.BoolVarP(&o.list, "list", "l", false, "only list the entries")
			return func(ctx context.Context, env *env, args []string) (int, error) { return extract(ctx, env, o, args) }
		}}
}

func extract(ctx context.Context, env *env, o extractFlags, args []string) (int, error) {
	if len(args) == 0 {
		return 0, usageError("which trace?")
	}
	a, err := env.openTrace(ctx, args[0])
	if err != nil {
		return 0, err
	}
	defer a.Close()
	chosen, err := choose(a, args[1:])
	if err != nil {
		return 0, err
	}
	switch {
	case o.list:
		return exitOK, listEntries(env, chosen)
	case o.out == "-":
		return extractTo(ctx, env, a, chosen)
	case o.out == "":
		return 0, usageError("where to? -o names a folder, or - for standard output")
	}
	return extractAll(ctx, env, a, chosen, o.out)
}

func choose(a *trace.Archive, patterns []string) ([]trace.Entry, error) {
	if len(patterns) == 0 {
		return a.Entries(), nil
	}
	var chosen []trace.Entry
	for _, p := range patterns {
		found := false
		for _, e := range a.Entries() {
			if ok, err := filepath.Match(p, e.Name); ok || e.Name == p || err == nil && strings.HasPrefix(e.Name, strings.TrimSuffix(p, "/")+"/") {
				chosen = append(chosen, e)
				found = true
			}
		}
		if !found {
			return nil, withHint(fmt.Errorf("%s: no entry %q", a.Name(), p), "tracedeck extract --list shows the entries")
		}
	}
	return chosen, nil
}

func listEntries(env *env, list []trace.Entry) error {
	if env.json {
		type entry struct {
			Name       string `json:"name"`
			Size       int64  `json:"size"`
			Compressed int64  `json:"compressed"`
		}
		records := []entry{}
		for _, e := range list {
			records = append(records, entry{e.Name, e.Size, e.CompressedSize})
		}
		return env.printJSON(records)
	}
	tb := table{head: []string{"size", "packed", "name"}, right: map[int]bool{0: true, 1: true}, flex: 2}
	for _, e := range list {
		tb.add(plain(bytesText(e.Size)), plain(bytesText(e.CompressedSize)), plain(e.Name))
	}
	return tb.print(env)
}

func extractTo(ctx context.Context, env *env, a *trace.Archive, list []trace.Entry) (int, error) {
	for _, e := range list {
		rc, err := a.Resource(ctx, e.Name)
		if err != nil {
			return 0, err
		}
		_, err = io.Copy(env.out, rc)
		rc.Close()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	return exitOK, nil
}

// extractAll writes below dir only: os.Root refuses every way out of it.
func extractAll(ctx context.Context, env *env, a *trace.Archive, list []trace.Entry, dir string) (int, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	code, total := exitOK, int64(0)
	for i, e := range list {
		if strings.HasSuffix(e.Name, "/") {
			continue
		}
		env.progress.update("extracting", float64(i)/float64(len(list)))
		n, err := extractOne(ctx, root, a, e.Name)
		total += n
		if err != nil {
			env.warn("%s: %v", e.Name, err)
			code = exitFound
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	env.progress.done()
	fmt.Fprintf(env.err, "%s, %s, in %s\n", entries(len(list)), bytesText(total), dir)
	return code, nil
}

func extractOne(ctx context.Context, root *os.Root, a *trace.Archive, name string) (int64, error) {
	rc, err := a.Resource(ctx, name)
	if err != nil {
		return 0, err
	}
	defer rc.Close()
	path := filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return 0, err
	}
	f, err := root.Create(path)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, rc)
	return n, errors.Join(err, f.Close())
}
