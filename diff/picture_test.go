package diff

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

func TestPicturesOfOtherBrowsersAreNotCompared(t *testing.T) {
	replay := &trace.Trace{Events: []*trace.Happening{{ContextEvent: &trace.ContextEvent{Class: "Page", Method: "load"}},
		{ContextEvent: &trace.ContextEvent{Class: "Replay", Method: "begin", Params: json.RawMessage(`{"stamp":"frames HeadlessChrome/156"}`)}}}}
	of := stamp(replay)
	if of != "frames HeadlessChrome/156" {
		t.Errorf("the stamp of a replay is %q", of)
	}
	if s := stamp(&trace.Trace{}); s != "" {
		t.Errorf("the stamp of another trace is %q", s)
	}
	c := &Comparer{stamps: [2]string{of, "clock Chrome/156"}}
	s := StepPicture{Name: "final", A: &Image{}, B: &Image{}}
	if err := c.judge(context.Background(), &s); err != nil || !strings.Contains(s.Problem, "not compared") {
		t.Errorf("%+v, %v", s, err)
	}
}
