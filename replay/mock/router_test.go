package mock

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/tracedeck/tracedeck/trace/har"
)

func TestConcurrentGraphQLIsAnsweredByBodyWhateverTheOrder(t *testing.T) {
	user := `{"operationName":"User","query":"query User($id: ID!) {\n  user(id: $id) { name }\n}","variables":{"id":1,"full":true}}`
	other := `{"operationName":"User","query":"query User($id: ID!) {\n  user(id: $id) { name }\n}","variables":{"id":2,"full":true}}`
	// The same, as another build of a client writes it.
	user2 := `{"variables":{"full":true,"id":1},"query":"query User($id:ID!){user(id:$id){name}}","operationName":"User"}`
	other2 := `{"variables":{"full":true,"id":2},"query":"query User($id:ID!){user(id:$id){name}}","operationName":"User"}`
	for _, order := range [][]string{{user2, other2}, {other2, user2}} {
		r := router(t, Options{}, post("/graphql", user, `"one"`), post("/graphql", other, `"two"`))
		var all sync.WaitGroup
		for _, body := range order {
			all.Add(1)
			go func() {
				defer all.Done()
				want := `"one"`
				if body == other2 {
					want = `"two"`
				}
				wants(t, r.post(app+"/graphql", "application/json", body), want)
			}()
			all.Wait()
		}
		if c := codes(r); c != "" {
			t.Error(c)
		}
	}
}

func TestThousandShuffledRequestsGetNoWrongAnswer(t *testing.T) {
	var list []exchange
	type ask struct{ path, body, want string }
	var asks []ask
	for i := range 1000 {
		path, turn := fmt.Sprintf("/api/%d/items", i%50), i/50
		want := fmt.Sprintf(`"%d of %d"`, turn, i%50)
		switch i % 50 % 3 {
		case 0: // told apart by the body
			sent := fmt.Sprintf(`{"turn":%d,"shared":{"a":[1,2,3],"who":"x"}}`, turn)
			list, asks = append(list, post(path, sent, want)), append(asks, ask{path, fmt.Sprintf(`{"shared":{"who":"x","a":[1,2,3]}, "turn":%d}`, turn), want})
		case 1: // by a parameter
			list, asks = append(list, get(path+fmt.Sprintf("?page=%d&sort=up", turn), want)), append(asks, ask{path + fmt.Sprintf("?sort=up&page=%d", turn), "", want})
		default: // by their order alone
			list, asks = append(list, get(path, want)), append(asks, ask{path, "", ""})
		}
	}
	for seed := range uint64(5) {
		r, next := router(t, Options{}, list...), map[string]int{}
		for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(asks)) {
			a, got := asks[i], Answer{}
			if a.body != "" {
				got = r.post(app+a.path, "application/json", a.body)
			} else {
				got = r.get("Fetch", app+a.path)
			}
			if a.want == "" {
				a.want = fmt.Sprintf(`"%d of %s"`, next[a.path], strings.Split(a.path, "/")[2])
				next[a.path]++
			}
			wants(t, got, a.want)
		}
		if rep := r.Report(); len(rep.Misses)+len(rep.Left) > 0 || rep.Levels[Exact] != 1000 {
			t.Errorf("%v, left %v, levels %v", rep.Misses, rep.Left, rep.Levels)
		}
	}
}

func TestAnotherQuestionIsAMissWithTheNearestAnswer(t *testing.T) {
	r := router(t, Options{Allow: []string{"http://else.test"}}, get("/users/17", `"17"`), post("/graphql", `{"operationName":"User","query":"{user}","variables":{"id":1}}`, `"one"`), get("/list?page=1", `"p1"`))
	for _, x := range []struct {
		ans                 Answer
		nearest, reasonPart string
	}{
		{r.get("Fetch", app+"/users/18"), "GET " + app + "/users/17", "path is /users/17"},
		{r.post(app+"/graphql", "application/json", `{"operationName":"Posts","query":"{posts}","variables":{"id":1}}`), "POST " + app + "/graphql", "operation is User"},
		{r.get("XHR", app+"/list?page=2"), "GET " + app + "/list?page=1", "page=1"},
		{r.get("XHR", "http://else.test/none"), "", "no request like it"},
	} {
		if x.ans.Decision != Fail || x.ans.Reason != "ConnectionRefused" {
			t.Errorf("answered: %+v", x.ans)
		}
		found := false
		for _, m := range r.Report().Misses {
			found = found || m.Code == CodeMiss && m.Nearest == x.nearest && strings.Contains(m.Reason, x.reasonPart)
		}
		if !found {
			t.Errorf("no miss near %q for %q in %v", x.nearest, x.reasonPart, r.Report().Misses)
		}
	}
	if !r.Report().Failed() {
		t.Error("the session does not count as failed")
	}
}

func TestWhatProgramsMakeUpMayDiffer(t *testing.T) {
	r := router(t, Options{Templates: []string{"/orders/:id/state"}, IgnoreParams: []string{"x-*"}},
		get("/a?_t=123&q=1", `"a"`), get("/b/6b1c1f7e-0d39-4a6e-9d3c-2f1a7f5d7c11", `"b"`), post("/log", `{"id":"6b1c1f7e-0d39-4a6e-9d3c-2f1a7f5d7c11","at":1767225600000,"what":"x"}`, `"log"`),
		get("/orders/5/state", `"o"`), get("/c?x-run=1", `"c"`), get("/d?since=2026-01-01T00:00:00.000Z", `"d"`))
	wants(t, r.get("Fetch", app+"/a?q=1&_t=999"), `"a"`)
	wants(t, r.get("Fetch", app+"/b/11111111-2222-4333-8444-555555555555"), `"b"`)
	a := r.post(app+"/log", "application/json", `{"id":"11111111-2222-4333-8444-555555555555","at":1767229999999,"what":"x"}`)
	wants(t, a, `"log"`)
	if a.Level != Loose {
		t.Errorf("level %s", a.Level)
	}
	wants(t, r.get("Fetch", app+"/orders/9/state"), `"o"`)
	wants(t, r.get("Fetch", app+"/c?x-run=2"), `"c"`)
	wants(t, r.get("Fetch", app+"/d?since=2026-03-01T11:00:00.000Z"), `"d"`)
}

// Recordings hold no passwords; what else a body says still tells it from others.
func TestMaskedSecretsMatchAny(t *testing.T) {
	r := router(t, Options{}, post("/login", `{"user":"ada","password":"redacted-1"}`, `"ada"`), post("/login", `{"user":"bob","password":"redacted-2"}`, `"bob"`))
	for _, who := range []string{"bob", "ada"} {
		a := r.post(app+"/login", "application/json", `{"user":"`+who+`","password":"hunter2!"}`)
		wants(t, a, `"`+who+`"`)
		if a.Level != Loose {
			t.Errorf("%s: level %s", who, a.Level)
		}
	}
}

func TestLastAnswerIsGivenAgain(t *testing.T) {
	r := router(t, Options{}, get("/poll", `1`), get("/poll", `2`), post("/x", `{"a":1}`, `"x"`))
	for _, want := range []string{"1", "2", "2", "2"} {
		wants(t, r.get("Fetch", app+"/poll"), want)
	}
	if c := codes(r); c != CodeAgain {
		t.Errorf("codes %q", c)
	}
	wants(t, r.post(app+"/x", "application/json", `{"a":2}`), `"x"`) // by address: nothing else is there
	if a := r.post(app+"/x", "application/json", `{"a":3}`); a.Decision != Fail {
		t.Errorf("a new body was answered with an answer that had been given: %s", a.Body)
	}
}

func TestPoliciesForMisses(t *testing.T) {
	for miss, want := range map[OnMiss]struct {
		decision Decision
		code     string
	}{Error: {Fail, CodeMiss}, Warn: {Fail, CodeMissWarn}, Pass: {Let, CodeMissPass}} {
		r := router(t, Options{OnMiss: miss}, get("/a", "1"))
		if a := r.get("Fetch", app+"/zzz"); a.Decision != want.decision || codes(r) != want.code {
			t.Errorf("%s: decision %d, codes %s", miss, a.Decision, codes(r))
		}
	}
	r := router(t, Options{OnMiss: Pass}, get("/a", "1"))
	if a := r.get("Fetch", "http://else.test/zzz"); a.Decision != Fail || a.Reason != "BlockedByClient" {
		t.Errorf("a miss was let out to where nothing may go: %+v", a)
	}
}

func TestOriginsDecideWhatLeaves(t *testing.T) {
	list := []exchange{page(), get("/a", "1"), {method: "GET", url: "https://cdn.test/x.js", kind: "script", status: 200, body: "1"}, {method: "GET", url: "http://bad.test/x.js", kind: "script", status: 200, body: "1"}}
	for _, mode := range []Mode{Mock, Live} {
		r := router(t, Options{Mode: mode, Target: "http://ci.test:8080", Allow: []string{"https://*.example.com", "http://extra.test"}, Policies: map[string]Mode{"http://bad.test": Blocked}}, list...)
		for url, want := range map[string]Decision{"http://ci.test:8080/x.css": Let, "https://cdn.test/y.js": Let, "https://a.example.com/z": Let, "http://extra.test:80/z": Let, "data:text/css,a": Let,
			"http://a.example.com/z": Fail, "https://example.com.evil.test/": Fail, "http://bad.test/x.js": Fail, "http://ci.test:8081/": Fail, "http://127.0.0.2/": Fail, "file:///etc/passwd": Fail} {
			if a := r.get("Script", url); a.Decision != want {
				t.Errorf("%s: %s: decision %d, want %d", mode, url, a.Decision, want)
			}
		}
		if a := r.get("Document", app+"/"); a.Decision != Let || a.URL != "http://ci.test:8080/" {
			t.Errorf("%s: the recorded origin is not where it is now: %+v", mode, a)
		}
	}
}

func TestOriginIsMappedBothWays(t *testing.T) {
	r := router(t, Options{Target: "http://ci.test:8080/app", OriginMap: map[string]string{"http://api.test:4000": "https://api.ci.test"}}, page(), get("/a", "1"),
		exchange{method: "GET", url: "http://api.test:4000/v1", kind: "xhr", status: 302, headers: []har.NameValue{{Name: "Location", Value: "http://api.test:4000/v2"}}},
		exchange{method: "GET", url: "http://api.test:4000/v2", kind: "xhr", status: 200, body: `"v2"`, headers: []har.NameValue{{Name: "access-control-allow-origin", Value: app}}})
	wants(t, r.get("Fetch", "http://ci.test:8080/a"), "1")
	a := r.get("XHR", "https://api.ci.test/v1")
	if a.Status != 302 || !strings.Contains(fmt.Sprint(a.Headers), "https://api.ci.test/v2") {
		t.Errorf("%+v", a)
	}
	b := r.Answer(context.Background(), &Request{Method: "GET", URL: "https://api.ci.test/v2", Type: "XHR", Headers: map[string]string{"Origin": "http://ci.test:8080"}})
	wants(t, b, `"v2"`)
	if !strings.Contains(fmt.Sprint(b.Headers), "Access-Control-Allow-Origin http://ci.test:8080") || strings.Contains(fmt.Sprint(b.Headers), app) {
		t.Errorf("headers %v", b.Headers)
	}
}

func TestFailuresAreAnsweredAsRecorded(t *testing.T) {
	refused := get("/down", "")
	refused.status, refused.edit = -1, func(e *har.Entry) { e.Response.FailureText = "net::ERR_CONNECTION_RESET" }
	pending := get("/never", "")
	pending.status, pending.edit = -1, func(e *har.Entry) { e.Time, e.Response.Content.Size = -1, -1 }
	bad := get("/500", `{"error":"x"}`)
	bad.status = 500
	r := router(t, Options{}, refused, pending, bad)
	if a := r.get("Fetch", app+"/down"); a.Decision != Fail || a.Reason != "ConnectionReset" {
		t.Errorf("%+v", a)
	}
	if a := r.get("Fetch", app+"/never"); a.Decision != Hold {
		t.Errorf("%+v", a)
	}
	if a := r.get("Fetch", app+"/500"); a.Status != 500 || string(a.Body) != `{"error":"x"}` {
		t.Errorf("%+v", a)
	}
}

func TestMissingBodyIsToldByItsCode(t *testing.T) {
	gone, skipped := get("/gone", "1"), get("/skipped", "")
	gone.edit = func(e *har.Entry) { e.Response.Content.File = "resources/0000.json" }
	skipped.edit = func(e *har.Entry) { e.Response.Content.Size = 5000 }
	cut := get("/cut", "12")
	cut.edit = func(e *har.Entry) { e.SetExtra("_bodyState", []byte(`"truncated"`)) }
	r := router(t, Options{}, gone, skipped, cut)
	for _, path := range []string{"/gone", "/skipped"} {
		if a := r.get("Fetch", app+path); a.Decision != Fail || !strings.HasSuffix(codes(r), CodeBodyMissing) {
			t.Errorf("%s: %+v, codes %s", path, a, codes(r))
		}
	}
	wants(t, r.get("Fetch", app+"/cut"), "12")
	if !strings.HasSuffix(codes(r), CodeBodyCut) {
		t.Error(codes(r))
	}
}

func TestScriptsThatWereNotKeptAreNamed(t *testing.T) {
	x := exchange{method: "GET", url: app + "/lib.js", kind: "script", status: 200, edit: func(e *har.Entry) { e.Response.Content.Size, e.Response.BodySize = -1, 24 }}
	r := router(t, Options{Offline: true, OnMiss: Warn}, page(), x)
	if l := r.Lacking(); len(l) != 1 || l[0] != app+"/lib.js" {
		t.Errorf("lacking %v", l)
	}
	if ans := r.Answer(context.Background(), &Request{Method: "GET", URL: app + "/lib.js", Type: "Script"}); ans.Decision != Fail || codes(r) != CodeBodyMissing {
		t.Errorf("%+v, codes %s", ans, codes(r))
	}
}

func TestOfflineAnswersDocumentsToo(t *testing.T) {
	r := router(t, Options{Offline: true, Target: "http://ci.test"}, page(), get("/a", "1"))
	for range 2 {
		wants(t, r.get("Document", "http://ci.test/"), "<title>app</title>")
	}
	if a := r.get("Image", "http://ci.test/new.png"); a.Decision != Fail || codes(r) != CodeMiss {
		t.Errorf("%+v %s", a, codes(r))
	}
}

func TestPreflightIsAllowed(t *testing.T) {
	r := router(t, Options{}, get("/a", "1"))
	a := r.Answer(context.Background(), &Request{Method: "OPTIONS", URL: app + "/a", Type: "Preflight", Headers: map[string]string{"Origin": "http://x.test", "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "x-a"}})
	if a.Status != 204 || !strings.Contains(fmt.Sprint(a.Headers), "PUT") || !strings.Contains(fmt.Sprint(a.Headers), "x-a") {
		t.Errorf("%+v", a)
	}
}

func TestWrongOptionsAreRefused(t *testing.T) {
	a := record(t, get("/a", "1"))
	for _, o := range []Options{{Mode: "x"}, {OnMiss: "x"}, {Target: "nowhere"}, {OriginMap: map[string]string{"a": "b"}}, {Policies: map[string]Mode{"http://a.test": "x"}}} {
		if _, err := New(context.Background(), a, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}
