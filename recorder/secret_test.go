package recorder

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"
)

const loginPage = `<!doctype html><title>Sign in</title><form method=post action=/in><label>User <input name=user></label>
<label>Password <input type=password name=password></label><button>Sign in</button></form>
<script>const f = document.querySelector('form');
f.password.onchange = async () => {
  const said = { user: f.user.value, password: f.password.value };
  await fetch('/json', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(said) });
  await fetch('/multipart', { method: 'POST', body: new FormData(f) });
  document.title = 'asked';
};</script>`

// What was typed into a field for a password stands nowhere in a recording,
// whichever way the page sends it.
func TestPasswordIsNowhereInTheRecording(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/html")
		if r.Method == http.MethodPost {
			_, _ = io.WriteString(w, "<title>in</title>welcome")
			return
		}
		_, _ = io.WriteString(w, loginPage)
	}))
	t.Cleanup(server.Close)
	browser := launchBrowser(t)
	page := browser.MustPage("about:blank").Timeout(time.Minute)
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(server.URL).MustWaitLoad()
	page.MustElement("[name=user]").MustInput("ada")
	page.MustElement("[name=password]").MustInput("correct horse")
	page.MustElement("[name=user]").MustFocus()
	eventually(t, "both were asked", func() bool { return page.MustInfo().Title == "asked" })
	page.MustElement("button").MustClick()
	eventually(t, "signed in", func() bool { return page.MustInfo().Title == "in" })
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	for _, path := range []string{"/json", "/multipart", "/in"} {
		if q := requestTo(tr, path); q == nil || q.Request.PostData == nil {
			t.Errorf("%s: its body is not there", path)
		}
	}
	z, err := zip.OpenReader(out)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	found := 0
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range []string{"correct horse", "correct+horse", "correct%20horse"} {
			if bytes.Contains(text, []byte(way)) {
				t.Errorf("%s tells the password", f.Name)
			}
		}
		found += bytes.Count(text, []byte("ada"))
	}
	if found < 3 {
		t.Errorf("the name is in %d places", found)
	}
}
