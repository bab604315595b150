package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
)

// Tool is who made a report.
type Tool struct {
	Name    string
	Version string
	URI     string // "" if there is none
	Rules   []Rule // all that there are, also those that nothing broke
}

// Result is a report of one trace, as it goes into a file.
type Result struct {
	Trace  string // the path or address that was opened
	Report *Report
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID               string         `json:"id"`
	Name             string         `json:"name"`
	ShortDescription sarifText      `json:"shortDescription"`
	FullDescription  sarifText      `json:"fullDescription"`
	Help             sarifText      `json:"help"`
	Properties       map[string]any `json:"properties"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
	Occurrences  int               `json:"occurrenceCount,omitempty"`
	Properties   map[string]any    `json:"properties"`
}

type sarifNotice struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version,omitempty"`
			URI     string      `json:"informationUri,omitempty"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifInvocation struct {
	Successful bool          `json:"executionSuccessful"`
	Notices    []sarifNotice `json:"toolExecutionNotifications,omitempty"`
}

var sarifLevels = map[Severity]string{Critical: "error", Warning: "warning", Info: "note"}

// sarifScores are what readers that want a number of 0 to 10 sort by.
var sarifScores = map[Severity]string{Critical: "9.0", Warning: "5.0", Info: "2.0"}

// WriteSARIF writes the results as one run of SARIF 2.1.0. What was not
// recorded or not shown is among the run's notifications.
func WriteSARIF(w io.Writer, tool Tool, results []Result) error {
	var run sarifRun
	d := &run.Tool.Driver
	d.Name, d.Version, d.URI, d.Rules = tool.Name, tool.Version, tool.URI, []sarifRule{}
	index := map[string]int{}
	for i, r := range tool.Rules {
		index[r.Code] = i
		d.Rules = append(d.Rules, sarifRuleOf(r))
	}
	run.Results = []sarifResult{}
	invocation := sarifInvocation{Successful: true}
	for _, r := range results {
		for _, f := range r.Report.Findings {
			run.Results = append(run.Results, sarifResultOf(r.Trace, f, index[f.Code]))
		}
		for _, note := range r.Report.Remarks() {
			invocation.Notices = append(invocation.Notices, sarifNotice{"note", sarifText{r.Trace + ": " + note}})
		}
	}
	run.Invocations = []sarifInvocation{invocation}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(map[string]any{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []sarifRun{run}})
}

func sarifRuleOf(r Rule) sarifRule {
	tags := []string{r.Category}
	if n, ok := strings.CutPrefix(r.CWE, "CWE-"); ok {
		tags = []string{"security", r.Category, "external/cwe/cwe-" + n}
	}
	return sarifRule{r.Code, sarifName(r.Code), sarifText{r.Title}, sarifText{r.Description}, sarifText{r.Recommendation}, map[string]any{"tags": tags}}
}

// sarifName is the code as one word: readers take names without blanks.
func sarifName(code string) string {
	var b strings.Builder
	for _, word := range strings.Split(code, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

func sarifResultOf(trace string, f Finding, rule int) sarifResult {
	var at sarifLocation
	at.Physical.Artifact.URI = artifact(trace)
	for _, l := range []sarifLogical{{f.Evidence.Place, "resource"}, {f.Evidence.URL, "resource"}, {f.Evidence.Field, "member"}} {
		if l.FullyQualifiedName != "" {
			at.Logical = append(at.Logical, l)
		}
	}
	return sarifResult{RuleID: f.Code, RuleIndex: rule, Level: sarifLevels[f.Severity], Message: sarifText{f.Line()}, Locations: []sarifLocation{at},
		Fingerprints: map[string]string{"finding/v1": f.fingerprint()}, Occurrences: max(f.Occurrences, 1),
		Properties: sarifProperties(f)}
}

// sarifProperties holds a score only where a rule is about security: readers put
// what has one among the security alerts.
func sarifProperties(f Finding) map[string]any {
	p := map[string]any{"evidence": f.Evidence}
	if f.CWE != "" {
		p["security-severity"] = sarifScores[f.Severity]
	}
	return p
}

// artifact is the trace's name as the relative reference that SARIF wants.
func artifact(trace string) string {
	if u, err := url.Parse(trace); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		return u.String()
	}
	return (&url.URL{Path: filepath.ToSlash(trace)}).String()
}

// fingerprint is the same for the same fault in another recording. Secrets do
// not go into it: what is short could be guessed from a hash.
func (f *Finding) fingerprint() string {
	e := f.Evidence
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Code, e.Type, e.Method, e.URL, e.Field, e.Pattern, e.RedactedValue}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Line says in one line what was found and where.
func (f *Finding) Line() string {
	e, line := f.Evidence, f.Title
	if e.Field != "" {
		line += " (" + e.Field + ")"
	}
	if where := strings.TrimSpace(e.Method + " " + e.URL); where != "" {
		line += ": " + where
	} else if e.Source != "" {
		line += ": " + e.Source
	}
	if e.RedactedValue != "" {
		line += " = " + e.RedactedValue
	}
	if f.Occurrences > 1 {
		line += ", " + strconv.Itoa(f.Occurrences) + " times"
	}
	return line
}
