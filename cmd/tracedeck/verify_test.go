package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// deskSession writes a trace: "page /cart", "error boom", "throw boom",
// "500 GET /api/x", "lcp 5000", one a word.
func deskSession(t *testing.T, what ...string) string {
	t.Helper()
	events, requests, at := "", "", 10.0
	for _, w := range what {
		kind, rest, _ := strings.Cut(w, " ")
		at += 10
		switch kind {
		case "page":
			requests += deskRequest("GET", rest, 200, "document", at)
		case "error":
			events += fmt.Sprintf("console\n\ttime: %v\n\tmessageType: error\n\tpageId: p\n\ttext: %q\n\tlocation: {\"url\":\"http://shop.test/app.js\",\"lineNumber\":1,\"columnNumber\":2}\n", at, rest)
		case "lcp":
			events += fmt.Sprintf("event\n\ttime: %v\n\tclass: Performance\n\tmethod: vitals\n\tpageId: p\n\tparams: {\"url\":\"http://shop.test/\",\"TTFB\":50,\"LCP\":%s}\n", at, rest)
		default:
			var status int
			fmt.Sscan(kind, &status)
			method, path, _ := strings.Cut(rest, " ")
			requests += deskRequest(method, path, status, "fetch", at)
		}
	}
	return tracetest.Zip(t, tracetest.Head+events+"\n== trace.network\n"+requests)
}

func deskRequest(method, path string, status int, kind string, at float64) string {
	failure := ""
	if status == 0 {
		status, failure = -1, `,"_failureText":"net::ERR_CONNECTION_REFUSED"`
	}
	return fmt.Sprintf("resource-snapshot\n\tsnapshot: {\"pageref\":\"p\",\"startedDateTime\":\"2023-11-14T22:13:20Z\",\"time\":5,\"request\":{\"method\":%q,\"url\":%q,\"headers\":[]},\"response\":{\"status\":%d,\"headers\":[],\"content\":{\"mimeType\":\"text/plain\"}%s},\"_monotonicTime\":%v,\"_resourceType\":%q}\n",
		method, "http://shop.test"+path, status, failure, at, kind)
}

// tell runs a command and returns its answer and exit code.
func tell(t *testing.T, into any, args ...string) int {
	t.Helper()
	var out, errs bytes.Buffer
	code := dispatch(context.Background(), newEnv(nil, &out, &errs, func(string) string { return "" }), append(args, "--json", "-q"))
	if code == exitTrouble {
		t.Fatalf("%v: %s", args, errs.String())
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err == nil {
		err = compile(t, args[0], answers[args[0]]).Validate(doc)
	}
	if err == nil && into != nil {
		err = json.Unmarshal(out.Bytes(), into)
	}
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out.String())
	}
	return code
}

var verdictRows = []struct {
	row           int
	verdict       string
	code          int
	before, after []string
}{
	{0, "inconclusive", 1, []string{"page /", "error boom"}, nil},
	{1, "no_issues_detected", 0, []string{"page /"}, []string{"page /", "200 GET /api/x"}},
	{2, "regressed", 1, []string{"page /"}, []string{"page /", "error boom"}},
	{3, "inconclusive", 1, []string{"page /cart", "error boom", "500 POST /api/pay"}, []string{"page /help"}},
	{4, "fixed", 0, []string{"page /cart", "error boom", "500 POST /api/pay"}, []string{"page /cart", "200 POST /api/pay"}},
	{4, "fixed", 0, []string{"page /cart", "error boom", "500 POST /api/pay"}, []string{"page /cart"}}, // the request was not tried again
	{5, "improved", 0, []string{"page /", "error boom", "error bang"}, []string{"page /", "error bang"}},
	{6, "unchanged", 1, []string{"page /", "error boom", "500 GET /api/x"}, []string{"page /", "404 GET /api/x", "error boom", "error boom"}},
	{7, "regressed", 1, []string{"page /", "error boom"}, []string{"page /", "error boom", "error bang"}},
	{8, "regressed", 1, []string{"page /", "error boom"}, []string{"page /", "error bang", "error crash"}},
	{9, "different_issue", 1, []string{"page /", "error boom"}, []string{"page /", "error bang"}},
	{9, "different_issue", 1, []string{"page /", "500 GET /api/x"}, []string{"page /", "0 GET /api/x"}}, // no answer is a kind of its own
}

func TestEveryRowOfTheVerdictTableIsReached(t *testing.T) {
	reached := map[int]bool{}
	for _, r := range verdictRows {
		before, after := deskSession(t, r.before...), deskSession(t, r.after...)
		var two, three verifyCompared
		code := tell(t, &two, "verify", "compare", before, after)
		if string(two.Result.Verdict) != r.verdict || two.Result.Row != r.row || code != r.code {
			t.Errorf("%v, %v: %s by row %d, exit code %d, want %s by row %d, %d", r.before, r.after, two.Result.Verdict, two.Result.Row, code, r.verdict, r.row, r.code)
		}
		store := t.TempDir()
		var s verifyStarted
		tell(t, &s, "verify", "start", before, "--store", store)
		tell(t, nil, "verify", "watch", s.ID, after, "--store", store)
		if again := tell(t, &three, "verify", "compare", s.ID, "--store", store); again != code || three.Result.Verdict != two.Result.Verdict {
			t.Errorf("%v, %v: %s and %s", r.before, r.after, two.Result.Verdict, three.Result.Verdict)
		}
		reached[two.Result.Row] = true
	}
	for row := range 10 {
		if !reached[row] {
			t.Errorf("row %d is not reached", row)
		}
	}
}

func TestEveryVerdictOfADifferenceIsReached(t *testing.T) {
	store := t.TempDir()
	for _, r := range []struct {
		verdict string
		code    int
		a, b    []string
	}{
		{"unchanged", 0, []string{"page /", "error boom"}, []string{"page /", "error boom", "200 GET /api/new"}},
		{"regressed", 1, []string{"page /"}, []string{"page /", "error boom"}},                            // a new kind
		{"regressed", 1, []string{"200 GET /api/x"}, []string{"502 GET /api/x"}},                          // OK became an error
		{"regressed", 1, []string{"page /"}, []string{"page /", "502 GET /api/new"}},                      // a new endpoint that fails
		{"regressed", 1, []string{"page /", "lcp 900"}, []string{"page /", "lcp 4800"}},                   // slower
		{"unchanged", 0, []string{"500 GET /api/x"}, []string{"404 GET /api/x"}},                          // still an error
		{"improved", 0, []string{"page /", "error boom"}, []string{"page /"}},                             // resolved
		{"improved", 0, []string{"500 GET /api/x"}, []string{"304 GET /api/x"}},                           // recovered
		{"improved", 0, []string{"page /", "lcp 4800"}, []string{"page /", "lcp 900"}},                    // faster
		{"mixed", 1, []string{"page /", "error boom"}, []string{"page /", "error bang"}},                  // resolved and new
		{"mixed", 1, []string{"page /", "error boom", "lcp 900"}, []string{"page /", "lcp 4800"}},         // resolved and slower
		{"unchanged", 0, []string{"page /", "200 GET /api/old"}, []string{"page /", "200 POST /api/old"}}, // other endpoints only
	} {
		var c snapshotCompared
		tell(t, nil, "snapshot", "capture", "a", deskSession(t, r.a...), "--store", store)
		tell(t, nil, "snapshot", "capture", "b", deskSession(t, r.b...), "--store", store)
		if code := tell(t, &c, "snapshot", "compare", "a", "b", "--store", store); c.Summary.Verdict != r.verdict || code != r.code {
			t.Errorf("%v, %v: %s, exit code %d: %+v", r.a, r.b, c.Summary.Verdict, code, c.Summary)
		}
	}
}

func TestStrictCountsMakeADoubledCountARegression(t *testing.T) {
	before, after := deskSession(t, "page /", "error boom"), deskSession(t, "page /", "error boom", "error boom")
	var c verifyCompared
	if code := tell(t, &c, "verify", "compare", "--strict-counts", before, after); code != exitFound || c.Result.Verdict != "regressed" || c.Result.Row != 6 {
		t.Errorf("%+v", c.Result)
	}
	if tell(t, &c, "verify", "compare", before, after); c.Result.Verdict != "unchanged" {
		t.Errorf("%+v", c.Result)
	}
}

func TestAVerificationOfASpan(t *testing.T) {
	path := deskSession(t, "page /", "error boom", "200 GET /api/x", "500 GET /api/x") // 20, 30, 40, 50 ms
	var c verifyCompared
	tell(t, &c, "verify", "compare", "--before", "..35ms", "--after", "35ms..", path, path)
	if c.Result.Kinds.Before != 1 || c.Result.Kinds.After != 1 || c.Result.NewIssues[0].Before != "(not seen)" {
		t.Errorf("%+v", c.Result)
	}
}
