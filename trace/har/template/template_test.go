package template_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

func TestPath(t *testing.T) {
	for path, want := range map[string]string{
		"/users/123/orders":                         "/users/:id/orders",
		"/a/1/2/3":                                  "/a/:id/:id/:id",
		"/api/v1/users":                             "/api/v1/users",
		"/api/v12/users/7":                          "/api/v12/users/:id",
		"/blog/2024/05/my-post":                     "/blog/2024/05/my-post",
		"/blog/2024/05/17":                          "/blog/2024/05/17",
		"/orders/2024":                              "/orders/:id",
		"/orders/2024/99":                           "/orders/:id/:id",
		"/reports/2024-05-17":                       "/reports/2024-05-17",
		"/reports/2024-05-17-q1":                    "/reports/2024-05-17-q1",
		"/x/550e8400-e29b-41d4-a716-446655440000":   "/x/:id",
		"/x/550E8400-E29B-41D4-A716-446655440000/y": "/x/:id/y",
		"/x/deadbeef":                               "/x/deadbeef",
		"/x/DEADBEE5":                               "/x/:id",
		"/x/facade":                                 "/x/facade",
		"/x/01ARZ3NDEKTSV4RRFFQ69G5FAV":             "/x/:id",
		"/x/V1StGXR8_Z5jdHi6B-myT":                  "/x/:id",
		"/x/cjld2cjxh0000qzrmn831i7rn":              "/x/:id",
		"/x/dQw4w9WgXcQ7aB3k":                       "/x/:id",
		"/x/getUserProfileByIdV2":                   "/x/getUserProfileByIdV2",
		"/x/top-10-things-to-do-in-2024":            "/x/top-10-things-to-do-in-2024",
		"/x/internationalization":                   "/x/internationalization",
		"/c/cus_NffrFeUfNV2Hib":                     "/c/:id",
		"/p/red-shoes-4711023":                      "/p/:id",
		"/u/jane.doe%40mail.example":                "/u/:id",
		"/u/jane@corp.io":                           "/u/:id",
		"/u/@jane":                                  "/u/@jane",
		"/users/123.json":                           "/users/:id",
		"/static/main.bcf4bc5f.js":                  "/static/main.[hash].js",
		"/assets/index-DiwrgTda.js":                 "/assets/index-[hash].js",
		"/assets/chunk-Q3AOYW5S.js":                 "/assets/chunk-[hash].js",
		"/assets/index-D3_x-9aQ.css":                "/assets/index-[hash].css",
		"/js/jquery-3.6.0.min.js":                   "/js/jquery-3.6.0.min.js",
		"/js/app-MainPage.js":                       "/js/app-MainPage.js",
		"/js/chunk-vendors.js":                      "/js/chunk-vendors.js",
		"/js/2.ab12cd34.chunk.js":                   "/js/2.[hash].chunk.js",
		"/fonts/inter-latin-400.woff2":              "/fonts/inter-latin-400.woff2",
		"/search?q=123#frag":                        "/search",
		"/":                                         "/",
		"":                                          "",
		"/a//b/":                                    "/a//b/",
	} {
		got := template.Path(path)
		if got != want {
			t.Errorf("%s: %s, not %s", path, got, want)
		}
		if again := template.Path(got); again != got {
			t.Errorf("%s: %s becomes %s", path, got, again)
		}
	}
}

func TestURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://API.Example.com:443/users/5?x=1": "https://api.example.com/users/:id",
		"http://127.0.0.1:41233/a":                "http://localhost/a",
		"http://[::1]:8080/a":                     "http://localhost/a",
		"http://app.localhost:3000/":              "http://localhost/",
		"data:text/html,<p>":                      "data:",
		"blob:https://x/7":                        "blob:",
		"/users/5":                                "/users/:id",
		"http://%zz/":                             "http:",
	} {
		if got := template.URL(raw); got != want {
			t.Errorf("%s: %s, not %s", raw, got, want)
		}
	}
}

func TestOperation(t *testing.T) {
	for body, want := range map[string]string{
		`{"operationName":"GetUser","query":"query GetUser { me { id } }"}`: "GetUser",
		`{"query":"query GetUser($id: ID!) { me { id } }"}`:                 "GetUser",
		`{"query":"mutation { login }","operationName":null}`:               "query 2e6b6d12",
		`{"query":"mutation {  login\n }"}`:                                 "query 2e6b6d12",
		`{"operationName":"Persisted","extensions":{"persistedQuery":{}}}`:  "Persisted",
		`[{"query":"query A { a }"},{"query":"query B { b }"}]`:             "A+B",
		`{"jsonrpc":"2.0","method":"eth_call","id":1}`:                      "eth_call",
		`{"query":"red shoes"}`:                                             "",
		`{"method":"visa"}`:                                                 "",
		`{"query":{"match":{}}}`:                                            "",
		`query Raw { a }`:                                                   "Raw",
		`query=1&b=2`:                                                       "",
		`[1,2]`:                                                             "",
		``:                                                                  "",
	} {
		got := template.Operation("https://x/graphql", []byte(body))
		if strings.HasPrefix(want, "query ") {
			if !strings.HasPrefix(got, "query ") || got != template.Operation("", []byte(`{"query":"mutation { login }"}`)) {
				t.Errorf("%s: %q", body, got)
			}
			continue
		}
		if got != want {
			t.Errorf("%s: %q, not %q", body, got, want)
		}
	}
	if got := template.Operation("https://x/graphql?query=query%20Q%7Ba%7D", nil); got != "Q" {
		t.Errorf("of a GET: %q", got)
	}
}

func TestEndpoint(t *testing.T) {
	r := &har.Request{Method: "post", URL: "http://localhost:8080/graphql?x", PostData: &har.PostData{Text: `{"query":"query Me{me{id}}"}`}}
	if got := template.Of(r, nil).String(); got != "POST localhost/graphql [Me]" {
		t.Error(got)
	}
}

func TestFoldTakesManyValuesForAParameter(t *testing.T) {
	var seen []template.Seen
	for i := range 12 {
		seen = append(seen, template.Seen{Path: "/api/products/" + strings.Repeat("x", i+1), Kind: "GET a"})
	}
	odd := template.Seen{Path: "/api/products/search", Kind: "GET b"}
	folded := template.Fold(append(seen, odd))
	for _, s := range seen {
		if folded[s] != "/api/products/:product" {
			t.Errorf("%v: %q", s, folded[s])
		}
	}
	if _, ok := folded[odd]; ok || len(folded) != 12 {
		t.Error("what answers differently was folded too")
	}
	if n := len(template.Fold(seen[:9])); n != 0 {
		t.Errorf("nine values made %d", n)
	}
}

func TestFoldTakesTwoParametersOfOnePath(t *testing.T) {
	var seen []template.Seen
	for i := range 10 {
		for k := range 10 {
			seen = append(seen, template.Seen{Path: fmt.Sprintf("/cities/%c/streets/%c", 'a'+i, 'a'+k)})
		}
	}
	for s, path := range template.Fold(seen) {
		if path != "/cities/:city/streets/:street" {
			t.Fatalf("%v: %s", s, path)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		template, path string
		want           bool
	}{{"/a/:id", "/a/7", true}, {"/a/{id}/b", "/a/x/b", true}, {"/a/:id", "/a/", false}, {"/a/:id", "/a/7/b", false}, {"/a", "/b", false}} {
		if template.Match(c.template, c.path) != c.want {
			t.Errorf("%s %s: %t", c.template, c.path, !c.want)
		}
	}
}

// Whatever the path, folding it twice is folding it once, and never adds parts.
func FuzzPath(f *testing.F) {
	for _, s := range []string{"/a/1", "/main.bcf4bc5f.js", "/%zz/%41", strings.Repeat("/x", 80), "/2024/01/02", "/index-D3_x-9aQ.css"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		got := template.Path(path)
		if again := template.Path(got); again != got {
			t.Errorf("%q: %q, then %q", path, got, again)
		}
		if strings.Count(got, "/") > strings.Count(path, "/") || len(got) > 3*len(path)+16 {
			t.Errorf("%q grew to %q", path, got)
		}
		template.URL(path)
		template.Operation(path, []byte(path))
	})
}

func TestFilter(t *testing.T) {
	const url = "https://api.example.com/v1/users?x=1"
	for text, want := range map[string]bool{"": true, "example.com/v1": true, "other": false, "glob:https://*/v1/*": true, "glob:/v1/": false,
		"glob:https://api.example.com/v1/users?x=1": true, `re:/v\d/`: true, "re:^/v1": false} {
		f, err := template.ParseFilter(text)
		if err != nil || f.Match(url) != want {
			t.Errorf("%q: %t, %v", text, !want, err)
		}
	}
	if _, err := template.ParseFilter("re:("); err == nil {
		t.Error("a broken expression passes")
	}
}
