package userflow_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/recorder/userflow"
	"github.com/tracedeck/tracedeck/trace/tracetest"
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
	out, err := record(t, flow)
	if err == nil {
		t.Error("the flow went through")
	}
	tr := tracetest.Load(t, out)
	last := tr.Actions[len(tr.Actions)-1]
	if last.Before.Method != "click" || last.Error == nil || !strings.Contains(last.Error.Message, "#buy") || len(last.Logs) != 2 {
		t.Errorf("the last action is %s, error %v, log %v", last.Title(), last.Error, last.Logs)
	}
	if took := time.Duration(last.End - last.Start); took < 600*time.Millisecond {
		t.Errorf("it took %v", took)
	}
}
