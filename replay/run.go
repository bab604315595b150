package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/replay/mock"
	"github.com/tracedeck/tracedeck/trace"
)

// run is one replay under way.
type run struct {
	o      Options
	t      *trace.Trace
	b      *determinism.Browser
	s      *determinism.Session
	rec    *recorder.Session
	report *Report
	steps  []*planned

	pages   map[string]*determinism.Page // by the recorded page's id
	current *determinism.Page
	groups  []*trace.Action // open in the new trace
	broken  map[*determinism.Page]string
	lost    map[*determinism.Page]string // the element that was last to be acted on, if that failed
	lasts   []*planned                   // what was done to the whole context
	held    determinism.Modifiers
	mouse   determinism.Mouse
	scratch string
	a       *trace.Archive
	router  *mock.Router

	mu      sync.Mutex
	dialogs []reply
}

// reply is what the recorded program answered to a dialog.
type reply struct {
	accept bool
	text   string
}

// Run replays one session. What goes wrong with a step is in the report; the
// error is for what kept the replay from being made at all.
func Run(ctx context.Context, a *trace.Archive, o Options) (*Report, error) {
	o.settle()
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		return nil, err
	}
	r := &run{o: o, a: a, t: t, pages: map[string]*determinism.Page{}, broken: map[*determinism.Page]string{}, lost: map[*determinism.Page]string{}}
	r.report = &Report{Trace: a.Name(), Output: o.Output, Steps: []Step{}, Pictures: []Picture{}, Refused: []Refusal{}}
	var refused []Refusal
	r.steps, refused = plan(t, o.Until)
	r.report.Refused = append(r.report.Refused, refused...)
	for _, f := range refused {
		o.Log("not carried out: %s (%s): %s", f.Title, f.Recorded, f.Reason)
	}
	if len(r.steps) == 0 {
		return r.report, errorf("E_NOTHING_TO_REPLAY", "%s: no action in it can be carried out", a.Name())
	}
	if err := r.mapOrigins(); err != nil {
		return r.report, err
	}
	r.scenes(ctx)
	r.identify(ctx)
	return r.report, r.run(ctx)
}

func (r *run) run(ctx context.Context) (err error) {
	began := time.Now()
	defer func() {
		r.report.Wall = float64(time.Since(began).Microseconds()) / 1000
		r.report.Duration = time.Since(began)
	}()
	if r.b = r.o.Browser; r.b == nil {
		if r.b, err = determinism.Start(ctx, r.o.Start); err != nil {
			return err
		}
		defer r.b.Close()
	}
	if r.scratch, err = os.MkdirTemp("", "tracedeck-replay-"); err != nil {
		return err
	}
	defer os.RemoveAll(r.scratch)
	gate, err := r.route(ctx)
	if err != nil {
		return err
	}
	if gate != nil {
		defer gate.Close()
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	defer r.s.Close()
	limited, cancel := context.WithTimeoutCause(ctx, r.o.Limits.Session, errorf("E_SESSION_LIMIT", "the session took longer than %v", r.o.Limits.Session))
	defer cancel()
	if err := r.perform(limited); err != nil {
		r.report.Code, r.report.Error = codeOr(err, limited), err.Error()
		r.diagnose()
	}
	return r.finish(ctx)
}

// route has the requests of the session answered from the recording, and lets
// none out but where the recording went.
func (r *run) route(ctx context.Context) (*mock.Gate, error) {
	if r.o.Open || r.o.Session.Network != nil {
		return nil, nil
	}
	n := r.o.Network
	n.Target, n.OriginMap = r.o.URL, r.o.Origins
	var err error
	if r.router, err = mock.New(ctx, r.a, n); err != nil {
		return nil, err
	}
	gate, err := r.router.Gate()
	if err != nil {
		return nil, err
	}
	s := &r.o.Session
	s.Network, s.Scripts, s.Proxy = r.router.Network(), append([]string{r.router.Script()}, s.Scripts...), gate.Address()
	return gate, nil
}

// codeOr is the code of an error, or of why its context has ended.
func codeOr(err error, ctx context.Context) string {
	if cause := context.Cause(ctx); cause != nil && CodeOf(err) != "E_BROWSER_GONE" {
		if c := CodeOf(cause); c != "E_REPLAY" {
			return c
		}
	}
	return CodeOf(err)
}

// begin makes the session and starts to record it.
func (r *run) begin(ctx context.Context) error {
	o := r.surroundings()
	o.Dialog = r.dialog
	r.planDialogs()
	var err error
	if r.s, err = r.b.NewSession(ctx, o); err != nil {
		return err
	}
	r.report.Regime, r.report.Browser, r.report.Seed, r.report.Epoch = string(r.b.Regime), r.b.Version.String(), o.Seed, o.Epoch
	ro := recorder.DefaultOptions(r.o.Output)
	ro.NoStacks = true
	ro.Title = r.o.Title
	if ro.Title == "" {
		ro.Title = "replay of " + r.report.Trace
	}
	ro.Browser.Pictures, ro.Browser.Input, ro.Browser.Secrets = cdp.NoPictures, false, r.o.Secrets
	ro.Browser.VirtualTime = r.b.Regime == determinism.Frames || r.b.Regime == determinism.Timers
	// A copy, so that the recorder hears of this context only and does not
	// take the driver's commands for actions.
	scoped := *r.b.Rod
	scoped.BrowserContextID = proto.BrowserBrowserContextID(r.s.Context)
	if r.rec, err = recorder.Start(ctx, &scoped, ro); err != nil {
		r.s.Close()
		return err
	}
	r.event("begin", map[string]any{"trace": r.report.Trace, "regime": r.report.Regime, "browser": r.report.Browser, "stamp": r.b.Stamp(), "seed": o.Seed,
		"epoch": o.Epoch.UTC().Format(time.RFC3339), "locale": o.Locale, "timezoneId": o.Timezone, "viewport": map[string]any{"width": o.Width, "height": o.Height}, "refused": r.report.Refused})
	return nil
}

// surroundings are what the page was told about the world when it was recorded.
func (r *run) surroundings() determinism.SessionOptions {
	o := determinism.DefaultSession()
	if !r.t.Start.IsZero() && r.t.Start.Year() > 1971 {
		o.Epoch = r.t.Start.UTC().Truncate(time.Second)
	}
	for _, c := range r.t.Contexts {
		if !c.Runner() {
			recorded(&o, c.Options)
			break
		}
	}
	s := r.o.Session
	o.Network, o.Scripts, o.Proxy, o.Coverage, o.ServiceWorkers, o.Media, o.Stuck = s.Network, s.Scripts, s.Proxy, s.Coverage || r.o.Coverage, s.ServiceWorkers, s.Media, s.Stuck
	if s.Seed != "" {
		o.Seed = s.Seed
	}
	if !s.Epoch.IsZero() {
		o.Epoch = s.Epoch
	}
	if s.Width > 0 && s.Height > 0 {
		o.Width, o.Height = s.Width, s.Height
	}
	if s.Scale > 0 {
		o.Scale = s.Scale
	}
	for _, w := range []struct{ to, from *string }{{&o.UserAgent, &s.UserAgent}, {&o.Locale, &s.Locale}, {&o.Timezone, &s.Timezone}, {&o.ColorScheme, &s.ColorScheme}} {
		if *w.from != "" {
			*w.to = *w.from
		}
	}
	o.ReducedMotion = o.ReducedMotion || s.ReducedMotion
	if o.Stuck <= 0 {
		o.Stuck = r.o.Limits.Step
	}
	return o
}

// recorded takes over what the header of a trace says of the browser context.
func recorded(o *determinism.SessionOptions, raw json.RawMessage) {
	var c struct {
		Viewport    *trace.Size `json:"viewport"`
		Scale       float64     `json:"deviceScaleFactor"`
		IsMobile    bool        `json:"isMobile"`
		HasTouch    bool        `json:"hasTouch"`
		UserAgent   string      `json:"userAgent"`
		Locale      string      `json:"locale"`
		Timezone    string      `json:"timezoneId"`
		ColorScheme string      `json:"colorScheme"`
		Reduced     string      `json:"reducedMotion"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return
	}
	if c.Viewport != nil && c.Viewport.Width >= 1 && c.Viewport.Height >= 1 && c.Viewport.Width <= 10000 && c.Viewport.Height <= 10000 {
		o.Width, o.Height = int(c.Viewport.Width), int(c.Viewport.Height)
	}
	if c.Scale > 0 && c.Scale <= 8 {
		o.Scale = c.Scale
	}
	o.Mobile, o.Touch = c.IsMobile, c.HasTouch
	if c.IsMobile { // a desktop's own would name another browser
		o.UserAgent = c.UserAgent
	}
	if c.Locale != "" {
		o.Locale = c.Locale
	}
	if c.Timezone != "" {
		o.Timezone = c.Timezone
	}
	if c.ColorScheme == "dark" || c.ColorScheme == "light" {
		o.ColorScheme = c.ColorScheme
	}
	o.ReducedMotion = c.Reduced == "reduce"
}

// planDialogs gathers what was answered to the dialogs of the recording, in
// their order: a dialog holds the page up, so the answer must be known before.
func (r *run) planDialogs() {
	var opened []*trace.Happening
	for _, e := range r.t.Events {
		if e.Method == "dialog" {
			opened = append(opened, e)
		}
	}
	for _, s := range r.steps {
		if s.action.Before.Class != "Dialog" {
			continue
		}
		// One that the program did not answer was dismissed for it.
		for len(opened) > 1 && opened[1].Time <= s.action.Start {
			r.dialogs, opened = append(r.dialogs, reply{}), opened[1:]
		}
		if len(opened) > 0 {
			opened = opened[1:]
		}
		text := s.params.text("promptText")
		if text == "" {
			text = s.params.text("text")
		}
		r.dialogs = append(r.dialogs, reply{s.verb == "accept", text})
	}
}

func (r *run) dialog(kind, message, preset string) (bool, string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.dialogs) == 0 {
		return kind == "alert" || kind == "beforeunload", ""
	}
	d := r.dialogs[0]
	r.dialogs = r.dialogs[1:]
	if d.accept && d.text == "" && kind == "prompt" {
		d.text = preset
	}
	return d.accept, d.text
}

// perform carries out all steps. It ends early where a session cannot go on.
func (r *run) perform(ctx context.Context) error {
	tried, failed := 0, 0
	for _, s := range r.steps {
		if err := r.step(ctx, s); err != nil {
			return err
		}
		switch last := r.report.Steps[len(r.report.Steps)-1]; last.Status {
		case Failed, Skipped:
			failed++
			tried++
		case Passed, AsBefore, Changed:
			tried++
		}
		if tried > 5 && failed*10 > tried*3 {
			return errorf("E_UNREPLAYABLE", "%d of %d steps could not be carried out: %s", failed, tried, r.reasons())
		}
	}
	return r.final(ctx)
}

// reasons are why steps failed, in short.
func (r *run) reasons() string {
	var list []string
	for _, s := range r.report.Steps {
		if s.Status == Failed {
			text, _, _ := strings.Cut(s.Error, "\n")
			list = append(list, fmt.Sprintf("%s: %s", s.Title, text))
		}
	}
	if len(list) > 4 {
		list = append(list[:4], fmt.Sprintf("and %d more", len(list)-4))
	}
	return strings.Join(list, "; ")
}

// step carries out one recorded action and reports what became of it.
func (r *run) step(ctx context.Context, p *planned) error {
	began := time.Now()
	done := Step{Number: p.number, Recorded: p.action.ID(), Title: title(p.action)}
	if p.action.Error == nil && r.untold(p) {
		done.Was = "it seems to have failed: the recorder writes no errors"
	}
	if e := p.action.Error; e != nil {
		done.Was, done.WasCode = firstLine(e.Message), kindOf(p)
	}
	defer func() {
		done.Clock, done.Took = float64(r.s.Now().Microseconds())/1000, float64(time.Since(began).Microseconds())/1000
		r.report.Steps = append(r.report.Steps, done)
		r.event("step", done)
		r.o.Log("%s %s: %s %s", done.Recorded, done.Title, done.Status, done.Error)
	}()
	if why := r.depends(p); why != "" {
		done.Status, done.Error = Skipped, why
		return nil
	}
	if err := r.think(ctx, p); err != nil {
		done.Status, done.Error, done.Code = Failed, err.Error(), codeOr(err, ctx)
		return err
	}
	r.regroup(p.groups)
	err := r.act(ctx, p, &done)
	r.judge(p, &done, err)
	if err != nil && (fatal(err) || ctx.Err() != nil) {
		return err
	}
	return nil
}

// judge says what an outcome means beside the recorded one.
func (r *run) judge(p *planned, done *Step, err error) {
	failedBefore := p.action.Error != nil || err != nil && r.untold(p)
	switch {
	case err == nil && failedBefore:
		done.Status = Changed
	case err == nil:
		done.Status = Passed
	case failedBefore:
		done.Status, done.Error, done.Code = AsBefore, err.Error(), CodeOf(err)
	default:
		done.Status, done.Error, done.Code = Failed, err.Error(), CodeOf(err)
	}
	if element := p.params.text("selector") != "" && !waits[p.verb]; element || navigates[p.verb] {
		if delete(r.lost, r.current); element && done.Status == Failed {
			r.lost[r.current] = fmt.Sprintf("it needs %s, which failed", done.Title)
		}
	}
	if p.verb == "goto" && r.current != nil {
		if delete(r.broken, r.current); err != nil && !failedBefore {
			r.broken[r.current] = fmt.Sprintf("it needs %s, which failed", done.Title)
		}
	}
}

// depends says on which step that failed a step depends, or "".
func (r *run) depends(p *planned) string {
	if p.verb == "goto" || p.verb == "newPage" {
		return ""
	}
	page := r.pages[p.scene.page]
	if page == nil {
		page = r.current
	}
	if page == nil {
		return ""
	}
	if why := r.lost[page]; why != "" && strings.HasPrefix(p.verb, "keyboard") {
		return why // the keys would go to another element
	}
	if opener, isPopup := r.opener(p.scene.page); isPopup && r.pages[p.scene.page] == nil && opener != nil && r.lost[opener] != "" {
		return r.lost[opener] // it did not open the page
	}
	return r.broken[page]
}

// mostThink is how much think time is replayed at a time.
const mostThink = 5 * time.Minute

func (r *run) think(ctx context.Context, p *planned) error {
	if r.o.Slow > 0 {
		select {
		case <-time.After(r.o.Slow):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	think := min(p.think, mostThink)
	if r.b.Regime == determinism.Real {
		think = min(think, 2*time.Second)
	}
	if think < time.Millisecond || len(r.report.Steps) == 0 {
		return nil
	}
	return r.s.Advance(ctx, think)
}

// act carries out one action inside of one of the new trace.
func (r *run) act(ctx context.Context, p *planned, done *Step) (err error) {
	limit, code := r.o.Limits.Step, "E_STEP_LIMIT"
	if navigates[p.verb] {
		limit, code = r.o.Limits.Navigation, "E_NAVIGATION_LIMIT"
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errorf(code, "%s took longer than %v", done.Title, limit))
	defer cancel()
	page, err := r.pageOf(ctx, p)
	if err != nil {
		return err
	}
	r.named(ctx, p)
	b := p.action.Before
	call := recorder.Call{Class: b.Class, Method: b.Method, Title: b.Title, Group: b.Group, Params: r.paramsFor(p), PageID: cdp.PageID(page.Target())}
	a := r.rec.Begin(call)
	done.Call = a.ID()
	err = verbs[p.verb](ctx, r, &doing{planned: p, page: page, action: a, step: done})
	if err == nil {
		err = r.lasted(ctx, p, page)
	}
	if err == nil && !still[p.verb] {
		err = r.s.Settle(ctx)
	}
	if err != nil && ctx.Err() != nil {
		if cause := context.Cause(ctx); cause != nil && CodeOf(err) != "E_PAGE_BUSY" {
			err = fmt.Errorf("%w: %w", cause, err)
		}
	}
	if perr := r.pictureOf(ctx, p, page, a, done); err == nil {
		err = perr
	}
	a.End(err)
	return err
}

// still are verbs after which nothing is waited for.
var still = map[string]bool{"waitForTimeout": true, "expect": true, "waitForSelector": true, "waitForFunction": true, "screenshot": true, "accept": true, "dismiss": true,
	"newPage": true, "addCookies": true, "addInitScript": true, "bringToFront": true, "setViewportSize": false}

var navigates = map[string]bool{"goto": true, "reload": true, "goBack": true, "goForward": true}

// paramsFor are the recorded parameters, and which action they are of.
func (r *run) paramsFor(p *planned) map[string]any {
	m := map[string]any{}
	for k, v := range p.params {
		m[k] = v
	}
	if p.verb == "goto" {
		m["url"] = r.address(p)
	}
	m["_recorded"] = p.action.ID()
	return m
}

// pageOf returns the page of now that a recorded page is.
func (r *run) pageOf(ctx context.Context, p *planned) (*determinism.Page, error) {
	id := p.scene.page
	if id == "" { // the trace does not tell
		if r.current == nil || r.current.Closed() {
			r.current = r.s.Page()
		}
		if r.current == nil {
			return nil, errorf("E_PAGE_GONE", "no page is open")
		}
		return r.current, r.resume(ctx, p, r.current)
	}
	if page := r.pages[id]; page != nil {
		if page.Closed() {
			return nil, errorf("E_PAGE_GONE", "the page of this action was closed")
		}
		r.current = page
		return page, nil
	}
	page, err := r.take(ctx, id)
	if err != nil {
		return nil, err
	}
	r.pages[id], r.current = page, page
	if err := r.spread(ctx, page); err != nil {
		return nil, err
	}
	return page, r.resume(ctx, p, page)
}

// resume goes to where a page was when the recording began, if that was in the
// middle of a session.
func (r *run) resume(ctx context.Context, p *planned, page *determinism.Page) error {
	if navigates[p.verb] || p.verb == "setContent" || p.verb == "newPage" || still[p.verb] && p.verb != "expect" && p.verb != "waitForSelector" || page.Opener() != "" || page.URL() != "about:blank" && page.URL() != "" {
		return nil
	}
	for _, s := range r.t.Snapshots {
		if !s.IsMainFrame || s.PageID != p.scene.page && p.scene.page != "" {
			continue
		}
		if !strings.HasPrefix(s.FrameURL, "http") {
			return nil
		}
		at := r.mapped(s.FrameURL)
		r.report.Warnings = append(r.report.Warnings, "the recording begins in the middle of a session; it is replayed from "+at)
		return page.Navigate(ctx, at)
	}
	return nil
}

// take finds the page that a recorded one has become: the first one, a popup
// of the page that opened it, or a new one.
func (r *run) take(ctx context.Context, id string) (*determinism.Page, error) {
	opener, isPopup := r.opener(id)
	for tries := 0; ; tries++ {
		for _, page := range r.s.Pages() {
			if r.taken(page) {
				continue
			}
			if !isPopup && page.Opener() == "" || isPopup && page.Opener() != "" && (opener == nil || page.Opener() == opener.Target()) {
				return page, nil
			}
		}
		if !isPopup {
			return r.s.NewPage(ctx)
		}
		if tries > 25 {
			return nil, errorf("E_PAGE_GONE", "the page that this action is on did not open")
		}
		if err := r.s.Advance(ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

func (r *run) taken(page *determinism.Page) bool {
	for _, p := range r.pages {
		if p == page {
			return true
		}
	}
	return false
}

func (r *run) opener(id string) (page *determinism.Page, isPopup bool) {
	for _, p := range r.t.Pages {
		if p.ID == id && p.OpenerID != "" {
			return r.pages[p.OpenerID], true
		}
	}
	return nil, false
}

// regroup closes the groups that are over and opens those that begin.
func (r *run) regroup(groups []*trace.Action) {
	same := 0
	for same < len(groups) && same < len(r.groups) && groups[same] == r.groups[same] {
		same++
	}
	for range r.groups[same:] {
		r.rec.StopGroup()
	}
	for _, g := range groups[same:] {
		r.rec.StartGroup(title(g))
	}
	r.groups = groups
}

// event writes what only this program reads into the new trace.
func (r *run) event(method string, what any) {
	data, err := json.Marshal(what)
	if err != nil {
		return
	}
	r.rec.Write(&trace.ContextEvent{Time: r.rec.Now(), Class: "Replay", Method: method, Params: data})
}

// mapOrigins finds out which recorded origin the app under test takes the
// place of: that of the first page.
func (r *run) mapOrigins() error {
	m := map[string]string{}
	for from, to := range r.o.Origins {
		m[from] = to
	}
	if r.o.URL != "" {
		to, err := url.Parse(r.o.URL)
		if err != nil || to.Scheme == "" || to.Host == "" {
			return errorf("E_ORIGIN", "%q is no address of an app", r.o.URL)
		}
		for _, s := range r.steps {
			if s.verb == "goto" {
				from, err := url.Parse(r.absolute(s))
				if err == nil && from.Host != "" {
					if old := origin(from); m[old] == "" {
						m[old] = origin(to)
					}
					break
				}
			}
		}
		if len(m) == len(r.o.Origins) { // no navigation: the recording begins in the middle
			for _, s := range r.t.Snapshots {
				if u, err := url.Parse(s.FrameURL); err == nil && s.IsMainFrame && strings.HasPrefix(u.Scheme, "http") {
					m[origin(u)] = origin(to)
					break
				}
			}
		}
	}
	r.o.Origins = m
	return nil
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// absolute is the recorded address of a navigation.
func (r *run) absolute(s *planned) string {
	raw := s.params.text("url")
	var c struct{ BaseURL string }
	_ = json.Unmarshal(s.action.Context.Options, &c)
	if c.BaseURL == "" { // the header may not tell; the snapshots do
		for _, snap := range s.action.Snapshots {
			if snap.IsMainFrame && snap.Phase == trace.PhaseAfter && strings.HasPrefix(snap.FrameURL, "http") {
				c.BaseURL = snap.FrameURL
			}
		}
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return raw
	}
	u, err := base.Parse(raw)
	if err != nil {
		return raw
	}
	return u.String()
}

// address is where a navigation goes now.
func (r *run) address(s *planned) string { return r.mapped(r.absolute(s)) }

func (r *run) mapped(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		if r.o.URL != "" && strings.HasPrefix(raw, "/") {
			if base, err := url.Parse(r.o.URL); err == nil {
				if u, err := base.Parse(raw); err == nil {
					return u.String()
				}
			}
		}
		return raw
	}
	to, ok := r.o.Origins[origin(u)]
	if !ok {
		return raw
	}
	if base, err := url.Parse(to); err == nil {
		u.Scheme, u.Host = base.Scheme, base.Host
	}
	return u.String()
}

// diagnose notes the state of things when the session could not go on.
func (r *run) diagnose() {
	d := &Diagnosis{Pending: r.s.Pending()}
	if r.current != nil {
		d.URL = r.current.URL()
	}
	r.report.Last = d
}

// finish ends the recording.
func (r *run) finish(ctx context.Context) error {
	r.regroup(nil)
	r.report.Clock = float64(r.s.Now().Microseconds()) / 1000
	end := map[string]any{"passed": r.report.Count(Passed), "failed": r.report.Count(Failed), "skipped": r.report.Count(Skipped), "clockMs": r.report.Clock}
	if r.report.Code != "" {
		end["code"], end["error"], end["diagnosis"] = r.report.Code, r.report.Error, r.report.Last
	}
	if r.router != nil {
		r.report.Network = r.router.Report()
		end["network"] = r.report.Network
	}
	r.covered(ctx)
	r.event("end", end)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	err := r.rec.Stop(saving)
	for _, w := range r.rec.Warnings() {
		r.report.Warnings = append(r.report.Warnings, w.String())
	}
	if err == nil && r.report.Last != nil {
		r.lastWords(saving)
	}
	return err
}

// covered writes which code ran, as the browser's protocol tells it: an entry
// for each page that is open.
func (r *run) covered(ctx context.Context) {
	if !r.o.Coverage {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, page := range r.s.Pages() {
		data, err := page.Coverage(ctx)
		if err != nil {
			r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("no coverage of %s: %v", page.URL(), err))
			continue
		}
		if file, err := r.rec.AddResource(data, ".json"); err == nil {
			r.event("coverage", map[string]any{"file": file, "pageId": cdp.PageID(page.Target()), "url": page.URL()})
		}
	}
}

// lastWords reads the last lines of the console from the trace that was
// written.
func (r *run) lastWords(ctx context.Context) {
	a, err := trace.Open(ctx, r.o.Output, trace.Options{})
	if err != nil {
		return
	}
	defer a.Close()
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		return
	}
	for _, m := range t.Console[max(0, len(t.Console)-5):] {
		r.report.Last.Console = append(r.report.Last.Console, firstLine(m.Text))
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// pictureOf takes the picture of a step, if it is to have one.
func (r *run) pictureOf(ctx context.Context, p *planned, page *determinism.Page, a *recorder.Action, done *Step) error {
	if ctx.Err() != nil {
		return nil
	}
	key := ""
	switch {
	case navigates[p.verb]:
		key = fmt.Sprintf("nav@e%d", p.number)
	case p.verb == "screenshot" || r.o.Strategy == Every || !still[p.verb] && !quiet[p.verb]:
		key = fmt.Sprintf("cap@e%d", p.number)
	}
	if key == "" || r.o.Strategy == Manual && p.verb != "screenshot" {
		return nil
	}
	if page.Closed() {
		if page = r.s.Page(); page == nil {
			return nil
		}
	}
	file, err := r.picture(ctx, page, key, a.ID())
	if err != nil || file == "" {
		return err
	}
	done.Picture = key
	a.Attach(trace.Attachment{Name: key, ContentType: "image/png", File: file})
	return nil
}

// quiet are verbs after which nothing has changed to look at.
var quiet = map[string]bool{"close": true, "mouseMove": true, "keyboardDown": true, "keyboardUp": true, "setExtraHTTPHeaders": true, "setOffline": true}

func (r *run) picture(ctx context.Context, page *determinism.Page, key, call string) (string, error) {
	data, err := page.Picture(ctx)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) || fatal(err) {
			return "", err
		}
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("no picture %s: %v", key, err))
		return "", nil
	}
	file, err := r.rec.AddResource(data, ".png")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	picture := Picture{Key: key, File: file, SHA256: hex.EncodeToString(sum[:]), Call: call, Stamp: r.b.Stamp(), Boxes: r.boxes(ctx, page)}
	r.report.Pictures = append(r.report.Pictures, picture)
	o := r.surroundings()
	r.rec.Write(&trace.ScreencastFrame{PageID: cdp.PageID(page.Target()), File: file, Width: float64(o.Width), Height: float64(o.Height), Timestamp: r.rec.Now()})
	r.event("picture", picture)
	return file, nil
}

// final takes the last picture.
func (r *run) final(ctx context.Context) error {
	page := r.current
	if page == nil || page.Closed() {
		page = r.s.Page()
	}
	if page == nil {
		return nil
	}
	a := r.rec.Begin(recorder.Call{Class: "Page", Method: "screenshot", Title: "Final picture", PageID: cdp.PageID(page.Target())})
	file, err := r.picture(ctx, page, "final", a.ID())
	if file != "" {
		a.Attach(trace.Attachment{Name: "final", ContentType: "image/png", File: file})
	}
	a.End(err)
	return err
}
