package main

import (
	"fmt"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

func (b *bench) dense() []budget {
	return b.rows("dense events", b.trace(denseTrace), denseSteps)
}

func (b *bench) million() []budget {
	return b.rows("steps", b.trace(stepsTrace), stepsSteps)
}

// rows is a trace of a million rows: how soon it shows, how it pans and
// zooms, and what the page takes.
func (b *bench) rows(name, path, steps string) []budget {
	c, s, p, err := b.tab(path)
	if err != nil {
		return []budget{{"a million " + name, 0, "", 0, "", err}}
	}
	defer s.stop()
	defer c.stop()
	base := memoryOf(c.pid)
	began := time.Now()
	err = p.Navigate(s.url)
	first, err2 := until(p, rowsShown, began)
	whole, err3 := until(p, listed(steps), began)
	err = firstError(err, err2, err3)
	time.Sleep(4 * time.Second) // until lanes and tree are worked out, which happens once
	p95, worst, err4 := frames(p)
	_ = proto.HeapProfilerCollectGarbage{}.Call(p)
	time.Sleep(2 * time.Second)
	page := float64(memoryOf(c.pid)-base) / (1 << 20)
	all := "a million " + name + ": "
	return []budget{{all + "first rows on screen", 300, "ms", first, "", err}, {all + "all rows", 2000, "ms", whole, "", err},
		{all + "script of a frame, 95 %", 8, "ms", p95, "does not zoom", err4}, {all + "script of the longest frame", 16, "ms", worst, "does not zoom", err4},
		{all + "memory above an empty page", 150, "MB", page, "", err}}
}

// frames zooms and pans, and returns how long script ran in a frame: 95 of
// 100 took at most p95. It is the thread's own time, since others use this
// machine too.
func frames(p *rod.Page) (p95, worst float64, err error) {
	if err := (proto.PerformanceEnable{TimeDomain: proto.PerformanceEnableTimeDomainThreadTicks}).Call(p); err != nil {
		return 0, 0, err
	}
	script := func() float64 {
		m, err := proto.PerformanceGetMetrics{}.Call(p)
		if err != nil {
			return 0
		}
		for _, x := range m.Metrics {
			if x.Name == "ScriptDuration" {
				return 1000 * x.Value
			}
		}
		return 0
	}
	box, err := p.MustElement("#timeline canvas").Shape()
	if err != nil {
		return 0, 0, err
	}
	b := box.Box()
	var list []float64
	for i := range 200 {
		before := script()
		x, dx, dy := b.X+b.Width*(0.3+0.02*float64(i*7%20)), 0.0, -40.0
		if i%4 == 3 {
			dx, dy = 60, 0
		} else if i%80 >= 50 {
			dy = 40
		}
		if err := (proto.InputDispatchMouseEvent{Type: proto.InputDispatchMouseEventTypeMouseWheel, X: x, Y: b.Y + 55, DeltaX: dx, DeltaY: dy}).Call(p); err != nil {
			return 0, 0, err
		}
		if _, err := p.Eval(`() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))`); err != nil {
			return 0, 0, err
		}
		list = append(list, script()-before)
	}
	if moved, err := p.Eval(`() => document.querySelector("footer").textContent.includes("view ")`); err != nil || !moved.Value.Bool() {
		return 0, 0, fmt.Errorf("the timeline did not move: %v", err)
	}
	return at(list, 0.95), at(list, 1), nil
}

// again opens traces whose index is in the cache.
func (b *bench) again() []budget {
	var list []budget
	for _, c := range []struct {
		name, trace, steps string
		most               float64
	}{{"opened again from the cache, all of it", denseTrace, denseSteps, 300}, {"a million steps from the cache: all rows", stepsTrace, stepsSteps, 700}} {
		var took float64
		var err error
		for range 2 { // the first time may have to make the index
			if took, err = b.opened(b.trace(c.trace), c.steps); err != nil {
				break
			}
		}
		list = append(list, budget{c.name, c.most, "ms", took, "", err})
	}
	return list
}

// opened returns how long it takes until all steps of a trace are listed. The
// server has not been asked for anything before.
func (b *bench) opened(path, steps string) (float64, error) {
	c, s, p, err := b.tab(path)
	if err != nil {
		return 0, err
	}
	defer s.stop()
	defer c.stop()
	began := time.Now()
	err = p.Navigate(s.url)
	took, failed := until(p, listed(steps), began)
	time.Sleep(time.Second) // in which the index is kept
	return took, firstError(err, failed)
}
