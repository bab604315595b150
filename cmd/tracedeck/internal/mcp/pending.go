package mcp

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"
)

// maxWait is how long answers are waited for once no more requests can come.
const maxWait = 2 * time.Minute

// Pending keeps the end of the requests back until all of them are answered: a
// client may close its side as soon as it has asked. Read requests through In
// and write answers through Out.
type Pending struct {
	mu       sync.Mutex
	open     int
	changed  chan struct{}
	asked    []byte // the beginning of a line that is not whole yet
	answered []byte
}

// NewPending has nothing to wait for.
func NewPending() *Pending { return &Pending{changed: make(chan struct{}, 1)} }

// In reads from r.
func (p *Pending) In(r io.Reader) io.ReadCloser { return &pendingIn{p, r} }

// Out writes to w, which stays open.
func (p *Pending) Out(w io.Writer) io.WriteCloser { return &pendingOut{p, w} }

// note counts the whole lines in the bytes that went by.
func (p *Pending) note(buf *[]byte, b []byte, by int, counts func(id json.RawMessage, method string) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*buf = append(*buf, b...)
	for {
		line, rest, whole := bytes.Cut(*buf, []byte("\n"))
		if !whole {
			return
		}
		*buf = rest
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(line, &m) == nil && len(m.ID) > 0 && string(m.ID) != "null" && counts(m.ID, m.Method) {
			p.open += by
			select {
			case p.changed <- struct{}{}:
			default:
			}
		}
	}
}

func (p *Pending) wait() {
	end := time.After(maxWait)
	for {
		p.mu.Lock()
		open := p.open
		p.mu.Unlock()
		if open <= 0 {
			return
		}
		select {
		case <-p.changed:
		case <-end:
			return
		}
	}
}

type pendingIn struct {
	p *Pending
	r io.Reader
}

func (in *pendingIn) Read(b []byte) (int, error) {
	n, err := in.r.Read(b)
	in.p.note(&in.p.asked, b[:n], 1, func(_ json.RawMessage, method string) bool { return method != "" })
	if err == io.EOF && n == 0 {
		in.p.wait()
	} else if err == io.EOF {
		err = nil // the next call meets it again
	}
	return n, err
}

func (in *pendingIn) Close() error { return nil }

type pendingOut struct {
	p *Pending
	w io.Writer
}

func (out *pendingOut) Write(b []byte) (int, error) {
	n, err := out.w.Write(b)
	out.p.note(&out.p.answered, b[:n], -1, func(_ json.RawMessage, method string) bool { return method == "" })
	return n, err
}

func (out *pendingOut) Close() error { return nil }
