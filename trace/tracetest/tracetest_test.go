package tracetest_test

import (
	"testing"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func TestSmallTrace(t *testing.T) {
	path := tracetest.Zip(t, `
== 0-trace.trace
context-options
	version: 8
	origin: library
	wallTime: 1708000000000
	monotonicTime: 1
before
	callId: call@1
	startTime: 2
	class: Frame
	method: click
	params: {"selector":"#pay"}
after
	callId: call@1
	endTime: 12
== resources/a.txt text
|hello
`)
	tr := tracetest.Load(t, path)
	if len(tr.Actions) != 1 || tr.Actions[0].Before.Method != "click" {
		t.Errorf("actions: %v", tr.Actions)
	}
	tracetest.Golden(t, "small.txt", tracetest.Text(t, path))
	if len(tracetest.Corpus(t, "vibium/*.zip")) < 10 {
		t.Error("traces are missing")
	}
}
