package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// ErrGone is the cause of errors for commands to a browser whose connection
// has ended.
var ErrGone = errors.New("the connection to the browser has ended")

// maxMessage is the longest message taken from the browser, in bytes. Bodies
// come as one message, as base64.
const maxMessage = 512 << 20

// queued is how many messages wait to be dealt with before reading pauses,
// which makes the browser wait: memory is bounded, whatever a page does.
const queued = 4096

// crowded is how many messages wait when those of the console are let go, so
// that all others still get through.
const crowded = queued * 3 / 4

var consoleMessage = []byte(`{"method":"Runtime.consoleAPICalled"`)

// Conn is a connection to a browser's DevTools endpoint. Answers to [Conn.Send]
// and events come out of one queue in the order in which the browser sent them.
// Its methods are safe for concurrent use.
type Conn struct {
	ws      *websocket.Conn
	writing sync.Mutex
	mu      sync.Mutex
	last    int
	waiting map[int]waiter
	queue   chan message
	dropped map[string]int // messages of the console that were let go, by session
	done    chan struct{}
	err     error // why it ended; set before done is closed
}

// waiter is who gets the answer to a command.
type waiter struct {
	method string
	queued func(json.RawMessage, error) // called by whoever empties the queue
	direct chan<- answer                // of Call
}

type answer struct {
	result json.RawMessage
	err    error
}

// message is one item of the queue.
type message struct {
	event
	answered func(json.RawMessage, error) // set for an answer
	answer   answer
}

// event is what the browser reports by itself.
type event struct {
	session string
	method  string
	params  json.RawMessage
	at      time.Time // when it was read
}

// ProtocolError is the browser's refusal of a command.
type ProtocolError struct {
	Method  string
	Code    int
	Message string
	Data    string
}

func (e *ProtocolError) Error() string {
	if e.Data != "" {
		return fmt.Sprintf("%s: %s (%s)", e.Method, e.Message, e.Data)
	}
	return fmt.Sprintf("%s: %s", e.Method, e.Message)
}

// Dial connects to the endpoint, a ws:// address. Close the connection.
func Dial(ctx context.Context, endpoint string) (*Conn, error) {
	d := websocket.Dialer{HandshakeTimeout: 15 * time.Second, ReadBufferSize: 1 << 20, WriteBufferSize: 64 << 10,
		NetDialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext}
	ws, resp, err := d.DialContext(ctx, endpoint, http.Header{})
	if err != nil {
		if resp != nil {
			return nil, fmt.Errorf("%s: %w (%s)", endpoint, err, resp.Status)
		}
		return nil, fmt.Errorf("%s: %w", endpoint, err)
	}
	ws.SetReadLimit(maxMessage)
	c := &Conn{ws: ws, waiting: map[int]waiter{}, dropped: map[string]int{}, queue: make(chan message, queued), done: make(chan struct{})}
	go c.read()
	return c, nil
}

// Close ends the connection. The browser goes on.
func (c *Conn) Close() error {
	c.writing.Lock()
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	c.writing.Unlock()
	return c.ws.Close()
}

// Done is closed when the connection has ended, whoever ended it.
func (c *Conn) Done() <-chan struct{} { return c.done }

func (c *Conn) read() {
	var err error
	for {
		var data []byte
		if _, data, err = c.ws.ReadMessage(); err != nil {
			break
		}
		if len(c.queue) > crowded && bytes.HasPrefix(data, consoleMessage) {
			c.drop(data)
			continue
		}
		c.dispatch(data, time.Now())
	}
	c.mu.Lock()
	c.err = fmt.Errorf("%w: %w", ErrGone, err)
	waiting := c.waiting
	c.waiting = nil
	close(c.done)
	c.mu.Unlock()
	for _, w := range waiting {
		c.deliver(w, answer{err: c.err})
	}
	close(c.queue)
}

// drop counts a message of the console that nobody will see.
func (c *Conn) drop(data []byte) {
	const key = `"sessionId":"`
	session := ""
	if i := bytes.LastIndex(data, []byte(key)); i >= 0 {
		session, _, _ = strings.Cut(string(data[i+len(key):]), `"`)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropped[session]++
}

// takeDropped returns how many were dropped since it was last asked.
func (c *Conn) takeDropped() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.dropped) == 0 {
		return nil
	}
	taken := c.dropped
	c.dropped = map[string]int{}
	return taken
}

func (c *Conn) dispatch(data []byte, at time.Time) {
	if e, ok := eventIn(data); ok {
		e.at = at
		c.queue <- message{event: e}
		return
	}
	if id, result, ok := resultIn(data); ok {
		c.answered(id, answer{result: result})
		return
	}
	c.dispatchOdd(data, at)
}

// answered hands the answer to a command to who waits for it.
func (c *Conn) answered(id int, a answer) {
	c.mu.Lock()
	w, ok := c.waiting[id]
	delete(c.waiting, id)
	c.mu.Unlock()
	if !ok {
		return
	}
	if e, is := a.err.(*ProtocolError); is {
		e.Method = w.method
	}
	c.deliver(w, a)
}

// dispatchOdd deals with messages that are not written in the way that
// browsers usually do, and with errors.
func (c *Conn) dispatchOdd(data []byte, at time.Time) {
	var m struct {
		ID        int             `json:"id"`
		SessionID string          `json:"sessionId"`
		Method    string          `json:"method"`
		Params    json.RawMessage `json:"params"`
		Result    json.RawMessage `json:"result"`
		Error     *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Data    any    `json:"data"`
		} `json:"error"`
	}
	if json.Unmarshal(data, &m) != nil {
		return
	}
	if m.Method != "" {
		c.queue <- message{event: event{session: m.SessionID, method: m.Method, params: m.Params, at: at}}
		return
	}
	a := answer{result: m.Result}
	if m.Error != nil {
		e := &ProtocolError{Code: m.Error.Code, Message: m.Error.Message}
		e.Data, _ = m.Error.Data.(string)
		a.err = e
	}
	c.answered(m.ID, a)
}

func (c *Conn) deliver(w waiter, a answer) {
	switch {
	case w.direct != nil:
		w.direct <- a
	case w.queued != nil:
		c.queue <- message{answered: w.queued, answer: a}
	}
}

// Send gives the browser a command and returns. then, unless nil, is called
// with the answer when its turn in the queue comes. Commands of one session
// are carried out in the order in which they were sent.
func (c *Conn) Send(session, method string, params any, then func(json.RawMessage, error)) {
	if err := c.send(session, params, waiter{method: method, queued: then}); err != nil && then != nil {
		// Not through the queue: nobody may be left to empty it.
		then(nil, err)
	}
}

// Call gives the browser a command and waits for the answer, which is decoded
// into result unless that is nil. It must not be called by whoever empties the
// queue.
func (c *Conn) Call(ctx context.Context, session, method string, params, result any) error {
	got := make(chan answer, 1)
	if err := c.send(session, params, waiter{method: method, direct: got}); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case a := <-got:
		if a.err != nil || result == nil {
			return a.err
		}
		if err := json.Unmarshal(a.result, result); err != nil {
			return fmt.Errorf("%s: the answer: %w", method, err)
		}
		return nil
	}
}

func (c *Conn) send(session string, params any, w waiter) error {
	c.mu.Lock()
	if c.waiting == nil {
		c.mu.Unlock()
		return c.err
	}
	c.last++
	id := c.last
	c.waiting[id] = w
	c.mu.Unlock()
	data, err := json.Marshal(struct {
		ID        int    `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params,omitempty"`
	}{id, session, w.method, params})
	if err == nil {
		c.writing.Lock()
		err = c.ws.WriteMessage(websocket.TextMessage, data)
		c.writing.Unlock()
	}
	if err != nil {
		c.mu.Lock()
		_, still := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		if !still { // whoever ended the connection has told the waiter
			return nil
		}
		return fmt.Errorf("%s: %w", w.method, err)
	}
	return nil
}
