package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/go-rod/rod/lib/launcher"
)

// Install makes sure that there is a Chromium: by Debian's package manager
// where that serves and this user may, else by a download into the user's
// cache. It returns the program's path. Progress, if not nil, gets what the
// installers say.
func Install(ctx context.Context, progress io.Writer) (string, error) {
	if progress == nil {
		progress = io.Discard
	}
	i := installer{look: exec.LookPath, run: runner(progress), root: os.Geteuid() == 0, release: osRelease(), download: downloader(progress)}
	return i.install(ctx)
}

// installer is what an installation needs of the machine.
type installer struct {
	look     func(string) (string, error)
	run      func(ctx context.Context, name string, args ...string) error
	download func(context.Context) (string, error)
	root     bool
	release  string // of /etc/os-release
}

func (i installer) install(ctx context.Context) (string, error) {
	err := i.apt(ctx)
	if err == nil {
		path, lerr := i.look("chromium")
		if lerr == nil {
			return path, nil
		}
		err = lerr
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	path, derr := i.download(ctx)
	if derr == nil {
		return path, nil
	}
	if !errors.Is(err, errNoApt) {
		derr = errors.Join(err, derr)
	}
	return "", &Error{Code: "E_BROWSER_INSTALL", Err: fmt.Errorf("installing Chromium: %w", derr),
		hint: "is there a network? else install it in the way of this system, and name it with --browser or $" + Env}
}

var errNoApt = errors.New("there is no package manager that serves Chromium and that this user may use")

// apt installs Debian's packages. The second one is smaller and starts
// faster, but not every release has it.
func (i installer) apt(ctx context.Context) error {
	prefix, ok := i.aptCommand(ctx)
	if !ok {
		return errNoApt
	}
	apt := func(args ...string) error {
		all := append(append([]string(nil), prefix...), args...)
		return i.run(ctx, all[0], all[1:]...)
	}
	install := []string{"install", "-y", "--no-install-recommends", "chromium"}
	err := apt(append(install, "chromium-headless-shell")...)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if err := apt("update"); err != nil {
		return err
	}
	if err := apt(append(install, "chromium-headless-shell")...); err == nil {
		return nil
	}
	return apt(install...)
}

// aptCommand is how apt-get is called, if it is of use. Ubuntu's package of
// that name is only a pointer to a snap.
func (i installer) aptCommand(ctx context.Context) ([]string, bool) {
	apt, err := i.look("apt-get")
	if err != nil || isUbuntu(i.release) {
		return nil, false
	}
	command := []string{"env", "DEBIAN_FRONTEND=noninteractive", apt, "-q"}
	if i.root {
		return command, true
	}
	sudo, err := i.look("sudo")
	if err != nil || i.run(ctx, sudo, "-n", "true") != nil {
		return nil, false
	}
	return append([]string{sudo, "-n"}, command...), true
}

func isUbuntu(release string) bool {
	for _, line := range strings.Split(release, "\n") {
		if name, value, _ := strings.Cut(strings.TrimSpace(line), "="); name == "ID" {
			return strings.Trim(value, `"'`) == "ubuntu"
		}
	}
	return false
}

func osRelease() string {
	if runtime.GOOS != "linux" {
		return ""
	}
	data, _ := os.ReadFile("/etc/os-release")
	return string(data)
}

func runner(progress io.Writer) func(context.Context, string, ...string) error {
	return func(ctx context.Context, name string, args ...string) error {
		fmt.Fprintf(progress, "%s %s\n", name, strings.Join(args, " "))
		output := &tail{to: progress}
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Stdout, cmd.Stderr = output, output
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, lastLines(output.String(), 2))
		}
		return nil
	}
}

// downloader makes a function that downloads a build beside its place and
// moves it there when it is whole.
func downloader(progress io.Writer) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		d := launcher.NewBrowser()
		place, path := d.Dir(), d.BinPath()
		if isProgram(path) {
			return path, nil
		}
		if err := os.MkdirAll(d.RootDir, 0o755); err != nil {
			return "", err
		}
		partial, err := os.MkdirTemp(d.RootDir, "partial-")
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(partial)
		d.Context, d.Logger, d.RootDir = ctx, lines{progress}, partial
		if err := d.Download(); err != nil {
			return "", fmt.Errorf("downloading: %w", err)
		}
		if err := errors.Join(os.RemoveAll(place), os.Rename(d.Dir(), place)); err != nil {
			return "", err
		}
		return path, nil
	}
}

// lines is a writer as rod wants a logger.
type lines struct{ w io.Writer }

func (l lines) Println(words ...interface{}) { fmt.Fprintln(l.w, words...) }
