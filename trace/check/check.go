// Package check goes over a trace and lists everything in it that is not as
// it should be, with its place and with what it does to those who open it.
package check

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"path"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// Severity says how much an anomaly matters.
type Severity string

// How much an anomaly matters.
const (
	Fault   Severity = "error"   // something is lost, or a common viewer refuses or misses it
	Warning Severity = "warning" // something is shown wrongly or is missing
	Info    Severity = "info"    // unusual, and harmless
)

var rank = map[Severity]int{Fault: 0, Warning: 1, Info: 2}

// Finding is one anomaly.
type Finding struct {
	Code     string   `json:"code"` // "E_…", "W_…" or "I_…", see [Codes]
	Severity Severity `json:"severity"`
	Place    string   `json:"place"` // entry, or entry:line
	Text     string   `json:"text"`
}

// Report is what [Run] found.
type Report struct {
	Findings []Finding      `json:"findings"` // worst first, then in the order of the files
	Counts   map[string]int `json:"counts"`   // by code, also of what is not listed
	Hidden   int            `json:"hidden"`   // findings beyond Options.PerCode
	Lines    int            `json:"lines"`    // lines that were read
	Entries  int            `json:"entries"`  // entries that were read to their end
}

// Worst returns the severity of the worst finding, and "" if there is none.
func (r *Report) Worst() Severity {
	if len(r.Findings) == 0 {
		return ""
	}
	return r.Findings[0].Severity
}

// Options say how much is looked at.
type Options struct {
	PerCode  int  // findings listed of one code; 0 means 100
	NoBodies bool // do not read the resources
	OnEntry  func(done, total int)
}

// Codes says for each code what it is.
var Codes = map[string]struct {
	Severity Severity
	Text     string
}{
	"E_BAD_LINE":         {Fault, "a line is not JSON; Playwright's viewer refuses the whole trace"},
	"E_CUT_OFF":          {Fault, "an entry ends early or is damaged"},
	"E_ORPHAN":           {Fault, "an after or input without its before; Playwright's viewer refuses the whole trace"},
	"E_NO_METHOD":        {Fault, "an action without method and title; Playwright's viewer shows a white page"},
	"E_NO_LOCATION":      {Fault, "a console message without location; Playwright's viewer shows a white page"},
	"E_NO_OVERRIDES":     {Fault, "a snapshot without resourceOverrides; Playwright's viewer refuses the trace"},
	"E_NO_VIEWPORT":      {Fault, "a snapshot without viewport; Playwright's viewer shows a white page"},
	"E_NO_CONTENT":       {Fault, "a request without response.content; Playwright's network tab fails"},
	"E_NO_CONTEXT":       {Fault, "a file does not begin with context-options; its actions collapse in Playwright's viewer"},
	"E_BAD_REFERENCE":    {Fault, "a snapshot refers to nodes that are not there"},
	"W_SNAPSHOT_EARLY":   {Warning, "a snapshot comes before the line that names it; Playwright's viewer does not show it"},
	"W_SNAPSHOT_MISSING": {Warning, "a line names a snapshot that is not there"},
	"W_RESOURCE_MISSING": {Warning, "a file is named that is not there"},
	"W_RESOURCE_CHANGED": {Warning, "the bytes of a resource do not have the hash of its name"},
	"W_UNFINISHED":       {Warning, "an action has no end"},
	"W_REPEATED_CALL":    {Warning, "an action id is used twice in one file"},
	"W_UNKNOWN_PARENT":   {Warning, "a parent is not in the trace"},
	"W_END_BEFORE_START": {Warning, "an action ends before it starts"},
	"W_SECONDS":          {Warning, "a request's start is in seconds where all else is in milliseconds; common viewers misplace it"},
	"W_REPEATED_CONTEXT": {Warning, "a second context-options in one file"},
	"W_NEWER_VERSION":    {Warning, "the version is newer than this program knows"},
	"W_FIELD":            {Warning, "a member does not have the kind of value it should have"},
	"I_ORDER":            {Info, "lines are not in the order of time"},
	"I_UNKNOWN_EVENT":    {Info, "an event of a type that this program does not know"},
	"I_UNREFERENCED":     {Info, "a resource that no line names"},
	"I_PICTURE_SNAPSHOT": {Info, "a snapshot that is only a picture of the page"},
}

// Run looks at all of a trace. It goes wrong only when ctx ends.
func Run(ctx context.Context, a *trace.Archive, o Options) (*Report, error) {
	if o.PerCode <= 0 {
		o.PerCode = 100
	}
	c := &checker{a: a, o: o, r: &Report{Findings: []Finding{}, Counts: map[string]int{}}, used: map[string]bool{}}
	for _, w := range a.Warnings() {
		c.addAs(w.Code, Warning, w.Place, w.Text)
	}
	for _, f := range a.Files() {
		if err := c.file(ctx, f); err != nil {
			return nil, err
		}
	}
	if err := c.entries(ctx); err != nil {
		return nil, err
	}
	sort.SliceStable(c.r.Findings, func(i, j int) bool {
		return rank[c.r.Findings[i].Severity] < rank[c.r.Findings[j].Severity]
	})
	return c.r, nil
}

type checker struct {
	a    *trace.Archive
	o    Options
	r    *Report
	used map[string]bool // entries that some line names
	f    *fileState
}

func (c *checker) add(code, place, format string, args ...any) {
	c.addAs(code, Codes[code].Severity, place, fmt.Sprintf(format, args...))
}

func (c *checker) addAs(code string, s Severity, place, text string) {
	c.r.Counts[code]++
	if c.r.Counts[code] > c.o.PerCode {
		c.r.Hidden++
		return
	}
	c.r.Findings = append(c.r.Findings, Finding{Code: code, Severity: s, Place: place, Text: text})
}

func (c *checker) file(ctx context.Context, f trace.File) error {
	c.f = newFileState(f)
	for e, err := range c.a.FileEvents(ctx, f) {
		var bad *trace.SyntaxError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &bad):
			c.r.Lines++
			c.add("E_BAD_LINE", at(bad.Position), "%v: %.60q", bad.Err, bad.Text)
		case err != nil:
			c.add("E_CUT_OFF", f.Trace, "%v", err)
		default:
			if e.Raw != nil {
				c.r.Lines++
			}
			c.event(e)
		}
	}
	c.endOfFile()
	return nil
}

func at(p trace.Position) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// entries reads every entry that is not text, and compares hashes with names.
func (c *checker) entries(ctx context.Context) error {
	list := c.a.Entries()
	for i, e := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.o.OnEntry != nil {
			c.o.OnEntry(i, len(list))
		}
		if strings.HasSuffix(e.Name, "/") {
			continue
		}
		if isBlob(e.Name) && !c.used[e.Name] {
			c.add("I_UNREFERENCED", e.Name, "no line names it")
		}
		if c.o.NoBodies || strings.HasSuffix(e.Name, ".trace") || strings.HasSuffix(e.Name, ".network") {
			continue
		}
		c.entry(ctx, e)
	}
	return nil
}

func isBlob(name string) bool {
	switch dir, _, _ := strings.Cut(name, "/"); dir {
	case "resources", "screencast", "screenshots", "aria", "attachments":
		return !strings.Contains(name, "src@")
	}
	return false
}

func (c *checker) entry(ctx context.Context, e trace.Entry) {
	rc, err := c.a.Resource(ctx, e.Name)
	if err != nil {
		c.add("E_CUT_OFF", e.Name, "%v", err)
		return
	}
	defer rc.Close()
	sum := sha1.New()
	if _, err := io.Copy(sum, rc); err != nil {
		c.add("E_CUT_OFF", e.Name, "%v", err)
		return
	}
	c.r.Entries++
	if want, ok := hashInName(e.Name); ok && want != hexSum(sum) {
		c.add("W_RESOURCE_CHANGED", e.Name, "its bytes have the hash %s", hexSum(sum))
	}
}

func hexSum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// hashInName returns the SHA-1 that a resource's name claims for its bytes.
// Names of sources are hashes of paths.
func hashInName(name string) (string, bool) {
	if dir, _, _ := strings.Cut(name, "/"); dir != "resources" && dir != "attachments" {
		return "", false
	}
	base := path.Base(name)
	base = strings.TrimSuffix(base, path.Ext(base))
	if len(base) != 40 || strings.ToLower(base) != base {
		return "", false
	}
	_, err := hex.DecodeString(base)
	return base, err == nil
}
