package har_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracedeck/tracedeck/trace/har"
)

func TestEntryKeepsWhatItDoesNotKnow(t *testing.T) {
	for _, text := range []string{
		`{"startedDateTime":"x","time":1,"request":{"method":"GET","url":"u","_more":[1],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"","content":{"size":-1,"mimeType":"","_sha256":"s"},"headersSize":-1,"bodySize":-1,"redirectURL":""},"timings":{"send":1,"wait":2.5,"receive":0,"_queue":7},"type":"odd","_x":null}`,
		`{"time":-1,"request":{"method":"GET","url":"u","cookies":[{"name":"a","value":{"type":"string","value":"v"},"expiry":5}],"headersSize":-1,"bodySize":-1},"response":{"status":-1,"statusText":"","content":{"size":0,"mimeType":""},"headersSize":0,"bodySize":0,"redirectURL":"","_failureText":"net::ERR"},"timings":{"send":-1,"wait":-1,"receive":-1},"_monotonicTime":0}`,
	} {
		var e har.Entry
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		out, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		if json.Unmarshal(out, &got) != nil || json.Unmarshal([]byte(text), &want) != nil {
			t.Fatal("not JSON")
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
}

func TestCanceledIsGivenUpByThePage(t *testing.T) {
	for text, canceled := range map[string]bool{"net::ERR_ABORTED": true, "NS_BINDING_ABORTED": true, "cancelled": true, "net::ERR_FAILED": false, "": false} {
		e := har.Entry{Time: 5, Response: har.Response{Status: -1, FailureText: text}}
		if e.Canceled() != canceled {
			t.Errorf("%q: canceled is %v", text, e.Canceled())
		}
		if e.WasAborted = true; e.Canceled() {
			t.Errorf("%q by a route: canceled", text)
		}
	}
}

func TestFailedAndPending(t *testing.T) {
	entry := func(status int, time float64, failure string) *har.Entry {
		return &har.Entry{Time: time, Response: har.Response{Status: status, FailureText: failure}}
	}
	for _, c := range []struct {
		e               *har.Entry
		failed, pending bool
	}{
		{entry(200, 5, ""), false, false}, {entry(500, 5, ""), false, false}, {entry(-1, 5, "net::ERR_FAILED"), true, false},
		{entry(-1, -1, ""), false, true}, {entry(0, 3, ""), true, false}, {&har.Entry{WasAborted: true, Time: -1}, true, false},
	} {
		if c.e.Failed() != c.failed || c.e.Pending() != c.pending {
			t.Errorf("%+v: failed %v, pending %v", c.e.Response, c.e.Failed(), c.e.Pending())
		}
	}
}

func TestCompleteFillsInWhatStrictReadersDemand(t *testing.T) {
	shared := []har.Cookie{{Name: "a", Value: "b", SameSite: "lax"}}
	e := har.Entry{StartedDateTime: "2026-11-21T02:24:57.5Z", Time: -1, Request: har.Request{URL: "http://h/p?a=1&b=%20c&d", Cookies: shared},
		Response: har.Response{Status: -1, Headers: []har.NameValue{{Name: "Set-Cookie", Value: "x=1; Path=/; HttpOnly\ny=2"}}}}
	e.Complete()
	if e.StartedDateTime != "2026-11-21T02:24:57.500Z" || e.Time != 0 || e.Response.Status != 0 || e.Request.HTTPVersion == "" {
		t.Errorf("%+v", e)
	}
	if len(e.Request.QueryString) != 3 || e.Request.QueryString[1].Value != " c" {
		t.Errorf("%+v", e.Request.QueryString)
	}
	if len(e.Response.Headers) != 2 || len(e.Response.Cookies) != 2 || !e.Response.Cookies[0].HTTPOnly {
		t.Errorf("%+v %+v", e.Response.Headers, e.Response.Cookies)
	}
	if e.Request.Cookies[0].SameSite != "Lax" || shared[0].SameSite != "lax" {
		t.Error("the caller's cookies were changed, or the copy was not")
	}
}
