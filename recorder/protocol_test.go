package recorder

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

// Commands that a program gives the browser are recorded if it asks for them,
// inside of what it called the step, and not otherwise.
func TestProtocolIsRecordedInsideOfSteps(t *testing.T) {
	for _, protocol := range []bool{false, true} {
		browser := launchBrowser(t)
		o := DefaultOptions(filepath.Join(t.TempDir(), "t.zip"))
		o.Protocol = protocol
		s, err := Start(context.Background(), browser, o)
		if err != nil {
			t.Fatal(err)
		}
		page := browser.MustPage(serveText(t, "<title>Hello</title><p>hello</p>")).MustWaitLoad()
		s.StartGroup("Look")
		page.MustEval("() => document.title")
		s.StopGroup()
		a := s.Begin(Call{Class: "Frame", Method: "waitForFunction", PageID: cdp.PageID(string(page.TargetID))})
		page.MustEval("() => document.title.length")
		a.End(nil)
		if err := s.Stop(context.Background()); err != nil {
			t.Fatal(err)
		}
		_, tr := loadTrace(t, o.Output)
		inside := map[string]int{}
		for _, a := range tr.Actions {
			if a.Before.Class != "CDP" {
				continue
			}
			if !strings.Contains(a.Before.Method, ".") || a.Unfinished || a.Kind == trace.KindCall {
				t.Errorf("a command: %+v", a.Before)
			}
			if a.Parent != nil && a.Before.Method == "Runtime.callFunctionOn" && strings.Contains(string(a.Before.Params), "document.title") {
				inside[a.Parent.Before.Title+a.Parent.Before.Method]++
			}
		}
		want := map[string]int{}
		if protocol {
			want = map[string]int{"LooktracingGroup": 1, "waitForFunction": 1}
		}
		if d := cmp.Diff(want, inside); d != "" {
			t.Error(d)
		}
	}
}
