package determinism

import (
	"context"
	"math"
)

// steps are whole milliseconds, 60 frames a second on the average. Fractions
// would be rounded by pages with a threshold that differs between processes.
var steps = [...]float64{17, 17, 16}

const interval = 1000.0 / 60

// late is by how much the time of the page's frames is behind the clock. The
// beginning of a document that the browser was told to open is a moment of its
// real clock, and frames whose distance from it is no multiple of half a
// millisecond would be rounded by chance, and animations with them.
func (p *Page) late(ctx context.Context) float64 {
	p.mu.Lock()
	documents, taken := [2]int{p.loads + 1, p.begins}, p.rest
	p.mu.Unlock()
	if p.aligned == documents {
		return p.off
	}
	_, origin, err := p.ticks(ctx)
	if err != nil {
		return 0
	}
	p.aligned, p.off = documents, behind(p.s.time.frame-origin, taken, p.s.time.frame != p.s.time.base)
	return p.off
}

// behind is the number nearest to what a page takes it for that differs from the
// age of its document by a multiple of half a millisecond, and is not negative. The page
// knows that by tenths of a millisecond; of frames that are ahead of its clock it
// knows nothing.
func behind(age, taken float64, ahead bool) float64 {
	const grain = 500
	rest := int64(math.Round(age*1000)) % grain
	if rest < 0 {
		rest += grain
	}
	rest += grain * int64(math.Round((taken*1000-float64(rest))/grain))
	if rest < 0 && ahead {
		rest += grain
	}
	return math.Max(0, float64(rest)/1000)
}

// step lets time pass, and then makes a frame of each page.
func (s *Session) step(ctx context.Context, ms float64) error {
	if err := s.grant(ctx, ms); err != nil {
		return err
	}
	s.time.frames++
	if s.b.Regime != Frames {
		return nil
	}
	for _, p := range s.Pages() {
		if _, err := p.frame(ctx, false); err != nil && !p.closed() {
			return s.gone(p, err)
		}
	}
	return nil
}

// whole is a part of a microsecond. The browser cuts off what is less than one, and
// a time of whole microseconds would lose one by chance where it is rounded down.
const whole = 0.0003

// lag is by how much frames are behind the clock that no picture is taken of.
// Animations begin with such frames, so that a picture is never taken in the very
// moment in which one of them takes a step, which it has taken or not by chance.
const lag = 0.2

// later is by how much a frame is behind the one before, if no time has passed: one
// of the same time would never be made, nor any after it.
const later = 0.1

// frame makes a frame of the page, and a picture of it if that is wanted.
func (p *Page) frame(ctx context.Context, picture bool) ([]byte, error) {
	at := p.s.time.frame + p.s.time.now - p.late(ctx) + whole
	params := object{"interval": interval}
	if picture {
		params["screenshot"] = object{"format": "png"}
	} else {
		at -= lag
	}
	p.latest = math.Max(at, p.latest+later)
	params["frameTimeTicks"] = p.latest
	var r struct {
		Data []byte `json:"screenshotData"`
	}
	err := p.call(ctx, "HeadlessExperimental.beginFrame", params, &r)
	return r.Data, err
}
