// Package project is the folder .tracedeck of somebody's repository: the
// configuration, the recorded sessions, the approved pictures and the runs.
package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
)

// Folder is what the folder is called.
const Folder = ".tracedeck"

// Project is one such folder.
type Project struct {
	Dir    string // of .tracedeck itself
	Config Config
}

// ErrNone says that there is no project.
var ErrNone = errors.New("there is no " + Folder + " folder here or above")

// Find opens the project that dir or the nearest folder above it has.
func Find(dir string) (*Project, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for {
		path := filepath.Join(dir, Folder)
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return Open(path)
		}
		above := filepath.Dir(dir)
		if above == dir {
			return nil, ErrNone
		}
		dir = above
	}
}

// Open opens the project in the folder dir.
func Open(dir string) (*Project, error) {
	c, err := LoadConfig(filepath.Join(dir, configFile))
	if err != nil {
		return nil, err
	}
	return &Project{Dir: dir, Config: c}, nil
}

const (
	configFile    = "config.json"
	baselinesFile = "baselines.json"
)

// notInGit is what git leaves out: everything big, and what can be made again.
// Recorded sessions are in git: a clone without them has nothing to replay.
const notInGit = "# The configuration, the list of approved pictures and the sessions belong into git; the rest does not.\n/sessions/*.recording/\n/blobs/\n/runs/\n/cache/\n/history.json\n"

// Init makes a project in the folder dir. What is there already stays as it
// is. It returns the files that it wrote.
func Init(dir, target string) (*Project, []string, error) {
	path := filepath.Join(dir, Folder)
	if err := os.MkdirAll(filepath.Join(path, "sessions"), 0o777); err != nil {
		return nil, nil, err
	}
	var made []string
	for name, text := range map[string]string{
		configFile: firstConfig(target), baselinesFile: string(baseline.New().Format()), ".gitignore": notInGit,
	} {
		file := filepath.Join(path, name)
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, made, err
		}
		_, err = f.WriteString(text)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, made, err
		}
		made = append(made, file)
	}
	slices.Sort(made)
	p, err := Open(path)
	return p, made, err
}

// Baselines is the path of the manifest.
func (p *Project) Baselines() string { return filepath.Join(p.Dir, baselinesFile) }

// History is the path of what is remembered about flaky pictures.
func (p *Project) History() string { return filepath.Join(p.Dir, "history.json") }

// Blobs is the store of pictures on this machine.
func (p *Project) Blobs() *blob.Dir { return blob.NewDir(filepath.Join(p.Dir, "blobs")) }

// Recordings is the folder of the sessions.
func (p *Project) Recordings() string { return filepath.Join(p.Dir, "sessions") }

// Runs is the folder of the runs.
func (p *Project) Runs() string { return filepath.Join(p.Dir, "runs") }

// Session is a recorded session.
type Session struct {
	ID   string // the name of the file, without its ending
	Path string // of the zip or the folder
}

// Sessions are all recorded sessions, by their ID.
func (p *Project) Sessions() ([]Session, error) { return SessionsIn(p.Recordings()) }

// SessionsIn are the traces that lie in a folder: zips, and folders that were
// not packed. They are named by their file. What is still being recorded is none.
func SessionsIn(dir string) ([]Session, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []Session
	for _, e := range entries {
		name, zip := strings.CutSuffix(e.Name(), ".zip")
		if strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".recording") || !zip && !e.IsDir() {
			continue
		}
		list = append(list, Session{ID: name, Path: filepath.Join(dir, e.Name())})
	}
	for i := 1; i < len(list); i++ {
		if list[i].ID == list[i-1].ID {
			return nil, fmt.Errorf("%s and %s are both the session %q: remove one", list[i-1].Path, list[i].Path, list[i].ID)
		}
	}
	return list, nil
}

// latest is the link to the newest run.
const latest = "latest"

// NewRun makes the folder of a run that begins now. Its name sorts by time.
func (p *Project) NewRun(now time.Time) (id, dir string, err error) {
	if err := os.MkdirAll(p.Runs(), 0o777); err != nil {
		return "", "", err
	}
	for n := 0; ; n++ {
		id = now.UTC().Format("20060102-150405")
		if n > 0 {
			id = fmt.Sprintf("%s-%d", id, n)
		}
		dir = filepath.Join(p.Runs(), id)
		if err = os.Mkdir(dir, 0o777); !errors.Is(err, fs.ErrExist) {
			return id, dir, err
		}
	}
}

// SetLatest makes runs/latest the run id.
func (p *Project) SetLatest(id string) error {
	link := filepath.Join(p.Runs(), latest)
	temp := link + ".new"
	_ = os.Remove(temp)
	if err := os.Symlink(id, temp); err != nil {
		// Where links need a right that the user lacks, a file names the run.
		return os.WriteFile(link, []byte(id+"\n"), 0o644)
	}
	return os.Rename(temp, link)
}

// Run is the folder of a run: of the newest one if id is empty or "latest".
func (p *Project) Run(id string) (string, error) {
	if id == "" {
		id = latest
	}
	if strings.ContainsAny(id, `/\`) {
		return id, nil // a folder somewhere else
	}
	dir := filepath.Join(p.Runs(), id)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		name, err := os.ReadFile(dir)
		if err != nil {
			return "", err
		}
		dir = filepath.Join(p.Runs(), strings.TrimSpace(string(name)))
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if id == latest {
			return "", errors.New("there was no run yet")
		}
		return "", fmt.Errorf("there is no run %q in %s", id, p.Runs())
	}
	return filepath.EvalSymlinks(dir)
}

// AllRuns are the names of the runs, the oldest first.
func (p *Project) AllRuns() ([]string, error) {
	entries, err := os.ReadDir(p.Runs())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []string
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, e.Name())
		}
	}
	return list, err
}
