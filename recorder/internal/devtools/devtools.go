// Package devtools gives a browser commands of the DevTools protocol and hands
// out its answers and events. Which connection the messages take, and in what
// order who waits hears of them, is left to who uses it.
package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

// ErrGone is the cause of errors for commands to a browser whose connection
// has ended.
var ErrGone = errors.New("the connection to the browser has ended")

// Error is the browser's refusal of a command.
type Error struct {
	Method  string
	Code    int
	Message string
	Data    string
}

func (e *Error) Error() string {
	if e.Data != "" {
		return fmt.Sprintf("%s: %s (%s)", e.Method, e.Message, e.Data)
	}
	return fmt.Sprintf("%s: %s", e.Method, e.Message)
}

// Event is what the browser reports by itself.
type Event struct {
	Session string
	Method  string
	Params  json.RawMessage
}

// Client gives commands and knows who waits for their answers. Its methods are
// safe for concurrent use.
type Client struct {
	write   func([]byte) error
	writing sync.Mutex
	done    chan struct{}

	mu      sync.Mutex
	last    int
	waiting map[int]waiter // nil when it has ended
	err     error          // why it ended; set before done is closed
}

// waiter is who gets the answer to a command.
type waiter struct {
	method string
	then   func(json.RawMessage, error)
}

// New returns a client whose commands go through write, one after another.
// [Client.Read] has to run for their answers to come.
func New(write func([]byte) error) *Client {
	return &Client{write: write, done: make(chan struct{}), waiting: map[int]waiter{}}
}

// Read takes the browser's messages from next until there are no more, calls
// event with its events and lets who waits have the answers, all in the order
// of the messages. It is called once. When it returns, nobody waits any more.
func (c *Client) Read(next func() ([]byte, error), event func(Event)) {
	for {
		data, err := next()
		if err != nil {
			c.end(fmt.Errorf("%w: %w", ErrGone, err))
			return
		}
		if e, ok := eventIn(data); ok {
			event(e)
		} else if id, result, ok := resultIn(data); ok {
			c.answered(id, result, nil)
		} else {
			c.readOdd(data, event)
		}
	}
}

// readOdd deals with messages that are not written in the way that browsers
// usually do, and with errors.
func (c *Client) readOdd(data []byte, event func(Event)) {
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
	switch {
	case json.Unmarshal(data, &m) != nil:
	case m.Method != "":
		event(Event{Session: m.SessionID, Method: m.Method, Params: m.Params})
	case m.Error != nil:
		e := &Error{Code: m.Error.Code, Message: m.Error.Message}
		e.Data, _ = m.Error.Data.(string)
		c.answered(m.ID, nil, e)
	default:
		c.answered(m.ID, m.Result, nil)
	}
}

func (c *Client) answered(id int, result json.RawMessage, refused *Error) {
	w, ok := c.forget(id)
	switch {
	case !ok: // nobody waits for it any more
	case refused != nil:
		refused.Method = w.method
		w.then(nil, refused)
	default:
		w.then(result, nil)
	}
}

// end tells all who wait that no more answers come.
func (c *Client) end(err error) {
	c.mu.Lock()
	c.err = err
	waiting := c.waiting
	c.waiting = nil
	close(c.done)
	c.mu.Unlock()
	for _, w := range waiting {
		w.then(nil, err)
	}
}

// forget takes a command off the list and returns who waited for its answer.
func (c *Client) forget(id int) (w waiter, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok = c.waiting[id]
	delete(c.waiting, id)
	return w, ok
}

// Done is closed when the browser's messages have ended.
func (c *Client) Done() <-chan struct{} { return c.done }

// Err says why they have ended. It is nil before that.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Send gives a command to the session of that id, or to the browser itself if it
// is empty, and returns. then is called once with the answer, unless Send itself
// returns an error: by who reads, who waits for it to return. Commands given one
// after another arrive in that order.
func (c *Client) Send(session, method string, params any, then func(json.RawMessage, error)) error {
	_, err := c.send(session, method, params, then)
	return err
}

func (c *Client) send(session, method string, params any, then func(json.RawMessage, error)) (id int, err error) {
	c.mu.Lock()
	if c.waiting == nil {
		c.mu.Unlock()
		return 0, c.err
	}
	c.last++
	id = c.last
	c.waiting[id] = waiter{method, then}
	c.mu.Unlock()
	data, err := json.Marshal(struct {
		ID        int    `json:"id"`
		SessionID string `json:"sessionId,omitempty"`
		Method    string `json:"method"`
		Params    any    `json:"params,omitempty"`
	}{id, session, method, params})
	if err == nil {
		c.writing.Lock()
		err = c.write(data)
		c.writing.Unlock()
	}
	if err == nil {
		return id, nil
	}
	if _, ok := c.forget(id); !ok { // who read has told then
		return id, nil
	}
	return id, fmt.Errorf("%s: %w", method, err)
}

// Call is a command on its way.
type Call struct {
	c      *Client
	id     int
	over   chan struct{}
	result json.RawMessage
	err    error
}

// Start gives a command as [Client.Send] does.
func (c *Client) Start(session, method string, params any) *Call {
	x := &Call{c: c, over: make(chan struct{})}
	var err error
	if x.id, err = c.send(session, method, params, x.end); err != nil {
		x.end(nil, err)
	}
	return x
}

func (x *Call) end(result json.RawMessage, err error) {
	x.result, x.err = result, err
	close(x.over)
}

// Wait returns the answer: an *[Error] if the browser refused. When ctx ends
// first, the answer is not waited for any more.
func (x *Call) Wait(ctx context.Context) (json.RawMessage, error) {
	select {
	case <-x.over:
		return x.result, x.err
	default:
	}
	select {
	case <-x.over:
		return x.result, x.err
	case <-ctx.Done():
		x.c.forget(x.id)
		return nil, ctx.Err()
	}
}
