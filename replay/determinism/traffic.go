package determinism

import (
	"context"
	"encoding/base64"
	"sort"
	"strings"
	"sync"
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
	count   int // how often something moved
	waiting map[string]chan struct{}
	working bool // answers are being given
	uneven  time.Time
	told    int // how many requests were announced
}

// flight is a request that is not over.
type flight struct {
	url     string
	kind    string
	main    bool
	passed  time.Time // when it was let out or answered
	headers bool      // the beginning of the answer is there
	moved   time.Time // when something of the answer came last
	loose   bool      // not waited for
}

// held is a request that waits for an answer.
type held struct {
	session string
	id      string // of the Fetch domain
	request *Request
	key     string
}

// How long, in real time, a request that was let out is waited for before the
// next one is, and before it is taken for one without an end.
const (
	lonely  = 250 * time.Millisecond // one that was announced and does not come
	silent  = 4 * time.Second        // one that does not begin to be answered
	endless = 1500 * time.Millisecond
	unread  = 1200 * time.Millisecond // one whose answer the page does not take
)

// without reports whether a request that was let out is not to be waited for
// any longer.
func (f *flight) without(waited time.Duration) bool {
	if !f.headers {
		return waited > silent
	}
	switch f.kind {
	case "EventSource":
		return true
	case "Fetch": // it ends when its body is read, which may never be
		return time.Since(f.moved) > unread
	}
	return time.Since(f.moved) > endless
}

func (t *traffic) init(s *Session) {
	t.s, t.wake = s, make(chan struct{}, 1)
	t.open, t.waiting = map[string]*flight{}, map[string]chan struct{}{}
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
	main := e.Type == proto.NetworkResourceTypeDocument && string(e.RequestID) == string(e.LoaderID) && t.isMain(string(e.FrameID))
	f := &flight{url: u, kind: string(e.Type), main: main}
	// These are never held; nothing is to wait for them.
	f.loose = main || strings.HasPrefix(u, "data:") || strings.HasPrefix(u, "blob:") || strings.HasPrefix(u, "about:") || e.Type == proto.NetworkResourceTypePreflight ||
		e.Type == proto.NetworkResourceTypeWebSocket
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open[string(e.RequestID)] = f
	t.count++
	t.told++
	t.poke()
}

func (t *traffic) isMain(frame string) bool {
	for _, p := range t.s.Pages() {
		if p.target == frame {
			return true
		}
	}
	return false
}

func (t *traffic) paused(session string, e *proto.FetchRequestPaused) {
	r := &Request{ID: string(e.NetworkID), URL: e.Request.URL, Method: e.Request.Method, Headers: map[string]string{}, Type: string(e.ResourceType), Frame: string(e.FrameID)}
	for k, v := range e.Request.Headers {
		r.Headers[k] = v.String()
	}
	for _, part := range e.Request.PostDataEntries {
		r.Body = append(r.Body, part.Bytes...)
	}
	if len(r.Body) == 0 {
		r.Body = []byte(e.Request.PostData)
	}
	r.Main = e.ResourceType == proto.NetworkResourceTypeDocument && t.isMain(r.Frame)
	h := &held{session: session, id: string(e.RequestID), request: r, key: r.URL + "\x00" + r.Method + "\x00" + string(r.Body)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	if ch := t.waiting[r.ID]; ch != nil { // redirected: what was waited for is over
		delete(t.waiting, r.ID)
		close(ch)
	}
	if r.Main || r.Type == string(proto.NetworkResourceTypeMedia) || strings.HasSuffix(r.URL, "/favicon.ico") && r.Type == "Other" {
		t.s.background(func() { t.answer(h) })
		return
	}
	if f := t.open[r.ID]; f != nil {
		f.loose = false
	}
	t.held = append(t.held, h)
	t.poke()
}

func (t *traffic) over(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, id)
	if ch := t.waiting[id]; ch != nil {
		delete(t.waiting, id)
		close(ch)
	}
	t.count++
	t.poke()
}

// serve gives answers until the session ends.
func (t *traffic) serve() {
	retry := time.NewTicker(20 * time.Millisecond)
	defer retry.Stop()
	for {
		select {
		case <-t.s.done:
			return
		case <-t.wake:
		case <-retry.C:
		}
		for batch := t.gather(); len(batch) > 0; batch = t.gather() {
			for _, h := range batch {
				t.answer(h)
				t.await(h.request.ID)
			}
			t.mu.Lock()
			t.working = false
			t.mu.Unlock()
		}
	}
}

// gather is next, once the pages have announced all requests of what they are
// doing: a page answers after that, and by the same way.
func (t *traffic) gather() []*held {
	for range 50 {
		t.mu.Lock()
		told, waiting := t.told, len(t.held)
		t.mu.Unlock()
		if waiting == 0 {
			return nil
		}
		ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond) // one that waits for an answer itself does not give one
		for _, p := range t.s.Pages() {
			_ = p.call(ctx, "Runtime.evaluate", object{"expression": "0"}, nil)
		}
		cancel()
		select {
		case <-time.After(4 * time.Millisecond): // events are dealt with apart from answers
		case <-t.s.done:
			return nil
		}
		t.mu.Lock()
		same := told == t.told
		t.mu.Unlock()
		if same {
			break
		}
	}
	return t.next()
}

// next returns all requests that are held, in order, if all that were
// announced are among them: others may still be on their way here.
func (t *traffic) next() []*held {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.held) == 0 {
		return nil
	}
	expected := 0
	for _, f := range t.open {
		if !f.loose && f.passed.IsZero() {
			expected++
		}
	}
	if len(t.held) < expected {
		if t.uneven.IsZero() {
			t.uneven = time.Now()
		}
		if time.Since(t.uneven) < lonely {
			return nil
		}
		t.forget()
	}
	t.uneven = time.Time{}
	list := t.held
	t.held, t.working = nil, true
	sort.SliceStable(list, func(i, j int) bool { return list[i].key < list[j].key })
	return list
}

// forget stops waiting for requests that were announced and are not held, as
// those that the browser answers itself.
func (t *traffic) forget() {
	here := map[string]bool{}
	for _, h := range t.held {
		here[h.request.ID] = true
	}
	for id, f := range t.open {
		if !here[id] && f.passed.IsZero() {
			f.loose = true
		}
	}
}

// answer decides about one request.
func (t *traffic) answer(h *held) {
	ctx, cancel := t.s.ctx()
	defer cancel()
	var a Answer
	if t.s.o.Network != nil {
		a = t.s.o.Network.Answer(ctx, h.request)
	}
	if h.request.Type == string(proto.NetworkResourceTypeMedia) && !t.s.o.Media && a.Status == 0 {
		a.Fail = "BlockedByClient"
	}
	t.mu.Lock()
	if f := t.open[h.request.ID]; f != nil {
		f.passed = time.Now()
	}
	t.mu.Unlock()
	var err error
	switch {
	case a.Fail != "":
		err = t.s.b.call(ctx, h.session, "Fetch.failRequest", object{"requestId": h.id, "errorReason": a.Fail}, nil)
	case a.Status != 0:
		err = t.s.b.call(ctx, h.session, "Fetch.fulfillRequest", object{"requestId": h.id, "responseCode": a.Status, "responseHeaders": headers(a.Headers),
			"body": base64.StdEncoding.EncodeToString(a.Body)}, nil)
	default:
		err = t.s.b.call(ctx, h.session, "Fetch.continueRequest", object{"requestId": h.id}, nil)
	}
	if err != nil { // the page took it back
		t.over(h.request.ID)
	}
}

func headers(list []Header) []Header {
	if list == nil {
		return []Header{}
	}
	return list
}

// await waits for the end of a request that was let out or answered.
func (t *traffic) await(id string) {
	t.mu.Lock()
	f := t.open[id]
	if f == nil || f.loose {
		t.mu.Unlock()
		return
	}
	over := make(chan struct{})
	t.waiting[id] = over
	t.mu.Unlock()
	began, poll := time.Now(), time.NewTicker(20*time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case <-over:
			return
		case <-t.s.done:
			return
		case <-poll.C:
		}
		t.mu.Lock()
		if f.without(time.Since(began)) {
			delete(t.waiting, id)
			f.loose = true
			t.mu.Unlock()
			t.s.log("not waited for any longer: %s", f.url)
			return
		}
		t.mu.Unlock()
	}
}

// endless reports whether a request is open that is not waited for and that
// has been answered in part.
func (t *traffic) endless() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.open {
		if f.loose && !f.main && !f.passed.IsZero() {
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
		if !f.loose || f.main {
			return false
		}
		found = found || !f.passed.IsZero()
	}
	return found && !t.working && len(t.held) == 0
}

// settle waits until all requests with an end are over.
func (t *traffic) settle(ctx context.Context) {
	for i := 0; i < 2500 && !t.idle(); i++ {
		if sleep(ctx, 4*time.Millisecond) != nil {
			return
		}
	}
}

func (t *traffic) idle() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.open {
		if !f.loose || f.main {
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

// loading reports whether the address is of a request that is open.
func (t *traffic) loading(url string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.open {
		if f.url == url {
			return true
		}
	}
	return false
}
