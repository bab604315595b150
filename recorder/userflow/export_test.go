package userflow

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/trace"
)

func act(method, params string) *trace.Action {
	return &trace.Action{Kind: trace.KindCall, Before: &trace.Before{Class: "Frame", Method: method, Params: []byte(params)}}
}

// What is written can be read, and says the same.
func TestFlowFromTraceReadsBack(t *testing.T) {
	tr := &trace.Trace{Actions: []*trace.Action{
		act("goto", `{"url":"https://a.test/"}`),
		act("click", `{"selector":"internal:role=button[name=\"Say \\\"hi\\\"\"i]","position":{"x":3,"y":4},"button":"right"}`),
		act("fill", `{"value":"Ada","_target":{"role":"textbox","name":"Name","path":["x-card","input"],"xpath":"//input","testIdAttribute":"data-testid","testId":"n"},"_frame":{"index":[1]}}`),
		act("press", `{"key":"Control+Shift+A"}`),
		act("press", `{"key":"Control++"}`),
		act("selectOption", `{"selector":"#size","options":[{"valueOrLabel":"L"}]}`),
		act("dragAndDrop", `{"source":"#a","target":"#b"}`),
		act("evaluate", `{"expression":"1"}`),
		{Kind: trace.KindCall, Error: &trace.Error{}, Before: &trace.Before{Method: "click", Params: []byte(`{"selector":"#gone"}`)}},
	}}
	var out bytes.Buffer
	if err := From(tr).Write(&out); err != nil {
		t.Fatal(err)
	}
	f, err := Read(&out)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range f.Steps {
		words := []string{s.Type, s.Key, s.Value, s.Button, s.Name}
		for _, c := range s.Selectors {
			words = append(words, strings.Join(c, ">"))
		}
		got = append(got, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	}
	want := []string{
		"navigate", `click secondary aria/Say "hi"[role="button"]`, `change Ada [data-testid="n"] aria/Name[role="textbox"] x-card>input xpath///input`,
		"keyDown Control", "keyDown Shift", "keyDown A", "keyUp A", "keyUp Shift", "keyUp Control",
		"keyDown Control", "keyDown +", "keyUp +", "keyUp Control",
		"change L #size", "customStep dragAndDrop",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if f.Steps[2].Frame[0] != 1 || f.Steps[1].OffsetX != 3 {
		t.Errorf("%+v", f.Steps[:3])
	}
}

// Readers refuse steps that lack what they need, also where it is zero.
func TestStepsHaveWhatReadersNeed(t *testing.T) {
	tr := &trace.Trace{Actions: []*trace.Action{
		act("setViewportSize", `{"viewportSize":{"width":800,"height":600}}`),
		act("check", `{"selector":"#a"}`),
		act("fill", `{"selector":"#a","value":""}`),
		act("type", `{"selector":"#a","text":"a\nB"}`),
		act("goToHistoryEntry", `{}`),
	}}
	var out bytes.Buffer
	if err := From(tr).Write(&out); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(out.String()), "")
	for _, want := range []string{
		`"type":"setViewport","target":"main","width":800,"height":600,"deviceScaleFactor":1,"isMobile":false,"hasTouch":false,"isLandscape":false}`,
		`"type":"click","target":"main","selectors":[["#a"]],"offsetX":0,"offsetY":0}`,
		`"type":"change","target":"main","selectors":[["#a"]],"value":""}`,
		`{"type":"keyDown","target":"main","key":"a"},{"type":"keyUp","target":"main","key":"a"},{"type":"keyDown","target":"main","key":"Enter"}`,
		`"type":"customStep","target":"main","name":"goToHistoryEntry","parameters":{}}`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
