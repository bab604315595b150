package browser

import (
	"context"
	"errors"

	"github.com/go-rod/rod/lib/cdp"

	"github.com/tracedeck/tracedeck/recorder/internal/devtools"
)

// client is what rod speaks to the browser through. Rod's own cannot send a
// command before the one before it is answered and keep their order.
type client struct {
	*devtools.Client
	events chan *cdp.Event
}

func newClient(s *socket) client {
	c := client{devtools.New(s.Send), make(chan *cdp.Event)}
	go func() {
		defer close(c.events)
		c.Read(s.Read, func(e devtools.Event) {
			c.events <- &cdp.Event{SessionID: e.Session, Method: e.Method, Params: e.Params}
		})
	}()
	return c
}

// Event returns the browser's events, in order. They have to be taken: answers
// wait behind them.
func (c client) Event() <-chan *cdp.Event { return c.events }

// Call gives a command and waits for its answer.
func (c client) Call(ctx context.Context, session, method string, params any) ([]byte, error) {
	return Call{c.Start(session, method, params)}.Wait(ctx)
}

// Call is a command on its way.
type Call struct{ on *devtools.Call }

// Wait returns what the browser answered, or a *[cdp.Error] if it refused.
func (x Call) Wait(ctx context.Context) ([]byte, error) {
	result, err := x.on.Wait(ctx)
	var refused *devtools.Error
	if errors.As(err, &refused) {
		return nil, &cdp.Error{Code: refused.Code, Message: refused.Message, Data: refused.Data}
	}
	return result, err
}
