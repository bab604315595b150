package verify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/perf"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// Options say what of a session is taken.
type Options struct {
	Span Span
	// URL selects addresses: of requests, and for errors the address of the
	// script or of the page. What has no address passes.
	URL     template.Filter
	URLText string    // the filter as it was written, for the state
	Now     time.Time // when it is captured
	Name    string    // of the trace, for people
	// Masker takes secrets out of all texts; nil means one that learns the
	// trace.
	Masker *redact.Masker
}

// capturer collects a state.
type capturer struct {
	ctx     context.Context
	a       *trace.Archive
	t       *trace.Trace // the part in the span
	o       Options
	masks   *diff.Masks
	state   *State
	issues  map[string]*Issue
	warns   map[string]*Issue
	calls   map[string]*Endpoint
	pages   map[string]bool
	steps   map[string]bool
	visits  []visit
	actions []*trace.Action
	lost    int
}

type visit struct {
	at   trace.Time
	page string
	url  string
}

// Capture sums up a trace, or the span of it that the options name.
func Capture(ctx context.Context, a *trace.Archive, t *trace.Trace, o Options) (*State, error) {
	masks, err := diff.NewMasks(nil)
	if err != nil {
		return nil, err
	}
	if o.Masker == nil {
		o.Masker = redact.NewMasker(redact.Options{})
		if err := o.Masker.Learn(ctx, a); err != nil {
			return nil, err
		}
	}
	c := &capturer{ctx: ctx, a: a, t: o.Span.cut(t), o: o, masks: masks, issues: map[string]*Issue{}, warns: map[string]*Issue{},
		calls: map[string]*Endpoint{}, pages: map[string]bool{}, steps: map[string]bool{}}
	to := t.Duration
	if o.Span.To > 0 {
		to = min(to, o.Span.To)
	}
	c.state = &State{CapturedAt: o.Now.UTC(), Source: c.clean(o.Name), From: ms(o.Span.From), To: ms(to), URLFilter: c.clean(o.URLText), Normalizer: diff.RulesVersion}
	c.places()
	c.network()
	c.console()
	c.failures()
	c.sockets()
	c.performance()
	c.finish(t)
	return c.state, ctx.Err()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// numbered are secrets that a masker took out: which of them it was differs
// between sessions.
var numbered = lazyregexp.New(`redacted-\d+`)

// clean takes secrets out of a text and cuts it then.
func (c *capturer) clean(s string) string {
	return failures.Cut(c.o.Masker.Text(strings.ToValidUTF8(s, "\uFFFD")), mostText)
}

// stable is a name without secrets that is the same in every session.
func (c *capturer) stable(s string) string {
	return failures.Cut(numbered.ReplaceAllString(c.o.Masker.Text(strings.ToValidUTF8(s, "\uFFFD")), "redacted"), mostText)
}

// normal is a text without secrets and without what differs from run to run.
func (c *capturer) normal(s string) string {
	return c.masks.Message(numbered.ReplaceAllString(c.o.Masker.Text(strings.ToValidUTF8(s, "\uFFFD")), "redacted"))
}

func key(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// places notes which pages were visited and what was done.
func (c *capturer) places() {
	for _, r := range c.t.Network {
		if r.ResourceType == "document" {
			c.visit(r.Start, r.PageRef, r.Request.URL)
		}
	}
	for _, s := range c.t.Snapshots {
		if s.IsMainFrame && s.FrameURL != "" {
			c.visit(s.Time, s.PageID, s.FrameURL)
		}
	}
	for _, e := range c.t.Events {
		if e.Method == "navigated" {
			var p struct{ URL string }
			if json.Unmarshal(e.Params, &p) == nil && p.URL != "" {
				c.visit(e.Time, e.PageID, p.URL)
			}
		}
	}
	sort.SliceStable(c.visits, func(i, j int) bool { return c.visits[i].at < c.visits[j].at })
	if n := len(c.visits); n > 0 {
		c.state.PageURL = c.clean(c.visits[n-1].url)
	}
	for _, a := range c.t.Actions {
		if a.Kind == trace.KindCall || a.Kind == trace.KindStep {
			c.actions = append(c.actions, a)
			c.steps[c.stepKey(a)] = true
		}
	}
}

func (c *capturer) visit(at trace.Time, page, url string) {
	c.visits = append(c.visits, visit{at, trace.PageKey(page), url})
	c.pages[c.stable(c.masks.Path(url))] = true
}

// pageAt is the address that a tab showed, or any of them where the tab is not
// known.
func (c *capturer) pageAt(at trace.Time, page string) string {
	page = trace.PageKey(page)
	i := sort.Search(len(c.visits), func(i int) bool { return c.visits[i].at > at })
	for i--; i >= 0; i-- {
		if page == "" || c.visits[i].page == page || c.visits[i].page == "" {
			return c.visits[i].url
		}
	}
	return ""
}

// stepAt is what was done last before a moment.
func (c *capturer) stepAt(at trace.Time) *trace.Action {
	i := sort.Search(len(c.actions), func(i int) bool { return c.actions[i].Start > at })
	if i == 0 {
		return nil
	}
	return c.actions[i-1]
}

func (c *capturer) stepKey(a *trace.Action) string {
	return key("step", c.stable(c.masks.StepName(a)))
}

// passes applies the filter to the addresses of an error; where there is none
// it passes.
func (c *capturer) passes(urls ...string) bool {
	known := false
	for _, u := range urls {
		if u != "" && c.o.URL.Match(u) {
			return true
		}
		known = known || u != ""
	}
	return !known || c.o.URL.All()
}

// add counts an issue.
func (c *capturer) add(into map[string]*Issue, at trace.Time, page string, i Issue) {
	old := into[i.Key]
	if old == nil && len(into) >= mostKinds {
		c.lost++
		return
	}
	if old != nil {
		i.Count = old.Count
		if old.at < float64(at) || old.at == float64(at) && old.Message <= i.Message {
			old.Count++
			return
		}
	}
	i.Count++
	i.at = float64(at)
	if url := c.pageAt(at, page); url != "" {
		i.Page = c.stable(c.masks.Path(url))
	}
	if a := c.stepAt(at); a != nil && i.Step == "" {
		i.Step = c.stepKey(a)
	}
	into[i.Key] = &i
}

func (c *capturer) performance() {
	r := perf.Of(c.t)
	c.state.Perf = &perf.Report{Metrics: r.Metrics, NotRecorded: r.NotRecorded, Loads: []perf.Load{}, Types: []perf.TypeSum{}, SlowActions: []perf.Slow{}, SlowRequest: []perf.Slow{}}
}

// finish puts everything in an order of its own and within limits.
func (c *capturer) finish(whole *trace.Trace) {
	s := c.state
	s.Issues, s.Warnings = sorted(c.issues), sorted(c.warns)
	s.Endpoints = []Endpoint{}
	for _, e := range c.calls {
		slices.Sort(e.took)
		if n := len(e.took); n > 0 {
			e.Duration = e.took[n/2]
		}
		s.Endpoints = append(s.Endpoints, *e)
	}
	slices.SortFunc(s.Endpoints, func(a, b Endpoint) int {
		return cmp.Or(cmp.Compare(min(b.Failed, 1), min(a.Failed, 1)), cmp.Compare(a.Name, b.Name))
	})
	s.Pages, s.Steps = names(c.pages), names(c.steps)
	s.Recorded = recorded(whole)
	s.Happened = len(c.t.Actions) + len(c.t.Network) + len(c.t.Console) + len(c.t.Errors) + len(c.t.Events)
	c.limit()
}

// limit takes the texts out of what is beyond what a state lists.
func (c *capturer) limit() {
	s := c.state
	errors, requests, left := 0, 0, map[string]int{}
	for i := range s.Issues {
		n, most, what := &errors, MostErrors, "errors"
		if s.Issues[i].Category == Network {
			n, most, what = &requests, MostFailures, "failing endpoints"
		}
		if *n++; *n > most {
			s.Issues[i].Message, s.Issues[i].Source = "", ""
			left[what]++
		}
	}
	if n := len(s.Warnings) - MostErrors; n > 0 {
		left["warnings"], s.Warnings = n, s.Warnings[:MostErrors]
	}
	left["endpoints"] = max(0, len(s.Endpoints)-MostEndpoints)
	left["kinds beyond what is counted"] = c.lost
	for _, what := range []string{"errors", "failing endpoints", "warnings", "endpoints", "kinds beyond what is counted"} {
		if left[what] > 0 {
			s.LeftOut = append(s.LeftOut, fmt.Sprintf("%d more %s", left[what], what))
		}
	}
}

func names(m map[string]bool) []string {
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list[:min(len(list), mostPlaces)]
}

func sorted(m map[string]*Issue) []Issue {
	list := make([]Issue, 0, len(m))
	for _, i := range m {
		list = append(list, *i)
	}
	slices.SortFunc(list, func(a, b Issue) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.Key, b.Key)) })
	return list
}

// recorded says what a trace holds, or would if it had happened.
func recorded(t *trace.Trace) map[Category]bool {
	own := strings.HasPrefix(t.Producer(), "tracedeck") || strings.HasPrefix(t.Producer(), "playwright")
	return map[Category]bool{
		Network: diff.RecordsNetwork(t),
		Console: own || len(t.Console) > 0,
		Page:    own || len(t.Console) > 0 || len(t.Errors) > 0,
		Action:  len(t.Actions) > 0,
	}
}
