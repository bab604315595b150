package determinism

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"
)

// workers are the threads of pages. Virtual time gives them its dates but not
// its timers, so they get a clock of their own, which is moved to the page's
// after each step.
type workers struct {
	starts   sync.Mutex // held by who lets them go
	mu       sync.Mutex
	made     int                // by pages
	came     int                // of those
	starting int                // those on their way to their first statement
	all      map[string]*worker // by the browser's session
	ready    []*worker          // those that stand at their first statement
	fresh    []*worker          // those that began in this step
	running  []*worker
	born     float64 // the time at which those that start now start
	now      float64
	shared   shared
}

type worker struct {
	session, url string
	target       string // which its script's request is named after
	kind         string
	order        int           // which of its page's it is
	halted       chan struct{} // closed when it stands at its first statement
	left         chan struct{} // closed when it is gone
	once         sync.Once
}

// call gives the worker a command. One that its page ends meanwhile does not
// answer.
func (x *worker) call(ctx context.Context, s *Session, method string, params, result any) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-x.left:
			cancel(errorf("E_PAGE_GONE", "the worker is gone"))
		case <-ctx.Done():
		}
	}()
	return s.b.call(ctx, x.session, method, params, result)
}

func (w *workers) stepped() {
	w.mu.Lock()
	w.born = w.now
	w.mu.Unlock()
}

// reset sets the workers' time to the beginning.
func (w *workers) reset() {
	w.mu.Lock()
	w.born, w.now = 0, 0
	w.mu.Unlock()
}

// any reports whether there is a worker.
func (w *workers) any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.running) > 0 || len(w.fresh) > 0 || len(w.ready) > 0 || w.starting > 0
}

// sessions are those of the workers that run.
func (w *workers) sessions() (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range append(slices.Clone(w.running), w.fresh...) {
		list = append(list, x.session)
	}
	return list
}

// add notes a worker that begins.
func (w *workers) add(session, target, kind, url string) *worker {
	x := &worker{session: session, target: target, url: url, kind: kind, halted: make(chan struct{}), left: make(chan struct{})}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[string]*worker{}
	}
	w.all[session] = x
	w.starting++
	if kind != "service_worker" {
		w.came++
	}
	return x
}

// expect notes that a page has made a worker, or that this has failed.
func (w *workers) expect(made bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if made {
		w.made++
	} else if w.made > w.came {
		w.made--
	}
}

// stopped notes that a worker stands at its first statement. The page is told that
// a shared worker's script is asked for, and not that it is there.
func (w *workers) stopped(session string, net *traffic) {
	w.mu.Lock()
	x := w.all[session]
	w.mu.Unlock()
	if x == nil {
		return
	}
	if x.kind == "shared_worker" && net.isOpen(x.target) {
		net.over(x.target)
	}
	x.once.Do(func() { close(x.halted) })
}

func (w *workers) gone(session string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.all[session]
	if x == nil {
		return
	}
	delete(w.all, session)
	close(x.left)
	w.shared.gone(x.url)
	w.ready, w.fresh, w.running = without(w.ready, x), without(w.fresh, x), without(w.running, x)
}

func without(list []*worker, gone *worker) []*worker {
	return slices.DeleteFunc(slices.Clone(list), func(x *worker) bool { return x == gone })
}

// startWorker brings a worker to its first statement. A command that evaluates
// before that kills it, hence the way through the debugger.
func (s *Session) startWorker(session, target, kind, url string) {
	ctx, cancel := s.ctx()
	defer cancel()
	if s.b.Regime == Real && len(s.o.Scripts) == 0 || kind == "service_worker" {
		_ = s.b.call(ctx, session, "Runtime.runIfWaitingForDebugger", nil, nil)
		return
	}
	w := &s.working
	x := w.add(session, target, kind, url)
	call := func(method string, params any) error { return x.call(ctx, s, method, params, nil) }
	_ = call("Debugger.enable", nil)
	_ = call("Debugger.setInstrumentationBreakpoint", object{"instrumentation": "beforeScriptExecution"})
	_ = call("Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	if kind == "worker" { // its own requests; a shared worker's belong to no page
		_ = call("Network.enable", nil)
	}
	_ = call("Runtime.runIfWaitingForDebugger", nil)
	select {
	case <-x.halted:
	case <-x.left:
	case <-time.After(s.pace.of(8 * time.Second)):
		s.log("the %s %s did not begin", kind, url)
	case <-s.done:
	}
	w.mu.Lock()
	w.starting--
	if w.all[session] != nil {
		w.ready = append(w.ready, x)
	}
	w.mu.Unlock()
	if !s.virtual() {
		w.start(ctx, s)
	}
}

// start lets workers go that stand at their first statement. When that is in a
// step does not matter: their time begins with it, and nothing that they say is
// heard before its end.
func (w *workers) start(ctx context.Context, s *Session) {
	w.starts.Lock()
	defer w.starts.Unlock()
	w.mu.Lock()
	list, born := w.ready, w.born
	w.ready = nil
	w.fresh = append(w.fresh, list...)
	w.mu.Unlock()
	for _, x := range list {
		if s.o.Hear != nil {
			_ = x.call(ctx, s, "Runtime.addBinding", object{"name": Teller}, nil)
		}
		for _, script := range append([]string{s.script("worker", born)}, s.scripts()...) {
			if err := x.call(ctx, s, "Runtime.evaluate", object{"expression": script}, nil); err != nil {
				s.log("worker %s: %v", x.url, err)
			}
		}
		var r struct{ Result struct{ Value int } }
		_ = x.call(ctx, s, "Runtime.evaluate", object{"expression": "globalThis.__tracedeck?.order"}, &r) // 0 where there is none
		x.order = r.Result.Value
		_ = x.call(ctx, s, "Debugger.resume", nil, nil)
		_ = x.call(ctx, s, "Debugger.disable", nil, nil)
		s.log("worker %s begins", x.url)
	}
}

// tick moves the clocks of all workers to the page's, and reports whether pages hear
// of them by that. What they say in it is heard when all have done so, one after the
// other.
func (w *workers) tick(ctx context.Context, s *Session) (said bool, err error) {
	if err := w.settled(ctx, s); err != nil {
		return false, err
	}
	w.mu.Lock()
	w.now = s.time.now
	sort.SliceStable(w.fresh, func(i, j int) bool {
		a, b := w.fresh[i], w.fresh[j]
		return a.order < b.order || a.order == b.order && a.url < b.url
	})
	w.running, w.fresh = append(w.running, w.fresh...), nil
	list := slices.Clone(w.running)
	w.mu.Unlock()
	w.shared.heard(ctx, s, list)
	words := make([]int, len(list))
	for i, x := range list {
		said = said || x.kind == "shared_worker"
		words[i] = w.turn(ctx, s, x, fmt.Sprintf("globalThis.__tracedeck?.tick?.(%g)", s.time.now))
	}
	for i, x := range list {
		if words[i] == 0 {
			continue
		}
		said = true
		w.turn(ctx, s, x, fmt.Sprintf("globalThis.__tracedeck.flush(%d)", words[i]))
		if x.kind == "shared_worker" { // what others say would overtake it
			w.shared.answered(ctx, s, list)
		}
	}
	if said && !s.net.none() {
		for _, p := range s.Pages() { // where a request is open, the barrier that follows does not wait for messages
			p.way(turn).passed(ctx, s.pace.of(50*time.Millisecond))
		}
	}
	w.shared.answered(ctx, s, list)
	return said, nil
}

// turn has a worker do something and returns what comes of it. One that does not
// answer is left alone.
func (w *workers) turn(ctx context.Context, s *Session, x *worker, script string) int {
	ctx, cancel := context.WithTimeout(ctx, s.pace.of(5*time.Second))
	defer cancel()
	var r struct{ Result struct{ Value int } }
	if err := x.call(ctx, s, "Runtime.evaluate", object{"expression": script, "awaitPromise": true}, &r); err != nil {
		s.log("worker %s is left alone: %v", x.url, err)
		w.gone(x.session)
	}
	return r.Result.Value
}

// settled waits until the workers that pages have made have begun, or are seen
// not to come.
func (w *workers) settled(ctx context.Context, s *Session) error {
	began := time.Now()
	for {
		w.start(ctx, s)
		w.mu.Lock()
		waiting := w.starting > 0 || len(w.ready) > 0
		if !waiting && w.made > w.came {
			if waiting = time.Since(began) < s.pace.of(lonely); !waiting {
				w.made = w.came
			}
		}
		w.mu.Unlock()
		if !waiting || time.Since(began) > s.pace.of(10*time.Second) {
			return nil
		}
		if err := sleep(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
}
