package failures

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func of(t *testing.T, path string, o Options) []Failure {
	t.Helper()
	a := tracetest.Open(t, path)
	tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Of(context.Background(), a, tr, o)
}

func TestRealFailuresAreExplained(t *testing.T) {
	for _, c := range []struct{ file, title, waited, hint string }{
		{"playwright/fail.zip", "#hidden", "invisible", "invisible"},
		{"playwright/fail.zip", ".dup", "more than one", "many-matches"},
		{"playwright/fail.zip", "#covered", "lay above", "covered"},
		{"playwright/fail.zip", "#dis", "disabled", "disabled"},
		{"playwright/fail.zip", "localhost:1", "", "no-answer"},
		{"playwright/runner-failing-assertion.zip", "toHaveText", "never had the expected", "wrong-value"},
		{"playwright/runner-timeout-in-an-action.zip", "#absent", "no element matched", "never-found"},
	} {
		found := false
		for _, f := range of(t, tracetest.Corpus(t, c.file)[0], Options{}) {
			if !strings.Contains(f.Title, c.title) {
				continue
			}
			found = true
			if !strings.Contains(f.Waited, c.waited) || c.waited == "" && f.Waited != "" {
				t.Errorf("%s %s waited %q, want %q", c.file, f.Title, f.Waited, c.waited)
			}
			if !strings.Contains(fmt.Sprint(f.Hints), "{"+c.hint+" ") {
				t.Errorf("%s %s: hints %v, want %s", c.file, f.Title, f.Hints, c.hint)
			}
		}
		if !found {
			t.Errorf("%s: no failure of %s", c.file, c.title)
		}
	}
}

func TestATimeoutIsOneFailure(t *testing.T) {
	list := of(t, tracetest.Corpus(t, "playwright/runner-timeout-in-an-action.zip")[0], Options{})
	if len(list) != 1 || len(list[0].Also) != 1 {
		t.Errorf("%+v", list)
	}
}

// shop is a trace whose click fails after a server error.
func shop(events, requests string) string {
	return tracetest.Head + `before
	callId: call@1
	startTime: 1000
	class: Frame
	method: click
	params: {"selector":"#pay"}
` + events + `
after
	callId: call@1
	endTime: 4000
	error: {"name":"TimeoutError","message":"Timeout 3000ms exceeded waiting for order_9137"}

== trace.network
` + requests
}

func request(url string, status int, start float64, rest string) string {
	return fmt.Sprintf(`resource-snapshot
	snapshot: {"startedDateTime":"2023-11-14T22:13:20Z","time":100,"request":{"method":"POST","url":%q,"headers":[]},"response":{"status":%d,"headers":[],"content":{"mimeType":"application/json"%s}},"_monotonicTime":%v,"_resourceType":"fetch"}
`, url, status, rest, start)
}

func TestHintsFollowTheirRules(t *testing.T) {
	console := func(kind, text string) string {
		return "console\n\ttime: 2000\n\tmessageType: " + kind + "\n\ttext: " + text + "\n\tlocation: {\"url\":\"\",\"lineNumber\":0,\"columnNumber\":0}\n"
	}
	page := "event\n\ttime: 2500\n\tclass: BrowserContext\n\tmethod: pageError\n\tparams: {\"error\":{\"error\":{\"name\":\"TypeError\",\"message\":\"x is null\"}}}\n"
	for _, c := range []struct{ rule, events, requests string }{
		{"server-error-first", "", request("http://a.test/api", 503, 2000, "")},
		{"same-words", "", request("http://a.test/api", 422, 2000, `,"text":"{\"missing\":\"order_9137\"}"`)},
		{"no-answer", "", request("http://a.test/api", -1, 2000, "")},
		{"sign-in-lost", "", request("http://a.test/api", 401, 2000, "")},
		{"cors", console("error", "Access to fetch at x has been blocked by CORS policy"), ""},
		{"chunk-not-loaded", console("error", "ChunkLoadError: Loading chunk 7 failed."), ""},
		{"content-security-policy", console("error", "Refused to load the script"), ""},
		{"uncaught-error-before", page, ""},
		{"quiet-wait", "", request("http://a.test/ok", 200, 1010, "")},
	} {
		list := of(t, tracetest.Zip(t, shop(c.events, c.requests)), Options{})
		hints := map[string]bool{}
		for _, f := range list {
			if f.Kind == trace.FailedAction {
				for _, h := range f.Hints {
					hints[h.Rule] = true
				}
			}
		}
		if !hints[c.rule] {
			t.Errorf("%s is not told: %v", c.rule, hints)
		}
		quiet := of(t, tracetest.Zip(t, shop("", request("http://a.test/ok", 200, 3500, ""))), Options{})
		for _, h := range quiet[0].Hints {
			t.Errorf("told without evidence: %v", h)
		}
	}
}

func TestNoiseIsSetApart(t *testing.T) {
	list := of(t, tracetest.Zip(t, shop("", request("http://a.test/favicon.ico", 404, 2000, "")+request("https://www.google-analytics.com/collect?x=1", -1, 2000, ""))), Options{})
	if f := list[0]; len(f.Requests) != 0 || len(f.Noise) != 2 {
		t.Errorf("requests %v, noise %v", f.Requests, f.Noise)
	}
}

func TestASecretAcrossTheCutStaysHidden(t *testing.T) {
	const secret = "tok-5e884898da280471"
	body := strings.Repeat("x", 90) + secret
	mask := func(s string) string { return strings.ReplaceAll(s, secret, "***") }
	list := of(t, tracetest.Zip(t, shop("", request("http://a.test/api", 500, 2000, `,"text":"`+body+`"`))), Options{MaxBody: 95, Mask: mask})
	if got := list[0].Requests[0].Received; strings.Contains(got, secret[:4]) {
		t.Errorf("%q", got)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("grün\x1b[31m rot", 4)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = 1 + (n&0xff+0xff)&0xff
		if c := Cut(plain(s), n); len([]rune(c)) > n || plain(c) != c {
			t.Errorf("%q at %d: %q", s, n, c)
		}
		head, rest := headline(plain(s))
		if strings.Contains(head, "\n") || len(head)+len(rest) > 3*len(s) {
			t.Errorf("%q: %q, %q", s, head, rest)
		}
	})
}
