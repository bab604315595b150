package determinism

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"time"
)

// workers are the threads of pages. Virtual time gives them its dates but not
// its timers, so they get a clock of their own, which is moved to the page's
// after each step.
type workers struct {
	mu       sync.Mutex
	starting int
	halted   map[string]chan struct{} // those on their way to their first statement
	ready    []*worker                // those that stand at it
	running  []*worker
	born     float64 // the time at which those that start now start
	now      float64
}

type worker struct{ session, url string }

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

// any reports whether a worker is running.
func (w *workers) any() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.running) > 0
}

// sessions are those of the workers that run.
func (w *workers) sessions() (list []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.running {
		list = append(list, x.session)
	}
	return list
}

func (w *workers) stopped(session string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ch := w.halted[session]; ch != nil {
		delete(w.halted, session)
		close(ch)
	}
}

func (w *workers) gone(session string) {
	w.stopped(session)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, list := range []*[]*worker{&w.ready, &w.running} {
		for i, x := range *list {
			if x.session == session {
				*list = append((*list)[:i:i], (*list)[i+1:]...)
				break
			}
		}
	}
}

// startWorker brings a worker to its first statement. A command that evaluates
// before that kills it, hence the way through the debugger.
func (s *Session) startWorker(session, kind, url string) {
	ctx, cancel := s.ctx()
	defer cancel()
	call := func(method string, params any) error { return s.b.call(ctx, session, method, params, nil) }
	if s.b.Regime == Real && len(s.o.Scripts) == 0 || kind == "service_worker" {
		_ = call("Runtime.runIfWaitingForDebugger", nil)
		return
	}
	w, halted := &s.working, make(chan struct{})
	w.mu.Lock()
	w.starting++
	if w.halted == nil {
		w.halted = map[string]chan struct{}{}
	}
	w.halted[session] = halted
	w.mu.Unlock()
	_ = call("Debugger.enable", nil)
	_ = call("Debugger.setInstrumentationBreakpoint", object{"instrumentation": "beforeScriptExecution"})
	_ = call("Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	if kind == "worker" { // its own requests; a shared worker's belong to no page
		_ = call("Network.enable", nil)
	}
	_ = call("Runtime.runIfWaitingForDebugger", nil)
	select {
	case <-halted:
	case <-time.After(8 * time.Second):
		s.log("the %s %s did not begin", kind, url)
	case <-s.done:
	}
	w.mu.Lock()
	w.starting--
	w.ready = append(w.ready, &worker{session, url})
	w.mu.Unlock()
	if !s.virtual() {
		w.start(ctx, s)
	}
}

// start lets workers go that stand at their first statement, in the order of
// their addresses.
func (w *workers) start(ctx context.Context, s *Session) {
	w.mu.Lock()
	list, born := w.ready, w.born
	w.ready = nil
	w.running = append(w.running, list...)
	w.mu.Unlock()
	sort.SliceStable(list, func(i, j int) bool { return list[i].url < list[j].url })
	for _, x := range list {
		if s.o.Hear != nil {
			_ = s.b.call(ctx, x.session, "Runtime.addBinding", object{"name": Teller}, nil)
		}
		for _, script := range append([]string{s.script("worker", born)}, s.scripts()...) {
			if err := s.b.call(ctx, x.session, "Runtime.evaluate", object{"expression": script}, nil); err != nil {
				s.log("worker %s: %v", x.url, err)
			}
		}
		_ = s.b.call(ctx, x.session, "Debugger.resume", nil, nil)
		_ = s.b.call(ctx, x.session, "Debugger.disable", nil, nil)
		s.log("worker %s begins", x.url)
	}
}

// release starts workers whose script counts as loading until it begins: time
// stands still meanwhile. Those of modules are not told to be loading; they are
// started when nothing else moves.
func (w *workers) release(ctx context.Context, s *Session, calm bool) {
	w.mu.Lock()
	var waiting []string
	for _, x := range w.ready {
		waiting = append(waiting, x.url)
	}
	w.mu.Unlock()
	for _, url := range waiting {
		if calm || s.net.loading(url) {
			w.start(ctx, s)
			return
		}
	}
}

// tick moves the clocks of all workers to the page's.
func (w *workers) tick(ctx context.Context, s *Session) error {
	for i := 0; i < 4000; i++ {
		w.mu.Lock()
		n := w.starting
		w.mu.Unlock()
		if n == 0 {
			break
		}
		if err := sleep(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
	w.mu.Lock()
	w.now = s.time.now
	busy := len(w.ready) > 0
	w.mu.Unlock()
	if busy {
		w.start(ctx, s)
	}
	w.mu.Lock()
	list := append([]*worker{}, w.running...)
	w.mu.Unlock()
	for _, x := range list {
		one, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := s.b.call(one, x.session, "Runtime.evaluate", object{"expression": fmt.Sprintf("globalThis.__tracedeck?.tick?.(%g)", s.time.now), "awaitPromise": true}, nil)
		cancel()
		if err != nil {
			s.log("worker %s is left alone: %v", x.url, err)
			w.gone(x.session)
		}
	}
	return nil
}
