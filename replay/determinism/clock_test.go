package determinism

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A grant of time must not pass by a timer that was set just before it, however
// busy the machine is.
func TestTimersThatWereSetJustBeforeKeepTime(t *testing.T) {
	site := page(t, `<!doctype html><script>const late = {}; let clicks = 0;
onclick = () => { const began = performance.now(); clicks++; setInterval(() => {}, 1000 + clicks);
	setTimeout(() => { const ms = performance.now() - began; if (ms !== 3) late[ms] = (late[ms] || 0) + 1; }, 3); };</script>`)
	s, p := visit(t, start(t, Frames), site.URL)
	for i := range 40 {
		click(t, p, float64(50+i), 50)
		if err := s.Advance(t.Context(), 50*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	if got := after[string](t, s, 0, "[clicks, JSON.stringify(late)].join()"); got != "40,{}" {
		t.Errorf("clicks and timers that came late, by how long they took: %s", got)
	}
}

func TestFramesAreBehindByWhatThePageTakesThemToBe(t *testing.T) {
	for _, c := range []struct{ age, taken, want float64 }{
		{-664.653, 0.3, 0.347}, {20.47, 0.4, 0.47}, {20.47, 0.6, 0.47}, {20.03, 0.5, 0.53}, {20.03, 0, 0.03}, {-19.99, 0, 0.01}, {7, 0, 0}, {7, 0.5, 0.5}, {20.49, 0, 0},
	} {
		if got := behind(c.age, c.taken, false); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v, taken for %v: %v, want %v", c.age, c.taken, got, c.want)
		}
	}
	if got := behind(20.49, 0, true); math.Abs(got-0.49) > 1e-9 {
		t.Errorf("of frames that are ahead: %v, want 0.49", got)
	}
}

// startsPage begins animations at times of its own, and notes what animations and
// observers say of time.
const startsPage = `<!doctype html><div id="a">a</div><script>
const log = [], play = o => a.animate({ rotate: '1turn' }, { duration: 1e6, ...o }), line = document.timeline, own = new DocumentTimeline({ originTime: 100 });
const at = (name, v) => log.push([name, performance.now(), v].join(' '));
new IntersectionObserver(list => at('seen', list[0].time)).observe(a);
setTimeout(() => {
  const now = play(), zero = play(), free = play(), end = play({ duration: 50 });
  now.startTime = line.currentTime; zero.startTime = 0;
  at('set', [now.startTime === line.currentTime, zero.startTime, Math.abs(zero.currentTime - line.currentTime) < 0.5, free.startTime]);
  end.onfinish = e => at('end', [e.timelineTime - end.startTime, e.currentTime]);
  free.ready.then(() => requestAnimationFrame(t => {
    const began = free.startTime;
    at('frame', [t === line.currentTime, zero.currentTime - t, now.currentTime - (t - now.startTime), free.currentTime - (t - began), began, line.currentTime - own.currentTime]);
    free.startTime = began;
    at('same', free.startTime === began);
  }));
}, 333);
</script>`

func TestAnimationsBeginAtTimesOfThePage(t *testing.T) {
	site, b := page(t, startsPage), start(t, Frames)
	var before runs
	for range 2 {
		s, p := visit(t, b, site.URL)
		for i := range 3 {
			if i > 0 {
				if err := s.Advance(t.Context(), 20*time.Second); err != nil {
					t.Fatal(err)
				}
				if err := p.Navigate(t.Context(), site.URL+"/?"); err != nil {
					t.Fatal(err)
				}
			}
			log := after[[]string](t, s, time.Second, "log")
			want := []string{"set 333 true,0,true,", "true,0,0,0,", ",100"}
			if len(log) != 5 || !strings.HasPrefix(log[1], want[0]) || !strings.Contains(log[2], want[1]) || !strings.HasSuffix(log[2], want[2]) {
				t.Errorf("load %d: %q", i, log)
			}
			before.same(t, log)
		}
		s.Close()
	}
}

// Animations that go in steps, of pages whose time begins at any microsecond of
// the browser's, are on the same step in pictures of the same moment.
func TestPicturesAreNotTakenInTheMomentOfAStep(t *testing.T) {
	boxes := ""
	for n := range 20 {
		boxes += fmt.Sprintf("<p style='animation-duration:%dms'></p>", 500+n*50)
	}
	site, b, ctx := page(t, `<!doctype html><style>@keyframes m{to{margin-left:500px}}p{width:30px;height:10px;background:red;animation:m infinite steps(10)}</style>`+boxes), start(t, Frames), t.Context()
	s, p := visit(t, b, site.URL)
	var before [][]byte
	for i := range 3 {
		if err := s.Advance(ctx, 20*time.Second); err != nil {
			t.Fatal(err)
		}
		if err := p.Navigate(ctx, fmt.Sprintf("%s/?%d", site.URL, i)); err != nil {
			t.Fatal(err)
		}
		// A picture lets a millisecond pass.
		to := after[float64](t, s, time.Millisecond, "Math.ceil((performance.now() - document.getAnimations()[0].startTime) / 50) * 50 - 1 - (performance.now() - document.getAnimations()[0].startTime)")
		if err := s.Advance(ctx, time.Duration(to)*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		for n := range 6 {
			picture, err := p.Picture(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				before = append(before, picture)
			} else if !bytes.Equal(picture, before[n]) {
				t.Errorf("load %d: picture %d is another one", i, n)
			}
			if err := s.Advance(ctx, 49*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// In one step the clock is stopped once for each thing that is begun outside of the
// page, and each of these grants tells its end with the step's.
func TestManyHaltsInOneStepKeepNobodyWaiting(t *testing.T) {
	site, b := page(t, `<!doctype html><script>const log = []; for (let i = 0; i < 60; i++) setTimeout(() => crypto.subtle.digest('SHA-1', new Uint8Array(i)).then(() => log.push(i)), 5010 + 8 * i)</script>`), start(t, Frames)
	var halts, late atomic.Int32
	log := b.o.Log
	b.o.Log = func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		if strings.Contains(line, "a step was to end at 5500.0") {
			halts.Add(1)
		} else if strings.Contains(line, "do not tell their end") {
			late.Add(1)
		}
		log(format, args...)
	}
	s, _ := visit(t, b, site.URL)
	if got := after[[]int](t, s, 8*time.Second, "log"); len(got) != 60 {
		t.Errorf("%d digests are there, want 60", len(got))
	}
	if h, n := halts.Load(), late.Load(); h < 50 || n > 0 {
		t.Errorf("the step was halted %d times, and %d times ends were not told", h, n)
	}
}
