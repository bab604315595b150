package viewer_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

type object = map[string]any

// zipOf writes a trace of some lines, requests and resources.
func zipOf(t *testing.T, lines, requests []any, resources map[string][]byte) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add := func(name string, content []byte) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text := func(list []any) []byte {
		var b bytes.Buffer
		for _, l := range list {
			if err := json.NewEncoder(&b).Encode(l); err != nil {
				t.Fatal(err)
			}
		}
		return b.Bytes()
	}
	add("trace.trace", text(lines))
	add("trace.network", text(requests))
	for name, b := range resources {
		add("resources/"+name, b)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "made.zip")
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func opening() []any {
	return []any{object{"version": 8, "type": "context-options", "origin": "testRunner", "browserName": "chromium", "platform": "linux", "wallTime": 1.7e12, "monotonicTime": 1, "options": object{}, "title": "made"},
		object{"type": "before", "callId": "a@1", "startTime": 10, "class": "Test", "method": "step", "title": "a step", "params": object{}}}
}

// asked is what a server was asked.
type asked struct {
	Method, Address, Body string
	Header                http.Header
}

// TestCopiedRequestsAskTheSame runs what the buttons copy.
func TestCopiedRequestsAskTheSame(t *testing.T) {
	for _, program := range []string{"curl", "node", "sh", "base64"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is needed for this test: %v", program, err)
		}
	}
	var mu sync.Mutex
	var got []asked
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body) // what did not come is not compared equal
		mu.Lock()
		defer mu.Unlock()
		got = append(got, asked{r.Method, r.URL.String(), string(b), r.Header})
	}))
	defer echo.Close()
	binary := "\x00\x01\xff\r\n'\"$PATH`"
	cases := []struct {
		name, method, path, kind, text string
		kept                           []byte // apart from the entry
		headers                        []any
	}{
		{name: "get", method: "GET", path: "/list?q=it's&a[0]={x}", headers: []any{object{"name": "X-Quote", "value": `it's "quoted" $HOME`}, object{"name": "X-Empty", "value": ""}, object{"name": "Host", "value": "elsewhere.example"}}},
		{name: "json", method: "POST", path: "/json", kind: "application/json", text: `{"a":"it's","b":[1]}`},
		{name: "kept apart", method: "PUT", path: "/kept", kind: "text/plain;charset=UTF-8", kept: []byte("@file\nwith ümläut")},
		{name: "binary", method: "POST", path: "/binary", kind: "application/octet-stream", kept: []byte(binary)},
		{name: "delete", method: "DELETE", path: "/one"},
		{name: "head", method: "HEAD", path: "/head"},
	}
	var requests []any
	resources := map[string][]byte{}
	for i, c := range cases {
		q := object{"method": c.method, "url": echo.URL + c.path, "httpVersion": "HTTP/1.1", "headers": c.headers, "cookies": []any{}, "queryString": []any{}}
		if c.headers == nil {
			q["headers"] = []any{}
		}
		if c.kind != "" {
			q["headers"] = append(q["headers"].([]any), object{"name": "Content-Type", "value": c.kind})
			post := object{"mimeType": c.kind, "text": c.text, "params": []any{}}
			if c.kept != nil {
				name := fmt.Sprintf("body%d.bin", i)
				post["_file"], resources[name] = "resources/"+name, c.kept
			}
			q["postData"] = post
		}
		requests = append(requests, object{"type": "resource-snapshot", "snapshot": object{"_frameref": "f", "_monotonicTime": 5 + i, "time": 3, "startedDateTime": "2024-01-01T00:00:00Z", "request": q,
			"response": object{"status": 200, "statusText": "OK", "headers": []any{}, "content": object{"size": 0, "mimeType": "text/plain"}}, "timings": object{}}})
	}
	s := open(t, serve(t, zipOf(t, opening(), requests, resources)).url)
	s.loaded()
	s.tab(5)
	s.eval(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	copied := func(row int, button string) string {
		s.click(fmt.Sprintf("#r%d", row))
		s.wait(`$(".belowhead .mono")?.textContent`, echo.URL+cases[row].path)
		s.eval(`window.copied = ""`)
		s.wait(`(() => { const b = all(".belowhead .btn.small").find((e) => e.textContent === "`+button+`"); if (window.copied === "") b?.click(); return window.copied !== ""; })()`, "true")
		return s.eval(`window.copied`)
	}
	for i, c := range cases {
		want := asked{c.method, c.path, c.text + string(c.kept), nil}
		same := func(by string) {
			t.Helper()
			mu.Lock()
			defer mu.Unlock()
			if len(got) != 1 {
				t.Errorf("%s, %s: %d requests came", c.name, by, len(got))
				got = nil
				return
			}
			g := got[0]
			got = nil
			address, _, _ := strings.Cut(strings.NewReplacer("%7B", "{", "%7D", "}", "%5B", "[", "%5D", "]", "%27", "'").Replace(g.Address), "\n")
			if g.Method != want.Method || address != want.Address || g.Body != want.Body {
				t.Errorf("%s, %s: asked %s %s with %q, want %s %s with %q", c.name, by, g.Method, address, g.Body, want.Method, want.Address, want.Body)
			}
			if c.kind != "" && g.Header.Get("Content-Type") != c.kind {
				t.Errorf("%s, %s: the body is said to be %q", c.name, by, g.Header.Get("Content-Type"))
			}
			if c.name == "get" && (g.Header.Get("X-Quote") != `it's "quoted" $HOME` || g.Header["X-Empty"] == nil) {
				t.Errorf("%s, %s: came with the headers %v", c.name, by, g.Header)
			}
		}
		curl := copied(i, "cURL")
		if out, err := exec.CommandContext(t.Context(), "sh", "-c", curl).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s\n%s", c.name, err, out, curl)
		}
		same("curl")
		call := copied(i, "fetch")
		if out, err := exec.CommandContext(t.Context(), "node", "--input-type=module", "-e", call).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s\n%s", c.name, err, out, call)
		}
		same("fetch")
		var har struct {
			Log struct {
				Version string
				Entries []struct {
					Request struct {
						Method, URL string
						PostData    struct{ Text string }
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(copied(i, "HAR")), &har); err != nil || har.Log.Version != "1.2" || len(har.Log.Entries) != 1 || har.Log.Entries[0].Request.URL != echo.URL+c.path {
			t.Errorf("%s: HAR is %+v (%v)", c.name, har, err)
		} else if c.name == "kept apart" && har.Log.Entries[0].Request.PostData.Text != string(c.kept) {
			t.Errorf("%s: the HAR lacks the body: %+v", c.name, har)
		}
	}
}

func TestAStepIsCopiedAsText(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/runner-failing-assertion.zip")).url)
	s.loaded()
	s.wait(`$(".failcard") !== null`, "true")
	s.eval(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	s.press('t')
	s.wait(`!!window.copied`, "true")
	text := s.eval(`window.copied`)
	for _, want := range []string{"suite.spec.mjs:26 › failing assertion\n", "chromium on linux, recorded by ", "\nStep: Expect \"toHaveText\" locator('#count')\n", "\nError: expect(locator).toHaveText(expected) failed", "Received: \"1\"", "#/t/"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "token") || strings.Contains(text, "\x1b") {
		t.Errorf("the text holds the token or colour codes:\n%s", text)
	}
}

func picture(t *testing.T, c color.Color) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range 40 * 30 {
		m.Set(i%40, i/40, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAttachmentsOfAllKinds(t *testing.T) {
	inside, err := os.ReadFile(corpusTrace("playwright/basic.zip"))
	if err != nil {
		t.Fatal(err)
	}
	attach := func(name, kind, file string) object {
		return object{"name": name, "contentType": kind, "sha1": file}
	}
	lines := append(opening(), object{"type": "after", "callId": "a@1", "endTime": 20, "attachments": []any{
		attach("cart-expected.png", "image/png", "e.png"), attach("cart-actual.png", "image/png", "a.png"), attach("cart-diff.png", "image/png", "d.png"),
		attach("notes", "text/markdown", "n.md"), attach("data", "application/json", "d.json"), attach("page", "text/html", "p.html"), attach("trace", "application/zip", "t.zip"), attach("lost", "text/plain", "gone.txt"),
		attach("video", "video/webm", "v.webm")}})
	s := open(t, serve(t, zipOf(t, lines, nil, map[string][]byte{"e.png": picture(t, color.RGBA{R: 255, A: 255}), "a.png": picture(t, color.RGBA{B: 255, A: 255}), "d.png": picture(t, color.RGBA{G: 255, A: 255}),
		"n.md": []byte("# what went wrong"), "d.json": []byte(`{"answer":42}`), "p.html": []byte("<script>window.ran = 1</script><b>bold</b>"), "t.zip": inside, "v.webm": []byte("\x1a\x45\xdf\xa3 no film")})).url)
	s.loaded()
	s.tab(7)
	s.wait(`all("#detail .sect h2 span").some((e) => e.textContent === "cart")`, "true")
	for _, mode := range []string{"side", "swipe", "blend", "diff"} {
		s.wait(`(() => { all("#detail .pill").find((e) => e.textContent === "`+mode+`")?.click(); return all("#detail .pill.on").map((e) => e.textContent).join(); })()`, mode)
		s.wait(`all("#detail .sect img").every((e) => e.complete && e.naturalWidth === 40) && all("#detail .sect img").length`, map[string]string{"diff": "1"}[mode]+map[string]string{"side": "2", "swipe": "2", "blend": "2"}[mode])
		if mode == "swipe" {
			s.eval(`(() => { const i = $("#detail .sect input[type=range]"); i.value = 25; i.dispatchEvent(new Event("input", { bubbles: true })); })()`)
			s.wait(`all("#detail .over img")[1].style.clipPath`, "inset(0px 0px 0px 25%)")
		}
	}
	unfold := func(name, shows string) {
		t.Helper()
		s.eval(`all("#detail h2 button").find((e) => e.textContent.endsWith(" ` + name + `") && e.getAttribute("aria-expanded") === "false")?.click()`)
		s.wait(`all("#detail .sect").find((e) => e.querySelector("h2 button")?.textContent.endsWith(" `+name+`"))?.textContent.includes(`+fmt.Sprintf("%q", shows)+`)`, "true")
	}
	unfold("notes", "# what went wrong")
	unfold("data", "42")
	unfold("page", "<b>bold</b>")
	unfold("lost", "not")
	unfold("trace", "50 4b 03 04")
	s.wait(`$("#detail video")?.getAttribute("aria-label")`, "video")
	s.wait(`typeof window.ran`, "undefined")
	// A trace inside the trace is one more to look at.
	s.eval(`all("#detail button").find((e) => e.textContent === "Open as a trace").click()`)
	s.wait(`document.title`, "basic · tracedeck")
	s.loaded()
	// So is one that is dropped while another is looked at.
	if err := (proto.PageEnable{}).Call(s); err != nil {
		t.Fatal(err)
	}
	s.eval(`(async () => { const d = new DataTransfer(); d.items.add(new File(["no zip"], "broken.zip")); dispatchEvent(new DragEvent("drop", { dataTransfer: d, bubbles: true, cancelable: true })); })()`)
	s.wait(`$(".toast").textContent.startsWith("broken.zip: ")`, "true")
}
