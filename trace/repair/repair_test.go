package repair_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/repair"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func fix(t testing.TB, in string) (out string, r *repair.Report) {
	t.Helper()
	out, err := tracetest.Rewrite(t, in, func(ctx context.Context, w *trace.Writer, src *trace.Archive) (err error) {
		r, err = repair.Run(ctx, w, src, repair.Options{})
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	for code := range r.Counts {
		if repair.Codes[code] == "" {
			t.Errorf("the code %s is not explained", code)
		}
	}
	return out, r
}

// corpus returns the real traces that match and hold events.
func corpus(t testing.TB, pattern string) []string {
	t.Helper()
	return slices.DeleteFunc(tracetest.Corpus(t, pattern), func(path string) bool { return strings.Contains(path, "legacy-layout") })
}

// faults returns the codes of what keeps viewers from showing a trace.
func faults(t testing.TB, path string) map[string]int {
	t.Helper()
	bad := map[string]int{}
	for code, n := range tracetest.Problems(t, path) {
		switch {
		case strings.HasPrefix(code, "E_"), code == "W_SNAPSHOT_EARLY", code == "W_UNFINISHED", code == "W_SECONDS", code == "W_END_BEFORE_START", code == "W_REPEATED_CONTEXT":
			bad[code] = n
		}
	}
	return bad
}

func TestVibiumTracesAreSoundAfterwards(t *testing.T) {
	for _, path := range corpus(t, "vibium/*.zip") {
		out, _ := fix(t, path)
		if bad := faults(t, out); len(bad) > 0 {
			t.Errorf("%s: still %v", path, bad)
		}
		was, is := tracetest.Load(t, path), tracetest.Load(t, out)
		if len(is.Actions) != len(was.Actions) || len(is.Snapshots) != len(was.Snapshots) || len(is.Network) != len(was.Network) || len(is.Frames) != len(was.Frames) {
			t.Errorf("%s: %d actions, %d snapshots, %d requests, %d frames; were %d, %d, %d, %d", path,
				len(is.Actions), len(is.Snapshots), len(is.Network), len(is.Frames), len(was.Actions), len(was.Snapshots), len(was.Network), len(was.Frames))
		}
	}
}

func TestSecondRepairFindsNothing(t *testing.T) {
	for _, path := range append(corpus(t, "vibium/v26.2*.zip"), corpus(t, "playwright/old/v[34]*.zip")...) {
		once, _ := fix(t, path)
		twice, r := fix(t, once)
		if r.Total() > 0 {
			t.Errorf("%s: %v", path, r.Counts)
		}
		if a, b := tracetest.Entries(t, once), tracetest.Entries(t, twice); a["0-trace.trace"] != b["0-trace.trace"] || len(a) != len(b) {
			t.Errorf("%s: repaired again it is another", path)
		}
	}
}

func TestSoundTracesStayAsTheyAre(t *testing.T) {
	for _, path := range corpus(t, "playwright/*.zip") {
		out, r := fix(t, path)
		delete(r.Counts, "W_UNFINISHED")
		if len(r.Counts) > 0 {
			t.Errorf("%s: %v", path, r.Counts)
		}
		for name, want := range tracetest.Entries(t, path) {
			if got := tracetest.Entries(t, out)[name]; !strings.HasPrefix(strings.TrimSpace(got), strings.TrimSpace(want)) {
				t.Errorf("%s: %s was changed", path, name)
			}
		}
	}
}

const start = `{"version":8,"type":"context-options","origin":"library","browserName":"chromium","options":{"viewport":{"width":640,"height":480}},"platform":"linux","wallTime":1708000000000,"monotonicTime":1000,"sdkLanguage":"javascript"}`

// broken are traces in which one thing is wrong, and what a line of the
// repaired copy holds because of it.
var broken = []struct{ name, code, trace, network, want, not string }{
	{"bad line", "E_BAD_LINE", start + "\n{oops\n" + `{"type":"event","time":1,"method":"x"}`, "", `"method":"x"`, "oops"},
	{"orphan", "E_ORPHAN", start + "\n" + `{"type":"after","callId":"call@7","endTime":2000}`, "", "", "call@7"},
	{"no end", "W_UNFINISHED", start + "\n" + `{"type":"before","callId":"call@1","startTime":1001,"class":"Page","method":"a"}` + "\n" + `{"type":"event","time":1010,"method":"x"}`, "",
		`{"type":"after","callId":"call@1","endTime":1010}`, ""},
	{"late before", "W_LATE_BEFORE", start + "\n" + `{"type":"after","callId":"call@1","endTime":1002}` + "\n" + `{"type":"before","callId":"call@1","startTime":1001,"class":"Page","method":"a"}`, "",
		`"method":"a"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1002}`, ""},
	{"end before start", "W_END_BEFORE_START", start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Page","method":"a"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1002}`, "", `"endTime":1005`, ""},
	{"repeated id", "W_REPEATED_CALL", start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Page","method":"a"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1006}` + "\n" +
		`{"type":"before","callId":"call@1","startTime":1007,"class":"Page","method":"b"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1008}`, "", `{"type":"after","callId":"call@1-2","endTime":1008}`, ""},
	{"no method", "E_NO_METHOD", start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Page"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1006}`, "", `"title":"Page"`, ""},
	{"no location", "E_NO_LOCATION", start + "\n" + `{"type":"console","time":1,"messageType":"log","text":"hi"}`, "", `"location":{"url":"","lineNumber":0,"columnNumber":0}`, ""},
	{"two contexts", "W_REPEATED_CONTEXT", start + "\n" + start, "", "", start + "\n" + start},
	{"no context", "E_NO_CONTEXT", `{"type":"before","callId":"call@1","startTime":1005,"class":"Page","method":"click"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1006}`, "", `"origin":"library"`, ""},
	{"newer version", "W_NEWER_VERSION", strings.Replace(start, `"version":8`, `"version":99`, 1), "", `"version":10`, ""},
	{"early snapshot", "W_SNAPSHOT_EARLY", start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Page","method":"a"}` + "\n" +
		`{"type":"frame-snapshot","snapshot":{"callId":"call@1","snapshotName":"after@call@1","frameId":"f","frameUrl":"u","html":["HTML"],"viewport":{"width":1,"height":2},"timestamp":1006,"resourceOverrides":[],"isMainFrame":true}}` + "\n" +
		`{"type":"after","callId":"call@1","endTime":1006,"afterSnapshot":"after@call@1"}`, "", `"afterSnapshot":"after@call@1"}` + "\n" + `{"type":"frame-snapshot"`, ""},
	{"unnamed snapshot", "W_SNAPSHOT_UNNAMED", start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Page","method":"a"}` + "\n" +
		`{"type":"frame-snapshot","snapshot":{"callId":"call@1","snapshotName":"before@call@1","frameId":"f","frameUrl":"u","html":["HTML"],"viewport":{"width":1,"height":2},"timestamp":1006,"resourceOverrides":[],"isMainFrame":true}}` + "\n" +
		`{"type":"after","callId":"call@1","endTime":1006}`, "", `"beforeSnapshot":"before@call@1"}`, ""},
	{"no viewport, no overrides", "E_NO_VIEWPORT", start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Page","method":"a"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1006}` + "\n" + `{"type":"frame-snapshot","snapshot":{"callId":"call@1","snapshotName":"after@call@1","frameId":"f","frameUrl":"u","html":["HTML"],"timestamp":1006,"isMainFrame":true}}`, "",
		`"viewport":{"width":640,"height":480},"timestamp":1006,"resourceOverrides":[]`, ""},
	{"group", "W_GROUP_METHOD", start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Tracing","method":"group","title":"g"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1006}`, "", `"tracingGroup"`, ""},
	{"console of the protocol", "W_CONSOLE_DERIVED", start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Page","method":"a","pageId":"page@ab12"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1006}` + "\n" +
		`{"type":"event","class":"BrowserContext","method":"log.entryAdded","time":1006,"params":{"type":"console","level":"warn","method":"warn","text":"careful","args":[{"type":"string","value":"careful"}],"source":{"context":"AB12"}}}`, "",
		`{"type":"console","messageType":"warning","text":"careful","args":[{"preview":"careful","value":"careful"}],"location":{"url":"","lineNumber":0,"columnNumber":0},"time":1006,"pageId":"page@ab12"}`, ""},
	{"page error of the protocol", "W_PAGE_ERROR_DERIVED", start + "\n" + `{"type":"event","class":"BrowserContext","method":"log.entryAdded","time":1006,"params":{"type":"javascript","level":"error","text":"TypeError: no","source":{"context":"AB12"}}}`, "", `"method":"pageError"`, ""},
	{"seconds", "W_SECONDS", strings.Replace(start, `"monotonicTime":1000`, `"monotonicTime":1708000000000`, 1),
		`{"type":"resource-snapshot","snapshot":{"_monotonicTime":1708000000.25,"startedDateTime":"2024-02-15T12:26:40.250Z","time":1,"request":{"method":"GET","url":"http://a/","headers":[],"queryString":[]},"response":{"status":200,"headers":[],"content":{"size":1,"mimeType":"x"}},"timings":{"send":0,"wait":0,"receive":0}}}`,
		`"_monotonicTime":1708000000250`, ""},
	{"bare request", "E_NO_CONTENT", start, `{"type":"resource-snapshot","snapshot":{"request":{"url":"http://a/?q=a%20b"},"response":{"status":200}}}`,
		`"content":{"size":-1,"mimeType":"x-unknown"}`, ""},
	{"cookies", "W_COOKIES", start, `{"type":"resource-snapshot","snapshot":{"time":1,"startedDateTime":"2024-02-15T12:26:40.250Z","request":{"method":"GET","url":"http://a/","headers":[],"queryString":[],"cookies":[{"name":"s","value":{"type":"string","value":"v"},"expiry":1708000000,"sameSite":"lax"}]},"response":{"status":200,"headers":[],"content":{"size":1,"mimeType":"x"}},"timings":{"send":0,"wait":0,"receive":0}}}`,
		`"expires":"2024-02-15T12:26:40.000Z"`, `"expiry"`},
	{"set-cookie", "W_SET_COOKIE", start, `{"type":"resource-snapshot","snapshot":{"time":1,"startedDateTime":"2024-02-15T12:26:40.250Z","request":{"method":"GET","url":"http://a/","headers":[],"queryString":[]},"response":{"status":200,"cookies":[],"headers":[{"name":"Set-Cookie","value":"a=1; Path=/\nb=2; Secure"}],"content":{"size":1,"mimeType":"x"}},"timings":{"send":0,"wait":0,"receive":0}}}`,
		`{"name":"Set-Cookie","value":"b=2; Secure"}`, `\nb=2`},
	{"date", "W_DATE", start, `{"type":"resource-snapshot","snapshot":{"time":1,"startedDateTime":"2024-02-15T12:26:40.25Z","request":{"method":"GET","url":"http://a/","headers":[],"queryString":[]},"response":{"status":200,"headers":[],"content":{"size":1,"mimeType":"x"}},"timings":{"send":0,"wait":0,"receive":0}}}`,
		`"2024-02-15T12:26:40.250Z"`, ""},
}

func TestEachFaultIsPutRight(t *testing.T) {
	for _, tt := range broken {
		t.Run(tt.name, func(t *testing.T) {
			out, r := fix(t, tracetest.ZipOf(t, map[string]string{"0-trace.trace": tt.trace, "0-trace.network": tt.network}))
			if r.Counts[tt.code] == 0 {
				t.Errorf("no %s in %v", tt.code, r.Counts)
			}
			got := tracetest.Entries(t, out)
			text := got["0-trace.trace"] + got["0-trace.network"]
			if !strings.Contains(text, tt.want) {
				t.Errorf("no %s in\n%s", tt.want, text)
			}
			if tt.not != "" && strings.Contains(text, tt.not) {
				t.Errorf("there is %s in\n%s", tt.not, text)
			}
			if bad := faults(t, out); len(bad) > 0 {
				t.Errorf("still %v:\n%s", bad, text)
			}
		})
	}
}

// Two contexts of one zip may use the same call ids, which viewers take for
// the same calls.
func TestIDsOfSeveralContextsAreUnique(t *testing.T) {
	context := start + "\n" + `{"type":"before","callId":"call@1","startTime":1005,"class":"Page","method":"a","parentId":"call@0"}` + "\n" + `{"type":"after","callId":"call@1","endTime":1006}`
	stacks := `{"files":["/a/b.js"],"stacks":[[1,[[0,3,4,"f"]]]]}`
	out, r := fix(t, tracetest.ZipOf(t, map[string]string{"0-trace.trace": context, "1-trace.trace": context, "1-trace.stacks": stacks}))
	if r.Counts["W_REPEATED_CALL"] != 1 {
		t.Errorf("counts: %v", r.Counts)
	}
	got := tracetest.Entries(t, out)
	if !strings.Contains(got["0-trace.trace"], `"callId":"call@1"`) || !strings.Contains(got["1-trace.trace"], `"callId":"call@1-2"`) || !strings.Contains(got["1-trace.trace"], `"/a/b.js"`) {
		t.Errorf("%s\n%s", got["0-trace.trace"], got["1-trace.trace"])
	}
}

// Whatever the lines are, the copy has no fault left that viewers break on.
func FuzzRepair(f *testing.F) {
	for _, tt := range broken {
		f.Add(tt.trace, tt.network)
	}
	f.Fuzz(func(t *testing.T, text, network string) {
		if len(text)+len(network) > 100_000 {
			return
		}
		out, r := fix(t, tracetest.ZipOf(t, map[string]string{"0-trace.trace": text, "0-trace.network": network}))
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(tracetest.Entries(t, out)["0-trace.trace"], "\n") {
			if line != "" && !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %.200q", line)
			}
		}
		bad := faults(t, out)
		for _, code := range []string{"E_BAD_REFERENCE", "E_NO_CONTENT", "E_CUT_OFF", "W_SNAPSHOT_EARLY", "W_END_BEFORE_START", "W_UNFINISHED"} {
			delete(bad, code)
		}
		if len(bad) > 0 {
			t.Errorf("still %v in\n%s", bad, tracetest.Entries(t, out)["0-trace.trace"])
		}
	})
}

// A zip that was cut off becomes one that every reader opens, with what is
// left of it.
func TestCutOffZipBecomesWhole(t *testing.T) {
	repaired := 0
	for _, path := range append(corpus(t, "playwright/[a-f]*.zip"), corpus(t, "vibium/v26.3*.zip")...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cut := filepath.Join(t.TempDir(), "cut.zip")
		if err := os.WriteFile(cut, data[:len(data)*6/10], 0o644); err != nil {
			t.Fatal(err)
		}
		if a, err := trace.Open(context.Background(), cut, trace.Options{}); err != nil {
			continue // the events were in the part that is gone
		} else {
			a.Close()
		}
		out, _ := fix(t, cut)
		if len(tracetest.Entries(t, out)) == 0 {
			t.Errorf("%s: nothing is left", path)
		}
		if bad := faults(t, out); bad["E_BAD_LINE"]+bad["E_CUT_OFF"]+bad["E_ORPHAN"] > 0 {
			t.Errorf("%s: still %v", path, bad)
		}
		repaired++
	}
	if repaired < 10 {
		t.Errorf("only %d could be opened", repaired)
	}
}
