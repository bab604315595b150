package contract

import (
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace/verdict"
)

// Rules are all kinds of violations, as reports in SARIF name them.
var Rules = []verdict.Rule{
	rule(ShapeChange, "A required field is missing", "Clients that were written for the contract read the field."),
	rule(TypeChange, "A value is of another kind", "Clients that were written for the contract take the value for another kind."),
	rule(ArrayShapeChange, "The elements of a list are of another kind", "Clients that were written for the contract take the elements for another kind."),
	rule(NullField, "Null where it never was", "Clients that were written for the contract may not expect null."),
	rule(NewField, "A field that was never there", "It is no fault where it was added on purpose."),
	rule(ErrorSpike, "Errors after good answers", "The endpoint answered before, and then failed more than once in a row."),
	rule(SchemaBroken, "An answer does not fit its schema", "The server and its description disagree."),
	rule(Undocumented, "A call that is not described", "The server's description does not have the operation, or not the status."),
}

func rule(code, title, description string) verdict.Rule {
	return verdict.Rule{Code: code, Category: "contract", Title: title, Description: description,
		Recommendation: "Mend the server; or, if it was changed on purpose, take the change over: contract learn --accept, or the OpenAPI document."}
}

// Report returns the result as findings, a check an endpoint, for the formats
// that findings are written in.
func (r *Result) Report() *verdict.Report {
	report := &verdict.Report{Notes: r.Hints}
	for _, e := range r.Endpoints {
		report.Checks = append(report.Checks, e.check())
	}
	for i := range r.Violations {
		report.Findings = append(report.Findings, r.Violations[i].finding())
	}
	for _, b := range r.Rebaseline {
		report.Notes = append(report.Notes, fmt.Sprintf("%s: the last %d answers agree on a new shape", b.Endpoint, b.Answers))
	}
	for _, name := range r.Untracked {
		report.Notes = append(report.Notes, name+" is not tracked: there are too many endpoints")
	}
	report.Summary.Scanned.NetworkRequests, report.Summary.Scanned.UniqueEndpoints = r.Calls, len(r.Endpoints)
	report.Floor(verdict.Info, 0)
	return report
}

// check says what became of an endpoint.
func (e *Checked) check() verdict.Check {
	source := verdict.Source{Name: "answers", State: verdict.Clean, Looked: e.Checked}
	unread := 0
	for _, n := range e.Unparsable {
		unread += n
	}
	source.Missing = unread
	switch {
	case e.Checked == 0 && unread > 0:
		source.State, source.Reason = verdict.NotRecorded, "its answers are not in the trace as JSON"
	case unread > 0:
		source.State, source.Reason = verdict.Partial, fmt.Sprintf("%d of its answers could not be read", unread)
	}
	sources := []verdict.Source{source}
	return verdict.Check{Name: e.Name, State: verdict.StateOf(sources), Sources: sources}
}

func (v *Violation) finding() verdict.Finding {
	method, address, _ := strings.Cut(v.Endpoint, " ")
	f := verdict.Finding{Severity: v.Severity, Category: v.Endpoint, Code: v.Type, Title: v.Description, Description: v.Description, Occurrences: v.Count,
		Evidence: verdict.Evidence{Type: "response_body", Method: method, URL: address, Field: v.Pointer, Place: v.Place}}
	for _, r := range Rules {
		if r.Code == v.Type {
			f.Title, f.Recommendation = r.Title, r.Recommendation
		}
	}
	if e := v.LastError; e != nil && e.Message != "" {
		f.Evidence.Notes = append(f.Evidence.Notes, "last error: "+e.Message)
	}
	return f
}
