package cdp

import (
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// How pictures and acts belong together. What an act does is drawn a little
// later, and the browser says of a picture when it was there, not when what it
// shows was drawn.
const (
	// askAfter is how long after an act a picture is asked for where none are
	// coming: the browser takes one at once, and each time it draws from then on
	// until it hears that one will do. What an act did is drawn in the next frame,
	// on pages that do little. On others the first picture would show nothing new:
	// there it is longer, by as much as was seen to be needed.
	askAfter = 16 * time.Millisecond
	// changedAfter is how long after an act a picture that differs from the one
	// before shows what it did, and drawnAfter how long after it any does.
	changedAfter = 12 * time.Millisecond
	drawnAfter   = 40 * time.Millisecond
	// stillBefore is how long after an act pictures show what was there before.
	stillBefore = 3 * time.Millisecond
	// lastPictures is how long after an act pictures from before it may come.
	lastPictures = 500 * time.Millisecond
	// tardy is how late a picture is that others may have been let go before.
	tardy = 100 * time.Millisecond
)

// shownAct is an act that has to be seen in a picture.
type shownAct struct {
	began trace.Time
	ended trace.Time // when the next one began; 0 before
	seen  trace.Time // when the first picture of the time between was taken; 0 is none
	drawn bool       // and one in which what it did is likely to be seen
}

// within reports whether a picture of that time shows the page between the act
// and the next, as far as is known.
func (a *shownAct) within(at trace.Time) bool {
	return at >= a.began && (a.ended == 0 || at <= a.ended+trace.Time(stillBefore))
}

// awaitsAct reports whether a picture is needed for what the user does.
func (c *screencast) awaitsAct() bool {
	return len(c.acts) > 0 && !c.acts[len(c.acts)-1].drawn
}

// actBegan has a picture taken that shows what an act did, if there is time
// before the next one.
func (r *Recorder) actBegan(p *page, at trace.Time) {
	if r.o.Pictures == NoPictures || r.o.Pictures == "" || r.o.Overlay || p.closed {
		return
	}
	c := &p.cast
	gap := time.Hour
	if n := len(c.acts); n > 0 && c.acts[n-1].ended == 0 {
		c.acts[n-1].ended = max(at, c.acts[n-1].began)
		gap = time.Duration(c.acts[n-1].ended - c.acts[n-1].began)
	}
	c.acts = append(c.acts, shownAct{began: at})
	c.keen = time.Now().Add(keen)
	if c.on {
		return
	}
	wait := max(0, c.askAfter(gap)-time.Duration(r.sink.Now()-at))
	time.AfterFunc(wait, func() {
		r.post(func() {
			if n := len(c.acts); !c.on && c.awaitsAct() && c.acts[n-1].began == at && !p.closed {
				r.startCastFor(p, true)
			}
		})
	})
}

// askAfter is how long after an act a picture is asked for, of one that came
// that long after the one before: the next may come as soon.
func (c *screencast) askAfter(gap time.Duration) time.Duration {
	return max(askAfter, min(c.wait, gap/3))
}

// learn makes the wait for the picture of an act longer if the first one did not
// show what it did, and shorter if it did.
func (c *screencast) learn() {
	switch {
	case !c.fresh || !c.once || len(c.acts) == 0:
	case c.awaitsAct():
		c.wait = min(max(c.wait, askAfter)+drawnAfter/4, drawnAfter)
	default:
		c.wait = max(c.wait-drawnAfter/20, askAfter)
	}
}

// showActs says of a picture of that time which acts it belongs to, at which
// time it counts, and whether it has to be written.
func (r *Recorder) showActs(p *page, at trace.Time) (trace.Time, bool) {
	c := &p.cast
	for len(c.acts) > 0 {
		a := &c.acts[0]
		if at < a.began {
			break
		}
		if a.within(at) {
			if a.ended > 0 {
				at = min(at, a.ended)
			}
			must := a.seen == 0
			if must {
				a.seen = at
			}
			return at, must
		}
		r.settleAct(p)
	}
	return at, false
}

// drew says that a picture of that time was taken, which differs from the one
// before or not.
func (c *screencast) drew(at trace.Time, differs bool) {
	if len(c.acts) == 0 {
		return
	}
	a, after := &c.acts[len(c.acts)-1], drawnAfter
	if differs {
		after = changedAfter
	}
	a.drawn = a.drawn || at >= a.began+trace.Time(after)
}

// settleAct ends the wait for pictures of the first act. Without any nothing
// was drawn between it and the next, and the page looked as before. The next may
// have been told later than a picture that was taken after it.
func (r *Recorder) settleAct(p *page) {
	a := p.cast.acts[0]
	p.cast.acts = p.cast.acts[1:]
	if a.seen > 0 && a.seen <= a.ended || p.closed {
		return
	}
	file := p.cast.last
	if !a.within(p.cast.lastAt) && p.cast.lastAt > a.began && p.cast.before != "" {
		file = p.cast.before
	}
	r.pictureAgain(p, file, a.ended)
}

// settleActs does so for those of which no picture can come any more.
func (r *Recorder) settleActs(p *page) {
	for len(p.cast.acts) > 0 {
		if a := p.cast.acts[0]; !p.closed && (a.ended == 0 || r.sink.Now()-a.ended < trace.Time(lastPictures)) {
			return
		}
		r.settleAct(p)
	}
}

// endActs ends the wait for pictures because nothing more is recorded.
func (r *Recorder) endActs(p *page) {
	for len(p.cast.acts) > 0 {
		if a := &p.cast.acts[0]; a.ended == 0 {
			a.ended = r.sink.Now()
		}
		r.settleAct(p)
	}
}

// pictureAgain says that a page looked as it did in a picture that is there.
func (r *Recorder) pictureAgain(p *page, file string, at trace.Time) {
	if file != "" {
		r.sink.Write(&trace.ScreencastFrame{PageID: p.id, File: file, Width: p.width, Height: p.height, Timestamp: at})
	}
}
