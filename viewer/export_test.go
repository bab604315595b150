package viewer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer"
)

// exported writes traces as one file and returns its address.
func exported(t *testing.T, names ...string) string {
	t.Helper()
	o := viewer.ExportOptions{Index: index.Options{NoCache: true}, Version: "test"}
	for _, n := range names {
		o.Paths = append(o.Paths, corpusTrace(n))
	}
	var b bytes.Buffer
	r, err := viewer.Export(context.Background(), &b, o)
	if err != nil {
		t.Fatal(err)
	}
	if r.Pages == 0 || r.Missing > 0 {
		t.Errorf("the report says %+v", r)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return "file://" + path
}

// offline cuts the tab off from every network.
func offline(t *testing.T, s *screen) {
	t.Helper()
	if err := (proto.NetworkEnable{}).Call(s); err != nil {
		t.Fatal(err)
	}
	go s.EachEvent(func(e *proto.NetworkRequestWillBeSent) {
		if strings.HasPrefix(e.Request.URL, "http") || strings.HasPrefix(e.Request.URL, "ws") {
			t.Errorf("the exported page asked for %s", e.Request.URL)
		}
	})()
}

func TestExportedTraceOpensFromADisk(t *testing.T) {
	address := exported(t, "playwright/runner-failing-assertion.zip")
	s := open(t, "about:blank")
	offline(t, s)
	if err := s.Navigate(address); err != nil {
		t.Fatal(err)
	}
	s.loaded()
	s.wait(selected, `Expect "toHaveText" locator('#count')`)
	s.wait(`$(".failcard")?.textContent.includes("suite.spec.mjs:29")`, "true")
	s.wait(`$("#detail .src")?.textContent.includes("toHaveText")`, "true")
	s.lookedAt("exported trace", axeSource(t), "dark", "light")
	if text := s.frameText(); !strings.Contains(text, "Home") {
		t.Errorf("the recorded page says %q", text)
	}
	if got := s.inFrame(`getComputedStyle(document.querySelector("h1")).color`); got != "rgb(34, 68, 102)" {
		t.Errorf("the recorded page's heading is %s: its style sheet is missing", got)
	}
	s.press('4')
	s.wait(`$("#stage img.shot")?.naturalWidth > 100`, "true")
	s.tab(5)
	s.wait(`all("#detail .list .nrow").length > 1`, "true")
	s.click("#detail .list .nrow")
	s.click("#detail .below .tab:nth-of-type(3)")
	s.wait(`$("#detail .below .scroll").textContent.length > 3 && !$("#detail .below .scroll").textContent.includes("Reading")`, "true")
	s.press('/')
	s.wait(`$("dialog")?.open`, "true")
	s.Keyboard.MustType([]input.Key("tohavetext")...)
	s.wait(`all("dialog .choice").length > 0`, "true")
	s.press(input.Enter)
	s.wait(selected, `Expect "toHaveText" locator('#count')`)
}

func TestExportedComparisonOpensFromADisk(t *testing.T) {
	address := exported(t, "playwright/pair-a.zip", "playwright/pair-b.zip")
	s := open(t, "about:blank")
	offline(t, s)
	if err := s.Navigate(address); err != nil {
		t.Fatal(err)
	}
	s.wait(`$(".sides .verdict")?.textContent`, "changed")
	s.wait(`all("#steps .prow[role=option]").length`, "8")
	s.wait(`all("#stage iframe.shown[data-loaded=true]").length`, "2")
	s.lookedAt("exported comparison", axeSource(t), "dark", "light")
	s.press('n')
	s.click("#ctab-page")
	s.wait(`$("#detail .change, #detail .dim") !== null`, "true")
	s.press(input.Escape)
	s.wait(`$("#steps [role=tree]") !== null`, "true")
}

func TestNothingRecordedRunsInAnExportedPage(t *testing.T) {
	address := exported(t, "playwright/frames.zip")
	s := open(t, "about:blank")
	if err := s.Navigate(address); err != nil {
		t.Fatal(err)
	}
	s.loaded()
	s.wait(`all("#stage iframe").every((e) => e.getAttribute("sandbox") === "")`, "true")
	s.wait(`document.querySelector("meta[http-equiv=Content-Security-Policy]").content.includes("default-src 'none'")`, "true")
	got := s.eval(`(() => { const e = document.createElement("script"); e.textContent = "window.ran = 1"; document.body.append(e); return window.ran; })()`)
	if got != "undefined" {
		t.Error("a script that was put into the page ran")
	}
}

func TestExportIsServedToThePageAlone(t *testing.T) {
	srv := serve(t, corpusTrace("playwright/basic.zip"))
	p, w := srv.enter(t)
	id := firstID(w)
	p.readAll(1, id, "", nil)
	ask := func(method, token, query string) int {
		r, err := http.NewRequest(method, "http://"+srv.host+"/export"+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if b := text(t, answer); answer.StatusCode == 200 && !strings.Contains(b, "deck-data") {
			t.Error("that is no exported page")
		}
		return answer.StatusCode
	}
	for _, c := range []struct {
		method, token, query string
		want                 int
	}{{"POST", srv.token, "?a=" + id, 200}, {"POST", "0", "?a=" + id, 403}, {"GET", srv.token, "?a=" + id, 405}, {"POST", srv.token, "?a=0123456789ab", 404}, {"POST", srv.token, "", 404}} {
		if got := ask(c.method, c.token, c.query); got != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.query, got, c.want)
		}
	}
}

// unpacked is what an exported page holds, as text; bodies are decoded too.
func unpacked(t *testing.T, page string) string {
	t.Helper()
	m := regexp.MustCompile(`(?s)id="deck-data">(.*?)</script>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("that is no exported page")
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	all := []string{string(b)}
	for _, body := range regexp.MustCompile(`"[A-Za-z0-9+/]{16,}=*"`).FindAllString(string(b), -1) {
		if plain, err := base64.StdEncoding.DecodeString(strings.Trim(body, `"`)); err == nil {
			all = append(all, string(plain))
		}
	}
	return strings.Join(all, "\n")
}
