package viewer_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer"
)

const corpus = "../testdata/corpus"

func corpusTrace(name string) string { return filepath.Join(corpus, filepath.FromSlash(name)) }

// served is a server that runs.
type served struct {
	url   string // launch link
	host  string // host:port of the page
	token string
}

func serve(t *testing.T, paths ...string) *served {
	t.Helper()
	return serveWith(t, viewer.Options{Paths: paths, ContentListener: listen(t)})
}

func serveWith(t *testing.T, o viewer.Options) *served {
	t.Helper()
	o.Listener, o.Version = listen(t), "test"
	o.Index = index.Options{NoCache: true}
	ctx, cancel := context.WithCancel(context.Background())
	s, err := viewer.New(ctx, o)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	u, err := url.Parse(s.URL())
	if err != nil {
		t.Fatal(err)
	}
	return &served{url: s.URL(), host: u.Host, token: strings.TrimPrefix(u.Fragment, "token=")}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// page is a connection like that of the page.
type page struct {
	t  *testing.T
	ws *websocket.Conn
}

func (s *served) dial(t *testing.T) *page {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial("ws://"+s.host+"/socket", http.Header{"Origin": {"http://" + s.host}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return &page{t, ws}
}

func (p *page) say(parts ...any) {
	p.t.Helper()
	b, err := msgpack.Marshal(parts)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.ws.WriteMessage(websocket.BinaryMessage, b); err != nil {
		p.t.Fatal(err)
	}
}

// hear returns the next message; ok is false when the server hung up.
func (p *page) hear() (m []any, ok bool) {
	p.t.Helper()
	_ = p.ws.SetReadDeadline(time.Now().Add(20 * time.Second))
	_, b, err := p.ws.ReadMessage()
	if err != nil {
		return nil, false
	}
	if err := msgpack.Unmarshal(b, &m); err != nil {
		p.t.Fatal(err)
	}
	return m, true
}

// until hears on until a message of that op for which fits is true.
func (p *page) until(op string, fits func(m []any) bool) []any {
	p.t.Helper()
	for {
		m, ok := p.hear()
		if !ok {
			p.t.Fatalf("the server hung up before %s", op)
		}
		if m[0] == "strs" || m[0] == "rows" || m[0] == "patch" {
			p.say("credit", 0, 1)
		}
		if m[0] == op && (fits == nil || fits(m)) {
			return m
		}
	}
}

func (s *served) enter(t *testing.T) (*page, map[string]any) {
	t.Helper()
	p := s.dial(t)
	p.say("hello", 0, 2, s.token)
	return p, p.until("welcome", nil)[3].(map[string]any)
}

// tables are rows as a page collects them.
type tables map[string]int

// readAll opens a trace and takes its rows until all are there.
func (p *page) readAll(ref int, id, epoch string, has tables) (tables, string) {
	p.t.Helper()
	if has == nil {
		has = tables{}
	}
	p.say("open", ref, id, epoch, map[string]int(has), 0)
	var want map[string]any
	for {
		m, ok := p.hear()
		if !ok {
			p.t.Fatal("the server hung up")
		}
		switch m[0] {
		case "reset":
			has, epoch = tables{}, m[2].(string)
		case "rows":
			name := m[2].(string)
			if first := number(m[3]); first != has[name] {
				p.t.Fatalf("%s: rows from %d came after %d", name, first, has[name])
			}
			has[name] += number(m[4])
			p.say("credit", 0, 1)
		case "strs", "patch":
			p.say("credit", 0, 1)
		case "state":
			if s := m[2].(map[string]any); s["done"] == true {
				want = s["rows"].(map[string]any)
			}
		case "err":
			p.t.Fatalf("%v", m)
		}
		if want != nil && complete(has, want) {
			return has, epoch
		}
	}
}

func complete(has tables, want map[string]any) bool {
	for name, n := range want {
		if name != "logs" && name != "events" && has[name] != number(n) {
			return false
		}
	}
	return true
}

func number(v any) int {
	switch v := v.(type) {
	case int8:
		return int(v)
	case uint8:
		return int(v)
	case int16:
		return int(v)
	case uint16:
		return int(v)
	case int32:
		return int(v)
	case uint32:
		return int(v)
	case int64:
		return int(v)
	case uint64:
		return int(v)
	}
	return -1
}

func firstID(w map[string]any) string {
	return w["traces"].([]any)[0].(map[string]any)["id"].(string)
}

func (p *page) ask(ref int, what string, row int, text string) (answer map[string]any, failure string) {
	p.t.Helper()
	p.say("get", ref, 1, what, row, text)
	for {
		m, ok := p.hear()
		if !ok {
			p.t.Fatal("the server hung up")
		}
		switch {
		case m[0] == "res" && number(m[1]) == ref:
			if err := json.Unmarshal(m[2].([]byte), &answer); err != nil {
				p.t.Fatal(err)
			}
			return answer, ""
		case m[0] == "err" && number(m[1]) == ref:
			return nil, m[3].(string)
		}
	}
}

func get(t *testing.T, address string, change func(r *http.Request)) *http.Response {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return answer
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// rawStatus sends bytes and returns the status of the answer.
func rawStatus(t *testing.T, address, request string) int {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return r.StatusCode
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// rawText is what a server answers to a path as it is, not cleaned as clients
// do; "" if it is no path for a request.
func rawText(t *testing.T, base, path string) string {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(path, "\x00 ") {
		return ""
	}
	c, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET "+u.Path+path+" HTTP/1.1\r\nHost: "+u.Host+"\r\nConnection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(20 * time.Second))
	b, _ := io.ReadAll(c) // what came before it was cut is enough
	return string(b)
}
