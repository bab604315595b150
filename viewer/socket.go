package viewer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tracedeck/tracedeck/viewer/wire"
)

// Times and numbers of a connection.
const (
	helloTime   = 2 * time.Second  // in which the page must bring the token
	writeTime   = 10 * time.Second // in which the page must take a message
	pingPause   = 20 * time.Second
	silentTime  = 60 * time.Second // after which a page that answers no ping is gone
	mostStreams = 16               // traces open on one connection
	mostAsked   = 64               // questions not yet answered
	askedAtOnce = 2                // questions worked on
)

// connection is one page. One goroutine reads what the page says, one writes,
// and few answer questions.
type connection struct {
	server *Server
	ws     *websocket.Conn
	ctx    context.Context
	leave  context.CancelFunc
	wake   chan struct{} // something to write
	asked  chan question

	mu      sync.Mutex
	streams map[uint32]*stream
	order   []*stream
	credit  int
	ready   [][]byte // answers
	pending map[uint32]context.CancelFunc
}

type question struct {
	ctx context.Context
	ref uint32
	ask func(ctx context.Context) ([]byte, error) // returns a message
}

// socket takes a page's WebSocket in.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	up := websocket.Upgrader{ReadBufferSize: 4 << 10, WriteBufferSize: 32 << 10, CheckOrigin: s.guard.origin, HandshakeTimeout: helloTime}
	ws, err := up.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	s.background.Add(1)
	defer s.background.Done()
	ctx, cancel := context.WithCancel(s.ctx)
	c := &connection{server: s, ws: ws, ctx: ctx, leave: cancel, wake: make(chan struct{}, 1), asked: make(chan question, mostAsked),
		streams: map[uint32]*stream{}, credit: wire.FirstCredit, pending: map[uint32]context.CancelFunc{}}
	c.run(s.contentOrigin(r))
}

func (c *connection) run(content string) {
	defer c.ws.Close()
	defer c.leave()
	c.ws.SetReadLimit(wire.MaxFrame)
	if !c.hello(content) {
		return
	}
	var all sync.WaitGroup
	all.Go(c.write)
	for range askedAtOnce {
		all.Go(c.answer)
	}
	c.read()
	c.leave()
	all.Wait()
	c.closeStreams()
}

// hello lets the page in if its first message brings the token.
func (c *connection) hello(content string) bool {
	_ = c.ws.SetReadDeadline(time.Now().Add(helloTime)) // fails only later, in the read
	m, err := c.next()
	h, ok := m.(wire.Hello)
	e := wire.NewEncoder()
	var answer []byte
	switch {
	case err != nil || !ok:
		return false
	case !c.server.guard.knows(h.Token):
		answer = e.Error(0, "E_TOKEN", "this page has no right to see the traces", "open the link that tracedeck printed")
	case h.Version != wire.Version:
		answer = e.Error(0, "E_VERSION", "this page is of another version than the server", "load the page again")
	default:
		welcome := c.server.welcome(content)
		if h.Ref != 0 {
			welcome.Opened = welcome.wanted(h.Trace)
		}
		if answer, err = e.Welcome(welcome); err != nil || c.send(answer) != nil {
			return false
		}
		if welcome.Opened != "" {
			c.open(wire.Open{Ref: h.Ref, Trace: welcome.Opened})
		}
		return true
	}
	_ = c.send(answer) // it is turned away either way
	return false
}

func (s *Server) welcome(content string) welcomeMessage {
	m := welcomeMessage{Program: s.options.Version, Content: content, Tables: schemas(), Start: len(s.options.Paths) == 0, Traces: []traceEntry{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	m.Compare = s.options.Compare && len(s.recordings) > 1
	for _, r := range s.recordings {
		m.Traces = append(m.Traces, traceEntry{r.id, r.name, r.archive.Growing()})
	}
	return m
}

// next reads a message; text messages are none of ours.
func (c *connection) next() (wire.Message, error) {
	kind, frame, err := c.ws.ReadMessage()
	if err != nil {
		return nil, err
	}
	if kind != websocket.BinaryMessage {
		return nil, wire.ErrMessage
	}
	return wire.Decode(frame)
}

// read takes messages until the page is gone or says something that no page
// of ours says.
func (c *connection) read() {
	alive := func() { _ = c.ws.SetReadDeadline(time.Now().Add(silentTime)) } // fails only later, in the read
	alive()
	c.ws.SetPongHandler(func(string) error { alive(); return nil })
	for {
		m, err := c.next()
		if err != nil {
			return
		}
		alive()
		c.take(m)
		c.poke()
	}
}

func (c *connection) poke() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *connection) take(m wire.Message) {
	switch m := m.(type) {
	case wire.Open:
		c.open(m)
	case wire.Close:
		c.close(m.Ref)
	case wire.Credit:
		c.mu.Lock()
		c.credit = min(c.credit+m.Frames, wire.MaxCredit)
		c.mu.Unlock()
		if m.Frames > 1 { // what it held back until its first rows were drawn
			c.server.courtesy.met()
		}
	case wire.Cancel:
		c.mu.Lock()
		if cancel := c.pending[m.Ref]; cancel != nil {
			cancel()
		}
		c.mu.Unlock()
	case wire.Get:
		c.ask(m.Ref, m.Trace, func(ctx context.Context, s *stream) ([]byte, error) { return c.get(ctx, s, m) })
	case wire.View:
		c.ask(m.Ref, m.Trace, func(_ context.Context, s *stream) ([]byte, error) { return view(s, m) })
	case wire.Shelf:
		c.askServer(m.Ref, func(ctx context.Context) ([]byte, error) { return c.shelfQuestion(ctx, m) })
	case wire.Diff:
		c.ask(m.Ref, m.A, func(ctx context.Context, a *stream) ([]byte, error) { return c.diff(ctx, a, m) })
	case wire.Search:
		c.ask(m.Ref, m.Trace, func(ctx context.Context, s *stream) ([]byte, error) { return c.search(ctx, s, m) })
	}
}

func (c *connection) open(m wire.Open) {
	r := c.server.byID(m.Trace)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r == nil:
		c.ready = append(c.ready, wire.NewEncoder().Error(m.Ref, "E_NO_TRACE", "no trace with the id "+m.Trace+" is open here", "open it with tracedeck view"))
	case c.streams[m.Ref] != nil || len(c.streams) >= mostStreams:
		c.ready = append(c.ready, wire.NewEncoder().Error(m.Ref, "E_REF", "this connection has too much open", "load the page again"))
	default:
		c.server.begin(r)
		s := newStream(m, r, c.wake)
		c.streams[m.Ref] = s
		c.order = append(c.order, s)
	}
}

func (c *connection) close(ref uint32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.streams[ref]
	if s == nil {
		return
	}
	s.cancel()
	delete(c.streams, ref)
	for i, o := range c.order {
		if o == s {
			c.order = append(c.order[:i:i], c.order[i+1:]...)
			break
		}
	}
}

func (c *connection) closeStreams() {
	for _, s := range c.order {
		s.cancel()
	}
}

var errBusy = errors.New("too many questions at once")

// ask puts a question in the queue, or turns it down if that is full. The
// queue has room for all that are pending.
func (c *connection) ask(ref, trace uint32, f func(ctx context.Context, s *stream) ([]byte, error)) {
	s, err := c.admit(ref, trace)
	if err != nil {
		c.refuse(ref, err)
		return
	}
	c.enqueue(ref, func(ctx context.Context) ([]byte, error) { return f(ctx, s) })
}

// askServer asks what is not of one trace.
func (c *connection) askServer(ref uint32, f func(ctx context.Context) ([]byte, error)) {
	c.mu.Lock()
	full := len(c.pending) >= mostAsked || c.pending[ref] != nil
	c.mu.Unlock()
	if full {
		c.refuse(ref, errBusy)
		return
	}
	c.enqueue(ref, f)
}

func (c *connection) enqueue(ref uint32, f func(ctx context.Context) ([]byte, error)) {
	ctx, cancel := context.WithCancel(c.ctx)
	c.mu.Lock()
	c.pending[ref] = cancel
	c.mu.Unlock()
	c.asked <- question{ctx, ref, f}
}

func (c *connection) admit(ref, trace uint32) (*stream, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.streams[trace]
	switch {
	case s == nil:
		return nil, errors.New("that trace is not open")
	case len(c.pending) >= mostAsked || c.pending[ref] != nil:
		return nil, errBusy
	}
	return s, nil
}

func (c *connection) refuse(ref uint32, err error) {
	c.put(wire.NewEncoder().Error(ref, "E_REQUEST", err.Error(), ""))
}

// put lets the writer send an answer. A page that asks and asks and does not
// take the answers is cut off.
func (c *connection) put(message []byte) {
	c.mu.Lock()
	c.ready = append(c.ready, message)
	if len(c.ready) > 2*mostAsked {
		c.leave()
	}
	c.mu.Unlock()
	c.poke()
}

// answer works on questions until the page is gone.
func (c *connection) answer() {
	for {
		select {
		case <-c.ctx.Done():
			return
		case q := <-c.asked:
			c.settle(q)
		}
	}
}

func (c *connection) settle(q question) {
	var message []byte
	err := q.ctx.Err()
	if err == nil {
		message, err = answerTo(q)
	}
	c.mu.Lock()
	c.pending[q.ref]()
	delete(c.pending, q.ref)
	c.mu.Unlock()
	switch {
	case q.ctx.Err() != nil && errors.Is(err, context.Canceled):
	case err != nil:
		c.refuse(q.ref, err)
	default:
		c.put(message)
	}
}

// answerTo works on one question. What a hostile trace brings a rule to break
// on costs the answer, not the server that shows other traces too.
func answerTo(q question) (message []byte, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			message, err = nil, fmt.Errorf("the viewer broke on this: %v", broken)
		}
	}()
	return q.ask(q.ctx)
}

// get answers what a row alone does not tell.
func (c *connection) get(ctx context.Context, s *stream, m wire.Get) ([]byte, error) {
	if m.What == "lastpass" {
		return c.lastPass(ctx, s.rec, m)
	}
	p := s.rec.progress()
	if p.index == nil {
		return nil, errNoRow
	}
	v, err := s.rec.detail(ctx, p.index, m)
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return answer(m.Ref, b)
}

// answer makes the only answer to a question.
func answer(ref uint32, b []byte) ([]byte, error) {
	if len(b) > wire.MaxAnswer {
		return nil, errors.New("this is too large to be shown")
	}
	return wire.NewEncoder().Answer(ref, b, true), nil
}

func view(s *stream, m wire.View) ([]byte, error) {
	p := s.rec.progress()
	if p.index == nil {
		return nil, errNoRow
	}
	width, counts, ok := density(p.index, m)
	if !ok {
		return nil, errors.New("there is no such view")
	}
	return wire.NewEncoder().LOD(m.Ref, m.Table, m.From, width, [][]byte{counts}), nil
}
