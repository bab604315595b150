package determinism

import (
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
