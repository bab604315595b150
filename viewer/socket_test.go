package viewer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tracedeck/tracedeck/viewer"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

func TestAllRowsOfATraceArrive(t *testing.T) {
	s := serve(t, corpusTrace("playwright/groups.zip"), corpusTrace("vibium/v26.8.21-network.zip"))
	p, w := s.enter(t)
	for i, entry := range w["traces"].([]any) {
		has, _ := p.readAll(i+1, entry.(map[string]any)["id"].(string), "", nil)
		if has["actions"] == 0 || has["network"] == 0 {
			t.Errorf("trace %d: got %v", i, has)
		}
	}
}

func TestReconnectTakesUpWhereThePageWas(t *testing.T) {
	s := serve(t, corpusTrace("playwright/console.zip"))
	p, w := s.enter(t)
	id := firstID(w)
	has, epoch := p.readAll(1, id, "", nil)
	p.ws.Close()
	for missing := range 3 {
		part := tables{}
		for name, n := range has {
			part[name] = max(0, n-missing*2)
		}
		p, _ := s.enter(t)
		again, e := p.readAll(1, id, epoch, part)
		if e != epoch || fmt.Sprint(again) != fmt.Sprint(has) {
			t.Errorf("with %v: got %v in epoch %s, want %v in %s", part, again, e, has, epoch)
		}
	}
	p, _ = s.enter(t)
	if again, e := p.readAll(1, id, "of another server", tables{"actions": 5}); e != epoch || fmt.Sprint(again) != fmt.Sprint(has) {
		t.Errorf("a foreign epoch: got %v in epoch %s, want all rows anew", again, e)
	}
}

func TestHelloOpensTheTraceThatIsShownFirst(t *testing.T) {
	one, two := corpusTrace("playwright/console.zip"), corpusTrace("playwright/input.zip")
	s := serve(t, one, two)
	_, w := s.enter(t)
	traces := w["traces"].([]any)
	first, second := traces[0].(map[string]any)["id"].(string), traces[1].(map[string]any)["id"].(string)
	for _, c := range []struct {
		ref         int
		trace, want string
	}{{1, "", first}, {1, second[:6], second}, {7, first + "0123", first}, {1, "0000000000", ""}, {0, "", ""}, {0, second, ""}} {
		p := s.dial(t)
		p.say("hello", c.ref, 2, s.token, c.trace)
		if got := p.until("welcome", nil)[3].(map[string]any)["opened"]; got != c.want {
			t.Errorf("hello %d %q opened %q, want %q", c.ref, c.trace, got, c.want)
		}
		if c.want == "" {
			p.say("get", 5, max(c.ref, 1), "id", 0, "")
			p.until("err", nil) // nothing is open
			continue
		}
		if meta := p.until("meta", nil); number(meta[1]) != c.ref || meta[2].(map[string]any)["id"] != c.want {
			t.Errorf("hello %d %q: the meta is %v", c.ref, c.trace, meta)
		}
		p.until("rows", nil)
	}
}

// The page shows the first rows while those behind them are on their way.
func TestTheFirstFrameOfATableIsSmall(t *testing.T) {
	s := serve(t, longTrace(t, 3*wire.FirstRows))
	p, w := s.enter(t)
	p.say("open", 1, firstID(w), "", map[string]int{}, 0)
	if m := p.until("rows", func(m []any) bool { return m[2] == "actions" }); number(m[3]) != 0 || number(m[4]) > wire.FirstRows {
		t.Errorf("the first frame has %v rows from %v", m[4], m[3])
	}
	if m := p.until("rows", func(m []any) bool { return m[2] == "actions" }); number(m[3]) == 0 || number(m[3]) > wire.FirstRows {
		t.Errorf("the second frame begins with row %v", m[3])
	}
}

// longTrace writes a trace of some steps and returns its folder.
func longTrace(t *testing.T, steps int) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, `{"type":"context-options","version":8,"origin":"library","browserName":"chromium","options":{},"platform":"linux","wallTime":1700000000000,"monotonicTime":1000}`)
	for i := range steps {
		fmt.Fprintf(&b, `{"type":"before","callId":"call@%d","startTime":%d,"class":"Page","method":"click","params":{"selector":"#e%d"}}`+"\n", i, 1000+2*i, i)
		fmt.Fprintf(&b, `{"type":"after","callId":"call@%d","endTime":%d}`+"\n", i, 1001+2*i)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "trace.trace"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAPageWithoutCreditGetsNoRows(t *testing.T) {
	s := serve(t, corpusTrace("playwright/input.zip"))
	p, w := s.enter(t)
	p.say("open", 1, firstID(w), "", map[string]int{}, 0)
	frames := 0
	for {
		_ = p.ws.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
		m, ok := p.hearNow()
		if !ok {
			break
		}
		if m == "rows" || m == "strs" || m == "patch" {
			frames++
		}
	}
	if frames == 0 || frames > wire.FirstCredit {
		t.Errorf("%d frames came without a credit, want at most the first %d", frames, wire.FirstCredit)
	}
}

// hearNow is hear with the deadline that is set, and the op only.
func (p *page) hearNow() (op string, ok bool) {
	_, b, err := p.ws.ReadMessage()
	if err != nil {
		return "", false
	}
	n := int(b[1] & 0x1f) // a short string
	return string(b[2 : 2+n]), true
}

func TestDetailsOfRows(t *testing.T) {
	s := serve(t, corpusTrace("playwright/fail.zip"))
	p, w := s.enter(t)
	has, _ := p.readAll(1, firstID(w), "", nil)
	logs, errors, stacks := 0, 0, 0
	for row := range has["actions"] {
		d, failure := p.ask(10+row, "action", row, "")
		if failure != "" {
			t.Fatalf("action %d: %s", row, failure)
		}
		if d["before"].(map[string]any)["callId"] == "" {
			t.Errorf("action %d has no call id", row)
		}
		logs += len(d["logs"].([]any))
		if a, ok := d["after"].(map[string]any); ok && a["error"] != nil {
			errors++
		}
		if d["stack"] != nil {
			stacks++
		}
	}
	if logs == 0 || errors != 8 || stacks == 0 {
		t.Errorf("%d log lines, %d errors, %d stacks; want some, 8, some", logs, errors, stacks)
	}
	entry, failure := p.ask(1000, "request", 0, "")
	if failure != "" || !strings.Contains(fmt.Sprint(entry["snapshot"]), "localhost") {
		t.Errorf("request 0: %v, %s", entry, failure)
	}
	for what, row := range map[string]int{"action": has["actions"], "request": -1, "message": 1 << 30, "nonsense": 0} {
		if d, failure := p.ask(2000+row%100, what, row, ""); failure == "" {
			t.Errorf("%s %d: got %v, want an error", what, row, d)
		}
	}
	for _, file := range []string{"/etc/passwd", "../../../../etc/passwd", "resources/../../etc/passwd", ""} {
		if d, _ := p.ask(3000+len(file), "source", -1, file); d["kept"] != false || d["text"] != "" {
			t.Errorf("source %q: got %v, want that it was not kept", file, d)
		}
	}
}

func TestSearchStreamsHits(t *testing.T) {
	s := serve(t, corpusTrace("playwright/fail.zip"))
	p, w := s.enter(t)
	p.readAll(1, firstID(w), "", nil)
	p.say("search", 7, 1, "covered kind:action", 50)
	if m := p.until("res", func(m []any) bool { return m[3] == true }); !strings.Contains(string(m[2].([]byte)), "#covered") {
		t.Errorf("got %s, want the click on #covered", m[2])
	}
	p.say("search", 8, 1, "status:abc", 50)
	if m := p.until("err", nil); !strings.Contains(m[3].(string), "status:abc") {
		t.Errorf("got %v, want the word that is wrong", m)
	}
}

func TestViewsOfDenseTables(t *testing.T) {
	s := serve(t, corpusTrace("playwright/fail.zip"))
	p, w := s.enter(t)
	p.readAll(1, firstID(w), "", nil)
	p.say("view", 5, 1, "logs", 0, 60_000_000.0, 100)
	m := p.until("lod", nil)
	sum := 0
	for i, b := range m[5].([]any)[0].([]byte) {
		sum += int(b) << (8 * (i % 4))
	}
	if sum < 10 {
		t.Errorf("%d log lines in view, want all", sum)
	}
	p.say("view", 6, 1, "actions", 0, 1.0, 10)
	p.until("err", nil)
}

func TestStrangersAreTurnedAway(t *testing.T) {
	s := serve(t, corpusTrace("playwright/basic.zip"))
	for name, first := range map[string][]any{
		"wrong token":   {"hello", 0, 2, strings.Repeat("0", 32)},
		"empty token":   {"hello", 0, 2, ""},
		"other version": {"hello", 0, 99, s.token},
		"no hello":      {"open", 1, "x", "", map[string]int{}, 0},
		"no message":    {"x"},
	} {
		p := s.dial(t)
		p.say(first...)
		for {
			m, ok := p.hear()
			if !ok {
				break
			}
			if m[0] != "err" {
				t.Errorf("%s: the server said %v", name, m[0])
			}
		}
	}
}

func TestNobodyStaysWithoutHello(t *testing.T) {
	s := serve(t, corpusTrace("playwright/basic.zip"))
	p := s.dial(t)
	if m, ok := p.hear(); ok {
		t.Errorf("the server said %v to a page that said nothing", m)
	}
}

func TestMalformedMessagesEndTheConnectionOnly(t *testing.T) {
	s := serve(t, corpusTrace("playwright/basic.zip"))
	frames := map[string]func(ws *websocket.Conn) error{
		"garbage": func(ws *websocket.Conn) error {
			return ws.WriteMessage(websocket.BinaryMessage, []byte("\xc1\xff\x00"))
		},
		"text":  func(ws *websocket.Conn) error { return ws.WriteMessage(websocket.TextMessage, []byte(`["get"]`)) },
		"empty": func(ws *websocket.Conn) error { return ws.WriteMessage(websocket.BinaryMessage, nil) },
		"huge":  func(ws *websocket.Conn) error { return ws.WriteMessage(websocket.BinaryMessage, make([]byte, 2<<20)) },
		"deep": func(ws *websocket.Conn) error {
			return ws.WriteMessage(websocket.BinaryMessage, []byte(strings.Repeat("\x91", 900_000)))
		},
		"huge length": func(ws *websocket.Conn) error {
			return ws.WriteMessage(websocket.BinaryMessage, []byte("\xdd\xff\xff\xff\xff"))
		},
	}
	for _, send := range frames {
		p, _ := s.enter(t)
		_ = send(p.ws) // the server may hang up while it is being sent
		for {
			if _, ok := p.hear(); !ok {
				break
			}
		}
	}
	p, w := s.enter(t)
	p.readAll(1, firstID(w), "", nil)
}

func TestWhatIsNotOpenIsRefused(t *testing.T) {
	s := serve(t, corpusTrace("playwright/basic.zip"))
	p, w := s.enter(t)
	p.say("open", 1, "../../etc/passwd", "", map[string]int{}, 0)
	if m := p.until("err", nil); m[2] != "E_NO_TRACE" {
		t.Errorf("got %v, want E_NO_TRACE", m)
	}
	if _, failure := p.ask(5, "action", 0, ""); failure == "" {
		t.Error("a trace that is not open was asked and answered")
	}
	p.readAll(1, firstID(w), "", nil)
	p.say("open", 1, firstID(w), "", map[string]int{}, 0)
	if m := p.until("err", nil); m[2] != "E_REF" {
		t.Errorf("got %v, want E_REF", m)
	}
}

func TestAPageThatOnlyAsksIsCutOff(t *testing.T) {
	s := serve(t, corpusTrace("playwright/basic.zip"))
	p, w := s.enter(t)
	p.readAll(1, firstID(w), "", nil)
	for i := range 5000 {
		if p.ws.WriteMessage(websocket.BinaryMessage, []byte{0x96, 0xa3, 'g', 'e', 't', 0xcd, byte(i >> 8), byte(i), 1, 0xa6, 'a', 'c', 't', 'i', 'o', 'n', 0, 0xa0}) != nil {
			break
		}
	}
	p2, w2 := s.enter(t)
	p2.readAll(1, firstID(w2), "", nil)
}

func TestTheSameZipTwiceIsOneTrace(t *testing.T) {
	s := serveWith(t, viewer.Options{Paths: []string{corpusTrace("playwright/basic.zip"), corpusTrace("playwright/basic.zip")}})
	_, w := s.enter(t)
	if n := len(w["traces"].([]any)); n != 1 {
		t.Errorf("%d traces, want 1", n)
	}
}
