package regression_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
	"golang.org/x/net/html"

	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/viewer/internal/chromium"
	"github.com/tracedeck/tracedeck/viewer/report/regression"
)

const hostile = `<img src=x onerror="document.title='owned'">'"</script><script>document.title='owned'</script>|*_` + "`" + `[x](javascript:alert(1))`

type pictures struct{ *run.Comparer }

func (p pictures) Picture(ctx context.Context, ref blob.Ref) ([]byte, error) {
	return blob.ReadAll(ctx, p.Blobs, ref)
}

func shot(t *testing.T, key string, c color.Color) run.Shot {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 320, 200))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(40, 40, 120, 70), image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	s, err := run.NewShot(key, b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	blue  = color.RGBA{20, 60, 200, 255}
	red   = color.RGBA{200, 20, 60, 255}
	drawn = baseline.Renderer{Browser: "chromium 141.0", Width: 320, Height: 200, Scale: 1}
)

// sample is a run with a picture of every kind.
func sample(t *testing.T, n int) (*run.Summary, pictures) {
	t.Helper()
	c := &run.Comparer{Manifest: baseline.New(), Blobs: blob.NewDir(t.TempDir()), Options: run.Options{Visual: visual.DefaultOptions()}}
	for _, key := range []string{"nav@e0", "cap@e1", "gone"} {
		s := shot(t, key, blue)
		if _, err := blob.PutBytes(t.Context(), c.Blobs, s.Data); err != nil {
			t.Fatal(err)
		}
		c.Manifest.Approve("pay "+hostile, key, drawn, s.Baseline)
	}
	taken := &run.Taken{Title: hostile, Renderer: drawn, Shots: []run.Shot{shot(t, "nav@e0", blue), shot(t, "cap@e1", red)}}
	for i := range n {
		taken.Shots = append(taken.Shots, shot(t, hostile+strings.Repeat("x", i), color.RGBA{uint8(i), 0, 0, 255}))
	}
	one, err := c.Session(t.Context(), "pay "+hostile, taken)
	if err != nil {
		t.Fatal(err)
	}
	s := &run.Summary{RunID: "r1", Timestamp: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Program: "devel", Target: "http://localhost/?" + hostile}
	s.Add(one, drawn)
	s.Add(&run.Session{ID: "broken", Errors: []run.Remark{{Code: "E_NAV_TIMEOUT", Message: hostile + "\x00", Details: map[string]string{"url": hostile}}}}, drawn)
	s.Add(&run.Session{ID: "fine", Pictures: []run.Picture{{Key: "final", Status: run.Pass}}}, drawn)
	s.Settle()
	return s, pictures{c}
}

func TestPageInBrowser(t *testing.T) {
	s, p := sample(t, 1)
	dir := t.TempDir()
	file, err := regression.Files(t.Context(), dir, s, p, regression.PageOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("a small report is more than one file: %v", entries)
	}
	page := chromium.Launch(t).MustPage("")
	var problems []string
	go page.EachEvent(func(e *proto.LogEntryAdded) { problems = append(problems, e.Entry.Text) })()
	if err := (proto.LogEnable{}).Call(page); err != nil {
		t.Fatal(err)
	}
	page.MustNavigate("file://" + file).MustWaitLoad()
	if title := page.MustEval(`() => document.title`).Str(); strings.Contains(title, "owned") {
		t.Errorf("a recorded text ran: %q", title)
	}
	for _, c := range []struct {
		mode, script string
	}{
		{"side", `card => [...card.querySelectorAll("img")].every(i => i.naturalWidth === 320 && i.offsetWidth > 100)`},
		{"slider", `card => { const l = card.querySelector(".lever input"); l.value = 80; l.dispatchEvent(new Event("input")); return getComputedStyle(card.querySelector(".actual .frame")).clipPath.includes("80%") }`},
		{"blend", `card => { const l = card.querySelector(".lever input"); l.value = 30; l.dispatchEvent(new Event("input")); return getComputedStyle(card.querySelector(".actual")).opacity === "0.3" }`},
		{"toggle", `card => { const v = () => getComputedStyle(card.querySelector(".actual")).visibility, a = v(); card.querySelector(".pictures").click(); return a === "hidden" && v() === "visible" }`},
		{"pixels", `card => getComputedStyle(card.querySelector(".expected")).display === "none" && card.querySelector(".changes img").offsetWidth > 100`},
	} {
		page.MustElement(`[data-key="cap@e1"] [data-mode=` + c.mode + `]`).MustClick()
		if !page.MustEval(`() => (` + c.script + `)(document.querySelector('[data-key="cap@e1"]'))`).Bool() {
			t.Errorf("%s shows something else", c.mode)
		}
	}
	if n := page.MustEval(`() => document.querySelectorAll("article").length`).Int(); n != 4 {
		t.Errorf("%d cards", n)
	}
	if len(problems) > 0 {
		t.Errorf("the browser says %q", problems)
	}
}

// The page holds no script but its own, and loads nothing from elsewhere.
func TestPageEscapes(t *testing.T) {
	s, p := sample(t, 1)
	var out bytes.Buffer
	if err := regression.Page(t.Context(), &out, s, p, regression.PageOptions{}); err != nil {
		t.Fatal(err)
	}
	z := html.NewTokenizer(&out)
	scripts := 0
	for {
		if z.Next() == html.ErrorToken {
			if z.Err() != io.EOF {
				t.Fatal(z.Err())
			}
			break
		}
		tok := z.Token()
		if tok.Type != html.StartTagToken && tok.Type != html.SelfClosingTagToken {
			continue
		}
		if tok.Data == "script" {
			scripts++
		}
		for _, a := range tok.Attr {
			outside := (strings.HasPrefix(a.Val, "//") || strings.Contains(a.Val, "://")) && (a.Key == "src" || a.Key == "href")
			if strings.HasPrefix(a.Key, "on") || outside || strings.HasPrefix(a.Val, "javascript:") {
				t.Errorf("<%s %s=%.200q>", tok.Data, a.Key, a.Val)
			}
		}
	}
	if scripts != 1 {
		t.Errorf("%d scripts", scripts)
	}
}

func TestManyPicturesAreFiles(t *testing.T) {
	s, p := sample(t, regression.DefaultInline)
	dir := t.TempDir()
	file, err := regression.Files(t.Context(), dir, s, p, regression.PageOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(file)
	if strings.Contains(string(text), "data:image") || !strings.Contains(string(text), `src="pictures/`) {
		t.Error("pictures are inside")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "pictures", "*.png"))
	if len(files) < regression.DefaultInline {
		t.Errorf("%d files", len(files))
	}
}

func TestJUnit(t *testing.T) {
	s, _ := sample(t, 1)
	var out bytes.Buffer
	if err := regression.JUnit(&out, s); err != nil {
		t.Fatal(err)
	}
	var suites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Errors   int      `xml:"errors,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Tests int    `xml:"tests,attr"`
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(out.Bytes(), &suites); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if suites.Tests != 6 || suites.Failures != 2 || suites.Errors != 1 || len(suites.Suites) != 3 {
		t.Errorf("%+v", suites)
	}
}

func TestMarkdownKeepsRecordedTextsAsText(t *testing.T) {
	s, _ := sample(t, 1)
	var out bytes.Buffer
	if err := regression.Markdown(&out, s, "https://ci.test/run 1"); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for _, bad := range []string{"<img", "<script", "|*_", "[x](javascript"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is in\n%s", bad, text)
		}
	}
	for _, good := range []string{"❌", "1 session with errors, 2 pictures differ, 1 new picture", "[report](https://ci.test/run%201)", "2400 of 64000 pixels differ", "| missing |"} {
		if !strings.Contains(text, good) {
			t.Errorf("%q is not in\n%s", good, text)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{"pay": "pay", "cap@e1": "cap@e1", "a b": "'a b'", "it's": `'it'\''s'`, "a*": `'a\*'`, "": "''"} {
		if got := regression.Quote(s); got != want {
			t.Errorf("%q: %s", s, got)
		}
	}
}

func TestReview(t *testing.T) {
	s, p := sample(t, 0)
	var approved []string
	v := &regression.Review{Summary: s, Pictures: p, Token: "0123456789abcdef", Approve: func(_ context.Context, session, key string) error {
		if key == "gone" {
			return errors.New("refused")
		}
		approved = append(approved, key)
		return nil
	}}
	server := httptest.NewServer(v)
	defer server.Close()
	do := func(method, path, host, origin, kind, body string) int {
		t.Helper()
		r, _ := http.NewRequest(method, server.URL+path, strings.NewReader(body))
		if host != "" {
			r.Host = host
		}
		if origin == "own" {
			origin = server.URL
		}
		r.Header.Set("Origin", origin)
		r.Header.Set("Content-Type", kind)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	at, body := v.Path()+"approve", `{"session":"s","key":"cap@e1"}`
	for _, c := range []struct {
		name                             string
		method, path, host, origin, kind string
		want                             int
	}{
		{"no token", "POST", "/approve", "", "own", "application/json", 404},
		{"wrong token", "POST", "/0123456789abcdee/approve", "", "own", "application/json", 404},
		{"another origin", "POST", at, "", "http://evil.test", "application/json", 403},
		{"null origin", "POST", at, "", "null", "application/json", 403},
		{"no origin", "POST", at, "", "", "application/json", 403},
		{"a form", "POST", at, "", "own", "text/plain", 403},
		{"rebound name", "POST", at, "evil.test", "own", "application/json", 403},
		{"rebound page", "GET", v.Path(), "evil.test:80", "", "", 403},
		{"a get", "GET", at, "", "own", "application/json", 404},
		{"the page", "GET", v.Path(), "", "", "", 200},
	} {
		if got := do(c.method, c.path, c.host, c.origin, c.kind, body); got != c.want {
			t.Errorf("%s: %d", c.name, got)
		}
	}
	if len(approved) != 0 {
		t.Errorf("approved %v", approved)
	}
	page := chromium.Launch(t).MustPage(server.URL + v.Path()).MustWaitLoad()
	page.MustElement(`[data-key="cap@e1"] [data-do=approve]`).MustClick()
	page.MustElementR(`[data-key="cap@e1"] [data-do=approve]`, "Approved")
	page.MustElement(`[data-key="gone"] [data-do=approve]`).MustClick()
	page.MustElementR(`[data-key="gone"] [data-do=approve]`, "refused")
	if len(approved) != 1 || approved[0] != "cap@e1" {
		t.Errorf("approved %v", approved)
	}
}
