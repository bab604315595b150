package diff_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace/tracetest"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// recording is a trace with what happened during its steps, one thing a line:
//
//	step #a                     a click, 100 ms after the one before
//	fails #a MESSAGE            a click that fails
//	console error TEXT          a message
//	page error TEXT             an uncaught error
//	METHOD URL STATUS MS BODY   a request
//	vitals JSON                 what the page measured of itself
//	storage JSON                what was stored
//	replayed REGIME             that it is a replay
func recording(t testing.TB, lines string) diff.Side {
	t.Helper()
	var events, network strings.Builder
	events.WriteString("== 0-trace.trace\ncontext-options\n\tversion: 8\n\torigin: library\n\tbrowserName: chromium\n\twallTime: 1708000000000\n\tmonotonicTime: 0\n\toptions: {\"viewport\":{\"width\":800,\"height\":600}}\n")
	network.WriteString("== 0-trace.network\n")
	at, calls, inStep := 0, 0, 0
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch kind {
		case "step", "fails":
			at, calls, inStep = at+100, calls+1, 0
			target, message, _ := strings.Cut(rest, " ")
			fmt.Fprintf(&events, "before\n\tcallId: call@%d\n\tstartTime: %d\n\tclass: Frame\n\tmethod: click\n\tpageId: p\n\tparams: {\"selector\":%q}\nafter\n\tcallId: call@%d\n\tendTime: %d\n", calls, at, target, calls, at+50)
			if kind == "fails" {
				fmt.Fprintf(&events, "\terror: {\"name\":\"Error\",\"message\":%q}\n", message)
			}
		case "console":
			level, text, _ := strings.Cut(rest, " ")
			fmt.Fprintf(&events, "console\n\tmessageType: %s\n\ttext: %q\n\ttime: %d\n\tpageId: p\n\tlocation: {\"url\":\"http://localhost:1/app.js\",\"lineNumber\":1,\"columnNumber\":1}\n", level, text, at+10+inStep)
		case "page":
			fmt.Fprintf(&events, "event\n\ttime: %d\n\tclass: BrowserContext\n\tmethod: pageError\n\tpageId: p\n\tparams: {\"error\":{\"error\":{\"name\":\"TypeError\",\"message\":%q,\"stack\":\"\"}}}\n", at+10+inStep, strings.TrimPrefix(rest, "error "))
		case "replayed":
			fmt.Fprintf(&events, "event\n\ttime: %d\n\tclass: Replay\n\tmethod: begin\n\tparams: {\"regime\":%q}\n", at+10, rest)
		case "vitals", "storage":
			class := map[string]string{"vitals": "Performance", "storage": "BrowserContext"}[kind]
			fmt.Fprintf(&events, "event\n\ttime: %d\n\tclass: %s\n\tmethod: %s\n\tparams: %s\n", at+10, class, kind, rest)
		case "":
		default:
			p := strings.SplitN(rest, " ", 4)
			inStep++
			body, sent := "", ""
			if len(p) > 3 {
				body = p[3]
			}
			if b, s, ok := strings.Cut(body, " <- "); ok {
				body, sent = b, fmt.Sprintf(`,"postData":{"mimeType":"application/json","text":%q}`, s)
			}
			fmt.Fprintf(&network, "resource-snapshot\n\tsnapshot: {\"pageref\":\"p\",\"startedDateTime\":\"2024-02-15T12:26:40.000Z\",\"time\":%s,\"request\":{\"method\":%q,\"url\":%q,\"httpVersion\":\"HTTP/1.1\",\"cookies\":[],\"headers\":[],\"queryString\":[],\"headersSize\":-1,\"bodySize\":-1%s},\"response\":{\"status\":%s,\"statusText\":\"\",\"httpVersion\":\"HTTP/1.1\",\"cookies\":[],\"headers\":[],\"content\":{\"size\":%d,\"mimeType\":\"application/json\",\"text\":%q},\"headersSize\":-1,\"bodySize\":-1,\"redirectURL\":\"\"},\"cache\":{},\"timings\":{\"send\":0,\"wait\":1,\"receive\":1},\"_monotonicTime\":%d}\n",
				p[2], kind, p[0], sent, p[1], len(body), body, at+10+inStep)
		}
	}
	path := tracetest.Zip(t, events.String()+network.String())
	return side(t, path)
}

func TestSections(t *testing.T) {
	for _, c := range []struct {
		name    string
		section diff.SectionName
		a, b    string
		want    verdict.Outcome
		says    string // in one of the changes
	}{
		{"no error at all", diff.Errors, "step #a", "step #a", verdict.Same, ""},
		{"a step fails now", diff.Errors, "step #a", "fails #a Timeout", verdict.Regressed, "Timeout"},
		{"it fails with other words of the same meaning", diff.Errors, "fails #a Timeout 5000ms exceeded", "fails #a Timeout 7000ms exceeded", verdict.Same, ""},
		{"it fails for another reason", diff.Errors, "fails #a Timeout", "fails #a element is hidden", verdict.Mixed, "hidden"},
		{"a new step fails", diff.Errors, "step #a", "step #a\nfails #b Timeout", verdict.Regressed, "Timeout"},
		{"an uncaught error is new", diff.Errors, "step #a", "step #a\npage error x is null", verdict.Regressed, "x is null"},
		{"an uncaught error came with a step that is new", diff.Errors, "GET http://localhost:1/ 200 5\nstep #a", "step #a\nstep #b\npage error x is null", verdict.Inconclusive, "not exercised"},
		{"an uncaught error came twice", diff.Errors, "step #a\npage error x is null", "step #a\npage error x is null\npage error x is null", verdict.Same, "more or less often"},
		{"a console error is new", diff.Console, "step #a", "step #a\nconsole error boom", verdict.Regressed, "boom"},
		{"a warning is new", diff.Console, "step #a", "step #a\nconsole warning careful", verdict.Changed, "careful"},
		{"a message says another name", diff.Console, "step #a\nconsole log hello dear Ada", "step #a\nconsole log hello dear Grace", verdict.Changed, "Grace"},
		{"a message says another id", diff.Console, "step #a\nconsole log user 12345", "step #a\nconsole log user 99887", verdict.Same, ""},
		{"an error gave way to another", diff.Console, "step #a\nconsole error one", "step #a\nconsole error two", verdict.Mixed, "two"},
		{"the same request", diff.Network, "step #a\nGET http://localhost:1/x 200 5 {}", "step #a\nGET http://localhost:2/x 200 5 {}", verdict.Same, ""},
		{"it is answered by an error", diff.Network, "step #a\nGET http://localhost:1/x 200 5", "step #a\nGET http://localhost:1/x 500 5", verdict.Regressed, "status"},
		{"an error of another number", diff.Network, "step #a\nGET http://localhost:1/x 503 5", "step #a\nGET http://localhost:1/x 404 5", verdict.Changed, "status"},
		{"from the cache", diff.Network, "step #a\nGET http://localhost:1/x 200 5", "step #a\nGET http://localhost:1/x 304 5", verdict.Same, ""},
		{"a redirect is no error", diff.Network, "step #a\nGET http://localhost:1/x 200 5", "step #a\nGET http://localhost:1/x 302 5", verdict.Changed, "status"},
		{"an address is new", diff.Network, "step #a\nGET http://localhost:1/x 200 5", "step #a\nGET http://localhost:1/x 200 5\nGET http://localhost:1/y 200 5", verdict.Changed, "GET /y"},
		{"an address is new and fails", diff.Network, "step #a\nGET http://localhost:1/x 200 5", "step #a\nGET http://localhost:1/x 200 5\nGET http://localhost:1/y 500 5", verdict.Regressed, "GET /y"},
		{"polled more often", diff.Network, "step #a\nGET http://localhost:1/x 200 5", "step #a\nGET http://localhost:1/x 200 5\nGET http://localhost:1/x 200 5", verdict.Same, "more or less often"},
		{"another id in the path", diff.Network, "step #a\nGET http://localhost:1/users/17 200 5", "step #a\nGET http://localhost:1/users/18 200 5", verdict.Same, ""},
		{"a member of the body", diff.Network, `step #a` + "\n" + `GET http://localhost:1/x 200 5 {"items":[{"id":"a","price":1},{"id":"b","price":2}]}`, `step #a` + "\n" + `GET http://localhost:1/x 200 5 {"items":[{"id":"b","price":3},{"id":"a","price":1}]}`, verdict.Changed, "$.items[id=b].price"},
		{"a volatile member of the body", diff.Network, `step #a` + "\n" + `GET http://localhost:1/x 200 5 {"token":"a","at":"2026-11-21T03:34:23Z"}`, `step #a` + "\n" + `GET http://localhost:1/x 200 5 {"token":"b","at":"2026-11-22T03:34:23Z"}`, verdict.Same, ""},
		{"what was sent", diff.Network, `step #a` + "\n" + `POST http://localhost:1/x 200 5 {} <- {"n":1}`, `step #a` + "\n" + `POST http://localhost:1/x 200 5 {} <- {"n":2}`, verdict.Changed, "request body"},
		{"operations of GraphQL are told apart", diff.Network, `step #a` + "\n" + `POST http://localhost:1/g 200 5 {"v":1} <- {"query":"query Cart { x }"}` + "\n" + `POST http://localhost:1/g 200 5 {"v":2} <- {"query":"query User { x }"}`,
			`step #a` + "\n" + `POST http://localhost:1/g 200 5 {"v":2} <- {"query":"query User { x }"}` + "\n" + `POST http://localhost:1/g 500 5 {"v":1} <- {"query":"query Cart { x }"}`, verdict.Regressed, "(Cart) status"},
		{"slower is told and decides nothing", diff.Network, "step #a\nGET http://localhost:1/x 200 50", "step #a\nGET http://localhost:1/x 200 500", verdict.Same, "time"},
		{"no request was recorded in one", diff.Network, "step #a", "step #a\nGET http://localhost:1/x 200 5", verdict.Inconclusive, ""},
		{"slower vitals", diff.Performance, `vitals {"LCP":1000}`, `vitals {"LCP":1600}`, verdict.Regressed, "LCP"},
		{"a little slower", diff.Performance, `vitals {"LCP":1000}`, `vitals {"LCP":1400}`, verdict.Same, "LCP"},
		{"from good to poor", diff.Performance, `vitals {"LCP":2490,"CLS":0.01}`, `vitals {"LCP":2600,"CLS":0.3}`, verdict.Regressed, "CLS"},
		{"slower under a virtual clock", diff.Performance, `vitals {"LCP":1000}`, "replayed frames\nvitals {\"LCP\":3000}", verdict.Same, "LCP"},
		{"less stable under a virtual clock", diff.Performance, "replayed timers\nvitals {\"CLS\":0}", `vitals {"CLS":0.3}`, verdict.Regressed, "CLS"},
		{"slower in a replay in real time", diff.Performance, `vitals {"LCP":1000}`, "replayed real\nvitals {\"LCP\":3000}", verdict.Regressed, "LCP"},
		{"faster", diff.Performance, `vitals {"TTFB":900}`, `vitals {"TTFB":300}`, verdict.Improved, "TTFB"},
		{"another theme stored", diff.Storage, `storage {"origin":"http://x","localStorage":[{"name":"theme","value":"dark"}]}`, `storage {"origin":"http://x","localStorage":[{"name":"theme","value":"light"}]}`, verdict.Changed, "theme"},
		{"another session", diff.Storage, `storage {"origin":"http://x","localStorage":[{"name":"session_id","value":"1"}]}`, `storage {"origin":"http://x","localStorage":[{"name":"session_id","value":"2"}]}`, verdict.Same, ""},
		{"nothing of it was recorded", diff.Storage, "step #a", "step #a", verdict.Inconclusive, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := recording(t, c.a), recording(t, c.b)
			there, back := compare(t, a, b), compare(t, b, a)
			s := there.Section(c.section)
			if s.Verdict != c.want || back.Section(c.section).Verdict != c.want.Mirror() {
				t.Errorf("%s, swapped %s; not %s: %+v", s.Verdict, back.Section(c.section).Verdict, c.want, s.Changes)
			}
			if !slices.ContainsFunc(s.Changes, func(ch diff.Change) bool {
				return strings.Contains(strings.Join([]string{ch.What, ch.Path, ch.A, ch.B, ch.Note}, " "), c.says)
			}) && c.says != "" {
				t.Errorf("nothing says %q: %+v", c.says, s.Changes)
			}
			if c.says == "" && len(s.Changes) > 0 {
				t.Errorf("there is nothing to say: %+v", s.Changes)
			}
		})
	}
}

func TestStrictCounts(t *testing.T) {
	a, b := recording(t, "step #a\nconsole error x"), recording(t, "step #a\nconsole error x\nconsole error x")
	r, err := diff.Traces(context.Background(), a, b, diff.Options{StrictCounts: true})
	if err != nil || r.Section(diff.Console).Verdict != verdict.Regressed {
		t.Errorf("%+v, %v", r, err)
	}
}

// What has not been recorded in both has no say; in one, it keeps the whole
// from being the same.
func TestNotRecordedIsNeverClean(t *testing.T) {
	a, b := recording(t, "step #a"), recording(t, "step #a\nGET http://localhost:1/x 200 5")
	if r := compare(t, a, b); r.Verdict != verdict.Inconclusive {
		t.Errorf("%s where only B holds requests", r.Verdict)
	}
	r := compare(t, a, a)
	if s := r.Section(diff.Network); r.Verdict != verdict.Same || s.Verdict != verdict.Inconclusive || s.Note == "" {
		t.Errorf("%s, network %s (%s) where neither holds requests", r.Verdict, s.Verdict, s.Note)
	}
}

// A pair on its own is told as in the whole, and first when it is asked for
// first.
func TestPairsOneByOne(t *testing.T) {
	a := side(t, tracetest.Corpus(t, "playwright/pair-a.zip")[0])
	b := side(t, tracetest.Corpus(t, "playwright/pair-b.zip")[0])
	c, err := diff.New(context.Background(), a, b, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := compare(t, a, b)
	for n := len(r.Pairs) - 1; n >= 0; n-- {
		p, err := c.Pair(context.Background(), n)
		if err != nil || p.Verdict != r.Pairs[n].Verdict || p.Kind != r.Pairs[n].Kind || len(p.Sections) != len(r.Pairs[n].Sections) {
			t.Errorf("pair %d: %+v, %v; in the whole %+v", n, p, err, r.Pairs[n])
		}
	}
	cancelled, stop := context.WithCancel(context.Background())
	stop()
	if _, err := diff.Traces(cancelled, a, b, diff.Options{}); err == nil {
		t.Error("no error though the context ended")
	}
}

func BenchmarkTraces5000(b *testing.B) {
	x, y := tracetest.Zip(b, sessionText(long(5000, 0)...)), tracetest.Zip(b, sessionText(long(5000, 1)...))
	for b.Loop() {
		compare(b, side(b, x), side(b, y))
	}
}
