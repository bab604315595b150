package watch

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func answered(method, url string, status int, at float64) string {
	return fmt.Sprintf(`resource-snapshot
	snapshot: {"startedDateTime":"2023-11-14T22:13:20Z","time":10,"request":{"method":%q,"url":%q,"headers":[]},"response":{"status":%d,"headers":[],"content":{"mimeType":"text/plain","text":"body"}},"_monotonicTime":%v,"_resourceType":"fetch"}
`, method, url, status, at)
}

func event(class, method string, at float64, params string) string {
	return fmt.Sprintf("event\n\ttime: %v\n\tclass: %s\n\tmethod: %s\n\tpageId: p\n\tparams: %s\n", at, class, method, params)
}

func said(kind, text string, at float64) string {
	return fmt.Sprintf("console\n\ttime: %v\n\tmessageType: %s\n\ttext: %q\n\tlocation: {\"url\":\"http://a.test/x.js\",\"lineNumber\":0,\"columnNumber\":0}\n", at, kind, text)
}

func clicked(id string, at float64, html string) string {
	return fmt.Sprintf("before\n\tcallId: %s\n\tstartTime: %v\n\tclass: Frame\n\tmethod: click\n\tpageId: p\n\tparams: {\"selector\":\"#go\"}\nafter\n\tcallId: %s\n\tendTime: %v\n\tafterSnapshot: after@%s\nframe-snapshot\n\tsnapshot: {\"callId\":%q,\"snapshotName\":\"after@%s\",\"pageId\":\"p\",\"frameId\":\"f\",\"frameUrl\":\"http://a.test/\",\"html\":%s,\"timestamp\":%v,\"isMainFrame\":true,\"resourceOverrides\":[]}\n",
		id, at, id, at+5, id, id, id, html, at+5)
}

func scan(t *testing.T, events, requests string) []Finding {
	t.Helper()
	a := tracetest.Open(t, tracetest.Zip(t, tracetest.Head+events+"\n== trace.network\n"+requests))
	list, err := Scan(context.Background(), a, NewDetector(nil))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func rules(list []Finding) string {
	var names []string
	for _, f := range list {
		names = append(names, f.Rule)
	}
	return strings.Join(names, " ")
}

func TestWhatIsWorthTelling(t *testing.T) {
	vitals := func(at, lcp, ttfb float64) string {
		return event("Performance", "vitals", at, fmt.Sprintf(`{"url":"http://a.test/p/1","LCP":%v,"TTFB":%v}`, lcp, ttfb))
	}
	for name, c := range map[string]struct{ events, requests, want string }{
		"a new error, once":             {said("error", "x 12345 is bad", 1) + said("error", "x 67890 is bad", 2), "", "console-error"},
		"two errors":                    {said("error", "HTTP 500 came", 1) + said("error", "HTTP 404 came", 2), "", "console-error console-error"},
		"no error":                      {said("log", "fine", 1) + said("warning", "hm", 2), "", ""},
		"uncaught":                      {event("BrowserContext", "pageError", 1, `{"error":{"error":{"name":"TypeError","message":"x is null"}},"kind":"uncaught"}`), "", "uncaught-error"},
		"rejection":                     {event("BrowserContext", "pageError", 1, `{"error":{"error":{"name":"Error","message":"no"}},"kind":"unhandledRejection"}`), "", "unhandled-rejection"},
		"5xx":                           {"", answered("GET", "http://a.test/a", 503, 1), "server-error"},
		"4xx at first":                  {"", answered("GET", "http://a.test/a", 404, 1), ""},
		"4xx where 2xx was":             {"", answered("GET", "http://a.test/a", 200, 1) + answered("GET", "http://a.test/a", 403, 20), "access-lost"},
		"4xx where 2xx was, and again":  {"", answered("GET", "http://a.test/a", 200, 1) + answered("GET", "http://a.test/a", 403, 20) + answered("GET", "http://a.test/a", 200, 40) + answered("GET", "http://a.test/a", 403, 60), "access-lost access-lost"},
		"5xx again and again":           {"", answered("GET", "http://a.test/a", 500, 1) + answered("GET", "http://a.test/a", 500, 20), "server-error"},
		"another endpoint":              {"", answered("POST", "http://a.test/a", 200, 1) + answered("GET", "http://a.test/a", 403, 20), ""},
		"long task":                     {event("Performance", "longtask", 1, `{"duration":700}`), "", "long-task"},
		"short task":                    {event("Performance", "longtask", 1, `{"duration":400}`), "", ""},
		"slow by itself":                {vitals(1, 4500, 1) + vitals(2, 4600, 1), "", "slow-load"},
		"slower than before":            {vitals(1, 600, 1) + vitals(2, 620, 2) + vitals(3, 1900, 3), "", "slow-load"},
		"as fast as before":             {vitals(1, 600, 1) + vitals(2, 620, 2) + vitals(3, 900, 3), "", ""},
		"two loads are no baseline yet": {vitals(1, 600, 1) + vitals(2, 1900, 2), "", ""},
		"three clicks":                  {clicked("c1", 1, `["HTML"]`) + clicked("c2", 500, `["HTML"]`) + clicked("c3", 900, `["HTML"]`) + clicked("c4", 1200, `["HTML"]`), "", "repeated-clicks"},
		"three slow clicks":             {clicked("c1", 1, `["HTML"]`) + clicked("c2", 4000, `["HTML"]`) + clicked("c3", 8000, `["HTML"]`), "", ""},
		"a dead click":                  {clicked("c1", 1, `[[1,0]]`), "", "dead-click"},
		"a click that asks the server":  {clicked("c1", 1, `[[1,0]]`), answered("GET", "http://a.test/a", 200, 300), ""},
		"a form without an answer":      {event("Input", "submit", 1, `{"action":"/send"}`) + event("Page", "x", 7000, `{}`), "", "form-unanswered"},
		"a form with one":               {event("Input", "submit", 1, `{"action":"/send"}`) + event("Page", "x", 7000, `{}`), answered("POST", "http://a.test/send", 200, 50), ""},
		"a form that navigates":         {event("Input", "submit", 1, `{"action":"/send"}`) + event("BrowserContext", "navigated", 90, `{}`) + event("Page", "x", 7000, `{}`), "", ""},
		"a secret in an address":        {"", answered("GET", "http://a.test/a?access_token=Zk31-purple-anchor-77", 200, 1), "secret-exposed"},
		"a secret in the console":       {said("error", "login with ghp_0123456789abcdefghijABCDEFGHIJ012345 went wrong", 1), "", "console-error secret-exposed"},
		"a secret that is only logged":  {said("log", "signed in with ghp_0123456789abcdefghijABCDEFGHIJ012345", 1), "", "secret-exposed"},
		"a key in an answer":            {"", strings.Replace(answered("GET", "http://a.test/a", 200, 1), `"body"`, `"{\"key\":\"sk_live_0123456789abcdefghijABCD\"}"`, 1), "secret-exposed"},
		"a key that is sent":            {"", strings.Replace(answered("POST", "http://a.test/a", 200, 1), `"headers":[]},"response"`, `"headers":[],"postData":{"mimeType":"text/plain","text":"xoxb-123456789012-abcdefGHIJKL"}},"response"`, 1), "secret-exposed"},
		"a key on a socket":             {"", strings.Replace(answered("GET", "ws://a.test/a", 101, 1), `"_resourceType"`, `"_webSocketMessages":[{"type":"receive","time":1,"opcode":1,"data":"use AKIAQWERTYUIOPASDFGH"}],"_resourceType"`, 1), "secret-exposed"},
		"the token of a sign-in":        {"", strings.Replace(answered("POST", "http://a.test/login", 200, 1), `"body"`, `"{\"token\":\"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJlc2lnbmF0dXJl\"}"`, 1), ""},
		"no answer":                     {"", strings.Replace(answered("GET", "http://a.test/a", -1, 1), `"headers":[],"content"`, `"headers":[],"_failureText":"net::ERR_CONNECTION_REFUSED","content"`, 1), "no-answer"},
		"an action that fails":          {"before\n\tcallId: c9\n\tstartTime: 1\n\tclass: Frame\n\tmethod: fill\n\tparams: {}\nafter\n\tcallId: c9\n\tendTime: 3\n\terror: {\"name\":\"Error\",\"message\":\"no such element\"}\n", "", "action-failed"},
		"a page that crashes":           {event("Page", "crash", 1, `{}`), "", "page-crashed"},
		"a test that fails":             {"error\n\tmessage: expect(1).toBe(2)\n\tstack: []\n", "", "test-failed"},
		"an uncaught error of BiDi":     {event("Log", "log.entryAdded", 1, `{"level":"error","type":"javascript","text":"TypeError: x is null","timestamp":1700000000001}`), "", "uncaught-error"},
		"nothing":                       {"", "", ""},
	} {
		list := scan(t, c.events, c.requests)
		if got := rules(list); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if b, _ := json.Marshal(list); strings.Contains(string(b), "anchor") {
			t.Errorf("%s: the secret is told: %s", name, b)
		}
	}
}

var t0 = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Lines may be written later than others that happened after them, as answers
// and the messages of slow pages are.
func TestAFindingHasTheTimeOfItsEvent(t *testing.T) {
	text := strings.Replace(tracetest.Head, "monotonicTime: 0", "monotonicTime: 50", 1) + said("error", "late", 9000) + said("error", "early", 3000) +
		event("Performance", "longtask", 4000, `{"duration":900}`) +
		"before\n\tcallId: c\n\tstartTime: 100\n\tclass: Frame\n\tmethod: fill\nafter\n\tcallId: c\n\tendTime: 2000\n\terror: {\"message\":\"gone\"}\n" +
		"\n== trace.network\n" + answered("GET", "http://a.test/b", 500, 1000)
	list, err := Scan(context.Background(), tracetest.Open(t, tracetest.Zip(t, text)), NewDetector(nil))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range list {
		got[f.Rule+" "+f.Message] = f.Time
	}
	for name, want := range map[string]float64{"console-error New error: late": 9000, "console-error New error: early": 3000, "long-task Main thread blocked for 900 ms": 4000,
		"action-failed Action failed: gone": 2000, "server-error Server error: GET a.test/b → 500": 1010} {
		if at, ok := got[name]; !ok || at != want-50 {
			t.Errorf("%s at %v, not %v: %v", name, at, want, got)
		}
	}
}

func at(seconds float64) time.Time { return t0.Add(time.Duration(seconds * float64(time.Second))) }

func number(i int, s Severity) Finding {
	return Finding{Category: Errors, Severity: s, Rule: "r", Message: fmt.Sprint(i), key: fmt.Sprint(i), at: trace.Time(i)}
}

// drain asks at every tenth of a second and returns the notices with their times.
func drain(p *Pacer, from, to float64) (notices []Notice, times []float64) {
	for s := from; s <= to; s += 0.1 {
		if n, ok := p.Next(at(s)); ok {
			notices, times = append(notices, n), append(times, s)
		}
	}
	return notices, times
}

func count(notices []Notice) (listed, others int) {
	for _, n := range notices {
		listed += len(n.Findings)
		others += n.More + n.Repeated + n.Dropped
	}
	return listed, others
}

func TestABurstIsOneNoticeThatCountsTheRest(t *testing.T) {
	p := NewPacer(Options{})
	for i := range 20 {
		p.Add(number(i, Warning), at(float64(i)*0.05))
	}
	p.Add(number(99, Critical), at(1.1))
	notices, times := drain(p, 0, 30)
	if len(notices) != 1 || times[0] < 2 || times[0] > 2.2 {
		t.Fatalf("%d notices at %v", len(notices), times)
	}
	if n := notices[0]; len(n.Findings) != 10 || n.More != 11 || n.Findings[0].Severity != Critical {
		t.Errorf("%d listed, %d more, first %s", len(n.Findings), n.More, n.Findings[0].Severity)
	}
}

func TestNothingIsLostWithoutACount(t *testing.T) {
	p := NewPacer(Options{})
	var notices []Notice
	total := 0
	for s := 0.0; s < 60; s += 0.1 {
		for range 5 {
			p.Add(number(total, []Severity{Info, Warning, Error}[total%3]), at(s))
			total++
		}
		if n, ok := p.Next(at(s)); ok {
			notices = append(notices, n)
		}
	}
	if n, ok := p.Flush(at(61)); ok {
		notices = append(notices, n)
	}
	listed, others := count(notices)
	if listed+others != total {
		t.Errorf("%d findings, %d listed and %d counted", total, listed, others)
	}
	if len(notices) > 13 {
		t.Errorf("%d notices in a minute", len(notices))
	}
}

func TestTheSameIsToldOnceInHalfAMinute(t *testing.T) {
	p := NewPacer(Options{})
	for i := range 100 {
		p.Add(number(1, Error), at(float64(i)*0.1))
	}
	notices, _ := drain(p, 10, 34)
	p.Add(number(1, Error), at(35))
	again, _ := drain(p, 35, 60)
	notices = append(notices, again...)
	listed, repeated := count(notices)
	if len(notices) != 2 || listed != 2 || repeated != 99 {
		t.Errorf("%d notices, %d listed, %d repeated", len(notices), listed, repeated)
	}
}

func TestNoticesKeepTheirDistance(t *testing.T) {
	p := NewPacer(Options{})
	p.Add(number(1, Error), at(0))
	first, _ := drain(p, 0, 2.5)
	p.Add(number(2, Error), at(2.6))
	second, times := drain(p, 2.6, 30)
	if len(first) != 1 || len(second) != 1 || times[0] < 7 {
		t.Errorf("%d, then %d at %v", len(first), len(second), times)
	}
	p.Add(number(3, Error), at(40))
	if _, ok := p.Next(at(20)); ok {
		t.Error("a clock that steps back makes a notice")
	}
	p.Clear()
	if later, _ := drain(p, 40, 60); len(later) != 0 {
		t.Error("what was cleared is told")
	}
}

func TestFiltersLetThroughWhatTheySay(t *testing.T) {
	f := Finding{Category: Network, Severity: Warning, URL: "http://a.test/api"}
	for _, c := range []struct {
		o    Options
		want bool
	}{{Options{}, true}, {Options{Categories: []Category{}}, false}, {Options{Categories: []Category{Network}}, true}, {Options{Least: Error}, false}, {Options{Least: Warning}, true},
		{Options{URL: "/api"}, true}, {Options{URL: "/other"}, false}} {
		if got := c.o.Passes(f); got != c.want {
			t.Errorf("%+v: %v", c.o, got)
		}
	}
	f.URL = ""
	if (Options{URL: "x", StrictURL: true}).Passes(f) || !(Options{URL: "x"}).Passes(f) {
		t.Error("findings without an address")
	}
}

func TestLogSaysWhatIsNotKept(t *testing.T) {
	l := NewLog(10)
	for i := range 50 {
		l.Add(number(i, Error))
	}
	list, lost := l.Since(5)
	if len(list) != 10 || lost != 35 || list[0].ID != 41 {
		t.Errorf("%d kept, %d lost, first %d", len(list), lost, list[0].ID)
	}
	if list, lost := l.Since(48); len(list) != 2 || lost != 0 {
		t.Errorf("%d, %d", len(list), lost)
	}
	if list, _ := l.Since(999); len(list) != 10 {
		t.Error("a number of another log")
	}
}

func TestAFolderThatGrowsIsToldOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, lines string) {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = f.WriteString(lines)
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	line := func(at int, text string) string {
		return fmt.Sprintf(`{"type":"console","messageType":"error","text":%q,"time":%d,"location":{"url":"","lineNumber":0,"columnNumber":0}}`+"\n", text, at)
	}
	write("trace.trace", `{"version":8,"type":"context-options","origin":"library","browserName":"chromium","platform":"linux","wallTime":1,"monotonicTime":1,"options":{}}`+"\n"+line(2, "old"))
	stop, got, done := make(chan struct{}), make(chan Finding, 10), make(chan error, 1)
	go func() {
		done <- Follow(context.Background(), dir, NewDetector(nil), FollowOptions{Poll: time.Millisecond, Stop: stop}, func(f Finding) { got <- f })
	}()
	time.Sleep(50 * time.Millisecond) // let it see how long the file is
	write("trace.trace", line(3, "old")+line(4, "new"))
	if f := <-got; !strings.Contains(f.Message, "new") {
		t.Errorf("%+v", f)
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// What is written in the last moment, before the folder becomes a zip, is told.
func TestTheEndOfARecordingIsToldOf(t *testing.T) {
	line := func(at int, text string) string {
		return fmt.Sprintf(`{"type":"console","messageType":"error","text":%q,"time":%d,"location":{"url":"","lineNumber":0,"columnNumber":0}}`+"\n", text, at)
	}
	begin := `{"version":8,"type":"context-options","origin":"library","browserName":"chromium","platform":"linux","wallTime":1,"monotonicTime":1,"options":{}}` + "\n" + line(2, "first")
	zipped := filepath.Join(t.TempDir(), "t.zip")
	dir := zipped + ".recording"
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "trace.trace"), []byte(begin), 0o644); err != nil {
		t.Fatal(err)
	}
	got, done := make(chan Finding, 10), make(chan error, 1)
	go func() {
		done <- Follow(context.Background(), dir, NewDetector(nil), FollowOptions{Poll: time.Millisecond, All: true}, func(f Finding) { got <- f })
	}()
	if f := <-got; !strings.Contains(f.Message, "first") {
		t.Errorf("%+v", f)
	}
	file, err := os.Create(zipped)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	entry, err := w.Create("trace.trace")
	if err == nil {
		_, err = io.WriteString(entry, begin+line(3, "last words"))
	}
	if err := errors.Join(err, w.Close(), file.Close(), os.RemoveAll(dir)); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	close(got)
	var told []string
	for f := range got {
		told = append(told, f.Message)
	}
	if len(told) != 1 || !strings.Contains(told[0], "last words") {
		t.Errorf("%v", told)
	}
}

func TestStreamGoesOnWhereItStopped(t *testing.T) {
	l := NewLog(0)
	for i := range 3 {
		l.Add(number(i, Error))
	}
	srv := httptest.NewServer(&Stream{Log: l, Options: Options{Batch: time.Millisecond}})
	defer srv.Close()
	req, _ := http.NewRequest("GET", srv.URL+"/events", nil)
	req.Header.Set("Last-Event-ID", "1")
	res, err := srv.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	id, n := "", Notice{}
	for s := bufio.NewScanner(res.Body); s.Scan(); {
		if v, ok := strings.CutPrefix(s.Text(), "id: "); ok {
			id = v
		}
		if v, ok := strings.CutPrefix(s.Text(), "data: "); ok {
			if err := json.Unmarshal([]byte(v), &n); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if id != "3" || len(n.Findings) != 2 || n.Findings[0].ID != 2 {
		t.Errorf("id %s, %+v", id, n)
	}
	for _, q := range []string{"?categories=nonsense", "?severity=loud", "?throttle=x"} {
		if r, err := srv.Client().Get(srv.URL + q); err != nil || r.StatusCode != 400 {
			t.Errorf("%s: %v %v", q, r, err)
		}
	}
}

func TestRealTracesAreScanned(t *testing.T) {
	found := map[string]int{}
	for _, path := range append(tracetest.Corpus(t, "playwright/*.zip"), tracetest.Corpus(t, "vibium/v26*.zip")...) {
		a, err := trace.Open(context.Background(), path, trace.Options{})
		if err != nil {
			continue
		}
		list, err := Scan(context.Background(), a, NewDetector(nil))
		a.Close()
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, f := range list {
			found[f.Rule]++
		}
	}
	for _, rule := range []string{"console-error", "uncaught-error", "action-failed"} {
		if found[rule] == 0 {
			t.Errorf("no %s in all the traces: %v", rule, found)
		}
	}
}

func FuzzDetector(f *testing.F) {
	f.Add([]byte(`{"type":"before","callId":"c","startTime":1,"class":"Frame","method":"click","params":{"selector":"#a"}}`))
	f.Add([]byte(`{"type":"event","time":3,"class":"Performance","method":"vitals","params":{"url":"x","LCP":1e9}}`))
	f.Add([]byte(`{"type":"resource-snapshot","snapshot":{"request":{"url":"http://u:p@h/?token=x"},"response":{"status":500}}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		d := NewDetector(nil)
		for range 3 {
			body, err := trace.DecodeBody(line)
			if err != nil {
				return
			}
			for _, fd := range append(d.Event(&trace.Event{Body: body, Raw: line}), d.Tick(d.Now().Add(time.Minute))...) {
				if fd.Rule == "" || fd.Message == "" || len([]rune(fd.Message)) > mostText+1 || strings.ContainsAny(fd.Message, "\n\x00") {
					t.Errorf("%+v", fd)
				}
			}
		}
	})
}
