package check_test

import (
	"archive/zip"
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/check"
)

const v10 = `{"version":10,"type":"context-options","origin":"library","browserName":"chromium","wallTime":1700000000000,"monotonicTime":1,"options":{}}`
const v8 = `{"version":8,"type":"context-options","origin":"library","browserName":"chromium","wallTime":1700000000000,"monotonicTime":1700000000000,"options":{}}`

// Each fault gives its code at its line, and nothing else but what is named.
func TestEachAnomalyHasItsCodeAndPlace(t *testing.T) {
	for name, test := range map[string]struct{ lines, network, want string }{
		"a sound action":      {v10 + "\n" + `{"type":"before","callId":"a@1","startTime":2,"class":"Frame","method":"click","params":{}}` + "\n" + `{"type":"after","callId":"a@1","endTime":3}`, "", ""},
		"no JSON":             {v10 + "\n{oops", "", "E_BAD_LINE t.trace:2"},
		"after alone":         {v10 + "\n" + `{"type":"after","callId":"a@1","endTime":3}`, "", "E_ORPHAN t.trace:2"},
		"input alone":         {v10 + "\n" + `{"type":"input","callId":"a@1"}`, "", "E_ORPHAN t.trace:2"},
		"no end":              {v10 + "\n" + `{"type":"before","callId":"a@1","startTime":2,"class":"Frame","method":"click"}`, "", "W_UNFINISHED t.trace:2"},
		"no method":           {v10 + "\n" + `{"type":"before","callId":"a@1","startTime":2,"class":"Frame"}` + "\n" + `{"type":"after","callId":"a@1","endTime":3}`, "", "E_NO_METHOD t.trace:2"},
		"ends too early":      {v10 + "\n" + `{"type":"before","callId":"a@1","startTime":9,"class":"Frame","method":"click"}` + "\n" + `{"type":"after","callId":"a@1","endTime":3}`, "", "I_ORDER t.trace:3,W_END_BEFORE_START t.trace:3"},
		"a parent unknown":    {v10 + "\n" + `{"type":"before","callId":"a@1","parentId":"x@9","startTime":2,"class":"Frame","method":"click"}` + "\n" + `{"type":"after","callId":"a@1","endTime":3}`, "", "W_UNKNOWN_PARENT t.trace:2"},
		"an id twice":         {v10 + strings.Repeat("\n"+`{"type":"before","callId":"a@1","startTime":2,"class":"Frame","method":"click"}`+"\n"+`{"type":"after","callId":"a@1","endTime":2}`, 2), "", "W_REPEATED_CALL t.trace:4"},
		"console, no place":   {v10 + "\n" + `{"type":"console","messageType":"log","text":"x","time":2}`, "", "E_NO_LOCATION t.trace:2"},
		"a newer version":     {strings.Replace(v10, `"version":10`, `"version":12`, 1), "", "W_NEWER_VERSION t.trace:1"},
		"an unknown type":     {v10 + "\n" + `{"type":"hologram"}`, "", "I_UNKNOWN_EVENT t.trace:2"},
		"a picture missing":   {v10 + "\n" + `{"type":"screencast-frame","pageId":"p","file":"screencast/x.jpeg","width":1,"height":1,"timestamp":2}`, "", "W_RESOURCE_MISSING t.trace:2"},
		"a kind of value":     {v10 + "\n" + `{"type":"before","callId":"a@1","startTime":"soon","class":"Frame","method":"click"}` + "\n" + `{"type":"after","callId":"a@1","endTime":3}`, "", "W_FIELD t.trace:2"},
		"references nowhere":  {v10 + "\n" + `{"type":"frame-snapshot","snapshot":{"callId":"a@1","phase":"before","frameId":"f","pageId":"p","html":["HTML",{},["BODY",{},[[1,4]]]],"viewport":{"width":1,"height":1},"timestamp":2,"resourceOverrides":[],"isMainFrame":true}}`, "", "E_BAD_REFERENCE t.trace:2"},
		"a bare snapshot":     {v10 + "\n" + `{"type":"frame-snapshot","snapshot":{"callId":"a@1","phase":"before","frameId":"f","pageId":"p","html":["HTML"],"timestamp":2,"isMainFrame":true}}`, "", "E_NO_OVERRIDES t.trace:2,E_NO_VIEWPORT t.trace:2"},
		"named too late":      {v8 + "\n" + `{"type":"frame-snapshot","snapshot":{"callId":"a@1","snapshotName":"after@a@1","frameId":"f","pageId":"p","html":["HTML"],"viewport":{"width":1,"height":1},"timestamp":2,"resourceOverrides":[],"isMainFrame":true}}` + "\n" + `{"type":"before","callId":"a@1","startTime":1700000000002,"class":"Frame","method":"click"}` + "\n" + `{"type":"after","callId":"a@1","endTime":1700000000003,"afterSnapshot":"after@a@1"}`, "", "W_SNAPSHOT_EARLY t.trace:2"},
		"request, no content": {v10, `{"type":"resource-snapshot","snapshot":{"request":{"method":"GET","url":"u"},"response":{"status":200}}}`, "E_NO_CONTENT t.network:1"},
		"start in seconds":    {v8, `{"type":"resource-snapshot","snapshot":{"request":{"method":"GET","url":"u"},"response":{"status":200,"content":{}},"_monotonicTime":1700000001.5}}`, "W_SECONDS t.network:1"},
		"no context-options":  {`{"type":"before","callId":"a@1","startTime":2,"class":"Frame","method":"click"}` + "\n" + `{"type":"after","callId":"a@1","endTime":3}`, "", "E_NO_CONTEXT t.trace"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			for entry, text := range map[string]string{"t.trace": test.lines, "t.network": test.network} {
				w, err := z.Create(entry)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write([]byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			a, err := trace.OpenReaderAt(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), "t.zip", trace.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			r, err := check.Run(context.Background(), a, check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				if _, known := check.Codes[f.Code]; !known {
					t.Errorf("%s is not in the registry", f.Code)
				}
				got = append(got, f.Code+" "+f.Place)
			}
			if sorted(got) != test.want {
				t.Errorf("got %q, want %q", sorted(got), test.want)
			}
		})
	}
}

func sorted(list []string) string {
	for i := range list {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
	return strings.Join(list, ",")
}

// What real recorders of the newest versions write is sound.
func TestRealTracesHaveNoFaults(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", "playwright", "*.zip"))
	if err != nil || len(paths) < 20 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		a, err := trace.Open(context.Background(), path, trace.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := check.Run(context.Background(), a, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Worst() == check.Fault {
			t.Errorf("%s: %+v", path, r.Findings[0])
		}
		a.Close()
	}
}
