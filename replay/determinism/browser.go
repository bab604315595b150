package determinism

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder/browser"
)

type object = map[string]any

// Browser is a Chromium in which sessions repeat. Its sessions must be used one
// after another: they share the process that has the clock. Close it.
type Browser struct {
	*browser.Browser
	Regime Regime
	o      Options
	stop   context.CancelFunc
	heard  chan struct{} // closed when no more events are dealt with

	mu       sync.Mutex
	sessions map[string]*Session // by context
	targets  map[string]*Session // by the browser's name for one of its sessions
}

// Start starts a browser. Without a regime in the options it takes the best
// that is to be had here and that passes a test: the same page twice must give
// the same picture.
func Start(ctx context.Context, o Options) (*Browser, error) {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if err := o.named(); err != nil {
		return nil, err
	}
	if o.Regime != "" {
		return launch(ctx, o, o.Regime)
	}
	candidates := []Regime{Frames, Timers, Clock}
	if i := slices.Index(candidates, o.Prefer); i > 0 {
		candidates = slices.Insert(slices.Delete(candidates, i, i+1), 0, o.Prefer)
	}
	if o.Headed {
		candidates = []Regime{Clock}
	}
	var why error
	for _, r := range candidates {
		b, err := try(ctx, o, r)
		if err == nil {
			o.Log("regime %s: %s", r, b.Version)
			return b, nil
		}
		o.Log("regime %s is not to be had: %v", r, err)
		why = errors.Join(why, fmt.Errorf("%s: %w", r, err))
		if ctx.Err() != nil {
			break
		}
	}
	return nil, &Error{Code: "E_NO_REGIME", Err: fmt.Errorf("no browser here repeats what it does: %w", why)}
}

// Same starts another browser of the same kind, without a test.
func (b *Browser) Same(ctx context.Context) (*Browser, error) { return launch(ctx, b.o, b.Regime) }

// tries is how often a regime is tested before a lesser one is taken: pictures
// of two regimes are not comparable, so a moment of load must not change it.
const tries = 3

func try(ctx context.Context, o Options, r Regime) (b *Browser, err error) {
	if o.program(r) == "" {
		return launch(ctx, o, r) // says so
	}
	for n := range tries {
		if b, err = tryOnce(ctx, o, r); err == nil || ctx.Err() != nil {
			return b, err
		}
		o.Log("regime %s, test %d of %d: %v", r, n+1, tries, err)
	}
	return nil, err
}

func tryOnce(ctx context.Context, o Options, r Regime) (*Browser, error) {
	b, err := launch(ctx, o, r)
	if err != nil {
		return nil, err
	}
	if err := b.Test(ctx); err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

func launch(ctx context.Context, o Options, r Regime) (*Browser, error) {
	path := o.program(r)
	if path == "" {
		return nil, errorf("E_NO_REGIME", "there is no browser for the regime %q", r)
	}
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	started, err := browser.Launch(ctx, browser.Options{Path: path, Headed: o.Headed, NoSandbox: o.NoSandbox, Flags: append(r.flags(), o.Flags...)})
	if err != nil {
		return nil, err
	}
	b := &Browser{Browser: started, Regime: r, o: o, heard: make(chan struct{}), sessions: map[string]*Session{}, targets: map[string]*Session{}}
	listening, stop := context.WithCancel(context.WithoutCancel(ctx))
	b.stop = stop
	events := b.Rod.Context(listening).Event()
	go func() {
		defer close(b.heard)
		for m := range events {
			b.hear(m)
		}
	}()
	// Pages come by themselves, popups among them, and wait to be set up.
	err = b.call(ctx, "", "Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
		"filter": []object{{"type": "page"}, {"type": "shared_worker"}, {"type": "service_worker"}}}, nil)
	if err == nil { // without it nobody tells that a page has crashed
		err = b.call(ctx, "", "Target.setDiscoverTargets", object{"discover": true}, nil)
	}
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

// Close ends the browser and what runs in it.
func (b *Browser) Close() error {
	err := b.Browser.Close()
	b.stop()
	<-b.heard
	return err
}

// Stamp says in one line what pictures of this browser may be compared with.
func (b *Browser) Stamp() string { return fmt.Sprintf("%s %s", b.Regime, b.Version) }

// patience is how long a command may take that does not wait for the page.
const patience = 20 * time.Second

// asked is a command on its way.
type asked struct {
	browser.Call
	method string
}

// ask gives the browser a command, in one of its sessions or none. Commands arrive
// in the order in which they are given.
func (b *Browser) ask(session, method string, params any) asked {
	if params == nil {
		params = object{}
	}
	return asked{b.Start(session, method, params), method}
}

// call gives a command and waits for its answer.
func (b *Browser) call(ctx context.Context, session, method string, params, result any) error {
	return b.answer(ctx, b.ask(session, method, params), result)
}

// answer waits for the answer to a command.
func (b *Browser) answer(ctx context.Context, a asked, result any) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	data, err := a.Wait(ctx)
	if err != nil {
		var refused *cdp.Error
		if ctx.Err() == nil && !errors.As(err, &refused) { // the connection ends before the browser is known to have
			select {
			case <-b.Done():
			case <-time.After(2 * time.Second):
			}
		}
		select {
		case <-b.Done():
			if gone := b.Err(); gone != nil {
				return gone
			}
		default:
		}
		return fmt.Errorf("%s: %w", a.method, err)
	}
	if result == nil {
		return nil
	}
	return json.Unmarshal(data, result)
}

// hear passes an event on to the session that it concerns.
func (b *Browser) hear(m *rod.Message) {
	if m.Method == "Target.attachedToTarget" {
		var e proto.TargetAttachedToTarget
		if m.Load(&e) {
			b.attached(m, &e)
		}
		return
	}
	if m.Method == "Target.targetCrashed" {
		var e proto.TargetTargetCrashed
		if m.Load(&e) {
			for _, s := range b.all() {
				s.crashed(string(e.TargetID))
			}
		}
		return
	}
	b.mu.Lock()
	s := b.targets[string(m.SessionID)]
	b.mu.Unlock()
	if s != nil {
		s.hear(m)
	}
}

func (b *Browser) all() []*Session {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []*Session
	for _, s := range b.sessions {
		list = append(list, s)
	}
	return list
}

func (b *Browser) attached(m *rod.Message, e *proto.TargetAttachedToTarget) {
	b.mu.Lock()
	s := b.targets[string(m.SessionID)]
	if s == nil {
		s = b.sessions[string(e.TargetInfo.BrowserContextID)]
	}
	if s != nil {
		b.targets[string(e.SessionID)] = s
	}
	b.mu.Unlock()
	if s == nil { // of nobody: let it run
		go func() {
			_ = b.call(context.Background(), string(e.SessionID), "Runtime.runIfWaitingForDebugger", nil, nil)
			_ = b.call(context.Background(), "", "Target.detachFromTarget", object{"sessionId": e.SessionID}, nil)
		}()
		return
	}
	s.attached(string(e.SessionID), e.TargetInfo, m.SessionID == "")
}
