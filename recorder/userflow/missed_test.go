package userflow_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/recorder/userflow"
	"github.com/tracedeck/tracedeck/trace"
)

// A step that finds no element is in the trace, as long as it waited.
func TestAStepThatFindsNothingIsRecordedAsFailed(t *testing.T) {
	flow, err := userflow.Read(strings.NewReader(`{"title":"t","timeout":700,"steps":[
		{"type":"navigate","url":"data:text/html,<button>Pay</button>"},
		{"type":"click","selectors":[["aria/Buy"],["#buy"]]},
		{"type":"click","selectors":[["button"]]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	b, err := browser.Launch(ctx, browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	out := filepath.Join(t.TempDir(), "out.zip")
	s, err := recorder.Start(ctx, b.Rod, recorder.DefaultOptions(out))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := b.Rod.Pages()
	if err != nil {
		t.Fatal(err)
	}
	if err := userflow.Run(ctx, s, b.Rod, pages[0], flow); err == nil {
		t.Error("the flow went through")
	}
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	a, err := trace.Open(ctx, out, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	tr, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	last := tr.Actions[len(tr.Actions)-1]
	if last.Before.Method != "click" || last.Error == nil || !strings.Contains(last.Error.Message, "#buy") || len(last.Logs) != 2 {
		t.Errorf("the last action is %s, error %v, log %v", last.Title(), last.Error, last.Logs)
	}
	if took := time.Duration(last.End - last.Start); took < 600*time.Millisecond {
		t.Errorf("it took %v", took)
	}
}
