package determinism

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"time"
)

// Picture takes a picture of the viewport, as PNG.
func (p *Page) Picture(ctx context.Context) ([]byte, error) {
	switch p.s.b.Regime {
	case Frames:
		if err := p.s.grant(ctx, 1); err != nil {
			return nil, err
		}
		data, err := p.drawn(ctx)
		if err != nil {
			return nil, p.s.gone(p, err)
		}
		return data, nil
	case Timers:
		if err := p.everyFrame(ctx, "globalThis.__tracedeck?.settle?.()"); err != nil {
			return nil, err
		}
		return p.shoot(ctx)
	case Clock:
		if err := p.everyFrame(ctx, "globalThis.__tracedeck?.settle?.()"); err != nil {
			return nil, err
		}
	}
	return p.stable(ctx)
}

// Glimpse takes a picture of what is to be seen without letting time pass, of
// a session that cannot go on too. A page that is held up by a script of its own
// gives none, and is not waited for long.
func (p *Page) Glimpse(ctx context.Context) ([]byte, error) {
	limit := patience
	if e := (*Error)(nil); errors.As(p.s.Err(), &e) && e.Code == "E_PAGE_BUSY" {
		limit = p.s.pace.of(2 * time.Second)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if p.s.b.Regime == Frames {
		return p.drawn(ctx)
	}
	return p.shoot(ctx)
}

// drawn makes a frame and takes a picture of it.
func (p *Page) drawn(ctx context.Context) ([]byte, error) {
	data, err := p.frame(ctx, true)
	// There was nothing to draw with yet: the first frame brings that, or the browser
	// does where the page has just gone to another process.
	for began := time.Now(); err == nil && len(data) == 0 && time.Since(began) < p.s.pace.of(time.Second); {
		if err = sleep(ctx, 2*time.Millisecond); err == nil {
			data, err = p.frame(ctx, true)
		}
	}
	if err == nil && len(data) == 0 {
		err = errorf("E_NO_PICTURE", "the browser gave no picture of %s", p.URL())
	}
	return data, err
}

// stable takes pictures until two in a row are the same.
func (p *Page) stable(ctx context.Context) ([]byte, error) {
	before, err := p.shoot(ctx)
	for i := 0; i < 8 && err == nil; i++ {
		if err = sleep(ctx, 60*time.Millisecond); err != nil {
			break
		}
		var now []byte
		if now, err = p.shoot(ctx); bytes.Equal(now, before) {
			break
		}
		before = now
	}
	return before, err
}

func (p *Page) shoot(ctx context.Context) ([]byte, error) {
	var r struct{ Data string }
	if err := p.Call(ctx, "Page.captureScreenshot", object{"format": "png", "optimizeForSpeed": true}, &r); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.Data)
}
