package determinism

import (
	"context"
	"encoding/base64"
	"fmt"
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
	count   int // how often something moved
	waiting map[string]chan struct{}
	working bool // answers are being given
	uneven  time.Time
	told    int // how many requests were announced
	ended   int // how many are over
	calmed  time.Time
	serving sync.Mutex  // held by who gives answers
	holding atomic.Bool // messages are held up
}

// flight is a request that is not over.
type flight struct {
	url     string
	kind    string
	told    time.Time // when it was announced
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
//
// slow is by how much the machine is slower than usual.
func (f *flight) without(waited time.Duration, slow float64) bool {
	since := func(t time.Time) time.Duration { return time.Duration(float64(time.Since(t)) / slow) }
	if f.kind == string(proto.NetworkResourceTypeCSPViolationReport) { // the browser does not tell its end
		return true
	}
	if !f.headers {
		return float64(waited) > float64(silent)*slow && f.kind != "Document" // which the page cannot do without
	}
	switch f.kind {
	case "EventSource":
		return true
	case "Fetch": // it ends when its body is read, which may never be
		return since(f.moved) > unread
	}
	return since(f.moved) > endless
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
	if r.Main && !t.s.time.waiting.Load() || r.Type == string(proto.NetworkResourceTypeMedia) || strings.HasSuffix(r.URL, "/favicon.ico") && r.Type == "Other" {
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
	t.ended++
	if ch := t.waiting[id]; ch != nil {
		delete(t.waiting, id)
		close(ch)
	}
	t.count++
	t.poke()
}

// serve gives answers until the session ends. Where time is virtual that is
// done while the clock is held, by calm; then only what the driver itself waits
// for, such as a request in the middle of an input's handler, is left to it.
func (t *traffic) serve() {
	retry := time.NewTicker(20 * time.Millisecond)
	defer retry.Stop()
	for {
		select {
		case <-t.s.done:
			return
		case <-retry.C:
		}
		if t.s.virtual() && !t.neglected() {
			continue
		}
		if t.serving.TryLock() {
			t.round(context.Background())
			t.serving.Unlock()
		}
	}
}

// neglected reports whether a request is held that nobody comes to answer.
func (t *traffic) neglected() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.held) == 0 {
		t.calmed = time.Time{}
		return false
	}
	if t.calmed.IsZero() {
		t.calmed = time.Now()
	}
	return time.Since(t.calmed) > time.Second
}

// round answers all that is held and what comes of that, if all that was
// announced is there.
func (t *traffic) round(ctx context.Context) (answered bool) {
	for batch := t.gather(ctx); len(batch) > 0; batch = t.gather(ctx) {
		answered = true
		for i, h := range batch {
			if i > 0 { // what comes of the answer before is begun
				t.barrier(ctx)
			}
			t.answer(h)
			t.await(ctx, h.request.ID)
		}
		t.mu.Lock()
		t.working, t.calmed = false, time.Time{}
		t.mu.Unlock()
	}
	return answered
}

// calm answers requests until none is open, and the pages have done what comes
// of the answers as far as that takes no time. Timers, messages and events are
// held up meanwhile, and come when all answers are there. The clock must be held.
func (t *traffic) calm(ctx context.Context, lead *Page) error {
	for t.busy() {
		t.holding.Store(true)
		err := t.settle(ctx, lead)
		t.holding.Store(false)
		if err != nil {
			return err
		}
		if err := t.s.still(ctx, lead); err != nil {
			return err
		}
	}
	return nil
}

// settle answers requests until none is open.
func (t *traffic) settle(ctx context.Context, lead *Page) error {
	t.serving.Lock()
	defer t.serving.Unlock()
	began, moved, hold := time.Now(), t.moved(), ""
	for quiet := 0; quiet < 2; {
		if now := t.hold(); now != hold {
			if err := t.s.policy(ctx, lead, now, 0); err != nil {
				return err
			}
			hold = now
		}
		if t.round(ctx) {
			quiet = 0
		}
		told := t.toldOf()
		t.barrier(ctx)
		if quiet++; t.busy() || t.toldOf() != told {
			quiet = 0
			t.s.working.start(ctx, t.s)
			select {
			case <-t.wake:
			case <-time.After(2 * time.Millisecond):
			case <-ctx.Done():
				return t.s.stuck(fmt.Errorf("the clock stood still: %w", context.Cause(ctx)))
			case <-t.s.b.Done():
				return t.s.b.Err()
			}
		}
		if err := t.s.Err(); err != nil {
			return err
		}
		if m := t.moved(); m != moved {
			began, moved = time.Now(), m
		}
		if time.Since(began) > t.s.o.Stuck {
			return t.s.stuck(fmt.Errorf("the clock stood still for %v", t.s.o.Stuck))
		}
	}
	return nil
}

// hold is how the clock is held while requests are open. The document of a frame
// takes its place by tasks that a full stop would hold up too.
func (t *traffic) hold() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.open {
		if f.kind == string(proto.NetworkResourceTypeDocument) && !f.loose {
			return "pauseIfNetworkFetchesPending"
		}
	}
	return "pause"
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

func (t *traffic) toldOf() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.told
}

// barrier waits until the pages have come to their next task, and until what
// they told before is dealt with here: answers to commands come by another way
// than events, so it is an event that is waited for.
func (t *traffic) barrier(ctx context.Context) {
	limit := 5 * time.Second
	if t.busy() {
		limit = 150 * time.Millisecond
	}
	for _, p := range t.s.Pages() {
		p.barrier(ctx, limit)
	}
}

// gather is next, once the pages have announced all requests of what they are
// doing.
func (t *traffic) gather(ctx context.Context) []*held {
	for range 50 {
		t.mu.Lock()
		told, waiting := t.told, len(t.held)
		t.mu.Unlock()
		if waiting == 0 {
			return nil
		}
		t.barrier(ctx)
		if t.toldOf() == told {
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
		if time.Since(t.uneven) < t.s.pace.of(lonely) {
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
		t.s.remark("W_MEDIA_BLOCKED", "video and sound are not loaded: %s", h.request.URL)
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
		params := object{"requestId": h.id}
		if a.URL != "" {
			params["url"] = a.URL
		}
		err = t.s.b.call(ctx, h.session, "Fetch.continueRequest", params, nil)
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
func (t *traffic) await(ctx context.Context, id string) {
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
		case <-ctx.Done():
			return
		case <-poll.C:
		}
		t.s.working.start(ctx, t.s)
		t.mu.Lock()
		if f.without(time.Since(began), t.s.pace.factor()) {
			delete(t.waiting, id)
			f.loose = true
			t.mu.Unlock()
			t.s.log("not waited for any longer: %s", f.url)
			t.s.remark("W_REAL_TIME", "a request that does not end: %s", f.url)
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
