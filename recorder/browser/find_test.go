package browser

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFindPrefersWhatIsNamed(t *testing.T) {
	dir := t.TempDir()
	put := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two, onPath := put("one"), put("two"), put("google-chrome")
	t.Setenv("PATH", dir)
	t.Setenv(Env, "")
	check := func(what, path, want string) {
		t.Helper()
		if got, err := Find(path); got != want || err != nil {
			t.Errorf("%s: %q %v", what, got, err)
		}
	}
	check("PATH", "", onPath)
	put("chromium")
	check("Chromium before Chrome", "", filepath.Join(dir, "chromium"))
	t.Setenv(Env, two)
	check("environment", "", two)
	check("argument", one, one)
	check("a name as argument", "one", one)
	for _, bad := range []string{"nothing", dir, filepath.Join(dir, "no", "thing")} {
		if _, err := Find(bad); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	t.Setenv(Env, "nothing")
	if _, err := Find(""); err == nil || !strings.Contains(err.Error(), Env) {
		t.Errorf("a wrong %s is not named: %v", Env, err)
	}
}

func TestPlacesOfOtherSystems(t *testing.T) {
	env := func(name string) string {
		return map[string]string{"HOME": "/Users/x", "ProgramFiles": `C:\Program Files`}[name]
	}
	if got := places("windows", env); !slices.Contains(got, `C:\Program Files\Google\Chrome\Application\chrome.exe`) {
		t.Errorf("windows: %q", got)
	}
	if got := places("darwin", env); !slices.Contains(got, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome") {
		t.Errorf("mac: %q", got)
	}
}

func TestVersionOfProgram(t *testing.T) {
	path, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	v, err := VersionOf(context.Background(), path)
	if err != nil || v.Major() < 100 || v.Product == "" {
		t.Errorf("%+v %v", v, err)
	}
	if _, err := VersionOf(context.Background(), "true"); err == nil {
		t.Error("a program that says nothing has a version")
	}
	beside := t.TempDir()
	if err := os.Mkdir(filepath.Join(beside, "131.0.6778.86"), 0o755); err != nil {
		t.Fatal(err)
	}
	if v, err := versionBeside(filepath.Join(beside, "chrome.exe")); err != nil || v.String() != "chrome/131.0.6778.86" {
		t.Errorf("%v %v", v, err)
	}
}

func TestSandboxIsOffOnlyWhereItMust(t *testing.T) {
	for _, c := range []struct {
		p        place
		off, on  bool
		warnings bool
	}{
		{place{}, false, true, false},
		{place{root: true}, false, true, false}, // Chromium refuses, and the error says what to do
		{place{container: true}, false, true, false},
		{place{root: true, container: true}, false, false, true},
		{place{}, true, false, false},
	} {
		on, warning := c.p.sandbox(Options{NoSandbox: c.off})
		if on != c.on || (warning != "") != c.warnings {
			t.Errorf("%+v: %v %q", c, on, warning)
		}
		if args := (Options{}).args("p", on); slices.Contains(args, "--no-sandbox") == on {
			t.Errorf("%+v: %q", c, args)
		}
	}
}

func TestContainersAreKnown(t *testing.T) {
	none := func(string) string { return "" }
	root := t.TempDir() + "/"
	if inContainer(root, none) {
		t.Error("an empty machine is a container")
	}
	if !inContainer(root, func(name string) string { return map[string]string{"container": "podman"}[name] }) {
		t.Error("podman is no container")
	}
	if err := os.MkdirAll(root+"proc/1", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(root+"proc/1/cgroup", []byte("0::/kubepods/besteffort\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if !inContainer(root, none) {
		t.Error("Kubernetes is no container")
	}
}

func TestFlagsOfTheCallerWin(t *testing.T) {
	o := Options{Flags: []string{"--lang=de", "disable-features=Mine", "!mute-audio", "window-size=1,2", "remote-debugging-port=9222"}}
	args := o.args("/p", true)
	for _, want := range []string{"--lang=de", "--window-size=1,2", "--remote-debugging-port=9222", "--user-data-dir=/p", "--headless=new"} {
		if !slices.Contains(args, want) {
			t.Errorf("%s is missing in %q", want, args)
		}
	}
	if slices.Contains(args, "--mute-audio") || args[len(args)-1] != "about:blank" {
		t.Errorf("%q", args)
	}
	i := slices.IndexFunc(args, func(s string) bool { return strings.HasPrefix(s, "--disable-features=") })
	if !strings.Contains(args[i], "Translate,Mine") {
		t.Errorf("features are not joined: %s", args[i])
	}
	if slices.ContainsFunc((Options{Headed: true}).args("/p", true), func(s string) bool { return strings.HasPrefix(s, "--headless") }) {
		t.Error("a window is headless")
	}
}

func TestInstallTriesWhatServes(t *testing.T) {
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		have    string // programs
		release string
		fail    string // word in commands that go wrong
		root    bool
		offline bool
		want    []string
		path    string
	}{
		"debian":      {have: "apt-get chromium", release: "ID=debian", root: true, want: []string{"install chromium chromium-headless-shell"}, path: "/bin/chromium"},
		"old debian":  {have: "apt-get chromium", release: "ID=debian", root: true, fail: "shell", want: []string{"install chromium chromium-headless-shell", "update", "install chromium chromium-headless-shell", "install chromium"}, path: "/bin/chromium"},
		"sudo":        {have: "apt-get sudo chromium", release: "ID=debian", want: []string{"sudo", "install chromium chromium-headless-shell"}, path: "/bin/chromium"},
		"not allowed": {have: "apt-get sudo", release: "ID=debian", fail: "sudo", want: []string{"sudo", "download"}, path: "/cache/chrome"},
		"ubuntu":      {have: "apt-get", release: "NAME=x\nID=ubuntu", root: true, want: []string{"download"}, path: "/cache/chrome"},
		"mac":         {want: []string{"download"}, path: "/cache/chrome"},
		"offline":     {have: "apt-get", root: true, fail: "apt-get", offline: true, want: []string{"install chromium chromium-headless-shell", "update", "download"}},
	} {
		var did []string
		i := installer{root: c.root, release: c.release,
			look: func(name string) (string, error) {
				if slices.Contains(strings.Fields(c.have), name) {
					return "/bin/" + name, nil
				}
				return "", os.ErrNotExist
			},
			run: func(_ context.Context, name string, args ...string) error {
				did = append(did, brief(args))
				if line := name + " " + strings.Join(args, " "); c.fail != "" && strings.Contains(line, c.fail) {
					return boom
				}
				return nil
			},
			download: func(context.Context) (string, error) {
				did = append(did, "download")
				if c.offline {
					return "", boom
				}
				return "/cache/chrome", nil
			}}
		path, err := i.install(context.Background())
		if path != c.path || (err != nil) != c.offline {
			t.Errorf("%s: %q %v", name, path, err)
		}
		if diff := cmp.Diff(c.want, did); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// brief is what a command line of apt-get comes down to.
func brief(args []string) string {
	var kept []string
	for _, a := range args {
		if a == "install" || a == "update" || strings.HasPrefix(a, "chromium") {
			kept = append(kept, a)
		}
	}
	if len(kept) == 0 {
		return "sudo"
	}
	return strings.Join(kept, " ")
}
