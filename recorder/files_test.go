package recorder

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

// A browser does not hand over the bytes of a page of files.
func TestPagesOfFilesHaveTheirBodies(t *testing.T) {
	browser, dir := launchBrowser(t), t.TempDir()
	files := map[string]string{
		"a page.html": `<!doctype html><title>files</title><link rel=stylesheet href=a.css><script src=a.js></script><iframe src=in.html></iframe>`,
		"in.html":     "<p>within</p>",
		"a.css":       "p { color: red }",
		"a.js":        "console.log('ü')",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, out := context.Background(), filepath.Join(t.TempDir(), "session.zip")
	s, err := Start(ctx, browser, DefaultOptions(out))
	if err != nil {
		t.Fatal(err)
	}
	page, err := browser.Page(proto.TargetCreateTarget{})
	if err != nil {
		t.Fatal(err)
	}
	page.MustNavigate("file://" + filepath.ToSlash(dir) + "/a%20page.html").MustWaitLoad()
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	a, tr := loadTrace(t, out)
	for name, text := range files {
		if name == "a page.html" {
			name = "a%20page.html"
		}
		q := requestTo(tr, "/"+name)
		if q == nil {
			t.Errorf("%s: no request", name)
		} else if got := resource(t, a, q.Response.Content.File); got != text {
			t.Errorf("%s: the body is %q (%s)", name, got, q.Entry.Response.Content.File)
		}
	}
}
