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
// ends to wait for something outside of its thread, ~ where it sends something
// by way of the browser, and m where the mouse has moved, h and a number where it goes in its history.
func (p *Page) told(m *rod.Message) {
	var e proto.RuntimeBindingCalled
	if !m.Load(&e) || e.Name != "__tracedeckTell" {
		return
	}
	p.mu.Lock()
	switch e.Payload {
	case "+":
		p.outside[int(e.ExecutionContextID)] = time.Now()
	case "-":
		delete(p.outside, int(e.ExecutionContextID))
	case "~":
		p.ways++
	case "m":
		p.moves++
	default:
		if by, err := strconv.Atoi(strings.TrimPrefix(e.Payload, "h")); err == nil {
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
		p.ways, p.travels = 0, nil
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
		for p.isOutside() {
			waited = true
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
	var h struct {
		Current int `json:"currentIndex"`
		Entries []struct {
			ID int `json:"id"`
		} `json:"entries"`
	}
	if err := p.Call(ctx, "Page.getNavigationHistory", nil, &h); err != nil {
		return err
	}
	if i := h.Current + by; i >= 0 && i < len(h.Entries) {
		return p.Call(ctx, "Page.navigateToHistoryEntry", object{"entryId": h.Entries[i].ID}, nil)
	}
	return nil
}

func (p *Page) isOutside() bool {
	if p.closed() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for realm, since := range p.outside {
		if time.Since(since) < p.s.pace.of(longest) {
			return true
		}
		delete(p.outside, realm)
		p.s.log("not waited for any longer: what %s does outside of its thread", p.url)
	}
	return false
}

// turns waits a little, in turns of the pages: they take longer on a machine
// that is busy, as what is waited for does.
func (s *Session) turns(ctx context.Context, n int) {
	for range n {
		for _, p := range s.Pages() {
			p.barrier(ctx, time.Second)
		}
		if sleep(ctx, time.Millisecond) != nil {
			return
		}
	}
}
