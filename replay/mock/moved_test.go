package mock

import (
	"context"
	"testing"
)

func TestServersBesideAMovedAppHaveMovedToo(t *testing.T) {
	local := func(url string) exchange {
		return exchange{method: "GET", url: url, kind: "document", status: 200, body: `"x"`, mime: "text/html"}
	}
	list := []exchange{local("http://localhost:3000/"), local("http://127.0.0.1:4000/inner"), local("http://far.test/inner")}
	ask := func(r *Router, url string) Decision {
		return r.Answer(context.Background(), &Request{Method: "GET", URL: url, Type: "Document"}).Decision
	}
	r := router(t, Options{Target: "http://localhost:5000"}, list...)
	for _, x := range []struct {
		url  string
		want Decision
	}{
		{"http://127.0.0.1:5001/other", Fail}, // never asked for
		{"http://127.0.0.2:5001/inner", Fail}, // another machine, as far as anyone can tell
		{"http://localhost:5001/", Fail},      // the app itself is at the target
		{"http://127.0.0.1:5001/inner", Let},
		{"http://127.0.0.1:5001/other", Let},  // now it is known
		{"http://127.0.0.1:5002/inner", Fail}, // one origin has one place
		{"http://far.test:81/inner", Fail},
	} {
		if got := ask(r, x.url); got != x.want {
			t.Errorf("%s: %v, want %v", x.url, got, x.want)
		}
	}
	if at := r.RecordedURL("http://127.0.0.1:5001/inner"); at != "http://127.0.0.1:4000/inner" {
		t.Error(at)
	}
	for _, o := range []Options{{}, {Target: "http://localhost:3000"}, {Target: "http://app.test"}} {
		if ask(router(t, o, list...), "http://127.0.0.1:5001/inner") != Fail {
			t.Errorf("%+v: what has not moved was looked for elsewhere", o)
		}
	}
}
