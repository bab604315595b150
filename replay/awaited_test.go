package replay

import (
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

func TestPatternsOfAddressesAreReadAsPlaywrightDoes(t *testing.T) {
	for _, c := range []struct {
		pattern, address string
		fits             bool
	}{
		{"**/second", "http://a.example/x/second", true}, {"**/second", "http://a.example/seconds", false}, {"http://a.example/*", "http://a.example/x", true}, {"http://a.example/*", "http://a.example/x/y", false},
		{"**/*.{png,jpg}", "http://a.example/x/y.jpg", true}, {"**/*.{png,jpg}", "http://a.example/x/y.gif", false}, {"**/a?b", "http://a.example/a?b", true}, {"**/a?b", "http://a.example/axb", false},
		{"**/(x", "http://a.example/(x", true}, {"{", "x", false},
	} {
		if got := glob(c.pattern).MatchString(c.address); got != c.fits {
			t.Errorf("%s fits %s: %v", c.pattern, c.address, got)
		}
	}
}

// failing is an action that failed.
func failing(id string, from, to float64, class, method, params, message string, logs ...string) []trace.Body {
	list := call(id, from, to, class, method, params)
	list[1].(*trace.After).Error = &trace.Error{Name: "Error", Message: message}
	for _, l := range logs {
		list = append(list[:len(list)-1], &trace.Log{CallID: id, Time: trace.Milliseconds(from), Message: l}, list[len(list)-1])
	}
	return list
}

func TestWhatWasWaitedForInVainIsWaitedForAgain(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><a id="go" href="/second">go</a><button onclick="fetch('/asked')">ask</button>`, "/second": `<!doctype html><h1>second</h1>`})
	const at = "http://recorded.example"
	in := "Timeout 400ms exceeded."
	r := replayOf(t, recordingWith(t, together(
		call("c1", 100, 200, "Frame", "goto", `{"url":"`+at+`/"}`),
		failing("c2", 300, 700, "Page", "__waitInfo__", `{"event":""}`, in, `waiting for navigation to "**/never" until "load"`),
		failing("c3", 800, 1200, "Page", "__waitInfo__", `{"event":"response"}`, in, `waiting for response /asked$/`),
		failing("c4", 1300, 1700, "Page", "__waitInfo__", `{"event":"response"}`, in), // a function of the program's decided
		failing("c5", 1800, 2200, "Page", "waitForEventInfo", `{"info":{"event":"popup"}}`, in),
		failing("c6", 2300, 2900, "Frame", "click", `{"selector":"#absent"}`, "Target page, context or browser has been closed"),
		failing("c7", 3000, 3400, "Page", "__waitInfo__", `{"event":"request"}`, in, `waiting for request "**/asked"`),
		call("c8", 3050, 3100, "Frame", "click", `{"selector":"button"}`), // now it comes
	)...), func(o *Options) { o.URL = site.URL })
	want := map[string]struct {
		status Status
		code   string
	}{"c1": {Passed, ""}, "c2": {AsBefore, "E_ASSERTION"}, "c3": {AsBefore, "E_ASSERTION"}, "c5": {AsBefore, "E_ASSERTION"}, "c6": {AsBefore, "E_PAGE_GONE"}, "c7": {Changed, ""}, "c8": {Passed, ""}}
	for _, s := range r.Steps {
		if w := want[s.Recorded]; s.Status != w.status || s.Code != w.code {
			t.Errorf("%s: %s %s: %s", s.Recorded, s.Status, s.Code, s.Error)
		}
	}
	if len(r.Steps) != len(want) || len(r.Refused) != 1 || r.Refused[0].Recorded != "c4" {
		t.Errorf("%d steps, refused %v", len(r.Steps), r.Refused)
	}
}

func TestWhatHadNotEndedMayFail(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><h1>x</h1>`})
	r := replayOf(t, recordingWith(t, together(
		call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example/"}`),
		call("c2", 300, 0, "Frame", "click", `{"selector":"#absent","timeout":400}`)[:1],
		call("c3", 300, 0, "Frame", "hover", `{"selector":"h1"}`)[:1],
	)...), func(o *Options) { o.URL = site.URL })
	if len(r.Steps) != 3 || r.Steps[1].Status != AsBefore || r.Steps[1].Was == "" || r.Steps[2].Status != Passed {
		t.Errorf("%+v", r.Steps)
	}
}
