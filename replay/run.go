package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/recorder"
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
	moved  *place // where recorded files are now

	pages   map[string]*determinism.Page // by the recorded page's id
	begun   bool                         // there is something to see
	hoping  bool                         // the step under way did not fail when it was recorded
	took    time.Duration                // it took so long then, if it did not fail
	current *determinism.Page
	groups  []*trace.Action // open in the new trace
	broken  map[*determinism.Page]string
	lost    map[*determinism.Page]string // the element that was last to be acted on, if that failed
	lasts   []*planned                   // what was done to the whole context
	stored  map[string]bool              // origins whose local storage was given
	held    determinism.Modifiers
	mouse   determinism.Mouse
	scratch string
	a       *trace.Archive
	router  *mock.Router
	name    string // of this replay, or of those that it is one of
	heard   []heard
	gate    *mock.Gate // nil where requests are somebody else's

	mu      sync.Mutex
	dialogs []reply
}

// Run replays one session. What goes wrong with a step is in the report; the
// error is for what kept the replay from being made at all.
func Run(ctx context.Context, a *trace.Archive, o Options) (*Report, error) {
	o.settle()
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		return nil, err
	}
	r := &run{o: o, a: a, t: t, name: o.Run, pages: map[string]*determinism.Page{}, broken: map[*determinism.Page]string{}, lost: map[*determinism.Page]string{}}
	if r.name == "" {
		r.name = time.Now().UTC().Format(time.RFC3339Nano) + " " + o.Output
	}
	r.report = &Report{Trace: a.Name(), Output: o.Output, Steps: []Step{}, Pictures: []Picture{}, Refused: []Refusal{}}
	if o.Until != "" && !hasCall(t.Actions, o.Until) {
		return r.report, errorf("E_NO_STEP", "%s: no action in it has the call id %s", a.Name(), o.Until)
	}
	var refused []Refusal
	r.steps, refused = plan(t, o.Until)
	r.report.Refused = append(r.report.Refused, refused...)
	for _, f := range refused {
		o.Log("not carried out: %s (%s): %s", f.Title, f.Recorded, f.Reason)
	}
	for _, w := range r.foreseen() {
		r.report.Warnings = append(r.report.Warnings, w)
		o.Log("%s", w)
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
	r.gate = gate
	if gate != nil {
		defer gate.Close()
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	defer r.s.Close()
	if err := r.given(ctx); err != nil {
		return err
	}
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
	n.Target, n.OriginMap = r.target(), r.o.Origins
	var err error
	if r.router, err = mock.New(ctx, r.a, n); err != nil {
		return nil, err
	}
	if lacking := r.router.Lacking(); n.Offline && len(lacking) > 0 {
		w := fmt.Sprintf("the trace does not hold the bodies of %d files that pages are made of, such as %s, which --offline needs: Playwright keeps no scripts, and Vibium nothing; with --url and without --offline the app serves them", len(lacking), lacking[0])
		r.report.Warnings = append(r.report.Warnings, w)
		r.o.Log("%s", w)
	}
	gate, err := r.router.Gate()
	if err != nil {
		return nil, err
	}
	s := &r.o.Session
	s.Network, s.Scripts, s.Proxy = r.router.Network(), append([]string{r.router.Script()}, s.Scripts...), gate.Address()
	s.Hear = r.router.Hear
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

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
