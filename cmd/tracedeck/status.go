package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/run"
)

// statusAnswer is what "status --json" prints.
type statusAnswer struct {
	Folder    string          `json:"folder"`
	Target    string          `json:"targetUrl"`
	Remote    string          `json:"remote"`
	Sessions  []sessionStatus `json:"sessions"`
	Baselines int             `json:"baselines"`
	// MissingBlobs is how many approved pictures are not on this machine.
	MissingBlobs int    `json:"missingBlobs"`
	LastRun      string `json:"lastRun"`
	LastOutcome  string `json:"lastOutcome"`
}

// sessionStatus is one session of a project.
type sessionStatus struct {
	ID        string   `json:"id"`
	Recorded  bool     `json:"recorded"`
	Baselines int      `json:"baselines"`
	LastRun   string   `json:"lastRun"`
	Flaky     []string `json:"flaky"`
}

func statusCommand() *command {
	return &command{name: "status", short: "say what the project has: sessions, approved pictures, the last run",
		examples: []example{{"tracedeck status", "before a release, or after a pull"}},
		flags: func(*pflag.FlagSet) runner {
			return func(ctx context.Context, env *env, args []string) (int, error) {
				p, err := openProject()
				if err != nil {
					return 0, err
				}
				s, err := statusOf(ctx, p)
				if err != nil {
					return 0, err
				}
				if env.json {
					return exitOK, env.printJSON(s)
				}
				printStatus(env, s)
				return exitOK, nil
			}
		}}
}

func statusOf(ctx context.Context, p *project.Project) (*statusAnswer, error) {
	m, err := baseline.Load(p.Baselines())
	if err != nil {
		return nil, err
	}
	history, err := run.LoadHistory(p.History())
	if err != nil {
		return nil, err
	}
	recorded, err := p.Sessions()
	if err != nil {
		return nil, err
	}
	s := &statusAnswer{Folder: shown(p.Dir), Target: p.Config.TargetURL, Remote: p.Config.Storage.Remote.Type, Sessions: []sessionStatus{}}
	for _, ref := range m.Digests() {
		s.Baselines++
		if ok, err := p.Blobs().Has(ctx, ref); err != nil {
			return nil, err
		} else if !ok {
			s.MissingBlobs++
		}
	}
	last, _, err := loadRun(p, "")
	if err == nil {
		s.LastRun = last.RunID
		s.LastOutcome = outcomeText(last)
	}
	for _, id := range sessionNames(recorded, m, last) {
		one := sessionStatus{ID: id, Recorded: slices.ContainsFunc(recorded, func(r project.Session) bool { return r.ID == id }), Baselines: len(m.Baselines[id]), Flaky: []string{}}
		for key := range history[id] {
			if n, _ := history.Flakiness(id, key); n > 0 {
				one.Flaky = append(one.Flaky, key)
			}
		}
		slices.SortFunc(one.Flaky, baseline.CompareKeys)
		if last != nil && last.Find(id) != nil {
			one.LastRun = string(last.Find(id).Status)
		}
		s.Sessions = append(s.Sessions, one)
	}
	return s, nil
}

func sessionNames(recorded []project.Session, m *baseline.Manifest, last *run.Summary) []string {
	var ids []string
	for _, r := range recorded {
		ids = append(ids, r.ID)
	}
	for id := range m.Baselines {
		ids = append(ids, id)
	}
	if last != nil {
		for _, one := range last.Sessions {
			ids = append(ids, one.ID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func printStatus(env *env, s *statusAnswer) {
	recorded := slices.ContainsFunc(s.Sessions, func(one sessionStatus) bool { return one.Recorded })
	fmt.Fprintf(env.out, "%s, target %s\n", s.Folder, orDash(s.Target))
	for _, one := range s.Sessions {
		state := orDash(one.LastRun)
		line := fmt.Sprintf("  %s  %s  %s", env.paint(statusColor[run.Status(one.LastRun)], fmt.Sprintf("%-7s", state)), one.ID, plural(one.Baselines, "approved picture"))
		if recorded && !one.Recorded {
			line += ", " + env.paint(yellow, "no recording")
		}
		if len(one.Flaky) > 0 {
			line += ", flaky: " + strings.Join(one.Flaky, " ")
		}
		fmt.Fprintln(env.out, line)
	}
	if len(s.Sessions) == 0 {
		fmt.Fprintln(env.out, "  no sessions yet")
	}
	if s.MissingBlobs > 0 {
		fmt.Fprintf(env.out, "%s of %d approved pictures are not on this machine\n", env.paint(yellow, strconv.Itoa(s.MissingBlobs)), s.Baselines)
	}
	if s.LastRun != "" {
		fmt.Fprintf(env.out, "last run %s: %s\n", s.LastRun, s.LastOutcome)
	}
}

// pruneAnswer is what "prune --json" prints.
type pruneAnswer struct {
	Runs     []string `json:"runs"`
	Sessions []string `json:"sessions"`
	Blobs    int      `json:"blobs"`
	Bytes    int64    `json:"bytes"`
	DryRun   bool     `json:"dryRun"`
}

type pruneFlags struct {
	older string
	dry   bool
}

func pruneCommand() *command {
	return &command{name: "prune", short: "remove old runs, and pictures that nothing needs",
		long: `Runs are kept for 7 days, sessions for ever, unless retention of the configuration
says otherwise. The newest run stays. Pictures that are approved, or that a run
which is kept shows, stay.`,
		examples: []example{{"tracedeck prune --older-than 30d --dry-run", "what would go"}},
		flags: func(fs *pflag.FlagSet) runner {
			var o pruneFlags
			fs.StringVar(&o.older, "older-than", "", "age of what goes: runs, and sessions if they are not kept for ever; such as 30d or 12h")
			fs.BoolVar(&o.dry, "dry-run", false, "only say what would go")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				p, err := openProject()
				if err != nil {
					return 0, err
				}
				answer, err := prune(ctx, p, o, time.Now())
				if err != nil {
					return 0, err
				}
				if env.json {
					return exitOK, env.printJSON(answer)
				}
				verb := "removed"
				if o.dry {
					verb = "would remove"
				}
				fmt.Fprintf(env.out, "%s %s, %s, %s (%s)\n", verb, plural(len(answer.Runs), "run"), plural(len(answer.Sessions), "session"),
					plural(answer.Blobs, "picture"), bytesText(answer.Bytes))
				return exitOK, nil
			}
		}}
}

func prune(ctx context.Context, p *project.Project, o pruneFlags, now time.Time) (*pruneAnswer, error) {
	runAge, sessionAge := days(p.Config.Retention.RunDays, 7), days(p.Config.Retention.SessionDays, 0)
	if o.older != "" {
		age, err := ageOf(o.older)
		if err != nil {
			return nil, err
		}
		if runAge = age; sessionAge > 0 {
			sessionAge = age
		}
	}
	// What is approved must be known before anything is removed.
	m, err := baseline.Load(p.Baselines())
	if err != nil {
		return nil, err
	}
	answer := &pruneAnswer{Runs: []string{}, Sessions: []string{}, DryRun: o.dry}
	needed := map[blob.Ref]bool{}
	for _, ref := range m.Digests() {
		needed[ref] = true
	}
	if err := pruneRuns(p, answer, needed, now.Add(-runAge)); err != nil {
		return nil, err
	}
	if sessionAge > 0 {
		if err := pruneSessions(p, answer, now.Add(-sessionAge)); err != nil {
			return nil, err
		}
	}
	return answer, pruneBlobs(ctx, p, answer, needed)
}

func days(n, otherwise int) time.Duration {
	if n == 0 {
		n = otherwise
	}
	return time.Duration(n) * 24 * time.Hour
}

func ageOf(s string) (time.Duration, error) {
	if n, ok := strings.CutSuffix(s, "d"); ok {
		if v, err := strconv.Atoi(n); err == nil && v >= 0 {
			return days(v, 0), nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, usageError("--older-than %q: such as 30d or 12h", s)
	}
	return d, nil
}

// pruneRuns removes old runs and notes the pictures of the others.
func pruneRuns(p *project.Project, answer *pruneAnswer, needed map[blob.Ref]bool, before time.Time) error {
	all, err := p.AllRuns()
	if err != nil {
		return err
	}
	newest, _ := p.Run("")
	for _, id := range all {
		dir := filepath.Join(p.Runs(), id)
		s, err := run.Load(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("nothing was removed: %w", err)
		}
		info, infoErr := os.Stat(dir)
		if infoErr != nil {
			return infoErr
		}
		at := info.ModTime()
		if s != nil {
			at = s.Timestamp
		}
		if at.Before(before) && filepath.Base(newest) != id {
			answer.Runs = append(answer.Runs, id)
			answer.Bytes += sizeOfTree(dir)
			continue
		}
		if s != nil {
			noteNeeded(s, needed)
		}
	}
	for _, id := range answer.Runs {
		if !answer.DryRun {
			if err := os.RemoveAll(filepath.Join(p.Runs(), id)); err != nil {
				return err
			}
		}
	}
	return nil
}

func noteNeeded(s *run.Summary, needed map[blob.Ref]bool) {
	for _, session := range s.Sessions {
		for _, pic := range session.Pictures {
			for _, b := range []*baseline.Baseline{pic.Expected, pic.Actual} {
				if b != nil {
					needed[b.Digest] = true
				}
			}
		}
	}
}

func pruneSessions(p *project.Project, answer *pruneAnswer, before time.Time) error {
	all, err := p.Sessions()
	if err != nil {
		return err
	}
	for _, s := range all {
		info, err := os.Stat(s.Path)
		if err != nil {
			return err
		}
		if info.ModTime().Before(before) {
			answer.Sessions = append(answer.Sessions, s.ID)
			answer.Bytes += sizeOfTree(s.Path)
			if !answer.DryRun {
				if err := os.RemoveAll(s.Path); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func pruneBlobs(ctx context.Context, p *project.Project, answer *pruneAnswer, needed map[blob.Ref]bool) error {
	store := p.Blobs()
	for ref, err := range store.List(ctx) {
		if err != nil {
			return err
		}
		if needed[ref] {
			continue
		}
		answer.Blobs++
		answer.Bytes += sizeOfTree(store.Path(ref))
		if !answer.DryRun {
			if err := store.Delete(ctx, ref); err != nil {
				return err
			}
		}
	}
	return nil
}

func sizeOfTree(path string) (n int64) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}
