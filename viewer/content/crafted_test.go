package content_test

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/viewer/content"
	"github.com/tracedeck/tracedeck/viewer/internal/crafted"
)

// craft writes a hostile trace, with resources of all types that can hold
// script.
func craft(t *testing.T, evil string) string {
	t.Helper()
	head := crafted.El("HEAD", nil, crafted.El("BASE", map[string]string{"href": "http://page.test/"}), crafted.El("TITLE", nil, "hostile"))
	page := crafted.El("HTML", nil, head, crafted.El("BODY", nil, append([]any{"text of the page"}, crafted.Nodes(evil)...)...))
	child := crafted.El("HTML", nil, crafted.El("BODY", nil, append([]any{"child"}, crafted.Nodes(evil)...)...))
	return writeTrace(t, "html\"><script>x", page, child, crafted.Resources(evil), map[string]string{"evil.css": "text/css", "EVILRESOURCE.svg=evil.svg": "image/svg+xml"})
}

// writeTrace writes a trace with one snapshot of a page and of a frame in it.
// types says which resources were responses, by path.
func writeTrace(t *testing.T, doctype string, page, child any, resources, types map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crafted.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	add := func(name, text string) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range resources {
		add("resources/"+name, text)
	}
	lines := []string{`{"version":10,"type":"context-options","origin":"library","browserName":"chromium","options":{},"wallTime":1,"monotonicTime":1}`,
		`{"type":"before","callId":"a@1","startTime":10,"class":"Frame","method":"goto","params":{}}`}
	for i, frame := range []any{page, child} {
		id, main := "frame@main", "true"
		if i == 1 {
			id, main = "frame@child", "false"
		}
		html, err := json.Marshal(frame)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf(`{"type":"frame-snapshot","snapshot":{"callId":"a@1","phase":"after","pageId":"page@1","frameId":%q,"frameUrl":"http://page.test/","doctype":%q,"html":%s,`+
			`"viewport":{"width":800,"height":600},"timestamp":100,"resourceOverrides":[],"isMainFrame":%s}}`, id, doctype, html, main))
	}
	add("trace.trace", strings.Join(lines, "\n"))
	network := ""
	for name, mime := range types {
		url, file, ok := strings.Cut(name, "=")
		if !ok {
			file = url
		}
		network += resourceLine("http://page.test/"+url, mime, file)
	}
	add("trace.network", network)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func resourceLine(url, mime, file string) string {
	return fmt.Sprintf(`{"type":"resource-snapshot","snapshot":{"_frameref":"frame@main","_monotonicTime":5,"request":{"method":"GET","url":%q,"headers":[]},`+
		`"response":{"status":200,"headers":[],"content":{"size":1,"mimeType":%q,"_file":"resources/%s"}}}}`+"\n", url, mime, file)
}

// TestNothingRecordedRuns opens a trace that tries everything. Whatever gets
// out is heard by the canary.
func TestNothingRecordedRuns(t *testing.T) {
	c := crafted.NewCanary(t)
	s := serve(t, craft(t, c.URL), content.Options{InspectScript: "window.tracedeck = 1"})
	browser := chromium(t)
	page, err := browser.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	open := func(path string) {
		t.Helper()
		if err := page.Navigate(s.url + path); err != nil && !strings.Contains(err.Error(), "ERR_ABORTED") { // a download
			t.Errorf("%s: %v", path, err)
		}
		time.Sleep(150 * time.Millisecond)
		c.Quiet(t, path)
	}
	open("snapshot/0")
	if text, err := page.Eval(`() => document.body.innerText`); err != nil || !strings.Contains(text.Value.Str(), "text of the page") {
		t.Errorf("the page is not shown: %v %v", text, err)
	}
	if n, err := page.Eval(`() => document.querySelectorAll('script, object, embed, [onload], [onerror], base, [srcdoc]').length`); err != nil || n.Value.Int() != 0 {
		t.Errorf("active content: %v %v", n, err)
	}
	for _, click := range []string{"#link1", "button", "input[type=submit]", "a", "area"} {
		_, _ = page.Eval(`s => document.querySelectorAll(s).forEach(e => e.click())`, click)
		time.Sleep(50 * time.Millisecond)
		c.Quiet(t, "click on "+click)
	}
	open("snapshot/1")
	open("snapshot/0?point=10,10&box=5,5")
	open("snapshot/0?inspect=1")
	if v, err := page.Eval(`() => window.tracedeck`); err != nil || v.Value.Int() != 1 {
		t.Errorf("the script of the inspect mode did not run: %v %v", v, err)
	}
	for name := range crafted.Resources(c.URL) {
		open("r/resources/" + name)
	}
	time.Sleep(500 * time.Millisecond)
	c.Quiet(t, "the end")
}

// TestFilterHoldsWithoutHeaders opens the same pages from a server that sends
// no policy, in a browser in which scripts run: the filter has to hold alone.
func TestFilterHoldsWithoutHeaders(t *testing.T) {
	c := crafted.NewCanary(t)
	s := serve(t, craft(t, c.URL), content.Options{})
	bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		res, err := http.Get(strings.TrimSuffix(s.url, "/c/"+token+"/"+id+"/") + r.URL.String())
		if err != nil {
			return
		}
		defer res.Body.Close()
		w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	}))
	defer bare.Close()
	page, err := chromium(t).Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"0", "1"} {
		if err := page.Navigate(bare.URL + "/c/" + token + "/" + id + "/snapshot/" + n); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		c.Quiet(t, "snapshot "+n)
		for _, click := range []string{"a", "area", "button", "input", "svg a", "summary", "div", "dialog"} {
			_, _ = page.Eval(`s => document.querySelectorAll(s).forEach(e => { e.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true})); e.dispatchEvent(new Event('focus')) })`, click)
			time.Sleep(100 * time.Millisecond)
			c.Quiet(t, "click on "+click)
		}
	}
}
