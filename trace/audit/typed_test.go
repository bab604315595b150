package audit_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/audit"
	"github.com/tracedeck/tracedeck/trace/tracetest"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// audited returns the findings of personal data in a trace of these events, as
// "code severity pattern at field", and their report.
func audited(t *testing.T, events ...trace.Body) ([]string, *verdict.Report) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	must(t, err)
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium"})
	must(t, err)
	for _, e := range events {
		must(t, c.Write(e))
	}
	must(t, w.Close())
	r, err := audit.Run(context.Background(), tracetest.Open(t, path), audit.Options{Checks: []string{audit.Personal}, Least: verdict.Info, Limit: -1})
	must(t, err)
	checkCounts(t, r)
	var list []string
	for _, f := range r.Findings {
		list = append(list, f.Code+" "+string(f.Severity)+" "+f.Evidence.Pattern+" at "+f.Evidence.Field)
	}
	slices.Sort(list)
	return list, r
}

const (
	card = "4539 5787 6362 1486"
	mail = "jane.doe@corp-mail.com"
)

func TestPersonalDataInPages(t *testing.T) {
	for html, want := range map[string]string{
		`["P",{},"Write to ` + mail + `"]`:                                                "info e-mail address at ",
		`["P",{},"call +49 151 23456789"]`:                                                "info phone number at ",
		`["TD",{},"` + card + `"]`:                                                        "warning payment card number at ",
		`["TD",{},"4539578763621486"]`:                                                    "", // an order's number?
		`["TD",{},"4111 1111 1111 1111"]`:                                                 "info payment card number at ",
		`["TD",{},"536-22-1846"]`:                                                         "warning US Social Security number at ",
		`["A",{"href":"mailto:` + mail + `?subject=x"},"us"]`:                             "info e-mail address at href",
		`["A",{"href":"tel:+4915123456789"},"us"]`:                                        "info phone number at href",
		`["DIV",{"data-email":"` + mail + `"}]`:                                           "info e-mail address at data-email",
		`["INPUT",{"type":"email","value":"` + mail + `"}]`:                               "info e-mail address at value",
		`["INPUT",{"name":"cardNumber","__playwright_value_":"4539578763621486"}]`:        "warning payment card number at value",
		`["INPUT",{"__playwright_value_":"4539578763621486","autocomplete":"cc-number"}]`: "warning payment card number at value",
		`["INPUT",{"autocomplete":"cc-csc","value":"737"}]`:                               "warning card security code at value",
		`["INPUT",{"type":"tel","value":"0151 234567"}]`:                                  "info phone number at value",
		`["INPUT",{"id":"first-name","value":"Jane"}]`:                                    "info name of a person at value",
		`["INPUT",{"aria-label":"Date of birth","value":"1980-02-03"}]`:                   "info date of birth at value",
		`["INPUT",{"type":"radio","name":"address","value":"home"}]`:                      "",
		`["INPUT",{"type":"password","name":"phone","value":"0151234567"}]`:               "",
		`["INPUT",{"name":"firstName","value":"redacted-4"}]`:                             "",
		`["INPUT",{"name":"email","placeholder":"` + mail + `"}]`:                         "",
		`["STYLE",{},"@import 'a@2x.css'; .a{b:'` + mail + `'}"]`:                         "",
		`["path",{"d":"M555-123-4567 212-555-2368"}]`:                                     "",
		`["IMG",{"src":"/a/212-555-2368/` + mail + `.png"}]`:                              "",
		`["P",{},"made 2026-11-21 10:20:30 of 1,234,567"]`:                                "",
	} {
		list, r := audited(t, &trace.FrameSnapshot{CallID: "call@1", Name: "before@call@1", PageID: "page@1", FrameID: "frame@1", FrameURL: "https://app.example.org/a?b=c", HTML: json.RawMessage(html)})
		if want != "" {
			want = "pii-in-page " + want
		}
		if got := strings.Join(list, ", "); got != want {
			t.Errorf("%s: %q, not %q", html, got, want)
		}
		b, _ := json.Marshal(r)
		for _, value := range []string{card, mail, "4539578763621486", "15123456789", "Jane", "1980"} {
			if strings.Contains(string(b), value) {
				t.Errorf("%s: the report shows %s", html, value)
			}
		}
	}
}

func TestPersonalDataInActions(t *testing.T) {
	fill := func(selector, value string) *trace.Before {
		params, _ := json.Marshal(map[string]string{"selector": selector, "value": value})
		return &trace.Before{CallID: "call@1", Class: "Frame", Method: "fill", Params: params}
	}
	for want, event := range map[string]trace.Body{
		"info e-mail address at /value":           fill("#x", mail),
		"warning payment card number at /value":   fill(`internal:label="Card number"i`, "4539578763621486"),
		"info payment card number at /value":      fill("#x", "4539578763621486"),
		"info name of a person at /value":         fill(`internal:label="First name"i`, "Jane"),
		"info postal address at /value":           fill(`internal:role=textbox[name="Street address"i]`, "12 High Street"),
		"info phone number at /value":             fill("[name=mobile]", "0151 234567"),
		"info e-mail address at /text":            &trace.Before{CallID: "call@1", Class: "Page", Method: "keyboardInsertText", Params: json.RawMessage(`{"text":"` + mail + `"}`)},
		"info date of birth at /value":            &trace.Before{CallID: "call@1", Class: "Element", Method: "type", Params: json.RawMessage(`{"value":"1980-02-03","_target":{"label":"Birthday"}}`)},
		"":                                        fill("#quantity", "12345678"),
		"info e-mail address at /value/s":         &trace.After{CallID: "call@1", Result: json.RawMessage(`{"value":{"s":"` + mail + `"}}`)},
		"warning US Social Security number at ":   &trace.After{CallID: "call@1", Error: &trace.Error{Message: "Received: 536-22-1846"}},
		"warning US Social Security number at /v": fillOther("v", "536-22-1846"),
	} {
		events := []trace.Body{event}
		if _, ok := event.(*trace.After); ok {
			events = []trace.Body{&trace.Before{CallID: "call@1", Class: "Frame", Method: "evaluate"}, event}
		}
		list, _ := audited(t, events...)
		if want != "" {
			want = "pii-in-action " + want
		}
		if got := strings.Join(list, ", "); got != want {
			t.Errorf("%T: %q, not %q", event, got, want)
		}
	}
}

func fillOther(name, value string) *trace.Before {
	params, _ := json.Marshal(map[string]string{name: value})
	return &trace.Before{CallID: "call@1", Class: "Frame", Method: "evaluate", Params: params}
}

func TestPagesAndActionsThatAreNotThereAreNotClean(t *testing.T) {
	_, r := audited(t, &trace.Before{CallID: "call@1", Class: "Frame", Method: "click", Params: json.RawMessage(`{"selector":"#a"}`)})
	states := map[string]verdict.State{}
	for _, s := range r.Checks[0].Sources {
		states[s.Name] = s.State
	}
	if states["dom_snapshots"] != verdict.NotRecorded || states["actions"] != verdict.Clean || r.Checks[0].State != verdict.Partial {
		t.Errorf("%s %v", r.Checks[0].State, states)
	}
}
