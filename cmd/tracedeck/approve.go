package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/run"
)

type approveFlags struct {
	run.Choice
	id     string
	force  bool
	review bool
	noOpen bool
}

// approveAnswer is what "approve --json" prints.
type approveAnswer struct {
	Run      string         `json:"run"`
	Pictures []run.Approved `json:"pictures"`
	Approved int            `json:"approved"`
	Refused  int            `json:"refused"`
}

func approveCommand() *command {
	return &command{name: "approve", short: "make the pictures of the last run the baselines",
		long: `All pictures of the run that are new or differ, or only those that --session and
--key name; both may be patterns. A picture that no two replays agreed on is refused.
The list of approved pictures is .tracedeck/baselines.json, which belongs into git;
the pictures go to the remote store with tracedeck baseline push.`,
		examples: []example{
			{"tracedeck approve", "everything is as it should be"},
			{"tracedeck approve --session login --key 'cap@*'", "only some pictures"},
			{"tracedeck approve --review", "look at each picture and decide"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o approveFlags
			fs.StringVar(&o.Session, "session", "", "only this session; * and ? stand for any letters")
			fs.StringVar(&o.Key, "key", "", "only the picture with this key; * and ? stand for any letters")
			fs.StringVar(&o.id, "run", "", "of this run instead of the newest")
			fs.BoolVar(&o.review, "review", false, "show the run in the browser, with a button for each picture, until Ctrl-C")
			fs.BoolVar(&o.noOpen, "no-open", false, "with --review: print the address and leave the browser alone")
			fs.BoolVar(&o.force, "force", false, "also pictures that replays did not agree on, and those of sessions that went wrong")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				if len(args) > 0 {
					return 0, usageError("%q: sessions are named with --session", args[0])
				}
				return approve(ctx, env, o)
			}
		}}
}

func approve(ctx context.Context, env *env, o approveFlags) (int, error) {
	if err := o.Validate(); err != nil {
		return 0, err
	}
	p, err := openProject()
	if err != nil {
		return 0, err
	}
	s, dir, err := loadRun(p, o.id)
	if err != nil {
		return 0, err
	}
	if o.review {
		return review(ctx, env, p, s, dir, o)
	}
	answer, err := approveRun(ctx, p, s, dir, o.Choice, o.force)
	if err != nil {
		return 0, err
	}
	if err := onlyFaults(s, answer); err != nil {
		return 0, err
	}
	return printApproved(env, p, answer, o)
}

// onlyFaults is the error of approving a run that has nothing to approve,
// because sessions of it went wrong.
func onlyFaults(s *run.Summary, answer approveAnswer) error {
	if len(answer.Pictures) > 0 {
		return nil
	}
	for _, session := range s.Sessions {
		if len(session.Errors) > 0 {
			return withHint(fmt.Errorf("run %s has nothing to approve: session %s: %s", s.RunID, session.ID, session.Errors[0].Message), "mend that, and run tracedeck ci again")
		}
	}
	return nil
}

// approveRun approves pictures of a run and writes the list of what is approved.
func approveRun(ctx context.Context, p *project.Project, s *run.Summary, dir string, c run.Choice, force bool) (approveAnswer, error) {
	m, err := baseline.Load(p.Baselines())
	if err != nil {
		return approveAnswer{}, err
	}
	list := run.Approve(m, s, c, force)
	answer := approveAnswer{Run: s.RunID, Pictures: list}
	for _, a := range list {
		if a.What == "" {
			answer.Refused++
		} else {
			answer.Approved++
		}
	}
	if answer.Approved > 0 {
		if err := keepPictures(ctx, p, s, list, dir); err != nil {
			return approveAnswer{}, err
		}
		if err := m.Save(p.Baselines()); err != nil {
			return approveAnswer{}, err
		}
	}
	return answer, nil
}

// loadRun reads a run, and the newest if id is empty.
func loadRun(p *project.Project, id string) (*run.Summary, string, error) {
	dir, err := p.Run(id)
	if err != nil {
		return nil, "", withHint(err, "tracedeck ci makes one")
	}
	s, err := run.Load(dir)
	return s, dir, err
}

// keepPictures sees to it that what is approved is in the store.
func keepPictures(ctx context.Context, p *project.Project, s *run.Summary, list []run.Approved, dir string) error {
	var faults []error
	for _, a := range list {
		if a.What == "" || a.What == "removed" {
			continue
		}
		for _, pic := range s.Find(a.Session).Pictures {
			if pic.Key == a.Key && pic.Actual != nil {
				faults = append(faults, bring(ctx, p.Blobs(), pic.Actual.Digest, dir, nil))
			}
		}
	}
	return errors.Join(faults...)
}

// bring sees to it that a picture is in store: it is there, in the store of
// another project, or beside the report of a run.
func bring(ctx context.Context, store blob.Store, ref blob.Ref, dir string, other blob.Store) error {
	if ok, err := store.Has(ctx, ref); ok || err != nil {
		return err
	}
	if other != nil {
		if _, err := blob.Copy(ctx, store, other, ref); err == nil {
			return nil
		}
	}
	return fromReport(ctx, store, ref, dir)
}

func printApproved(env *env, p *project.Project, answer approveAnswer, o approveFlags) (int, error) {
	code := exitOK
	if answer.Refused > 0 {
		code = exitFound
	}
	if env.json {
		if answer.Pictures == nil {
			answer.Pictures = []run.Approved{}
		}
		return code, env.printJSON(answer)
	}
	for _, a := range answer.Pictures {
		if a.What == "" {
			fmt.Fprintf(env.out, "%s  %s %s: %s\n", env.paint(red, "refused"), a.Session, a.Key, a.Refused)
		} else {
			fmt.Fprintf(env.out, "%s  %s %s\n", env.paint(green, fmt.Sprintf("%-7s", a.What)), a.Session, a.Key)
		}
	}
	if len(answer.Pictures) == 0 {
		what := "everything in run " + answer.Run + " is as approved"
		if o.Session+o.Key != "" {
			what = "run " + answer.Run + " has no such picture that is new or differs"
		}
		fmt.Fprintln(env.out, what)
		return code, nil
	}
	fmt.Fprintf(env.out, "%s approved\n", plural(answer.Approved, "picture"))
	if answer.Approved > 0 {
		env.report("commit %s to keep it so", shown(p.Baselines()))
	}
	return code, nil
}
