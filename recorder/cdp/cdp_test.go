package cdp

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/recorder/internal/devtools"
	"github.com/tracedeck/tracedeck/trace"
)

func TestFlagValues(t *testing.T) {
	line := `/usr/bin/chromium --a --user-data-dir=/home/me/my profile --remote-debugging-port=0 --proxy="x y" about:blank`
	for name, want := range map[string]string{"user-data-dir": "/home/me/my profile", "remote-debugging-port": "0", "proxy": "x y", "none": ""} {
		if got := flagValue(line, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// The browser's times become the recording's, never later than the message,
// and as early as the quickest message allows.
func TestBrowserClock(t *testing.T) {
	var c browserClock
	ms := func(n float64) trace.Time { return trace.Milliseconds(n) }
	if got := c.at(100, ms(30)); got != ms(30) {
		t.Errorf("the first: %v", got)
	}
	if got := c.at(100.010, ms(35)); got != ms(35) {
		t.Errorf("a quicker one: %v", got)
	}
	if got := c.at(100.020, ms(90)); got != ms(45) {
		t.Errorf("a slow one: %v", got)
	}
	if got := c.past(100, ms(90)); got != ms(25) {
		t.Errorf("the past: %v", got)
	}
}

func TestCredentialsAreMaskedAndTheirPresenceKept(t *testing.T) {
	m := newMasker(true)
	for _, c := range []struct{ name, value, want string }{
		{"Authorization", "Bearer abc", "Bearer redacted-1"},
		{"authorization", "token-only", "redacted-2"},
		{"Cookie", "a=abc; b=x=y", "a=redacted-1; b=redacted-3"},
		{"Set-Cookie", "a=abc; Path=/; HttpOnly", "a=redacted-1; Path=/; HttpOnly"},
		{"Accept", "abc", "abc"},
		{"Cookie", "", ""},
	} {
		if got := m.header(c.name, c.value); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.name, c.value, got, c.want)
		}
	}
	if off := newMasker(false).header("Cookie", "a=b"); off != "a=b" {
		t.Errorf("masked although secrets are wanted: %s", off)
	}
}

func TestFloodLetsABurstThroughAndCountsTheRest(t *testing.T) {
	var f flood
	passed := 0
	for range 1000 {
		if f.admits(100, 0) {
			passed++
		}
	}
	if passed != 200 || f.dropped != 800 {
		t.Errorf("%d passed, %d dropped", passed, f.dropped)
	}
	if !f.admits(100, trace.Time(time.Second)) {
		t.Error("nothing passes a second later")
	}
}

// nowhere is a sink that checks that events can be written.
type nowhere struct{ t *testing.T }

func (nowhere) Now() trace.Time { return 5e9 }
func (n nowhere) Write(b trace.Body) {
	if line, err := trace.AppendBody(nil, b); err != nil || !json.Valid(line) {
		n.t.Errorf("%s: %v %s", b.EventType(), err, line)
	}
}
func (nowhere) AddResource([]byte, string) (string, error) { return "resources/x", nil }
func (nowhere) Stream(string) (io.WriteCloser, error)      { return devNull{}, nil }
func (nowhere) NewCall() (id, parent string)               { return "call@1", "" }
func (nowhere) Warn(trace.Warning)                         {}

type devNull struct{ io.Writer }

func (devNull) Write(b []byte) (int, error) { return len(b), nil }
func (devNull) Close() error                { return nil }

// Whatever a browser sends, the recorder goes on and what it writes is sound.
func FuzzEvents(f *testing.F) {
	f.Add("Network.requestWillBeSent {\"requestId\":\"1\",\"request\":{\"url\":\"http://a/\",\"method\":\"GET\"},\"timestamp\":1}\nNetwork.loadingFinished {\"requestId\":\"1\",\"timestamp\":2}")
	f.Add("Network.responseReceived {\"requestId\":\"1\",\"response\":{\"status\":200,\"timing\":{\"requestTime\":1}},\"hasExtraInfo\":true}\nNetwork.loadingFailed {\"requestId\":\"1\"}")
	f.Add("Runtime.consoleAPICalled {\"type\":\"log\",\"args\":[{\"type\":\"object\",\"preview\":{\"properties\":[{\"name\":\"a\"}]}}]}")
	f.Add("Network.webSocketCreated {\"requestId\":\"2\",\"url\":\"ws://a\"}\nNetwork.webSocketFrameSent {\"requestId\":\"2\",\"response\":{\"opcode\":1}}\nNetwork.webSocketClosed {\"requestId\":\"2\"}")
	f.Add("Page.frameNavigated {\"frame\":{\"id\":\"P\",\"url\":\"http://a/\"}}\nRuntime.executionContextCreated {\"context\":{\"id\":1,\"name\":\"tracedeck\",\"auxData\":{\"frameId\":\"P\"}}}\n" +
		"Runtime.bindingCalled {\"name\":\"__deckReport\",\"executionContextId\":1,\"payload\":\"[{\\\"op\\\":\\\"act\\\",\\\"method\\\":\\\"click\\\"}]\"}")
	f.Add("Runtime.exceptionThrown {\"exceptionDetails\":{\"exception\":{\"subtype\":\"error\",\"description\":\"E: x\"}}}\nInspector.targetCrashed {}")
	f.Fuzz(func(t *testing.T, script string) {
		r := idleRecorder(t)
		for _, line := range strings.Split(script, "\n") {
			method, params, _ := strings.Cut(line, " ")
			r.handle(message{event: event{devtools.Event{Session: "S", Method: method, Params: json.RawMessage(params)}, time.Now()}})
		}
		r.tick()
		r.input.finish()
		r.writePending()
	})
}

// idleRecorder is one whose browser is gone, with one page.
func idleRecorder(t *testing.T) *Recorder {
	o := DefaultOptions()
	ended := make(chan struct{})
	close(ended)
	client := devtools.New(nil)
	client.Read(func() ([]byte, error) { return nil, io.EOF }, nil)
	r := &Recorder{conn: &Conn{client: client}, sink: nowhere{t}, o: o, start: time.Now(), sessions: map[string]*session{}, pages: map[string]*page{},
		frames: map[string]*frame{}, requests: map[string]*request{}, sockets: map[string]*socket{}, masks: newMasker(true),
		bodies: make(chan struct{}, 6), posted: make(chan func(), 256), ended: ended, origins: map[string]bool{}}
	r.input = newCapture(r)
	attached(r, nil, &attachedParams{SessionID: "S", Info: targetInfo{ID: "P", Type: "page"}}, event{at: time.Now()})
	return r
}
