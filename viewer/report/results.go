package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// Results are what a test runner reported: the JSON of Playwright, or JUnit XML.
type Results struct {
	attempts []attempt
}

// attempt is one attempt at a test as a results file tells of it.
type attempt struct {
	session Session
	errors  []trace.Error
	traces  []string // attachments
	taken   bool
}

// ErrNoResults is the cause of an error for a file that holds no results of tests.
var ErrNoResults = errors.New("neither Playwright's JSON nor JUnit XML")

const mostResults = 256 << 20

// ReadResults reads a results file of either kind.
func ReadResults(r io.Reader) (*Results, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostResults+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostResults {
		return nil, fmt.Errorf("the results are larger than %d MiB", mostResults>>20)
	}
	text = bytes.TrimPrefix(bytes.TrimSpace(text), []byte("\xef\xbb\xbf"))
	switch {
	case bytes.HasPrefix(text, []byte("{")):
		return readPlaywright(text)
	case bytes.HasPrefix(text, []byte("<")):
		return readJUnit(text)
	}
	return nil, ErrNoResults
}

// playwrightSuite is a file or a describe block in Playwright's JSON.
type playwrightSuite struct {
	Title  string
	File   string
	Suites []playwrightSuite
	Specs  []struct {
		Title string
		File  string
		Tests []struct {
			ProjectName string
			Status      string
			Results     []struct {
				Status      string
				Duration    float64
				Retry       int
				StartTime   string
				Error       *trace.Error
				Errors      []trace.Error
				Attachments []struct{ Name, Path, ContentType string }
			}
		}
	}
}

func readPlaywright(text []byte) (*Results, error) {
	var doc struct {
		Suites *[]playwrightSuite
		Errors []trace.Error
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResults, err)
	}
	if doc.Suites == nil {
		return nil, ErrNoResults
	}
	r := &Results{}
	for _, s := range *doc.Suites {
		r.suite(s, s.File, nil, 0)
	}
	return r, nil
}

// deepest is how deep suites may lie in each other.
const deepest = 64

func (r *Results) suite(s playwrightSuite, file string, titles []string, depth int) {
	if depth > deepest {
		return
	}
	for _, spec := range s.Specs {
		title := strings.Join(append(slices.Clone(titles), spec.Title), " › ")
		for _, t := range spec.Tests {
			for _, res := range t.Results {
				a := attempt{errors: res.Errors, session: Session{Title: title, Suite: first(spec.File, file), Project: t.ProjectName, Retry: max(0, res.Retry),
					Status: statusOr(res.Status), Duration: res.Duration, Started: res.StartTime, Failures: []failures.Failure{}}}
				if t.Status == "expected" && a.session.Status == Failed {
					a.session.Status = Passed // test.fail: it was to fail
				}
				if len(a.errors) == 0 && res.Error != nil {
					a.errors = []trace.Error{*res.Error}
				}
				for _, f := range res.Attachments {
					if f.Name == "trace" && f.Path != "" {
						a.traces = append(a.traces, f.Path)
					}
				}
				r.attempts = append(r.attempts, a)
			}
		}
	}
	for _, inner := range s.Suites {
		r.suite(inner, first(inner.File, file), append(slices.Clone(titles), inner.Title), depth+1)
	}
}

func statusOr(word string) Status {
	if s := statusOf(word); s != "" {
		return s
	}
	return Unknown
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

type junitIn struct {
	XMLName xml.Name
	Suites  []junitIn `xml:"testsuite"`
	Name    string    `xml:"name,attr"`
	File    string    `xml:"file,attr"`
	Host    string    `xml:"hostname,attr"`
	Cases   []struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr"`
		Time    string        `xml:"time,attr"`
		Failure []junitInFail `xml:"failure"`
		Error   []junitInFail `xml:"error"`
		Skipped *struct{}     `xml:"skipped"`
		Out     string        `xml:"system-out"`
	} `xml:"testcase"`
}

type junitInFail struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func readJUnit(text []byte) (*Results, error) {
	var doc junitIn
	d := xml.NewDecoder(bytes.NewReader(text))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoResults, err)
	}
	if doc.XMLName.Local != "testsuites" && doc.XMLName.Local != "testsuite" {
		return nil, fmt.Errorf("%w: its root is <%.40s>", ErrNoResults, doc.XMLName.Local)
	}
	r := &Results{}
	r.junit(doc, 0)
	return r, nil
}

func (r *Results) junit(s junitIn, depth int) {
	if depth > deepest {
		return
	}
	for _, c := range s.Cases {
		seconds, _ := strconv.ParseFloat(c.Time, 64)
		a := attempt{session: Session{Title: c.Name, Suite: first(c.File, s.File, s.Name, c.Class), Project: s.Host, Status: Passed, Duration: seconds * 1000, Failures: []failures.Failure{}}}
		for _, f := range append(c.Failure, c.Error...) {
			a.session.Status = Failed
			a.errors = append(a.errors, trace.Error{Name: f.Type, Message: first(f.Message, f.Text), Stack: f.Text})
		}
		if c.Skipped != nil {
			a.session.Status = Skipped
		}
		a.traces = attachments(c.Out)
		r.attempts = append(r.attempts, a)
	}
	for _, inner := range s.Suites {
		r.junit(inner, depth+1)
	}
}

// attachments finds the zips that a JUnit file names as [[ATTACHMENT|path]].
func attachments(out string) (list []string) {
	for {
		_, rest, ok := strings.Cut(out, "[[ATTACHMENT|")
		if !ok {
			return list
		}
		name, after, ok := strings.Cut(rest, "]]")
		if ok && strings.HasSuffix(name, ".zip") {
			list = append(list, name)
		}
		out = after
	}
}

// apply joins what a runner reported with the traces that there are. Attempts
// without a trace become sessions of their own.
func (r *Results) apply(sessions []Session, m *redact.Masker) []Session {
	for i := range r.attempts {
		r.attempts[i].taken = false
	}
	for i := range sessions {
		if a := r.of(&sessions[i]); a != nil {
			a.taken = true
			sessions[i].take(a, m)
		}
	}
	for i := range r.attempts {
		if a := &r.attempts[i]; !a.taken {
			s := a.session
			s.take(a, m)
			sessions = append(sessions, s)
		}
	}
	return sessions
}

// of finds the attempt that a trace is of: by the path under which it was
// attached, or by its title where only one attempt has it.
func (r *Results) of(s *Session) *attempt {
	best, most := -1, 0
	for i, a := range r.attempts {
		for _, t := range a.traces {
			n := commonEnd(t, s.Trace)
			if n > most && !a.taken && (n >= 2 || path.Base(slashed(t)) != "trace.zip") {
				best, most = i, n
			}
		}
	}
	if best < 0 {
		for i, a := range r.attempts {
			if !a.taken && a.session.Title == s.Title && a.session.Retry == s.Retry && (s.Project == "" || s.Project == a.session.Project) {
				if best >= 0 {
					return nil
				}
				best = i
			}
		}
	}
	if best < 0 {
		return nil
	}
	return &r.attempts[best]
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

// commonEnd counts the parts that two paths have in common at their ends.
func commonEnd(a, b string) int {
	x, y := strings.Split(slashed(a), "/"), strings.Split(slashed(b), "/")
	n := 0
	for n < len(x) && n < len(y) && x[len(x)-1-n] == y[len(y)-1-n] && x[len(x)-1-n] != "" {
		n++
	}
	return n
}

// take gives a session what the runner knows better.
func (s *Session) take(a *attempt, m *redact.Masker) {
	from := a.session
	s.Title, s.Suite, s.Project = m.Text(first(from.Title, s.Title)), first(from.Suite, s.Suite), first(from.Project, s.Project)
	s.Retry, s.Started = from.Retry, first(from.Started, s.Started)
	if from.Status != Unknown {
		s.Status = from.Status
	}
	if from.Duration > 0 {
		s.Duration = from.Duration
	}
	if s.Status != Failed || slices.ContainsFunc(s.Failures, func(f failures.Failure) bool { return f.Kind != trace.FailedPage }) {
		return
	}
	for _, e := range a.errors {
		s.Failures = append(s.Failures, failures.OfError(e, m.Text))
	}
}
