package cdp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tracedeck/tracedeck/recorder/internal/devtools"
)

// ErrGone is the cause of errors for commands to a browser whose connection
// has ended.
var ErrGone = devtools.ErrGone

// ProtocolError is the browser's refusal of a command.
type ProtocolError = devtools.Error

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
	client  *devtools.Client
	queue   chan message
	mu      sync.Mutex
	dropped map[string]int // messages of the console that were let go, by session
}

// message is one item of the queue: an event or an answer.
type message struct {
	event
	answered func() // set for an answer
}

// event is what the browser reports by itself.
type event struct {
	devtools.Event
	at time.Time // when it was read
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
	c := &Conn{ws: ws, dropped: map[string]int{}, queue: make(chan message, queued)}
	c.client = devtools.New(func(data []byte) error { return ws.WriteMessage(websocket.TextMessage, data) })
	go func() {
		defer close(c.queue)
		c.client.Read(c.next, func(e devtools.Event) { c.queue <- message{event: event{e, time.Now()}} })
	}()
	return c, nil
}

// Close ends the connection. The browser goes on.
func (c *Conn) Close() error {
	_ = c.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
	return c.ws.Close()
}

// Done is closed when the connection has ended, whoever ended it.
func (c *Conn) Done() <-chan struct{} { return c.client.Done() }

// next returns the next message that is to be dealt with.
func (c *Conn) next() ([]byte, error) {
	for {
		_, data, err := c.ws.ReadMessage()
		if err != nil || len(c.queue) <= crowded || !bytes.HasPrefix(data, consoleMessage) {
			return data, err
		}
		c.drop(data)
	}
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

// Send gives the browser a command and returns. then, unless nil, is called
// with the answer when its turn in the queue comes. Commands of one session
// are carried out in the order in which they were sent.
func (c *Conn) Send(session, method string, params any, then func(json.RawMessage, error)) {
	err := c.client.Send(session, method, params, func(result json.RawMessage, err error) {
		if then != nil {
			c.queue <- message{answered: func() { then(result, err) }}
		}
	})
	if err != nil && then != nil {
		// Not through the queue: nobody may be left to empty it.
		then(nil, err)
	}
}

// Call gives the browser a command and waits for the answer, which is decoded
// into result unless that is nil. It must not be called by whoever empties the
// queue.
func (c *Conn) Call(ctx context.Context, session, method string, params, result any) error {
	data, err := c.client.Start(session, method, params).Wait(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("%s: %w", method, ctx.Err())
	case err != nil || result == nil:
		return err
	}
	if err := json.Unmarshal(data, result); err != nil {
		return fmt.Errorf("%s: the answer: %w", method, err)
	}
	return nil
}
