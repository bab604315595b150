package replay

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// children are the processes below another whose command line has a word in it.
func children(t *testing.T, parent int, word string) (list []int) {
	t.Helper()
	parents, lines := map[int]int{}, map[int]string{}
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue // it has ended
		}
		if _, after, ok := strings.Cut(string(stat), ") "); ok {
			fields := strings.Fields(after)
			parents[pid], _ = strconv.Atoi(fields[1])
		}
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		lines[pid] = string(line)
	}
	for pid, line := range lines {
		for up := parents[pid]; up > 1; up = parents[up] {
			if up == parent && strings.Contains(line, word) {
				list = append(list, pid)
				break
			}
		}
	}
	return list
}

// kill ends the processes of a kind that this one has started since some were
// there: other tests need those.
func kill(t *testing.T, word string, there []int) {
	n := 0
	for _, pid := range children(t, os.Getpid(), word) {
		if !slices.Contains(there, pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			n++
		}
	}
	if n == 0 {
		t.Errorf("there is no process with %q", word)
	}
}

func TestWhatBreaksIsNamedAndTheNextSessionRuns(t *testing.T) {
	hang := make(chan struct{})
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/hangs":
			select {
			case <-hang:
			case <-r.Context().Done():
			}
		case "/framed":
			fmt.Fprint(w, `<!doctype html><iframe src="/hangs"></iframe>`)
		case "/moving":
			fmt.Fprint(w, `<!doctype html><style>@keyframes m{to{rotate:1turn}}button{animation:m 1s infinite}</style><button style="rotate:0">b</button><script>const f = () => { document.title += 1; requestAnimationFrame(f); }; f(); setInterval(() => fetch('/poll'), 50);</script>`)
		default:
			fmt.Fprint(w, `<!doctype html><button onclick="console.log('pressed')">b</button><script>console.log('last words')</script>`)
		}
	}))
	defer site.Close()
	defer close(hang)
	visit := func(path string) string {
		return recordingOf(t, do{method: "goto", params: `{"url":"http://recorded.example` + path + `"}`}, do{method: "waitForTimeout", params: `{"waitTimeout":100}`}, do{method: "click", params: `{"selector":"button"}`})
	}
	cases := []struct {
		recording, kill, code string
		check                 func(*Report) bool
	}{
		{visit("/crash"), "--type=renderer", "E_PAGE_CRASHED", func(r *Report) bool { return r.Last != nil && strings.Contains(r.Last.URL, "/crash") }},
		{visit("/"), "", "", nil},
		{visit("/gone"), "--remote-debugging", "E_BROWSER_GONE", nil},
		{visit("/"), "", "", nil},
		{visit("/hangs"), "", "E_NAVIGATION_LIMIT", func(r *Report) bool {
			return r.Last != nil && len(r.Last.Pending) == 1 && strings.HasSuffix(r.Last.Pending[0], "/hangs") && r.Last.Picture != ""
		}},
		{visit("/framed"), "", "E_NAVIGATION_LIMIT", func(r *Report) bool {
			said := r.Steps[0].Error // once, since the title stands before it
			return strings.Count(said, "took longer than") == 1 && strings.Contains(said, "the clock stood still") && !strings.Contains(said, r.Steps[0].Title)
		}},
		{visit("/moving"), "", "", nil},
	}
	var list []Session
	for _, c := range cases {
		list = append(list, Session{c.recording, filepath.Join(t.TempDir(), "again.zip")})
	}
	at, there := -1, children(t, os.Getpid(), "")
	err := Many(context.Background(), list, 1, determinism.Options{Regime: determinism.Frames}, func(Session) Options {
		at++
		c := cases[at]
		o := DefaultOptions("")
		o.URL = site.URL
		if c.code == "E_NAVIGATION_LIMIT" {
			o.Limits.Navigation = 4 * time.Second
		}
		o.Log = func(format string, args ...any) {
			if c.kill != "" && strings.HasPrefix(fmt.Sprintf(format, args...), "call@2") {
				kill(t, c.kill, there)
			}
		}
		return o
	}, func(r Result) {
		c := cases[at]
		if r.Report == nil {
			t.Errorf("%d: %v", at, r.Err)
			return
		}
		code := r.Report.Code
		if first := r.Report.Steps[0]; code == "" && first.Status == Failed {
			code = first.Code
		}
		if code != c.code || c.check != nil && !c.check(r.Report) {
			t.Errorf("%d: %q %s, %+v, %+v, want %q", at, code, r.Report.Error, r.Report.Last, r.Report.Steps, c.code)
		}
		a, err := trace.Open(context.Background(), r.Output, trace.Options{})
		if err != nil {
			t.Errorf("%d: what was recorded does not open: %v", at, err)
			return
		}
		defer a.Close()
		loaded, err := trace.Load(context.Background(), a, trace.LoadOptions{})
		if err != nil || len(loaded.Actions) == 0 {
			t.Errorf("%d: the new trace has no actions: %v", at, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnswerWhoseBodyIsNotRecordedIsNamed(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><p id="p"></p><script>fetch('/api').then(r => r.text()).then(v => { p.textContent = v }, () => { p.textContent = 'failed' })</script>`})
	path := filepath.Join(t.TempDir(), "recorded.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", WallTime: 1.7e12})
	if err != nil {
		t.Fatal(err)
	}
	entry := func(address, file string) har.Entry {
		e := har.Entry{StartedDateTime: "2024-01-01T00:00:00.000Z", Time: 10, ResourceType: "fetch", Timings: har.Timings{Wait: 5, Receive: 5}}
		e.Request = har.Request{Method: "GET", URL: site.URL + address, Headers: []har.NameValue{}, HeadersSize: -1}
		e.Response = har.Response{Status: 200, Headers: []har.NameValue{}, HeadersSize: -1, BodySize: 9, Content: har.Content{Size: 9, MimeType: "text/plain", File: file}}
		return e
	}
	kept, err := w.AddResource([]byte("an answer"), "txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range []trace.Body{&trace.Before{CallID: "call@1", StartTime: 1000, Class: "Frame", Method: "goto", Params: []byte(`{"url":"` + site.URL + `/"}`)}, &trace.After{CallID: "call@1", EndTime: 2000},
		&trace.ResourceSnapshot{Entry: entry("/other", kept)}, &trace.ResourceSnapshot{Entry: entry("/api", "")}} {
		if err := c.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r := replayOf(t, path, nil)
	if r.OK() || r.Network == nil || len(r.Network.Misses) != 1 || r.Network.Misses[0].Code != "E_MOCK_BODY_MISSING" {
		t.Errorf("%v %+v", r.OK(), r.Network)
	}
}
