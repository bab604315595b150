package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// Launch starts Chromium and connects to it. ctx is for the start only; who
// calls it owes [Browser.Close]. What goes wrong is an *[Error], which knows what
// to do about it.
func Launch(ctx context.Context, o Options) (*Browser, error) {
	path, err := Find(o.Path)
	if err != nil {
		return nil, err
	}
	if o.Headed && !hasDisplay(runtime.GOOS, os.Getenv, o.Flags) {
		return nil, &Error{Code: "E_NO_DISPLAY", Err: fmt.Errorf("starting %s: %w", path, ErrNoDisplay), hint: noDisplayHint}
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout())
	defer cancel()
	b := &Browser{Path: path}
	sandbox, warning := here().sandbox(o)
	if warning != "" {
		b.Warnings = append(b.Warnings, warning)
	}
	if err := b.start(ctx, o, sandbox); err != nil {
		return nil, err
	}
	return b, nil
}

func (b *Browser) start(ctx context.Context, o Options, sandbox bool) error {
	profile, fresh, err := o.profile(b.Path)
	if err != nil {
		return err
	}
	b.Args = o.args(profile, sandbox)
	if b.process, err = start(b.Path, b.Args, o); err != nil {
		return errors.Join(err, discard(fresh))
	}
	b.process.profile = fresh
	if err = b.reach(ctx, profile); err == nil {
		return nil
	}
	output := b.process.output.String()
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("it was not ready within %v: %w", o.timeout(), err)
	}
	_ = b.process.stop(nil)
	return diagnose(b.Path, err, output)
}

// profile returns the folder of the profile, and again if it is to be removed.
func (o Options) profile(path string) (dir, fresh string, err error) {
	if o.Profile == "" {
		dir, err = freshProfile(path)
		return dir, dir, err
	}
	if dir, err = filepath.Abs(o.Profile); err != nil {
		return "", "", err
	}
	// What an earlier browser wrote would be taken for this one's.
	if err := os.Remove(filepath.Join(dir, portFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", "", fmt.Errorf("the browser's profile: %w", err)
	}
	return dir, "", settlePreferences(dir)
}

func discard(fresh string) error {
	if fresh == "" {
		return nil
	}
	return removeProfile(fresh)
}

// portFile is where Chromium says at which port and path it listens.
const portFile = "DevToolsActivePort"

// reach waits until the browser listens, and connects.
func (b *Browser) reach(ctx context.Context, profile string) error {
	name := filepath.Join(profile, portFile)
	ready := func() bool {
		b.Endpoint = readPort(name)
		return b.Endpoint != ""
	}
	if err := await(ctx, b.process.done, ready); err != nil {
		return err
	}
	return b.attach(ctx)
}

// readPort returns the ws:// address that the file tells, or "" while it is
// not whole.
func readPort(name string) string {
	if !isFile(name) {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	port, path, ok := strings.Cut(strings.TrimSpace(string(data)), "\n")
	if path = strings.TrimSpace(path); !ok || !strings.HasPrefix(path, "/devtools/browser/") || len(path) < len("/devtools/browser/")+36 {
		return ""
	}
	return "ws://127.0.0.1:" + strings.TrimSpace(port) + path
}

func versionFrom(v *proto.BrowserGetVersionResult) Version {
	product, number, _ := strings.Cut(v.Product, "/")
	return Version{Product: product, Number: number, UserAgent: v.UserAgent, Revision: v.Revision}
}
