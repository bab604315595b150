package verify

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
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

// resourceFailure is how Chromium's console tells of a request that failed. The
// request itself tells more, where it was recorded.
const resourceFailure = "Failed to load resource"

func (c *capturer) console() {
	network := len(c.t.Network) > 0
	for _, m := range c.t.Console {
		level, into := m.Kind, c.issues
		switch {
		case level == "warning" || level == "warn":
			into = c.warns
		case level != "error" && level != "assert":
			continue
		case network && strings.HasPrefix(m.Text, resourceFailure):
			continue
		}
		if !c.passes(m.Location.URL, c.pageAt(m.Time, m.PageID)) {
			continue
		}
		script := ""
		if m.Location.URL != "" {
			script = c.stable(c.masks.Path(m.Location.URL))
		}
		c.add(into, m.Time, m.PageID, Issue{Key: key("console", c.normal(m.Text), script), Category: Console, Message: c.clean(firstLine(m.Text)), Source: script})
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// failures takes errors of pages, actions that failed, and errors of the test
// that no action tells of.
func (c *capturer) failures() {
	for _, f := range c.t.Errors {
		if f.Action != nil && (f.Kind == trace.FailedTest || inside(f.Action)) {
			continue
		}
		text := f.Message
		if f.Name != "" && !strings.HasPrefix(text, f.Name) {
			text = f.Name + ": " + text
		}
		page := f.PageID
		if page == "" && f.Action != nil {
			page = f.Action.PageID
		}
		if !c.passes(f.Location.URL, c.pageAt(f.Time, page)) {
			continue
		}
		where := c.stable(c.masks.TopFrame(f.Stack))
		i := Issue{Category: Category(f.Kind), Message: c.clean(firstLine(text)), Source: where}
		switch {
		case f.Action != nil:
			i.Category, i.Step = Action, c.stepKey(f.Action)
			where, i.Source = i.Step, c.clean(f.Action.Title().String())
		case f.Kind == trace.FailedTest:
			where, i.Source, i.Category = "", "", Test
		default:
			i.Category = Page
		}
		i.Key = key(string(i.Category), c.normal(text), where)
		c.add(c.issues, f.Time, page, i)
	}
}

// inside reports whether something inside the action failed too.
func inside(a *trace.Action) bool {
	return slices.ContainsFunc(a.Children, func(child *trace.Action) bool { return child.Error != nil || inside(child) })
}

func (c *capturer) network() {
	for _, r := range c.t.Network {
		if diff.IsSocket(r) || !c.o.URL.Match(r.Request.URL) || r.Pending() {
			continue
		}
		name := c.stable(c.masks.Endpoint(&r.Request, func() string { return c.sent(r) }))
		e := c.calls[name]
		if e == nil {
			if len(c.calls) >= mostKinds {
				c.lost++
				continue
			}
			e = &Endpoint{Name: name, last: -1}
			c.calls[name] = e
		}
		e.Calls++
		e.Bytes += int64(max(0, r.Response.TransferSize, r.Response.Content.Size))
		if r.Time > 0 {
			e.took = append(e.took, r.Time)
		}
		status := r.Response.Status
		if r.Failed() {
			status = 0
		}
		if end := float64(r.End); end >= e.last {
			e.last, e.Status, e.Type = end, status, mime(r.Response.Content.MimeType)
		}
		if status >= 400 || status == 0 && !aborted(r) {
			e.Failed++
			c.failed(r, name, status)
		}
	}
	for name, e := range c.calls {
		for _, kind := range []string{"status", "no answer"} {
			if i := c.issues[key("network", name, kind)]; i != nil {
				i.Calls = e.Calls
			}
		}
	}
}

// aborted reports whether the page itself gave the request up, as it does when
// it is left.
func aborted(r *trace.Request) bool {
	return r.WasAborted || strings.Contains(r.Response.FailureText, "ABORTED") || r.Response.Status > 0
}

// failed notes that an endpoint failed: with a status, or without an answer,
// which is a kind of its own. Which status it was does not matter.
func (c *capturer) failed(r *trace.Request, name string, status int) {
	kind, text := "status", fmt.Sprintf("%s → %d", name, status)
	if status == 0 {
		kind, text = "no answer", name+" → no answer"
		if r.Response.FailureText != "" {
			text += " (" + strings.TrimPrefix(r.Response.FailureText, "net::") + ")"
		}
	}
	i := Issue{Key: key("network", name, kind), Category: Network, Message: c.clean(text), Endpoint: name, Status: status}
	c.add(c.issues, r.Start, r.PageRef, i)
	if old := c.issues[i.Key]; old != nil && float64(r.Start) >= old.at { // the last answer is what it came to
		old.Status, old.Message, old.at = i.Status, i.Message, float64(r.Start)
	}
}

func mime(s string) string {
	s, _, _ = strings.Cut(s, ";")
	return failures.Cut(strings.TrimSpace(s), 80)
}

// sent reads the body of a request, for its GraphQL operation.
func (c *capturer) sent(r *trace.Request) string {
	p := r.Request.PostData
	switch {
	case p == nil:
		return ""
	case p.Text != "" || p.File == "" || c.a == nil:
		return p.Text
	}
	return c.resource(p.File)
}

func (c *capturer) resource(file string) string {
	rc, err := c.a.Resource(c.ctx, file)
	if err != nil {
		return ""
	}
	defer rc.Close()
	b, _ := io.ReadAll(io.LimitReader(rc, mostBody)) // the good part of a damaged one is what there is
	return string(b)
}

func (c *capturer) sockets() {
	all := map[string]*Socket{}
	spans := map[string]float64{}
	for _, r := range c.t.Network {
		if !diff.IsSocket(r) || !c.o.URL.Match(r.Request.URL) {
			continue
		}
		path := c.stable(c.masks.Path(r.Request.URL))
		s := all[path]
		if s == nil {
			if len(all) >= MostEndpoints {
				continue
			}
			s = &Socket{Path: path}
			all[path] = s
		}
		s.Connections++
		s.State = "closed"
		if r.Pending() {
			s.State = "open"
		}
		spans[path] += max(r.Time, ms(time.Duration(r.End-r.Start)))
		c.talk(r, s)
	}
	c.state.Sockets = []Socket{}
	for path, s := range all {
		if spans[path] > 0 {
			s.Rate = float64(int(float64(s.Messages)/spans[path]*1e5)) / 100
		}
		c.state.Sockets = append(c.state.Sockets, *s)
	}
	slices.SortFunc(c.state.Sockets, func(a, b Socket) int { return cmp.Compare(a.Path, b.Path) })
}

// talk counts what went over a socket: a JSON object a line.
func (c *capturer) talk(r *trace.Request, s *Socket) {
	if r.Response.Content.File == "" || c.a == nil {
		return
	}
	rc, err := c.a.Resource(c.ctx, r.Response.Content.File)
	if err != nil {
		return
	}
	defer rc.Close()
	lines := bufio.NewScanner(io.LimitReader(rc, 64<<20))
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var m struct {
			Type string
			Code int
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		switch m.Type {
		case "send", "receive":
			s.Messages++
		case "close":
			s.State, s.CloseCode = "closed", m.Code
		}
	}
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
