package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func read(t *testing.T, o Options, names ...string) *Run {
	t.Helper()
	run, err := Read(context.Background(), names, o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func TestEveryFailureKeepsToItsBudget(t *testing.T) {
	files := append(tracetest.Corpus(t, "playwright/*.zip"), tracetest.Corpus(t, "vibium/*errors*.zip")...)
	run := read(t, Options{}, files...)
	n := 0
	for i := range run.Sessions {
		s := &run.Sessions[i]
		for k := range s.Failures {
			n++
			for _, budget := range []int{1, 13, 40, 100, 250, DefaultBudget, 4000} {
				text := FailureContext(s, &s.Failures[k], budget)
				if got := Tokens(text); got > budget {
					t.Errorf("%s: %d tokens with a budget of %d:\n%s", s.Trace, got, budget, text)
				}
				if budget >= 250 && !strings.Contains(text, s.Failures[k].Message[:min(20, len(s.Failures[k].Message))]) {
					t.Errorf("%s: the message is not in\n%s", s.Trace, text)
				}
			}
		}
	}
	if n < 12 {
		t.Errorf("only %d failures in the corpus", n)
	}
}

func TestTokensAreNotCountedTooLow(t *testing.T) {
	// what a tokenizer of 200,000 words makes of these texts
	for text, real := range map[string]int{
		"the element was found, but stayed disabled":                               8,
		"POST /api/orders → 500 Internal Server Error":                             8,
		"at CheckoutForm.submit (checkout.tsx:42:17)":                              14,
		`{"error":"Internal Server Error","details":"null pointer: user.address"}`: 15,
		"f47ac10b-58cc-4372-a567-0e02b2c3d479":                                     22,
		"錯誤：找不到元素":                                                                 8,
	} {
		if got := Tokens(text); got < real || got > 4*real {
			t.Errorf("%q: %d tokens, %d are real", text, got, real)
		}
	}
}

const playwrightJSON = `{"config":{},"suites":[{"title":"shop.spec.ts","file":"shop.spec.ts","specs":[],"suites":[{"title":"cart","file":"shop.spec.ts","specs":[
 {"title":"pays","file":"shop.spec.ts","tests":[{"projectName":"chromium","status":"flaky","results":[
   {"status":"failed","duration":1200,"retry":0,"errors":[{"message":"\u001b[31mError: expect(received).toBe(expected)\u001b[39m","stack":"Error\n    at /app/shop.spec.ts:7:3"}],"attachments":[{"name":"trace","path":"/ci/test-results/shop-pays-chromium/trace.zip","contentType":"application/zip"}]},
   {"status":"passed","duration":900,"retry":1,"errors":[],"attachments":[]}]}]},
 {"title":"ships","file":"shop.spec.ts","tests":[{"projectName":"chromium","status":"unexpected","results":[{"status":"timedOut","duration":30000,"retry":0,"error":{"message":"Test timeout of 30000ms exceeded. password=hunter2hunter2"}}]}]},
 {"title":"later","tests":[{"projectName":"chromium","status":"skipped","results":[{"status":"skipped","duration":0,"retry":0}]}]},
 {"title":"was to fail","tests":[{"projectName":"chromium","status":"expected","results":[{"status":"failed","duration":1,"retry":0,"error":{"message":"x"}}]}]}
]}]}]}`

func TestResultsJoinTheirTraces(t *testing.T) {
	r, err := ReadResults(strings.NewReader(playwrightJSON))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "test-results", "shop-pays-chromium", "trace.zip")
	copyFile(t, tracetest.Corpus(t, "playwright/runner-failing-assertion.zip")[0], path)
	run := read(t, Options{Results: r}, path)
	if got, want := run.Summary, (Summary{Tests: 4, Passed: 1, Failed: 1, Flaky: 1, Skipped: 1, Attempts: 5}); got != want {
		t.Errorf("summary %+v, want %+v", got, want)
	}
	for _, s := range run.Sessions {
		switch {
		case s.Title == "cart › pays" && s.Retry == 0:
			if s.Trace != path || !s.Flaky || len(s.Failures) != 2 || s.Duration != 1200 {
				t.Errorf("%+v", s)
			}
		case s.Title == "cart › ships":
			if len(s.Failures) != 1 || strings.Contains(fmt.Sprint(s), "hunter2") {
				t.Errorf("%+v", s)
			}
		}
	}
	var out bytes.Buffer
	if err := JUnit(&out, run, JUnitOptions{Surefire: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`tests="4" failures="0" errors="1" skipped="1"`, "<flakyFailure", "[[ATTACHMENT|" + path + "]]", `type="Error"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

func TestJUnitIsReadAgain(t *testing.T) {
	run := read(t, Options{}, tracetest.Corpus(t, "playwright/runner-*.zip")...)
	var out bytes.Buffer
	if err := JUnit(&out, run, JUnitOptions{}); err != nil {
		t.Fatal(err)
	}
	r, err := ReadResults(&out)
	if err != nil {
		t.Fatal(err)
	}
	again := read(t, Options{Results: r}, tracetest.Corpus(t, "playwright/runner-*.zip")...)
	if a, b := run.Summary, again.Summary; a.Failed != b.Failed || a.Tests != b.Tests || a.Failed == 0 {
		t.Errorf("%+v became %+v", a, b)
	}
}

func TestTextsOfAPageAreNoMarkup(t *testing.T) {
	evil := "</details><script>x</script> | ``` @team \x00\uFFFE [a](b)"
	run := &Run{Sessions: []Session{{Title: evil, Status: Failed, Failures: []failures.Failure{{Kind: trace.FailedTest, Message: evil, Detail: evil, Title: evil, Stack: []string{evil},
		Timeline: []failures.Moment{{What: "console", Text: evil, Bad: true}}, Hints: []failures.Hint{{Rule: "r", Text: evil}}}}}}}
	run.sum()
	var md, ju bytes.Buffer
	if err := Markdown(&md, run); err != nil {
		t.Fatal(err)
	}
	inFence := false
	for line := range strings.Lines(md.String()) {
		if strings.HasPrefix(line, "````") {
			inFence = !inFence
		}
		if !inFence && (strings.Contains(line, "<script") || strings.Contains(line, "@team") || strings.Contains(line, "[a](b)") && !strings.Contains(line, "<summary>")) {
			t.Errorf("markup: %q", line)
		}
	}
	if strings.Count(md.String(), "</details>\n") != 1 {
		t.Errorf("%s", md.String())
	}
	if err := JUnit(&ju, run, JUnitOptions{}); err != nil {
		t.Fatal(err)
	}
	tracetest.JUnit(t, ju.Bytes())
}

func TestTheSameRunIsTheSameBytes(t *testing.T) {
	files := tracetest.Corpus(t, "playwright/runner-*.zip")
	write := func() string {
		run := read(t, Options{}, files...)
		var b bytes.Buffer
		for _, err := range []error{Text(&b, run, nil), Markdown(&b, run), JUnit(&b, run, JUnitOptions{}), Context(&b, run, 0), json.NewEncoder(&b).Encode(run)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	if a, b := write(), write(); a != b {
		t.Error("two reports of one run differ")
	}
}

func FuzzReadResults(f *testing.F) {
	f.Add([]byte(playwrightJSON))
	f.Add([]byte(`<testsuites><testsuite name="a"><testcase name="b" time="x"><failure/><system-out>[[ATTACHMENT|t.zip]]</system-out></testcase></testsuite></testsuites>`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ReadResults(bytes.NewReader(b))
		if err != nil {
			return
		}
		run, err := Read(context.Background(), nil, Options{Results: r})
		if err != nil {
			t.Fatal(err)
		}
		if s := run.Summary; s.Tests != s.Passed+s.Failed+s.Flaky+s.Skipped+s.Unknown || s.Attempts != len(r.attempts) {
			t.Errorf("%+v of %d attempts", s, len(r.attempts))
		}
		var out bytes.Buffer
		if err := JUnit(&out, run, JUnitOptions{Surefire: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadResults(&out); err != nil && len(run.Sessions) > 0 {
			t.Errorf("what was written is not read: %v", err)
		}
		for i := range run.Sessions {
			for k := range run.Sessions[i].Failures {
				if n := Tokens(FailureContext(&run.Sessions[i], &run.Sessions[i].Failures[k], 60)); n > 60 {
					t.Errorf("%d tokens", n)
				}
			}
		}
	})
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, b, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
