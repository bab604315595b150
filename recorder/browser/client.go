package browser

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/go-rod/rod/lib/cdp"
)

// client speaks the DevTools protocol over a socket. Rod uses it in place of its
// own, which cannot send a command before the one before it is answered and keep
// their order.
type client struct {
	socket *socket
	events chan *cdp.Event

	sending sync.Mutex // held while a command is sent
	last    int

	mu    sync.Mutex
	calls map[int]*Call
	err   error // why no more answers come
}

func newClient(s *socket) *client {
	c := &client{socket: s, events: make(chan *cdp.Event), calls: map[int]*Call{}}
	go c.read()
	return c
}

// Event returns the browser's events, in order. They have to be taken: answers
// wait behind them.
func (c *client) Event() <-chan *cdp.Event { return c.events }

// Call gives a command and waits for its answer.
func (c *client) Call(ctx context.Context, session, method string, params any) ([]byte, error) {
	return c.start(session, method, params).Wait(ctx)
}

// Call is a command on its way.
type Call struct {
	c      *client
	id     int
	over   chan struct{}
	result json.RawMessage
	err    error
}

// Wait returns what the browser answered, or a *[cdp.Error] if it refused.
func (x *Call) Wait(ctx context.Context) ([]byte, error) {
	select {
	case <-x.over:
		return x.result, x.err
	default:
	}
	select {
	case <-x.over:
		return x.result, x.err
	case <-ctx.Done():
		x.c.take(x.id)
		return nil, ctx.Err()
	}
}

func (x *Call) end(result json.RawMessage, err error) {
	x.result, x.err = result, err
	close(x.over)
}

func (c *client) start(session, method string, params any) *Call {
	c.sending.Lock()
	defer c.sending.Unlock()
	c.last++
	x := &Call{c: c, id: c.last, over: make(chan struct{})}
	data, err := json.Marshal(&cdp.Request{ID: x.id, SessionID: session, Method: method, Params: params})
	if err != nil {
		x.end(nil, err)
	} else if err = c.expect(x); err == nil {
		err = c.socket.Send(data)
	}
	if err != nil && c.take(x.id) != nil {
		x.end(nil, err)
	}
	return x
}

func (c *client) expect(x *Call) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[x.id] = x
	return c.err
}

// take returns who waits for an answer, for whoever has it, or nil.
func (c *client) take(id int) *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.calls[id]
	delete(c.calls, id)
	return x
}

// read hands out what comes until the connection ends.
func (c *client) read() {
	defer close(c.events)
	for {
		data, err := c.socket.Read()
		if err != nil {
			c.end(err)
			return
		}
		var m struct {
			ID        int             `json:"id"`
			SessionID string          `json:"sessionId"`
			Method    string          `json:"method"`
			Params    json.RawMessage `json:"params"`
			Result    json.RawMessage `json:"result"`
			Error     *cdp.Error      `json:"error"`
		}
		if err := json.Unmarshal(data, &m); err != nil {
			c.end(err)
			_ = c.socket.Close()
			continue
		}
		if m.ID == 0 {
			c.events <- &cdp.Event{SessionID: m.SessionID, Method: m.Method, Params: m.Params}
			continue
		}
		switch x := c.take(m.ID); {
		case x == nil: // nobody waits for it any more
		case m.Error != nil:
			x.end(nil, m.Error)
		default:
			x.end(m.Result, nil)
		}
	}
}

// end lets go of all who wait: the connection is gone.
func (c *client) end(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
	for id, x := range c.calls {
		delete(c.calls, id)
		x.end(nil, err)
	}
}
