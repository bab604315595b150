//go:build unix

package browser

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// launch starts a browser that ends with the test.
func launch(t *testing.T, o Options) *Browser {
	t.Helper()
	b, err := Launch(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func title(t *testing.T, b *Browser) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("<title>Hello</title>"))
	}))
	t.Cleanup(s.Close)
	page, err := b.Rod.Page(proto.TargetCreateTarget{URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	if err := page.WaitLoad(); err != nil {
		t.Fatal(err)
	}
	return page.MustEval("() => document.title").Str()
}

func TestLaunchedBrowserOpensPagesAndLeavesNothing(t *testing.T) {
	b := launch(t, Options{})
	if got := title(t, b); got != "Hello" {
		t.Errorf("title %q", got)
	}
	if b.Version.Major() < 100 || !strings.Contains(b.Version.UserAgent, "Mozilla") || b.PID() == 0 {
		t.Errorf("version %+v, pid %d", b.Version, b.PID())
	}
	profile := b.process.profile
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	<-b.Done()
	if err := b.Err(); err != nil {
		t.Errorf("after closing: %v", err)
	}
	if _, err := os.Stat(profile); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the profile is still there: %v", err)
	}
	if left := withArgument(t, profile); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

func TestHeadlessShellServesToo(t *testing.T) {
	b := launch(t, Options{Path: "chromium-headless-shell"})
	if got := title(t, b); got != "Hello" {
		t.Errorf("title %q", got)
	}
}

func TestGivenProfileStaysAndIsUsedAgain(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		b := launch(t, Options{Profile: dir, Width: 900, Height: 600})
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "Local State")); err != nil {
		t.Error(err)
	}
}

func TestKilledBrowserIsNoticed(t *testing.T) {
	var said bytes.Buffer
	b := launch(t, Options{Output: &said})
	if b.Err() != nil {
		t.Errorf("a running browser has an error: %v", b.Err())
	}
	if err := b.process.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-b.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("nobody noticed")
	}
	var e *Error
	if !errors.As(b.Err(), &e) || e.Code != "E_BROWSER_GONE" || e.Hint() == "" {
		t.Errorf("got %v", b.Err())
	}
	if _, err := (proto.BrowserGetVersion{}).Call(b.Rod); err == nil {
		t.Error("a call to a dead browser works")
	}
}

func TestCrashingBrowserIsNoticed(t *testing.T) {
	b := launch(t, Options{})
	go func() { _ = proto.BrowserCrash{}.Call(b.Rod) }()
	select {
	case <-b.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("nobody noticed")
	}
	if b.Err() == nil {
		t.Error("a crash is no error")
	}
}

func TestBrowserClosedFromInsideIsNoError(t *testing.T) {
	b := launch(t, Options{})
	if err := (proto.BrowserClose{}).Call(b.Rod); err != nil {
		t.Fatal(err)
	}
	<-b.Done()
	if err := b.Err(); err != nil {
		t.Error(err)
	}
}

func TestConnectedBrowserGoesOnAfterClose(t *testing.T) {
	first := launch(t, Options{})
	port := strings.Split(strings.TrimPrefix(first.Endpoint, "ws://127.0.0.1:"), "/")[0]
	for _, address := range []string{first.Endpoint, port, "localhost:" + port, "http://127.0.0.1:" + port} {
		b, err := Connect(context.Background(), address)
		if err != nil {
			t.Fatal(err)
		}
		if b.Version != first.Version || b.PID() != 0 {
			t.Errorf("%s: version %v", address, b.Version)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		<-b.Done()
		if err := b.Err(); err != nil {
			t.Errorf("%s: after closing: %v", address, err)
		}
	}
	second, err := Connect(context.Background(), port)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	<-second.Done()
	if second.Err() == nil {
		t.Error("the end of a browser that somebody else started is not told")
	}
}

func TestConnectSaysWhatIsThere(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	for _, address := range []string{"1", "ftp://localhost", other.URL, "ws" + strings.TrimPrefix(other.URL, "http"), "ws" + strings.TrimPrefix(silent.URL, "http"), silent.URL, "%zz"} {
		var e *Error
		if b, err := Connect(ctx, address); !errors.As(err, &e) || e.Code != "E_BROWSER_CONNECT" || e.Hint() == "" || b != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	silent.CloseClientConnections()
}

func TestProgramThatIsNoBrowserIsSaid(t *testing.T) {
	dir, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, path, code, word string }{
		{"ends", script("ends", "echo something is missing >&2; exit 3"), "E_BROWSER_START", "something is missing"},
		{"root", script("root", "echo 'Running as root without --no-sandbox is not supported' >&2; exit 1"), "E_BROWSER_SANDBOX", "root"},
		{"namespaces", script("ns", "echo 'FATAL: No usable sandbox!' >&2; exit 1"), "E_BROWSER_SANDBOX", "namespaces"},
		{"hangs", script("hangs", "exec sleep 60"), "E_BROWSER_START", "not ready within"},
		{"missing", filepath.Join(dir, "missing"), "E_NO_BROWSER", "missing"},
	} {
		began := time.Now()
		_, err := Launch(context.Background(), Options{Path: c.path, Timeout: time.Second})
		var e *Error
		if !errors.As(err, &e) || e.Code != c.code || !strings.Contains(err.Error(), c.word) || e.Hint() == "" {
			t.Errorf("%s: %v", c.name, err)
		}
		if time.Since(began) > 30*time.Second {
			t.Errorf("%s: took %v", c.name, time.Since(began))
		}
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "tracedeck-profile-*")); len(left) > 0 {
		t.Errorf("profiles are left: %q", left)
	}
}

func TestWindowNeedsDisplay(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only here a display may be missing")
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	_, err := Launch(context.Background(), Options{Headed: true})
	if !errors.Is(err, ErrNoDisplay) {
		t.Errorf("got %v", err)
	}
}

func TestLaunchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	b, err := Launch(ctx, Options{})
	if !errors.Is(err, context.Canceled) || b != nil {
		t.Errorf("got %v", err)
	}
}
