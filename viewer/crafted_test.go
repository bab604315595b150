package viewer_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer"
	"github.com/tracedeck/tracedeck/viewer/internal/crafted"
)

// quiet fails if the canary was asked for anything, or script ran in the page.
func (s *screen) quiet(c *crafted.Canary, where string) {
	s.t.Helper()
	if got := s.eval(`window.ran ?? "nothing"`); got != "nothing" {
		s.t.Errorf("%s: script ran in the viewer's own page", where)
	}
	c.Quiet(s.t, where)
}

// craft writes a trace that is hostile wherever a trace can be: in its pages
// and resources, and in every text that the viewer shows.
func craft(t *testing.T, path, evil, step string) {
	t.Helper()
	script := "window.ran=1;new Image().src='" + evil + "/ran'"
	text := `"><img src=x onerror="` + script + `"><script>` + script + `</script><a href="javascript:` + script + `">x</a>`
	type m = map[string]any
	page := crafted.El("HTML", nil, crafted.El("BODY", nil, append([]any{"text of the page"}, crafted.Nodes(evil)...)...))
	snapshot := func(call, phase string) m {
		return m{"type": "frame-snapshot", "snapshot": m{"callId": call, "phase": phase, "pageId": "page@1", "frameId": "frame@1", "frameUrl": "javascript:" + script, "doctype": text, "html": page,
			"viewport": m{"width": 800, "height": 600}, "timestamp": 100, "resourceOverrides": []any{}, "isMainFrame": true}}
	}
	lines := []any{
		m{"version": 10, "type": "context-options", "origin": "library", "browserName": text, "channel": text, "platform": text, "title": step + text, "options": m{"userAgent": text, "baseURL": "javascript:" + script}, "wallTime": 1.7e12, "monotonicTime": 1},
		m{"type": "before", "callId": "a@1", "startTime": 10, "class": "Frame", "method": "goto", "title": step + text, "params": m{"url": "javascript:" + script, "html": text}, "pageId": "page@1", "stack": []any{m{"file": "/src/" + text, "line": 1, "column": 1, "function": text}}},
		snapshot("a@1", "before"),
		m{"type": "log", "callId": "a@1", "time": 20, "message": text},
		m{"type": "console", "messageType": "error", "text": text, "args": []any{m{"preview": text, "value": text}}, "location": m{"url": "javascript:" + script, "lineNumber": 1, "columnNumber": 1}, "time": 30, "pageId": "page@1"},
		m{"type": "event", "time": 40, "class": "BrowserContext", "method": "pageError", "params": m{"error": m{"error": m{"name": text, "message": text, "stack": text}}}},
		m{"type": "error", "message": text, "stack": []any{m{"file": text, "line": 1, "column": 1}}},
		snapshot("a@1", "after"),
		m{"type": "after", "callId": "a@1", "endTime": 200, "error": m{"name": text, "message": "Error: " + text + "\nExpected: " + text + "\nReceived: " + text}, "attachments": []any{
			m{"name": text, "contentType": "text/html", "sha1": "evil.html"}, m{"name": "x-expected.svg", "contentType": "image/svg+xml", "sha1": "evil.svg"}, m{"name": "x-actual.svg", "contentType": "image/svg+xml", "sha1": "evil.svg"},
			m{"name": "p", "contentType": "application/pdf", "sha1": "evil.pdf"}, m{"name": "q", "contentType": "image/png", "sha1": "evil.png"}}},
	}
	request := m{"type": "resource-snapshot", "snapshot": m{"_frameref": "frame@1", "_monotonicTime": 5, "time": 3, "startedDateTime": "2024-01-01T00:00:00Z", "request": m{"method": text, "url": "javascript:" + script, "httpVersion": text, "headers": []any{m{"name": text, "value": text}}, "cookies": []any{}, "queryString": []any{}},
		"response": m{"status": 500, "statusText": text, "headers": []any{m{"name": "set-cookie", "value": text}}, "content": m{"size": 1, "mimeType": "text/html", "_file": "resources/evil.html"}, "redirectURL": "javascript:" + script}, "timings": m{}}}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add := func(name string, list ...any) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			if err := json.NewEncoder(w).Encode(l); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("trace.trace", lines...)
	add("trace.network", request)
	for name, body := range crafted.Resources(evil) {
		w, err := z.Create("resources/" + name)
		if err == nil {
			_, err = w.Write([]byte(body))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestNothingRecordedRunsInAnyScreen(t *testing.T) {
	c := crafted.NewCanary(t)
	folder := filepath.Join(t.TempDir(), "runs")
	one, two := filepath.Join(folder, "run-1", `t<img src=x onerror=alert(1)>`, "trace.zip"), filepath.Join(folder, "run-2", "t", "trace.zip")
	craft(t, one, c.URL, "one")
	craft(t, two, c.URL, "two")
	srv := serveWith(t, viewer.Options{Paths: []string{one, two}, Folder: folder, ContentListener: listen(t)})
	s := open(t, srv.url)
	s.loaded()
	s.wait(`$(".failcard") !== null`, "true")
	for n := range 12 {
		s.eval(`$("#tab-` + []string{"errors", "call", "log", "console", "network", "source", "attachments", "metadata", "storage", "audit", "contract", "performance"}[n] + `")?.click()`)
		if n == 10 {
			s.hold(input.ShiftLeft, 'C')
		} else if n == 11 {
			s.hold(input.ShiftLeft, 'P')
		} else {
			s.tab((n + 1) % 10)
		}
		s.eval(`all("#detail .list [role=row], #detail .crow, #detail .sect h2 button[aria-expanded=false]").forEach((e) => e.click())`)
		s.eval(`all("#detail .below .tab").forEach((e) => e.click())`)
	}
	for _, phase := range "1234" {
		s.press(input.Key(phase))
	}
	s.quiet(c, "the trace")
	s.press('1', 'i')
	s.wait(`all(".inspecttree .noderow").length > 3`, "true")
	s.eval(`all(".inspecttree .noderow").slice(0, 30).forEach((e) => e.click())`)
	s.wait(`all(".locatorline").length > 0`, "true")
	s.eval(`all(".inspecttree .pill")[1].click()`)
	s.quiet(c, "inspecting")
	s.press(input.Escape)
	s.wait(`$(".inspecttree") === null`, "true")
	s.press('/')
	s.wait(`document.activeElement.type`, "search")
	s.Keyboard.MustType([]input.Key("onerror")...)
	s.wait(`all("dialog .choice").length > 0`, "true")
	s.press(input.Enter)
	s.wait(`$("dialog") === null`, "true")
	s.press('b')
	s.wait(`$(".codetext, dialog .banner") !== null`, "true")
	s.press(input.Escape)
	s.quiet(c, "search and script")

	beside := open(t, srv.url)
	beside.loaded()
	beside.press('c')
	beside.wait(`$("dialog .choice") !== null`, "true")
	beside.click("dialog .choice")
	beside.wait(`$(".sides .chip") !== null && $(".sides").textContent.includes("same")`, "true")
	for range 5 {
		beside.press('m')
		beside.eval(`all("#details [role=tab]").forEach((e) => e.click())`)
	}
	beside.quiet(c, "comparing")

	start := open(t, serveWith(t, viewer.Options{Folder: folder, ContentListener: listen(t)}).url)
	start.wait(`all(".folder .sign.unread").length === 0 && all(".folder .trow").length > 2`, "true")
	start.wait(`all(".folder .failed, .folder .fail").length > 0`, "true")
	start.quiet(c, "the start page")

	var b bytes.Buffer
	if _, err := viewer.Export(context.Background(), &b, viewer.ExportOptions{Paths: []string{one, two}, Index: index.Options{NoCache: true}}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	saved := open(t, "file://"+file)
	saved.wait(`$(".sides")?.textContent.includes("same")`, "true")
	for range 5 {
		saved.press('m')
		saved.eval(`all("#details [role=tab]").forEach((e) => e.click())`)
	}
	saved.press(input.Escape)
	saved.loaded()
	saved.press('1', '3')
	saved.wait(`all("#stage iframe").length > 0`, "true")
	saved.quiet(c, "the exported file")
}
