package browser

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"sync"

	"github.com/go-rod/rod/lib/cdp"
)

// socket is rod's, which tells when it is gone and can be taken away while it
// connects.
type socket struct {
	cdp.WebSocket
	gone chan struct{}

	mu     sync.Mutex
	conn   net.Conn
	closed bool // by us
	over   bool
}

func newSocket() *socket { return &socket{gone: make(chan struct{})} }

// open connects to a ws:// or wss:// address.
func (s *socket) open(ctx context.Context, endpoint string) error {
	u, err := url.Parse(endpoint)
	if err != nil {
		return err
	}
	if u.Port() == "" {
		u.Host += map[string]string{"ws": ":80", "wss": ":443"}[u.Scheme]
	}
	s.Dialer = dialer{s, u.Scheme == "wss"}
	if err := s.Connect(ctx, u.String(), nil); err != nil {
		s.hangUp()
		return err
	}
	return nil
}

// dialer keeps the connection for who wants to hang up.
type dialer struct {
	s      *socket
	secret bool
}

func (d dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	dial := new(net.Dialer).DialContext
	if d.secret {
		dial = new(tls.Dialer).DialContext
	}
	conn, err := dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	d.s.mu.Lock()
	defer d.s.mu.Unlock()
	if d.s.closed {
		conn.Close()
		return nil, errors.New("hung up")
	}
	d.s.conn = conn
	return conn, nil
}

// Read returns the next message. After the last one the socket is gone.
func (s *socket) Read() ([]byte, error) {
	data, err := s.WebSocket.Read()
	if err != nil {
		s.mu.Lock()
		if !s.over {
			s.over = true
			close(s.gone)
		}
		s.mu.Unlock()
	}
	return data, err
}

func (s *socket) hangUp() { _ = s.Close() }

// Close closes the connection, once.
func (s *socket) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.conn == nil {
		s.closed = true
		return nil
	}
	s.closed = true
	if err := s.conn.Close(); err != nil && !s.over {
		return err
	}
	return nil
}

func (s *socket) wasClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
