package determinism

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// pace is how fast the machine is: what is waited for by real time is waited
// for longer where others keep it busy.
type pace struct{ latency atomic.Uint64 }

// usual is how long a question to a page takes on an idle machine.
const usual = 2 * time.Millisecond

func (p *pace) took(d time.Duration) {
	before := math.Float64frombits(p.latency.Load())
	p.latency.Store(math.Float64bits(before*0.9 + float64(d)*0.1))
}

// factor is 1 on an idle machine, and at most 10.
func (p *pace) factor() float64 {
	return math.Max(1, math.Min(10, math.Float64frombits(p.latency.Load())/float64(usual)))
}

func (p *pace) of(d time.Duration) time.Duration { return time.Duration(float64(d) * p.factor()) }

// told deals with what the script in a page tells: + and - where it begins and
// ends to wait for something outside of its thread, < and > for what may wait for
// requests, ~ where it sends something by way of the browser, w where it makes a
// worker and v where that fails, S and its name where it connects to a shared one, s
// and r where it says something to that and hears something of it, m where the mouse
// has moved, # and a number where it has come to a barrier, d where a document begins
// and f where it hears of its first frame, z and a number where it tells what is left
// of half a millisecond then, h and a number where it goes in its history, and the
// name of what goes on in real time.
func (p *Page) told(m *rod.Message) {
	var e proto.RuntimeBindingCalled
	if !m.Load(&e) || e.Name != "__tracedeckTell" {
		return
	}
	if number, reached := strings.CutPrefix(e.Payload, "#"); reached {
		n, _ := strconv.Atoi(number) // 0 where it is no number, which is none
		p.reached(n)
		return
	}
	p.mu.Lock()
	realm := int(e.ExecutionContextID)
	switch e.Payload {
	case "+", "<":
		p.outside[work{realm, e.Payload == "<"}] = time.Now()
	case "-", ">":
		delete(p.outside, work{realm, e.Payload == ">"})
		p.ended = true
	case "~":
		p.ways++
	case "w", "v":
		p.s.working.expect(e.Payload == "w")
	case "m":
		p.moves++
	case "s", "r":
		p.s.working.shared.told(e.Payload == "s")
	case "d":
		p.fresh, p.framed = true, false
	case "f":
		p.framed = true
	case "AudioContext", "RTCPeerConnection", "WebTransport", "media in its document":
		defer p.s.remark("W_REAL_TIME", "%s uses %s", p.url, e.Payload)
	default:
		if rest, begins := strings.CutPrefix(e.Payload, "z"); begins {
			p.begins++
			p.rest, _ = strconv.ParseFloat(rest, 64) // 0 where it is no number
		} else if what, random := strings.CutPrefix(e.Payload, "random:"); random {
			defer p.s.remark("W_REAL_RANDOM", "%s has %s", p.url, what)
		} else if key, shared := strings.CutPrefix(e.Payload, "S"); shared {
			p.s.working.connect(key)
		} else if by, err := strconv.Atoi(strings.TrimPrefix(e.Payload, "h")); err == nil {
			p.travels = append(p.travels, by)
		}
	}
	p.mu.Unlock()
	p.s.net.poke()
}

func (p *Page) moved() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.moves
}

func (p *Page) heardFrame() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.framed
}

// work is what a realm does outside of its thread.
type work struct {
	realm int
	loads bool // it may wait for requests
}

// How long what a page does outside of its thread is waited for, and how many
// turns what goes by way of the browser is given.
const (
	longest = 3 * time.Second
	detour  = 5
)

// finished waits until what pages do outside of their threads is done, and
// reports whether there was anything to wait for. The clock must be held.
func (s *Session) finished(ctx context.Context) (waited bool, err error) {
	for _, p := range s.Pages() {
		p.mu.Lock()
		ways, travels := p.ways, p.travels
		// What ended since the page was last heard may have led to more, of which
		// nothing is known before it is heard again.
		waited = waited || p.ended
		p.ways, p.travels, p.ended = 0, nil, false
		p.mu.Unlock()
		for _, by := range travels {
			if err := p.Travel(ctx, by); err != nil && !p.closed() {
				return true, err
			}
		}
		if ways > 0 || len(travels) > 0 {
			waited = true
			s.turns(ctx, detour)
		}
		for p.isOutside(true) {
			waited = true
			s.working.start(ctx, s) // which may stop the clock
			select {
			case <-s.net.wake:
			case <-time.After(5 * time.Millisecond):
			case <-p.left:
			case <-ctx.Done():
				return true, s.stuck(fmt.Errorf("the clock stood still: %w", context.Cause(ctx)))
			case <-s.b.Done():
				return true, s.b.Err()
			}
			if s.net.busy() { // it waits for a request
				return true, nil
			}
		}
	}
	return waited, nil
}

// Travel goes back or forward by some entries of the page's history, as far as
// there are any. The page is not waited for.
func (p *Page) Travel(ctx context.Context, by int) error {
	h, err := p.history(ctx)
	if err != nil {
		return err
	}
	if i := h.Current + by; i >= 0 && i < len(h.Entries) {
		return p.Call(ctx, "Page.navigateToHistoryEntry", object{"entryId": h.Entries[i].ID}, nil)
	}
	return nil
}

// TravelTo goes to the entry of the page's history with an address that is
// nearest, backwards first. The page is not waited for. An address that the
// history does not hold is an error.
func (p *Page) TravelTo(ctx context.Context, url string) error {
	h, err := p.history(ctx)
	if err != nil {
		return err
	}
	for by := 1; by < len(h.Entries); by++ {
		for _, i := range []int{h.Current - by, h.Current + by} {
			if i >= 0 && i < len(h.Entries) && h.Entries[i].URL == url {
				return p.Travel(ctx, i-h.Current)
			}
		}
	}
	return errorf("E_NAVIGATION", "the page has not been at %s", url)
}

// entries are a page's history, and which of them is shown.
type entries struct {
	Current int `json:"currentIndex"`
	Entries []struct {
		ID  int    `json:"id"`
		URL string `json:"url"`
	} `json:"entries"`
}

func (p *Page) history(ctx context.Context) (*entries, error) {
	var h entries
	if err := p.Call(ctx, "Page.getNavigationHistory", nil, &h); err != nil {
		return nil, err
	}
	return &h, nil
}

// isOutside reports whether something is done outside of the page's thread, or
// something that needs no request.
func (p *Page) isOutside(loads bool) bool {
	if p.closed() {
		return false
	}
	var late []int
	open := 0
	p.mu.Lock()
	for w, since := range p.outside {
		switch {
		case time.Since(since) > p.s.pace.of(longest):
			late = append(late, w.realm)
			delete(p.outside, w)
		case loads || !w.loads:
			open++
		}
	}
	p.mu.Unlock()
	for _, realm := range late {
		p.giveUp(realm)
	}
	return open > 0
}

// giveUp lets a realm forget what it does outside of its thread, which does not
// come to an end.
func (p *Page) giveUp(realm int) {
	ctx, cancel := p.s.ctx()
	defer cancel()
	var r struct{ Result struct{ Value string } }
	_ = p.call(ctx, "Runtime.evaluate", object{"expression": "(deck => { const w = deck.waits(); deck.forget(); return w })(__tracedeck)", "contextId": realm, "returnByValue": true}, &r)
	p.s.log("not waited for any longer: what %s does outside of its thread: %s", p.URL(), r.Result.Value)
	p.s.remark("W_REAL_TIME", "%s does what does not end: %s", p.URL(), r.Result.Value)
}

// turns waits a little, in turns of the pages: they take longer on a machine
// that is busy, as what is waited for does.
func (s *Session) turns(ctx context.Context, n int) {
	for range n {
		for _, p := range s.Pages() {
			p.barrier(ctx, s.pace.of(time.Second))
		}
		if sleep(ctx, time.Millisecond) != nil {
			return
		}
	}
}
