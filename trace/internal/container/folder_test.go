package container_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/internal/container"
)

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func openPath(t *testing.T, path string) *container.Container {
	t.Helper()
	c, err := container.Open(context.Background(), path, container.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestReadsGrowingFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.trace")
	write(t, file, []byte("line 1\n"))
	write(t, filepath.Join(dir, "resources", "a"), []byte("body"))
	c := openPath(t, dir)
	if !c.Growing() {
		t.Error("it does not grow")
	}
	same(t, c, "x.trace", []byte("line 1\n"))
	same(t, c, "resources/a", []byte("body"))
	before := c.Digest()

	rc, err := c.OpenAt(context.Background(), "x.trace", 5)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, []byte("line 1\nline 2\n"))
	if b, err := io.ReadAll(rc); err != nil || string(b) != "1\n" {
		t.Errorf("%q, %v: more than there was when it was opened", b, err)
	}
	rc.Close()
	if e, ok := c.Lookup("x.trace"); !ok || e.Size != 14 {
		t.Errorf("%+v", e)
	}
	if got := readAt(t, c, "x.trace", 7, 100); string(got) != "line 2\n" {
		t.Errorf("%q", got)
	}

	write(t, filepath.Join(dir, "x.network"), nil)
	if err := c.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(c.Entries()) != 3 || c.Digest() == before {
		t.Errorf("%v", c.Entries())
	}
	write(t, file, []byte("l"))
	if _, err := c.OpenAt(context.Background(), "x.trace", 14); !errors.Is(err, container.ErrTruncated) {
		t.Errorf("err = %v", err)
	}
}

func TestFolderDoesNotFollowLinksOutOfIt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making links needs rights there")
	}
	outside, dir := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret"), []byte("x"))
	write(t, filepath.Join(dir, "a.trace"), []byte("y"))
	for link, target := range map[string]string{"file": filepath.Join(outside, "secret"), "dir": outside, "inside": "a.trace"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	c := openPath(t, dir)
	for _, name := range []string{"file", "dir/secret", "../" + filepath.Base(outside) + "/secret", filepath.Join(outside, "secret")} {
		if b, err := read(c, name); !errors.Is(err, container.ErrNotThere) {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	same(t, c, "inside", []byte("y"))
	wantCodes(t, c, "W_FOLDER W_FOLDER")
}

func TestOpensZipInsideZip(t *testing.T) {
	want := text(5000)
	inner := build(t, "trace.trace", want)
	dir := t.TempDir()
	for _, name := range []string{"t.zip=", "sub/t.zip"} {
		path := filepath.Join(dir, "artifact.zip")
		write(t, path, build(t, "video.webm", []byte("x"), name, inner))
		c := openPath(t, path)
		same(t, c, "trace.trace", want)
		wantCodes(t, c, "W_ZIP_NESTED")
		if c.Digest() != open(t, inner).Digest() {
			t.Error("the digest is not the inner zip's")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestOpensDamagedZipInsideZip(t *testing.T) {
	inner := build(t, "trace.trace", text(5000), "b=", text(100_000))
	outer := build(t, "t.zip", inner)
	c := open(t, outer[:len(outer)/2])
	same(t, c, "trace.trace", text(5000))
	if !strings.Contains(codes(c), "W_ZIP_DAMAGED") {
		t.Errorf("warnings %v", c.Warnings())
	}
}

func TestSeveralZipsInsideZip(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report.zip")
	deep := build(t, "c.zip", build(t, "trace.trace", []byte("deep")))
	write(t, path, build(t, "a.zip", build(t, "trace.trace", []byte("a")), "data/b.zip=", build(t, "trace.trace", []byte("b")), "deep.zip", deep))
	_, err := container.Open(context.Background(), path, container.Options{})
	var nested *container.NestedError
	if !errors.As(err, &nested) || len(nested.Zips) != 3 || !strings.Contains(nested.Hint(), path+"!a.zip") {
		t.Fatalf("err = %v", err)
	}
	for inner, want := range map[string]string{"a.zip": "a", "data/b.zip": "b", "deep.zip": "deep", "deep.zip!c.zip": "deep"} {
		same(t, openPath(t, path+"!"+inner), "trace.trace", []byte(want))
	}
	if _, err := container.Open(context.Background(), path+"!none.zip", container.Options{}); !errors.Is(err, container.ErrNotThere) {
		t.Errorf("err = %v", err)
	}
	odd := filepath.Join(dir, "odd!name.zip")
	write(t, odd, build(t, "a", []byte("odd")))
	same(t, openPath(t, odd), "a", []byte("odd"))
}

func TestReadsStandardInput(t *testing.T) {
	want := text(5000)
	in := bytes.NewReader(build(t, "t.zip", build(t, "trace.trace", want)))
	c, err := container.Open(context.Background(), "-", container.Options{Stdin: io.MultiReader(in)})
	if err != nil {
		t.Fatal(err)
	}
	same(t, c, "trace.trace", want)
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	l := container.DefaultLimits()
	l.Spool = 100
	in.Seek(0, io.SeekStart)
	if _, err := container.Open(context.Background(), "-", container.Options{Stdin: in, Limits: l}); err == nil || !strings.Contains(err.Error(), "standard input: more than 100 bytes") {
		t.Errorf("err = %v", err)
	}
}
