package determinism

import (
	"context"
	"encoding/base64"
	"sort"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// held is a request that waits for an answer.
type held struct {
	session string
	id      string // of the Fetch domain
	request *Request
	key     string
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
