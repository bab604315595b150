package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/replay/heal"
)

// healRecord is one line of "heal list --json".
type healRecord = heal.Heal

type healFlags struct {
	overlay string
	all     bool
}

func healCommand() *command {
	return &command{name: "heal", args: "list|accept|reject [KEY…]", short: "decide about elements that replays found in another way than recorded",
		long: `A replay that does not find an element by its recorded selector looks for it by
what else is known of it, and notes what it found in an overlay file. Recordings
are never changed.

list    what was healed, with its key, how it was found, and how certain that is
accept  take this element from now on, without looking for others
reject  never take it

Keys may be shortened to what no other begins with. What three runs in a row
found with a confidence of 0.90 or more is promoted, which is the same as
accepted. The overlay is heals.json in the project's folder, or --heals.`,
		examples: []example{
			{"tracedeck heal list", "what the last replays healed and nobody decided about"},
			{"tracedeck heal accept 4f1c", "the element is right"},
			{"tracedeck heal reject --heals ci-heals.json 4f1c", "it is not, in another overlay"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o healFlags
			fs.StringVar(&o.overlay, "heals", "", "the overlay `file`, as replay names it")
			fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
				if name == "overlay" { // as it is called here
					name = "heals"
				}
				return pflag.NormalizedName(name)
			})
			fs.BoolVar(&o.all, "all", false, "list what was decided about too; accept or reject all that are proposed")
			return func(_ context.Context, env *env, args []string) (int, error) {
				if len(args) == 0 {
					return 0, usageError("what about the heals? one of list, accept, reject")
				}
				path, err := healsPath(o.overlay)
				if err != nil {
					return 0, err
				}
				heals, err := heal.ReadOverlay(path)
				if err != nil {
					return 0, err
				}
				switch verb, keys := args[0], args[1:]; verb {
				case "list":
					return listHeals(env, heals, o.all)
				case "accept":
					return decideHeals(env, heals, path, keys, o.all, "accepted", heals.Accept)
				case "reject":
					return decideHeals(env, heals, path, keys, o.all, "rejected", heals.Reject)
				}
				return 0, usageError("%q is none of list, accept, reject", args[0])
			}
		}}
}

// healsFile is the overlay of a project, in its folder.
const healsFile = "heals.json"

// healsPath is where the overlay is.
func healsPath(flag string) (string, error) {
	if flag != "" {
		return flag, nil
	}
	p, err := openProject()
	if err != nil {
		return "", withHint(err, "name the overlay with --heals, or run tracedeck init for a project")
	}
	return filepath.Join(p.Dir, healsFile), nil
}

func listHeals(env *env, o *heal.Overlay, all bool) (int, error) {
	list := []healRecord{}
	for _, h := range o.Heals() {
		if all || h.State == heal.Proposed {
			list = append(list, h)
		}
	}
	if env.json {
		return exitOK, env.printJSON(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(env.err, "there are no heals to decide about")
		return exitOK, nil
	}
	t := &table{head: []string{"KEY", "STATE", "CONFIDENCE", "STRATEGY", "RUNS", "TARGET"}, flex: 5}
	for _, h := range list {
		t.add(plain(h.Key), plain(string(h.State)), plain(fmt.Sprintf("%.2f", h.Confidence)), plain(string(h.Strategy)), plain(fmt.Sprintf("%d×", h.Runs)), plain(h.Target+" → "+h.Selector))
	}
	return exitOK, t.print(env)
}

func decideHeals(env *env, o *heal.Overlay, path string, keys []string, all bool, done string, decide func(string) error) (int, error) {
	if all == (len(keys) > 0) {
		return 0, usageError("which heals? name their keys, or --all of those that are proposed")
	}
	if all {
		for _, h := range o.Heals() {
			if h.State == heal.Proposed {
				keys = append(keys, h.Key)
			}
		}
	}
	for i, k := range keys {
		full, err := healKey(o, k)
		if err == nil {
			keys[i], err = full, decide(full)
		}
		if err != nil {
			return 0, err
		}
	}
	if len(keys) == 0 {
		fmt.Fprintln(env.err, "there are no heals to decide about")
		return exitOK, nil
	}
	if err := o.Write(path); err != nil {
		if errors.Is(err, os.ErrPermission) {
			err = withHint(err, "the overlay must be a file that you may write")
		}
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(map[string]any{"keys": keys, "state": done})
	}
	_, err := fmt.Fprintf(env.out, "%s: %s\n", done, strings.Join(keys, ", "))
	return exitOK, err
}

// healKey makes a whole key of its beginning.
func healKey(o *heal.Overlay, begin string) (string, error) {
	var found []string
	for _, h := range o.Heals() {
		if strings.HasPrefix(h.Key, begin) {
			found = append(found, h.Key)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", withHint(fmt.Errorf("heal %q: %w", begin, heal.ErrNoHeal), "tracedeck heal list --all shows the keys")
	}
	return "", withHint(fmt.Errorf("heal %q: %d keys begin so", begin, len(found)), "give more of the key: "+strings.Join(found, ", "))
}
