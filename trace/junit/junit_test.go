package junit_test

import (
	"bytes"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/junit"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func document(t testing.TB, text string) []byte {
	t.Helper()
	p := &junit.Problem{Message: text, Type: text, Text: text}
	r := junit.Report{Name: text, Seconds: 1.5, Suites: []*junit.Suite{{Name: text, Hostname: text, Seconds: -1, Cases: []junit.Case{
		{Class: text, Name: text, Out: text},
		{Class: text, Name: text, Skipped: &text},
		{Class: text, Name: text, Failure: p, Out: text},
		{Class: text, Name: text, Error: p},
	}}, {Name: "nothing"}}}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWhatIsCounted(t *testing.T) {
	text := string(document(t, "a"))
	for _, want := range []string{`<testsuites name="a" tests="4" failures="1" errors="1" time="1.500">`, `tests="4" failures="1" errors="1" skipped="1" time="0.000">`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func TestSurefire(t *testing.T) {
	p := []junit.Problem{{Message: "no", Type: "Error"}}
	r := junit.Report{Suites: []*junit.Suite{{Cases: []junit.Case{{Flaky: p}, {Failure: &p[0], Reruns: p}}}}}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Count(s, "<flakyFailure ") != 1 || strings.Count(s, "<rerunFailure ") != 1 {
		t.Error(s)
	}
}

func FuzzWrite(f *testing.F) {
	for _, s := range []string{"", "a", "]]>", "\x00\x01\x0b", "\xff\xfe", "\ufffe\uffff\ufffd", "<a href=\"&amp;\">'", "\r\n\t", "\U0001f600"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b := document(t, text)
		tracetest.JUnit(t, b)
		var back struct {
			Suites []struct {
				Cases []struct {
					Out string `xml:"system-out"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if got := back.Suites[0].Cases[0].Out; got != junit.Clean(text) {
			t.Errorf("%q came back as %q", text, got)
		}
	})
}
