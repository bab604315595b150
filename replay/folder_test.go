package replay

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

func TestFilesThatAreElsewhere(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "dist"), 0o700); err != nil {
		t.Fatal(err)
	}
	at := "file://" + filepath.ToSlash(dir)
	for _, c := range []struct{ recorded, target, address, want string }{
		{"file:///a/app.html", "file:///b/app.html", "file:///a/app.html?x=1#y", "file:///b/app.html?x=1#y"},
		{"file:///a/app.html", "file:///b/new.html", "file:///a/app.html", "file:///b/new.html"},
		{"file:///a/app.html", "file:///b/new.html", "file:///a/sub/two.html", "file:///b/sub/two.html"},
		{"file:///a/app.html", "file:///b/", "file:///a/app.html", "file:///b/app.html"},
		{"file:///a/app.html", at + "/dist", "file:///a/app.html", at + "/dist/app.html"},
		{"file:///a/app.html", "http://localhost:3000", "file:///a/app.html", "http://localhost:3000/app.html"},
		{"file:///a/app.html", "http://localhost:3000/base/index.html", "file:///a/app.html?q", "http://localhost:3000/base/index.html?q"},
		{"file:///a/app.html", "http://localhost:3000/base/", "file:///a/x/y.html", "http://localhost:3000/base/x/y.html"},
		{"file:///a%20b/app.html", "file:///c%20d/app.html", "file:///a%20b/p%C3%A4.html", "file:///c%20d/p%C3%A4.html"},
		{"file:///a/app.html", "file:///b/app.html", "file:///other/x.html", ""},
		{"file:///a/app.html", "file:///b/app.html", "http://a.test/app.html", ""},
	} {
		then, _ := url.Parse(c.recorded)
		now, _ := url.Parse(c.target)
		u, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := placeOf(then, now).swap(u); got != c.want || ok != (c.want != "") {
			t.Errorf("recorded %s, now %s: %s is %q, want %q", c.recorded, c.target, c.address, got, c.want)
		}
	}
}
