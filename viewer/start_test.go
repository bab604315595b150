package viewer_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/tracedeck/tracedeck/viewer"
)

// artifacts makes a folder as a CI run leaves it.
func artifacts(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for to, from := range map[string]string{
		"run-1/counts-chromium/trace.zip":       "runner-passing-with-steps-smoke.zip",
		"run-2/fails-chromium/trace.zip":        "runner-failing-assertion.zip",
		"run-2/fails-chromium-retry1/trace.zip": "runner-failing-assertion-retry1.zip",
		"run-2/counts-chromium/trace.zip":       "runner-passing-with-steps-smoke.zip",
		"run-2/flow/trace.zip":                  "pair-a.zip",
		"run-2/times-out-chromium/trace.zip":    "runner-timeout-in-an-action.zip",
	} {
		copyTo(t, corpusTrace("playwright/"+from), filepath.Join(dir, filepath.FromSlash(to)))
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.zip"), []byte("not a zip"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func copyTo(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o700)
	}
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestStartPageListsTheFolderFailedFirst(t *testing.T) {
	s := open(t, serveWith(t, viewer.Options{Folder: artifacts(t), ContentListener: listen(t)}).url)
	s.wait(`all(".folder .trow:not(.thead)").length`, "6")
	s.wait(`all(".folder .sign.unread").length`, "0")
	s.wait(`all(".folder .ghead b").map((e) => e.textContent).sort().join()`, "in the folder itself,run-1,run-2")
	s.wait(`[...all(".folder [role=group]").find((g) => g.getAttribute("aria-label") === "run-2").querySelectorAll(".trow .sign")].map((e) => e.className).join().startsWith("sign failed,sign failed,sign passed")`, "true")
	s.wait(`all(".folder .try").length`, "2")
	s.wait(`all(".folder .runs").some((e) => e.children.length === 2)`, "true")
	s.click(".folder .pill:nth-of-type(1)")
	s.wait(`all(".folder .trow .sign.passed").length`, "0")
	s.click(".folder .pill:nth-of-type(1)")
	s.press('/')
	s.wait(`document.activeElement.id`, "startfilter")
	s.Keyboard.MustType([]input.Key("timeout")...)
	s.wait(`all(".folder .trow:not(.thead)").length`, "1")
	s.press(input.Escape)
	s.press('j', input.Enter)
	s.loaded()
	s.wait(`$("header .chip").textContent`, "✕ failed")
	s.press('u')
	s.wait(`$(".startpage") !== null && all(".card .tracecard img").length >= 1`, "true")
}

func TestStartPageSeesNewTracesAndComparesTwo(t *testing.T) {
	dir := t.TempDir()
	s := open(t, serveWith(t, viewer.Options{Folder: dir, ContentListener: listen(t)}).url)
	s.wait(`$(".folder .empty")?.textContent.includes("No traces here yet")`, "true")
	copyTo(t, corpusTrace("playwright/pair-a.zip"), filepath.Join(dir, "a.zip"))
	copyTo(t, corpusTrace("playwright/pair-b.zip"), filepath.Join(dir, "b.zip"))
	s.wait(`all(".folder .trow .sign.passed").length`, "2")
	s.press('j', ' ', 'j', ' ')
	s.wait(`all(".folder .picked").length`, "2")
	s.press('c')
	s.wait(`all("#steps .prow[role=option]").length > 0`, "true")
}

func TestRecentTracesAreRemembered(t *testing.T) {
	remembered := filepath.Join(t.TempDir(), "deep", "recent.json")
	o := viewer.Options{Recent: remembered, ContentListener: listen(t), Paths: []string{corpusTrace("playwright/basic.zip")}}
	open(t, serveWith(t, o).url).loaded()
	s := open(t, serveWith(t, viewer.Options{Recent: remembered, ContentListener: listen(t)}).url)
	s.wait(`all(".tracecard").length`, "1")
	s.wait(`$(".tracecard img")?.naturalWidth`, "144")
	s.press('1')
	s.loaded()
	s.press('u')
	s.click(".card h2 .linkish")
	s.wait(`all(".tracecard").length`, "0")
	if b, err := os.ReadFile(remembered); err != nil || strings.Contains(string(b), "basic") {
		t.Errorf("after clear the list still says %s (%v)", b, err)
	}
}

func TestDroppedZipsAreOpened(t *testing.T) {
	s := open(t, serveWith(t, viewer.Options{ContentListener: listen(t)}).url)
	s.wait(`$(".dropzone") !== null`, "true")
	if err := s.MustElement("#files").SetFiles([]string{corpusTrace("playwright/manifest.json")}); err != nil {
		t.Fatal(err)
	}
	s.wait(`$(".startpage [role=alert]")?.textContent.startsWith("manifest.json: ")`, "true")
	if err := s.MustElement("#files").SetFiles([]string{corpusTrace("playwright/fail.zip")}); err != nil {
		t.Fatal(err)
	}
	s.loaded()
	s.wait(`$("header .chip").textContent`, "✕ failed")
	s.press('u')
	s.wait(`$(".dropzone") !== null`, "true")
	if err := s.MustElement("#files").SetFiles([]string{corpusTrace("playwright/pair-a.zip"), corpusTrace("playwright/pair-b.zip")}); err != nil {
		t.Fatal(err)
	}
	s.wait(`all("#steps .prow[role=option]").length > 0`, "true")
}

func TestAddressOfARemoteZipIsOpened(t *testing.T) {
	remote := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(corpus, "playwright"))))
	defer remote.Close()
	s := open(t, serveWith(t, viewer.Options{ContentListener: listen(t)}).url)
	s.wait(`$(".dropzone") !== null`, "true")
	s.press('u')
	s.wait(`document.activeElement.type`, "url")
	s.Keyboard.MustType([]input.Key(remote.URL + "/nothing.zip")...)
	s.press(input.Enter)
	s.wait(`$(".startpage [role=alert]") !== null`, "true")
	s.press('u')
	s.wait(`document.activeElement.type`, "url")
	s.Keyboard.MustType([]input.Key(remote.URL + "/basic.zip")...)
	s.press(input.Enter)
	s.loaded()
}

func TestUploadNeedsTheTokenAndOurOrigin(t *testing.T) {
	srv := serveWith(t, viewer.Options{ContentListener: listen(t)})
	zip, err := os.ReadFile(corpusTrace("playwright/basic.zip"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, method, token, origin, host string
		want                              int
	}{
		{"all right", "POST", srv.token, "http://" + srv.host, "", 200},
		{"a program", "POST", srv.token, "", "", 200},
		{"no token", "POST", "", "http://" + srv.host, "", 403},
		{"a wrong token", "POST", strings.Repeat("0", 32), "http://" + srv.host, "", 403},
		{"another origin", "POST", srv.token, "http://evil.example", "", 403},
		{"a sandboxed page", "POST", srv.token, "null", "", 403},
		{"another name", "POST", srv.token, "http://evil.example", "evil.example", 403},
		{"a look", "GET", srv.token, "", "", 405},
	} {
		r, err := http.NewRequest(c.method, "http://"+srv.host+"/upload?name=../../x.zip", bytes.NewReader(zip))
		if err != nil {
			t.Fatal(err)
		}
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if c.host != "" {
			r.Host = c.host
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: status %d, want %d: %s", c.name, answer.StatusCode, c.want, body)
		}
		var got struct{ Name string }
		if c.want == 200 && (json.Unmarshal(body, &got) != nil || strings.Contains(filepath.Base(got.Name), "..") && !strings.HasSuffix(got.Name, "x.zip")) {
			t.Errorf("%s: %s", c.name, body)
		}
	}
}

func TestShelfTakesNoPaths(t *testing.T) {
	p, _ := serveWith(t, viewer.Options{ContentListener: listen(t)}).enter(t)
	for i, c := range [][2]string{{"open", "/etc/passwd"}, {"open", ""}, {"address", "file:///etc/passwd"}, {"address", "/etc/passwd"}, {"dance", ""}} {
		p.say("shelf", i+1, c[0], c[1])
		if got := p.lots(i+1, func([]byte) {}); got == "" {
			t.Errorf("%s %q was taken", c[0], c[1])
		}
	}
}
