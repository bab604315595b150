package determinism

import "testing"

func TestFramesComeRarelyWhereNothingIsDone(t *testing.T) {
	s := &Session{}
	// frames are when frames are made while so much time passes, from its beginning.
	frames := func(ms float64) (list []float64) {
		began := s.time.now
		for end := began + ms; s.time.now < end; s.time.frames++ {
			left := end - s.time.now
			step := s.stride(left)
			if step > left || step < left && left-step <= least {
				t.Fatalf("%v ms are left, and the next frame is after %v", left, step)
			}
			s.time.now += step
			list = append(list, s.time.now-began)
		}
		return list
	}
	s.time.now = 5000
	s.stirred()
	minute := frames(60000)
	for _, c := range []struct {
		when         string
		from, to     float64
		fewest, most int
	}{
		{"at once", 0, 400, 23, 25}, {"soon", 400, 1000, 11, 13}, {"later", 1000, 3000, 7, 9},
		{"much later", 3000, 60000, 2 * 57, 2*57 + 1},
	} {
		n := 0
		for _, at := range minute {
			if at > c.from && at <= c.to {
				n++
			}
		}
		if n < c.fewest || n > c.most {
			t.Errorf("%s: %d frames, want %d to %d", c.when, n, c.fewest, c.most)
		}
	}
	if s.time.now != 65000 {
		t.Errorf("it is %v ms, want 65000", s.time.now)
	}
	if list := frames(17); len(list) != 1 {
		t.Errorf("frames in 17 ms: %v, want one", list)
	}
	s.stirred()
	if n := len(frames(300)); n < 17 || n > 19 {
		t.Errorf("%d frames in 300 ms after something was done, want 18", n)
	}
}
