package determinism

import (
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// traffic holds the requests of a session and answers them in an order of its
// own: which of two reaches the browser first is chance, and what comes of
// their answers is not to depend on it.
type traffic struct {
	s    *Session
	wake chan struct{}

	mu      sync.Mutex
	open    map[string]*flight // by the browser's id
	held    []*held
	count   int             // how often something moved
	frames  map[string]bool // that have asked for a document
	waiting map[string]chan struct{}
	working bool // answers are being given
	uneven  time.Time
	told    int // how many requests were announced
	ended   int // how many are over
	calmed  time.Time
	serving sync.Mutex  // held by who gives answers
	holding atomic.Bool // messages are held up
}

func (t *traffic) init(s *Session) {
	t.s, t.wake = s, make(chan struct{}, 1)
	t.open, t.waiting, t.frames = map[string]*flight{}, map[string]chan struct{}{}, map[string]bool{}
}

func (t *traffic) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// hear deals with the events of requests.
func (t *traffic) hear(m *rod.Message) bool {
	switch m.Method {
	case "Fetch.requestPaused":
		var e proto.FetchRequestPaused
		if m.Load(&e) {
			t.paused(string(m.SessionID), &e)
		}
	case "Network.requestWillBeSent":
		var e proto.NetworkRequestWillBeSent
		if m.Load(&e) {
			t.announced(&e)
		}
	case "Network.responseReceived":
		var e proto.NetworkResponseReceived
		if m.Load(&e) {
			t.mu.Lock()
			if f := t.open[string(e.RequestID)]; f != nil {
				f.headers, f.moved = true, time.Now()
			}
			t.count++
			t.mu.Unlock()
		}
	case "Network.dataReceived":
		var e proto.NetworkDataReceived
		loaded := m.Load(&e)
		t.mu.Lock()
		if f := t.open[string(e.RequestID)]; loaded && f != nil {
			f.moved = time.Now()
		}
		t.count++
		t.mu.Unlock()
	case "Network.loadingFinished":
		var e proto.NetworkLoadingFinished
		if m.Load(&e) {
			t.over(string(e.RequestID))
		}
	case "Network.loadingFailed":
		var e proto.NetworkLoadingFailed
		if m.Load(&e) {
			t.over(string(e.RequestID))
		}
	default:
		return false
	}
	return true
}

func (t *traffic) announced(e *proto.NetworkRequestWillBeSent) {
	u := e.Request.URL
	inside := strings.HasPrefix(u, "data:") || strings.HasPrefix(u, "blob:") || strings.HasPrefix(u, "about:")
	f := &flight{url: u, kind: string(e.Type), told: time.Now()}
	// These are never held; nothing is to wait for them.
	f.loose = inside || e.Type == proto.NetworkResourceTypePreflight || e.Type == proto.NetworkResourceTypeWebSocket
	switch e.Type {
	case proto.NetworkResourceTypeImage, proto.NetworkResourceTypeFetch, proto.NetworkResourceTypeXHR, proto.NetworkResourceTypeFont:
		if strings.HasPrefix(u, "blob:") { // it comes by way of the browser: its end is waited for
			f.loose, f.passed, f.moved = false, f.told, f.told
		}
	case proto.NetworkResourceTypeDocument:
		if inside && !strings.HasPrefix(u, "about:") { // it is read bit by bit too
			f.loose, f.headers, f.passed, f.moved = false, true, f.told, f.told
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[string(e.RequestID)] = f
	if e.Type == proto.NetworkResourceTypeDocument {
		t.frames[string(e.FrameID)] = true
	}
	t.count++
	t.told++
	t.poke()
}

func (t *traffic) over(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, id)
	t.ended++
	if ch := t.waiting[id]; ch != nil {
		delete(t.waiting, id)
		close(ch)
	}
	t.count++
	t.poke()
}

func (t *traffic) isOpen(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.open[id] != nil
}

// busy reports whether a request is open that is to be over before time goes
// on.
func (t *traffic) busy() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.working || len(t.held) > 0 {
		return true
	}
	busy := false
	for _, f := range t.open {
		switch {
		case f.loose:
		case f.passed.IsZero(): // it is not held: the browser keeps it to itself
			f.loose = time.Since(f.told) > t.s.pace.of(2*lonely)
		default:
			f.loose = f.without(time.Since(f.passed), t.s.pace.factor())
		}
		busy = busy || !f.loose
	}
	return busy
}

// none reports whether no request is open at all, so that messages come.
func (t *traffic) none() bool {
	if t.holding.Load() {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open) == 0
}

func (t *traffic) endedOf() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// asked reports whether a frame has asked for a document.
func (t *traffic) asked(frame string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.frames[frame]
}

func (t *traffic) toldOf() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.told
}

// endless reports whether a request is open that is not waited for and that
// has been answered in part.
func (t *traffic) endless() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.open {
		if f.loose && !f.passed.IsZero() {
			return true
		}
	}
	return false
}

// onlyEndless reports whether nothing else than such requests is open.
func (t *traffic) onlyEndless() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := false
	for _, f := range t.open {
		if !f.loose {
			return false
		}
		found = found || !f.passed.IsZero()
	}
	return found && !t.working && len(t.held) == 0
}

func (t *traffic) idle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.open {
		if !f.loose {
			return false
		}
	}
	return !t.working && len(t.held) == 0
}

func (t *traffic) moved() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count
}

func (t *traffic) pending() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	for _, f := range t.open {
		list = append(list, f.url)
	}
	sort.Strings(list)
	return list
}
