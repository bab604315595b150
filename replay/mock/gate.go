package mock

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"syscall"
	"time"
)

// Gate is a proxy on the loopback address through which a browser reaches the
// network. It connects only to where its router allows, whatever in the browser
// asks: also what no other hook sees, such as preconnections, web sockets and
// the requests of workers. Close it.
type Gate struct {
	r      *Router
	server *http.Server
	listen net.Listener
	dialer net.Dialer
	ctx    context.Context
	stop   context.CancelFunc
	busy   sync.WaitGroup

	mu     sync.Mutex
	failed map[string]error // why hosts were not reached, by host and port
}

// Gate starts a proxy for this router.
func (r *Router) Gate() (*Gate, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	g := &Gate{r: r, listen: l, dialer: net.Dialer{Timeout: 30 * time.Second}}
	g.ctx, g.stop = context.WithCancel(context.Background())
	forward := &httputil.ReverseProxy{
		Rewrite:       func(p *httputil.ProxyRequest) { p.Out.Host = p.In.Host },
		Transport:     &http.Transport{DialContext: g.dialer.DialContext, DisableCompression: true, MaxIdleConnsPerHost: 32, IdleConnTimeout: 30 * time.Second},
		FlushInterval: -1,
		ErrorHandler:  func(w http.ResponseWriter, q *http.Request, err error) { g.fail(q.URL.Host, err); drop(w) },
		ErrorLog:      log.New(io.Discard, "", 0),
	}
	g.server = &http.Server{ReadHeaderTimeout: 30 * time.Second, ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch {
		case q.Method == http.MethodConnect:
			g.tunnel(w, q)
		case q.URL.Host == "":
			http.Error(w, "this is a proxy", http.StatusBadRequest)
		case !r.Allowed(Origin(q.URL.String())):
			r.refused(Origin(q.URL.String()))
			drop(w)
		case g.answered(w, q):
		default:
			forward.ServeHTTP(w, q)
		}
	})}
	g.busy.Add(1)
	go func() { defer g.busy.Done(); _ = g.server.Serve(l) }()
	return g, nil
}

// drop ends a connection without an answer: to the page it must look like the
// network, not like a server that says no.
func drop(w http.ResponseWriter) {
	if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = c.Close()
	}
}

// tunnel connects two sockets until either ends.
func (g *Gate) tunnel(w http.ResponseWriter, q *http.Request) {
	if !g.r.allowsHost(q.Host) {
		g.r.refused(q.Host)
		w.WriteHeader(http.StatusForbidden)
		return
	}
	there, err := g.dialer.DialContext(q.Context(), "tcp", q.Host)
	if err != nil {
		g.fail(q.Host, err)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = there.Close()
		return
	}
	g.busy.Add(1)
	defer g.busy.Done()
	done := context.AfterFunc(g.ctx, func() { _ = here.Close(); _ = there.Close() })
	defer done()
	_, _ = io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(there, buffered)
		finish(there)
	}()
	_, _ = io.Copy(here, there)
	finish(here)
	select {
	case <-ended:
	case <-time.After(time.Minute): // the other half may stay open a while, not for ever
	}
	_, _ = here.Close(), there.Close()
	<-ended
}

// mostFailed is how many hosts are remembered that were not reached.
const mostFailed = 1000

func (g *Gate) fail(host string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.failed == nil {
		g.failed = map[string]error{}
	}
	if len(g.failed) < mostFailed {
		g.failed[host] = err
	}
}

// Failure is why the server of an address could not be reached when it was asked
// last, as the browser would name it without the proxy between, or "".
func (g *Gate) Failure(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	err = g.failed[u.Host]
	if err == nil && u.Scheme == "https" && u.Port() == "" {
		err = g.failed[u.Host+":443"]
	}
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &dns):
		return "net::ERR_NAME_NOT_RESOLVED"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "net::ERR_CONNECTION_TIMED_OUT"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "net::ERR_CONNECTION_REFUSED"
	case errors.Is(err, syscall.ECONNRESET):
		return "net::ERR_CONNECTION_RESET"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "net::ERR_ADDRESS_UNREACHABLE"
	}
	return ""
}

func finish(c net.Conn) {
	if t, ok := c.(*net.TCPConn); ok && t.CloseWrite() == nil {
		return
	}
	_ = c.Close()
}

// Address is where the proxy listens: 127.0.0.1:port. A browser context that
// is made with it as its proxy server must be given <-loopback> as its bypass
// list, or else it reaches servers of the machine itself without the proxy.
func (g *Gate) Address() string { return g.listen.Addr().String() }

// Bypass is the bypass list of a browser that must not go past a Gate.
const Bypass = "<-loopback>"

// BrowserFlags are for the command line of a browser whose contexts each have
// a Gate: they close the ways out that a proxy does not see.
func BrowserFlags() []string {
	return []string{"host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "force-webrtc-ip-handling-policy=disable_non_proxied_udp", "webrtc-ip-handling-policy=disable_non_proxied_udp",
		"disable-quic", "dns-prefetch-disable", "disable-background-networking"}
}

// Flags are for the command line of a browser that is for this Gate alone.
func (g *Gate) Flags() []string {
	return append(BrowserFlags(), "proxy-server=http://"+g.Address(), "proxy-bypass-list="+Bypass)
}

// Close ends the proxy and all that goes through it.
func (g *Gate) Close() error {
	g.stop()
	err := g.server.Close()
	g.busy.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
