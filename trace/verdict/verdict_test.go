package verdict

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

var rules = []Rule{
	{Code: "secret-in-url", Category: "credentials", Title: "Credential in a URL", Description: "d", Recommendation: "r", CWE: "CWE-598"},
	{Code: "http-request", Category: "transport", Title: "Plain HTTP", Description: "d", Recommendation: "r"},
}

// sample is a report with all that a report can hold, and what neither JSON nor
// XML take as it is.
func sample() *Report {
	yes := true
	r := &Report{
		Findings: []Finding{
			{Severity: Info, Category: "transport", Code: "http-request", Title: "Plain HTTP", Description: "d", Recommendation: "r", Occurrences: 1,
				Evidence: Evidence{Type: "request", Method: "GET", URL: "http://example.com/\x01\ufffe<&>", AuthPresent: &yes, Notes: []string{"a]]>b", "\x00c"}}},
			{Severity: Critical, Category: "credentials", Code: "secret-in-url", Title: "Credential in a URL", Description: "d", Recommendation: "r", CWE: "CWE-598", Occurrences: 3,
				Evidence: Evidence{Type: "url", Method: "GET", URL: "https://example.com/", Field: "key", RedactedValue: "ab***", Place: "0-trace.network:3"}},
			{Severity: Warning, Category: "credentials", Code: "secret-in-url", Title: "Credential in a URL", Evidence: Evidence{Type: "url"}},
		},
		Checks: []Check{{Name: "credentials"}, {Name: "transport", State: Clean},
			{Name: "cookies", State: Partial, Sources: []Source{{Name: "set_cookie", State: Partial, Reason: "one was cut"}}},
			{Name: "headers", State: NotRecorded, Sources: []Source{{Name: "response_headers", State: NotRecorded, Reason: "no response headers"}}}},
		Notes: []string{"the trace is cut off"},
	}
	return r
}

func TestFloorCountsWhatItLeavesOut(t *testing.T) {
	r := sample()
	r.Findings = append(r.Findings, r.Findings[1])
	r.Floor(Warning, 1)
	if len(r.Findings) != 1 || r.Findings[0].Severity != Critical || r.Worst != Critical {
		t.Errorf("kept %+v, worst %q", r.Findings, r.Worst)
	}
	s := r.Summary
	if s.Total != 1 || s.Critical != 1 || s.Warning != 0 || s.BelowFloor["transport"] != 1 || s.NotShown["credentials"] != 2 {
		t.Errorf("summary %+v", s)
	}
	if r.Checks[0].State != Found || r.Checks[0].Findings != 3 || r.Checks[1].Findings != 1 || r.Checks[2].State != Partial {
		t.Errorf("checks %+v", r.Checks)
	}
	notes := strings.Join(r.Remarks(), "\n")
	for _, want := range []string{"cookies: looked at in part: one was cut", "headers: not recorded: no response headers", "credentials: 2 not listed, beyond the limit", "transport: 1 not listed, less severe", "cut off"} {
		if !strings.Contains(notes, want) {
			t.Errorf("remarks lack %q:\n%s", want, notes)
		}
	}
}

func TestFloorOfNothingIsNothing(t *testing.T) {
	var r Report
	r.Floor(Info, 0)
	b, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(b), `"findings":[]`) || r.Worst != "" {
		t.Errorf("%s %v", b, err)
	}
}

func TestStateOf(t *testing.T) {
	of := func(states ...State) State {
		var list []Source
		for _, s := range states {
			list = append(list, Source{State: s})
		}
		return StateOf(list)
	}
	if of() != NotRecorded || of(NotRecorded) != NotRecorded || of(Clean, Clean) != Clean || of(Clean, NotRecorded) != Partial || of(Partial) != Partial {
		t.Error("states are not told apart")
	}
}

func TestSeverities(t *testing.T) {
	for i, s := range Severities {
		if got, err := ParseSeverity(string(s)); got != s || err != nil {
			t.Errorf("%s: %s %v", s, got, err)
		}
		for k, other := range Severities {
			if s.AtLeast(other) != (i <= k) {
				t.Errorf("%s at least %s: %t", s, other, i > k)
			}
		}
	}
	if _, err := ParseSeverity("high"); err == nil || !strings.Contains(err.Error(), "critical, warning and info") {
		t.Errorf("error %v", err)
	}
	if Critical.Lower() != Warning || Info.Lower() != Info || Info.Higher() != Warning || Critical.Higher() != Critical {
		t.Error("steps are wrong")
	}
}

func TestSARIFIsValid(t *testing.T) {
	schema := sarifSchema(t)
	for _, results := range [][]Result{nil, {{Trace: "a b.zip", Report: &Report{}}}, {{Trace: "out/é.zip", Report: sample()}, {Trace: "https://ci.example/a.zip?token=x", Report: sample()}}} {
		for i := range results {
			results[i].Report.Floor(Info, 0)
		}
		var b bytes.Buffer
		if err := WriteSARIF(&b, Tool{Name: "tracedeck", Version: "1", Rules: rules}, results); err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(&b)
		if err == nil {
			err = schema.Validate(doc)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

func TestSARIFValidatorRefusesWhatIsWrong(t *testing.T) {
	if sarifSchema(t).Validate(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{}}}) == nil {
		t.Error("a run without a tool passes")
	}
}

func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	b, err := os.ReadFile("testdata/sarif-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFingerprintsDependOnTheFaultAlone(t *testing.T) {
	a := sample().Findings[1]
	b := a
	b.Evidence.Place, b.Occurrences, b.Severity = "elsewhere:1", 9, Info
	c := a
	c.Evidence.Field = "other"
	if a.fingerprint() != b.fingerprint() || a.fingerprint() == c.fingerprint() {
		t.Error("fingerprints are wrong")
	}
}

func TestJUnitHasItsGrammar(t *testing.T) {
	r := sample()
	r.Floor(Info, 0)
	var b bytes.Buffer
	if err := WriteJUnit(&b, Tool{Name: "tracedeck audit"}, []Result{{Trace: "a\x02.zip", Report: r}}, Warning); err != nil {
		t.Fatal(err)
	}
	tracetest.JUnit(t, b.Bytes())
	text := b.String()
	// Three findings, of which one is milder than a failure, and two checks without any.
	for _, want := range []string{`tests="5" failures="2"`, `skipped="1"`, "not recorded: no response headers", "looked at in part"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
