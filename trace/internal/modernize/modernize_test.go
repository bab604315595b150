package modernize

import (
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// up brings lines of one file to the current version.
func up(t *testing.T, lines ...string) []string {
	t.Helper()
	var f *File
	var out []string
	for _, line := range lines {
		obj, err := rawjson.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			f = New(ReadHeader(obj), "x.trace")
			for _, o := range f.Opening() {
				out = append(out, string(o.AppendTo(nil)))
			}
		}
		for _, o := range f.Line(obj) {
			out = append(out, string(o.AppendTo(nil)))
		}
	}
	return out
}

func TestEachStepDoesWhatItsVersionNeeds(t *testing.T) {
	for name, test := range map[string]struct{ in, want []string }{
		"3: an action in one line": {
			[]string{`{"version":3,"type":"context-options","wallTime":1000}`,
				`{"type":"action","metadata":{"id":"call@1","startTime":10,"endTime":20,"type":"Frame","method":"click","apiName":"page.click","wallTime":1010,"params":{"selector":"a"},"log":["waiting","done"],"snapshots":[{"title":"before","snapshotName":"before@call@1"},{"title":"action","snapshotName":"action@call@1"}],"error":{"error":{"name":"Error","message":"m"}},"stack":[{"file":"f"}]}}`},
			[]string{`{"version":3,"type":"context-options","wallTime":1000,"origin":"library","monotonicTime":0}`,
				`{"type":"clock-anchor","monotonicTime":10,"wallTime":1010}`,
				`{"type":"before","callId":"call@1","startTime":10,"title":"page.click","class":"Frame","method":"click","params":{"selector":"a"},"wallTime":1010,"stack":[{"file":"f"}],"beforeSnapshot":"before@call@1","inputSnapshot":"action@call@1","stepId":"page.click@1010"}`,
				`{"type":"log","callId":"call@1","time":-1,"message":"waiting"}`,
				`{"type":"log","callId":"call@1","time":-1,"message":"done"}`,
				`{"type":"after","callId":"call@1","endTime":20,"error":{"name":"Error","message":"m"}}`},
		},
		"3: the recorder's own calls are left out": {
			[]string{`{"version":3,"type":"context-options"}`, `{"type":"action","metadata":{"id":"call@1","method":"tracingStart","type":"BrowserContext"}}`,
				`{"type":"action","metadata":{"id":"call@2","internal":true,"method":"x","type":"Page"}}`},
			[]string{`{"version":3,"type":"context-options","origin":"library","monotonicTime":0}`},
		},
		"3: snapshots are known by their names": {
			[]string{`{"version":3,"type":"context-options"}`, `{"type":"frame-snapshot","snapshot":{"snapshotName":"action@call@8","html":["HTML"]}}`},
			[]string{`{"version":3,"type":"context-options","origin":"library","monotonicTime":0}`,
				`{"type":"frame-snapshot","snapshot":{"snapshotName":"action@call@8","html":["HTML"],"phase":"action","callId":"call@8"}}`},
		},
		"4: console messages were objects": {
			[]string{`{"version":4,"type":"context-options"}`,
				`{"type":"event","class":"JSHandle","method":"__create__","params":{"type":"JSHandle","guid":"h1","initializer":{"preview":"{a: 1}"}},"time":1}`,
				`{"type":"object","class":"ConsoleMessage","guid":"c1","initializer":{"type":"log","text":"t","args":[{"guid":"h1"}],"location":{"url":"u"}}}`,
				`{"type":"event","class":"BrowserContext","method":"console","params":{"message":{"guid":"c1"}},"time":2,"pageId":"p"}`},
			[]string{`{"version":4,"type":"context-options","origin":"library","monotonicTime":0}`,
				`{"type":"event","class":"JSHandle","method":"__create__","params":{"type":"JSHandle","guid":"h1","initializer":{"preview":"{a: 1}"}},"time":1}`,
				`{"type":"console","time":2,"pageId":"p","messageType":"log","text":"t","args":[{"preview":"{a: 1}"}],"location":{"url":"u"}}`},
		},
		"6: a runner's file without a head": {
			[]string{`{"type":"before","callId":"hook@1","apiName":"Before Hooks","startTime":5,"wallTime":100,"class":"Test","method":"hook"}`},
			[]string{`{"version":6,"type":"context-options","origin":"testRunner","browserName":"","options":{},"platform":"","wallTime":0,"monotonicTime":0,"sdkLanguage":"javascript"}`,
				`{"type":"clock-anchor","monotonicTime":5,"wallTime":100}`,
				`{"type":"before","callId":"hook@1","title":"Before Hooks","startTime":5,"wallTime":100,"class":"Test","method":"hook","stepId":"Before Hooks@100"}`},
		},
		"8: hashes become files, names become phases": {
			[]string{`{"version":8,"type":"context-options","monotonicTime":5}`, `{"type":"screencast-frame","sha1":"a.jpeg","pageId":"p"}`,
				`{"type":"before","callId":"call@1","beforeSnapshot":"odd name","stepId":"call@1","class":"Page","method":"x"}`,
				`{"type":"frame-snapshot","snapshot":{"callId":"call@1","snapshotName":"odd name","resourceOverrides":[{"url":"u","sha1":"b"},{"url":"v","ref":1}]}}`,
				`{"type":"resource-snapshot","snapshot":{"request":{"postData":{"_sha1":"c"}},"response":{"content":{"_sha1":"d"}},"_apiRequest":true}}`},
			[]string{`{"version":8,"type":"context-options","monotonicTime":5}`, `{"type":"screencast-frame","file":"resources/a.jpeg","pageId":"p"}`,
				`{"type":"before","callId":"call@1","beforeSnapshot":"odd name","class":"Page","method":"x"}`,
				`{"type":"frame-snapshot","snapshot":{"callId":"call@1","snapshotName":"odd name","resourceOverrides":[{"url":"u","file":"resources/b"},{"url":"v","ref":1}],"phase":"before"}}`,
				`{"type":"resource-snapshot","snapshot":{"request":{"postData":{"_file":"resources/c"}},"response":{"content":{"_file":"resources/d"}},"_apiRequestRef":"api@x.trace"}}`},
		},
		"8 counted from the epoch: seconds become milliseconds": {
			[]string{`{"type":"context-options","version":8,"monotonicTime":1700000000000}`, `{"type":"resource-snapshot","snapshot":{"_monotonicTime":1700000001.25}}`},
			[]string{`{"type":"context-options","version":8,"monotonicTime":1700000000000}`, `{"type":"resource-snapshot","snapshot":{"_monotonicTime":1700000001250.000}}`},
		},
		"8: a call that is also a step keeps both ids": {
			[]string{`{"version":8,"type":"context-options"}`, `{"type":"before","callId":"call@1","stepId":"pw:api@7"}`},
			[]string{`{"version":8,"type":"context-options"}`, `{"type":"before","callId":"call@1","stepId":"pw:api@7"}`},
		},
		"a newer version passes as it is": {
			[]string{`{"version":99,"type":"context-options"}`, `{"type":"before","callId":"a","wings":2}`, `{"type":"hologram"}`},
			[]string{`{"version":99,"type":"context-options"}`, `{"type":"before","callId":"a","wings":2}`, `{"type":"hologram"}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := up(t, test.in...)
			if strings.Join(got, "\n") != strings.Join(test.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}
