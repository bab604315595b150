package cdp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Scope says which pages of a browser are recorded. The zero value is all.
type Scope struct {
	// Target is the id of one page; its popups are recorded with it.
	Target string
	// BrowserContext is the id of the context whose pages are recorded.
	BrowserContext string
}

// Recorder records a browser into a [Sink]. Everything it knows is touched by
// the goroutine that empties the connection's queue, and by no other.
type Recorder struct {
	conn  *Conn
	sink  Sink
	o     Options
	scope Scope

	start    time.Time  // the local clock when
	zero     trace.Time // the recording's clock was this
	mono     browserClock
	wall     browserClock
	sessions map[string]*session
	pages    map[string]*page    // by target id
	frames   map[string]*frame   // by frame id
	requests map[string]*request // by request id
	sockets  map[string]*socket
	masks    *masker
	bodies   chan struct{} // holds one item for each body that may be fetched at once
	fetching sync.WaitGroup
	posted   chan func() // what other goroutines want done by the loop
	ended    chan struct{}
	stopping bool
	input    *capture
	overlay  overlay
	origins  map[string]bool // whose storage is recorded
	openings []opening       // windows that are to come
	paged    bool            // there was a page
}

// Start begins to record the pages that are there and those that will come.
// It returns when the pages that are there are being recorded. Stop it.
func Start(ctx context.Context, conn *Conn, sink Sink, scope Scope, o Options) (*Recorder, error) {
	r := &Recorder{conn: conn, sink: sink, o: o, scope: scope, start: time.Now(), zero: sink.Now(),
		sessions: map[string]*session{}, pages: map[string]*page{}, frames: map[string]*frame{},
		requests: map[string]*request{}, sockets: map[string]*socket{}, masks: newMasker(!o.Secrets),
		bodies: make(chan struct{}, 6), posted: make(chan func(), 256), ended: make(chan struct{}), origins: map[string]bool{}}
	r.mono.foreign, r.wall.foreign = o.VirtualTime, o.VirtualTime
	if conn.local() {
		r.wall.ours = time.Duration(r.zero) - time.Duration(r.start.UnixNano())
	}
	if o.Overlay {
		r.sink = &counter{Sink: sink, n: &r.overlay.events}
	}
	r.input = newCapture(r)
	for len(conn.queue) > 0 { // what came of asking the browser what it is
		<-conn.queue
	}
	go r.loop()
	if err := r.attach(ctx); err != nil {
		r.conn.Close()
		<-r.ended
		return nil, fmt.Errorf("recording the browser: %w", err)
	}
	return r, nil
}

// Done is closed when the browser is gone or the recorder has stopped.
func (r *Recorder) Done() <-chan struct{} { return r.ended }

// Stop ends the recording: bodies under way are awaited for a moment, what is
// unfinished is written as it is, and the connection is closed. The browser
// goes on as if nobody had listened.
func (r *Recorder) Stop(ctx context.Context) error {
	r.do(r.input.lastWords)
	r.do(r.takeAllUnread)
	r.settle(ctx)
	r.do(func() {
		r.stopping = true
		r.input.finish()
		r.writePending()
	})
	err := r.conn.Close()
	<-r.ended
	r.fetching.Wait()
	return err
}

// settle waits until nothing is under way, for as long as the options allow.
func (r *Recorder) settle(ctx context.Context) {
	deadline := time.Now().Add(r.o.settle())
	barrier, cancel := context.WithTimeout(ctx, 4*r.o.settle()) // a flooded connection takes long to empty
	defer cancel()
	_ = r.caughtUp(barrier, func() {})
	for time.Now().Before(deadline) && ctx.Err() == nil {
		busy := false
		if !r.do(func() { busy = r.busy() }) || !busy {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// caughtUp has f done by the loop when everything has been dealt with that the
// browser has sent so far, and waits for it.
func (r *Recorder) caughtUp(ctx context.Context, f func()) error {
	done := make(chan error, 1)
	r.conn.Send("", "Browser.getVersion", nil, func(_ json.RawMessage, err error) {
		if err == nil {
			f()
		}
		done <- err
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-r.ended:
		return ErrGone
	}
}

// do has f done by the loop and waits for it. It reports whether it was done.
func (r *Recorder) do(f func()) bool {
	done := make(chan struct{})
	select {
	case r.posted <- func() { f(); close(done) }:
	case <-r.ended:
		return false
	}
	select {
	case <-done:
		return true
	case <-r.ended:
		return false
	}
}

// post has f done by the loop, some time.
func (r *Recorder) post(f func()) {
	select {
	case r.posted <- f:
	case <-r.ended:
	}
}

func (r *Recorder) loop() {
	defer close(r.ended)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case m, ok := <-r.conn.queue:
			if !ok {
				r.gone()
				return
			}
			r.handle(m)
		case f := <-r.posted:
			f()
		case <-tick.C:
			r.tick()
		}
	}
}

func (r *Recorder) handle(m message) {
	if m.answered != nil {
		m.answered()
		return
	}
	if r.stopping {
		return
	}
	h, ok := handlers[m.Method]
	if !ok {
		return
	}
	s := r.sessions[m.Session]
	if s == nil && (m.Session != "" || !strings.HasPrefix(m.Method, "Target.")) {
		return
	}
	h(r, s, m.event)
}

// gone writes what is unfinished when the browser ended by itself.
func (r *Recorder) gone() {
	if r.stopping {
		return
	}
	r.stopping = true
	r.input.finish()
	r.writePending()
	r.happened(r.sink.Now(), "disconnected", "", map[string]any{"reason": r.conn.client.Err().Error()})
	if len(r.pages) == 0 && r.paged {
		return // its last window was closed
	}
	r.sink.Warn(trace.Warning{Code: "W_BROWSER_GONE", Text: r.conn.client.Err().Error()})
}

// tick is what is done now and then.
func (r *Recorder) tick() {
	r.takeDropped()
	for _, s := range r.sessions {
		s.console.report(r, s, false)
	}
	for _, q := range r.requests {
		r.writeOverdue(q)
	}
	for _, p := range r.pages {
		r.resumeCast(p)
		r.settlePictures(p)
		r.runErrands(p)
	}
	r.input.tick()
	r.tellOverlays()
}

// arrived brings a moment of the local clock to the recording's.
func (r *Recorder) arrived(at time.Time) trace.Time { return r.zero + trace.Time(at.Sub(r.start)) }

// happened writes an event of the browser.
func (r *Recorder) happened(at trace.Time, method, pageID string, params map[string]any) {
	if pageID != "" {
		params["pageId"] = pageID
	}
	data, err := json.Marshal(params)
	if err != nil {
		return
	}
	r.sink.Write(&trace.ContextEvent{Time: at, Class: "BrowserContext", Method: method, Params: data, PageID: pageID})
}

// handlers are the events that are listened to.
var handlers map[string]func(*Recorder, *session, event)

func init() {
	handlers = map[string]func(*Recorder, *session, event){}
	for _, group := range []map[string]func(*Recorder, *session, event){
		targetEvents, pageEvents, networkEvents, socketEvents, consoleEvents, inputEvents, scriptEvents,
	} {
		for name, h := range group {
			handlers[name] = h
		}
	}
}

// on makes a handler of a function that takes the event's parameters decoded.
func on[P any](do func(*Recorder, *session, *P, event)) func(*Recorder, *session, event) {
	return func(r *Recorder, s *session, e event) {
		var p P
		if json.Unmarshal(e.Params, &p) == nil {
			do(r, s, &p, e)
		}
	}
}
