package viewer

import (
	"slices"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tracedeck/tracedeck/viewer/wire"
)

// write sends what there is to send: answers first, then what is small and
// says how things stand, then frames of rows as long as the page has room.
func (c *connection) write() {
	defer c.leave()
	defer c.ws.Close() // so that read ends too
	ping := time.NewTicker(pingPause)
	defer ping.Stop()
	again := time.NewTimer(0)
	defer again.Stop()
	e := wire.NewEncoder()
	for {
		more, err := c.round(e)
		if err != nil {
			return
		}
		if more && c.ctx.Err() == nil {
			continue
		}
		again.Reset(c.pause())
		select {
		case <-c.ctx.Done():
			c.farewell()
			return
		case <-c.wake:
		case <-again.C:
		case <-ping.C:
			if c.ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTime)) != nil {
				return
			}
		}
	}
}

// round writes at most one message of each kind; more says that it wrote one.
func (c *connection) round(e *wire.Encoder) (more bool, err error) {
	if done, err := c.writeReady(); done || err != nil {
		return done, err
	}
	for _, s := range c.opened() {
		b, err := s.control(e, time.Now())
		if err != nil {
			return false, err
		}
		if b != nil {
			more = true
			if err := c.send(b); err != nil {
				return false, err
			}
		}
		sent, err := c.writeFrame(s, e)
		if err != nil {
			return false, err
		}
		more = more || sent
	}
	return more, nil
}

func (c *connection) opened() []*stream {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.order)
}

// pause is how long to wait for something to happen. While a recording is
// being read its state is told again and again, but not at each batch.
func (c *connection) pause() time.Duration {
	for _, s := range c.opened() {
		if !s.state.Done {
			return statePause
		}
	}
	return pingPause
}

func (c *connection) writeReady() (done bool, err error) {
	c.mu.Lock()
	ready := c.ready
	c.ready = nil
	c.mu.Unlock()
	for _, b := range ready {
		if err := c.send(b); err != nil {
			return false, err
		}
	}
	return len(ready) > 0, nil
}

func (c *connection) writeFrame(s *stream, e *wire.Encoder) (sent bool, err error) {
	c.mu.Lock()
	room := c.credit > 0
	c.mu.Unlock()
	if !room {
		return false, nil
	}
	b := s.frame(e)
	if b == nil {
		return false, nil
	}
	c.mu.Lock()
	c.credit--
	c.mu.Unlock()
	return true, c.send(b)
}

func (c *connection) send(message []byte) error {
	if err := c.ws.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	return c.ws.WriteMessage(websocket.BinaryMessage, message)
}

func (c *connection) farewell() {
	text := websocket.FormatCloseMessage(websocket.CloseGoingAway, "the server ends")
	_ = c.ws.WriteControl(websocket.CloseMessage, text, time.Now().Add(time.Second)) // the page notices without it, too
}
