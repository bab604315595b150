package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/run"
)

// baselineRecord is one line of "baseline list --json".
type baselineRecord struct {
	Session  string `json:"session"`
	Key      string `json:"key"`
	Renderer string `json:"renderer"`
	Digest   string `json:"digest"`
	Width    int    `json:"width"`
	Height   int    `json:"height"`
	// Stored is whether the picture is in the store of this machine.
	Stored bool `json:"stored"`
	// Problem says what is wrong with it, where verify found something.
	Problem string `json:"problem,omitempty"`
}

func baselineCommand() *command {
	return &command{name: "baseline", args: "list|verify|push|pull|remove|rename OLD NEW", short: "list, check and share the approved pictures",
		long: `list    what is approved, and whether the picture is on this machine
verify  read every picture and compare it with its digest
push    send the pictures to the remote store of the configuration
pull    fetch those that are missing here, or were altered
remove  forget pictures that --session and --key name
rename  give the pictures of session OLD to NEW, whose recording has that name now`,
		examples: []example{
			{"tracedeck baseline verify", "exit code 2 if a picture is missing or was altered"},
			{"tracedeck baseline push", "after tracedeck approve, so that others have the pictures too"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o approveFlags
			fs.StringVar(&o.Session, "session", "", "only this session; * and ? stand for any letters")
			fs.StringVar(&o.Key, "key", "", "only the picture with this key")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				if !isBaselineVerb(args) {
					return 0, usageError("what about the baselines? one of list, verify, push, pull, remove, and rename OLD NEW")
				}
				if err := o.Validate(); err != nil {
					return 0, err
				}
				p, err := openProject()
				if err != nil {
					return 0, err
				}
				m, err := baseline.Load(p.Baselines())
				if err != nil {
					return 0, err
				}
				if args[0] == "rename" {
					return renameBaselines(env, p, m, args[1], args[2])
				}
				return baselineVerbs[args[0]](ctx, env, p, m, o)
			}
		}}
}

var baselineVerbs = map[string]func(context.Context, *env, *project.Project, *baseline.Manifest, approveFlags) (int, error){
	"list": listBaselines, "verify": verifyBaselines, "push": pushBaselines, "pull": pullBaselines, "remove": removeBaselines,
}

func isBaselineVerb(args []string) bool {
	if len(args) == 3 && args[0] == "rename" {
		return true
	}
	return len(args) == 1 && baselineVerbs[args[0]] != nil
}

func chosen(m *baseline.Manifest, o approveFlags) (list []baseline.Entry) {
	for e := range m.All() {
		if o.Has(e.Session, e.Key) {
			list = append(list, e)
		}
	}
	return list
}

func listBaselines(ctx context.Context, env *env, p *project.Project, m *baseline.Manifest, o approveFlags) (int, error) {
	list := []baselineRecord{}
	for _, e := range chosen(m, o) {
		ok, err := p.Blobs().Has(ctx, e.Digest)
		if err != nil {
			return 0, err
		}
		list = append(list, recordOf(e, ok, ""))
	}
	return printBaselines(env, list)
}

func recordOf(e baseline.Entry, stored bool, problem string) baselineRecord {
	return baselineRecord{e.Session, e.Key, e.Renderer, e.Digest.String(), e.Width, e.Height, stored, problem}
}

func printBaselines(env *env, list []baselineRecord) (int, error) {
	code := exitOK
	for _, r := range list {
		if r.Problem != "" {
			code = exitTrouble
		}
	}
	if env.json {
		return code, env.printJSON(list)
	}
	for _, r := range list {
		state := env.paint(green, "here   ")
		if !r.Stored {
			state = env.paint(yellow, "missing")
		}
		if r.Problem != "" {
			state = env.paint(red, "problem")
		}
		fmt.Fprintf(env.out, "%s  %s %s  %d×%d  %s  %s\n", state, r.Session, r.Key, r.Width, r.Height, r.Renderer, env.paint(dim, r.Digest[:19]))
		if r.Problem != "" {
			fmt.Fprintf(env.out, "         %s\n", r.Problem)
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(env.out, "nothing is approved yet")
	}
	return code, nil
}

func verifyBaselines(ctx context.Context, env *env, p *project.Project, m *baseline.Manifest, o approveFlags) (int, error) {
	list := []baselineRecord{}
	for _, e := range chosen(m, o) {
		_, err := blob.ReadAll(ctx, p.Blobs(), e.Digest)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		problem := ""
		if err != nil {
			problem = codeAndText(err)
		}
		list = append(list, recordOf(e, err == nil, problem))
	}
	code, err := printBaselines(env, list)
	switch {
	case code != exitTrouble || env.json:
	case p.Config.Storage.Remote.Type != "":
		env.report("tracedeck baseline pull fetches them from the remote store")
	default:
		env.report("no remote store is configured: copy them from a machine that has them, or run tracedeck ci and approve what it takes")
	}
	return code, err
}

func codeAndText(err error) string {
	var coded interface{ Code() string }
	if errors.As(err, &coded) {
		return coded.Code() + ": " + err.Error()
	}
	return err.Error()
}

// remoteOf is the remote store, which must be configured here.
func remoteOf(p *project.Project) (blob.Store, error) {
	remote, err := p.Remote()
	if err == nil && remote == nil {
		err = withHint(errors.New("no remote store is configured"), `set storage.remote in `+shown(filepath.Join(p.Dir, "config.json"))+`, such as {"type": "folder", "path": "../pictures"}`)
	}
	return remote, err
}

// movedAnswer is what "baseline push --json" and "pull --json" print.
type movedAnswer struct {
	Store  string `json:"store"`
	Copied int    `json:"copied"`
	There  int    `json:"there"`
}

func pushBaselines(ctx context.Context, env *env, p *project.Project, m *baseline.Manifest, o approveFlags) (int, error) {
	remote, err := remoteOf(p)
	if err != nil {
		return 0, err
	}
	return move(ctx, env, remote.Name(), blob.Copy, remote, p.Blobs(), chosen(m, o))
}

func pullBaselines(ctx context.Context, env *env, p *project.Project, m *baseline.Manifest, o approveFlags) (int, error) {
	remote, err := remoteOf(p)
	if err != nil {
		return 0, err
	}
	code, err := move(ctx, env, remote.Name(), blob.Mend, p.Blobs(), remote, chosen(m, o))
	var altered *blob.AlteredError
	switch {
	case errors.As(err, &altered) && altered.Store == remote.Name():
		err = withHint(err, "remove it from the remote store, then run tracedeck baseline push on a machine that has the picture")
	case errors.Is(err, blob.ErrMissing):
		err = withHint(err, "run tracedeck baseline push on a machine that has the picture")
	}
	return code, err
}

// carrier is blob.Copy or blob.Mend.
type carrier func(ctx context.Context, dst, src blob.Store, ref blob.Ref) (copied bool, err error)

// move copies pictures from one store to another and goes on where one cannot
// be had. It ends where the store cannot be used at all.
func move(ctx context.Context, env *env, name string, carry carrier, dst, src blob.Store, list []baseline.Entry) (int, error) {
	answer := movedAnswer{Store: name}
	var faults []error
	failed := map[blob.Ref]bool{}
	for i, e := range list {
		env.progress.update("pictures", float64(i)/float64(len(list)))
		if failed[e.Digest] {
			continue
		}
		copied, err := carry(ctx, dst, src, e.Digest)
		switch {
		case ctx.Err() != nil:
			return 0, ctx.Err()
		case err != nil && !isOfPicture(err):
			return 0, errors.Join(append(faults, err)...)
		case err != nil:
			failed[e.Digest] = true
			faults = append(faults, fmt.Errorf("%s %s: %w", e.Session, e.Key, err))
		case copied:
			answer.Copied++
		default:
			answer.There++
		}
	}
	if err := errors.Join(append(faults, blob.Flush(ctx, dst))...); err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(answer)
	}
	fmt.Fprintf(env.out, "%s copied, %d there already (%s)\n", plural(answer.Copied, "picture"), answer.There, name)
	return exitOK, nil
}

// isOfPicture is whether an error says something of one picture, and not of the
// store.
func isOfPicture(err error) bool {
	var altered *blob.AlteredError
	return errors.Is(err, blob.ErrMissing) || errors.As(err, &altered)
}

func removeBaselines(_ context.Context, env *env, p *project.Project, m *baseline.Manifest, o approveFlags) (int, error) {
	if o.Session+o.Key == "" {
		return 0, usageError("which baselines? name them with --session or --key; '*' is all")
	}
	list := chosen(m, o)
	for _, e := range list {
		m.Remove(e.Session, e.Key, e.Renderer)
	}
	if len(list) > 0 {
		if err := m.Save(p.Baselines()); err != nil {
			return 0, err
		}
	}
	if env.json {
		return exitOK, env.printJSON(movedAnswer{Store: shown(p.Baselines()), Copied: len(list)})
	}
	fmt.Fprintf(env.out, "%s forgotten\n", plural(len(list), "baseline"))
	return exitOK, nil
}

func renameBaselines(env *env, p *project.Project, m *baseline.Manifest, from, to string) (int, error) {
	if len(m.Baselines[from]) == 0 {
		return 0, withHint(fmt.Errorf("no picture of a session %q is approved", from), "tracedeck status lists the sessions")
	}
	if to == "" || to != filepath.Base(to) || strings.HasSuffix(to, ".zip") {
		return 0, usageError("a session cannot be called %q: it has the name of its recording, without folder and .zip", to)
	}
	n, ok := m.Rename(from, to)
	if !ok {
		return 0, withHint(fmt.Errorf("session %q has approved pictures of its own", to), "tracedeck baseline remove --session "+to+" forgets them")
	}
	history, err := run.LoadHistory(p.History())
	if err != nil {
		return 0, err
	}
	history.Rename(from, to)
	if err := errors.Join(m.Save(p.Baselines()), history.Save(p.History())); err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(movedAnswer{Store: shown(p.Baselines()), Copied: n})
	}
	fmt.Fprintf(env.out, "%s of %s are those of %s now\n", plural(n, "baseline"), from, to)
	return exitOK, nil
}

// fromReport takes a picture out of the report of a run that was made
// elsewhere: from the folder beside it.
func fromReport(ctx context.Context, store blob.Store, ref blob.Ref, dir string) error {
	for _, ext := range []string{"png", "jpeg", "webp"} {
		data, err := os.ReadFile(filepath.Join(dir, "pictures", ref.Hex()+"."+ext))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		return store.Put(ctx, ref, bytes.NewReader(data))
	}
	return &blob.MissingError{Ref: ref, Store: strings.Join([]string{store.Name(), dir}, " and ")}
}
