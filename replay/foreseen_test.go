package replay

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

func TestServiceWorkersAreBlockedUnlessTheyAreAllowedAndThatIsSaid(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/sw.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte(`oninstall = () => skipWaiting(); onactivate = e => e.waitUntil(clients.claim())`))
		case "/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<!doctype html><p id="o">alone</p><script>navigator.serviceWorker.register("/sw.js").then(() => navigator.serviceWorker.ready).then(() => { o.textContent = "attended" }, () => { o.textContent = "refused" })</script>`))
		default:
			http.NotFound(w, q)
		}
	}))
	defer site.Close()
	asked := &trace.ResourceSnapshot{Entry: har.Entry{StartedDateTime: "2026-01-01T00:00:00.000Z", Time: 5, ResourceType: "script",
		Request:  har.Request{Method: "GET", URL: "http://recorded.example/sw.js", Headers: []har.NameValue{{Name: "service-worker", Value: "script"}}},
		Response: har.Response{Status: 200}}}
	for _, c := range []struct{ allowed, want string }{{"block", "refused"}, {"allow", "attended"}} {
		options, err := ParseContextOptions([]byte(`{"serviceWorkers":"` + c.allowed + `"}`))
		if err != nil {
			t.Fatal(err)
		}
		r := replayOf(t, recordingWith(t, together([]trace.Body{asked}, call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example/"}`), reads("c2", 300, "#o", c.want))...),
			func(o *Options) { o.URL, o.Context = site.URL, options })
		allPassed(t, r)
		if said := strings.Contains(strings.Join(r.Warnings, "\n"), "service worker"); said != (c.allowed == "block") {
			t.Errorf("%s: warnings %q", c.allowed, r.Warnings)
		}
	}
}
