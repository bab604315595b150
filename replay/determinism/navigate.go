package determinism

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Navigate goes to an address and waits until its document is loaded and
// settled.
func (p *Page) Navigate(ctx context.Context, url string) error {
	var r struct {
		Error    string `json:"errorText"`
		Loader   string `json:"loaderId"`
		Download bool   `json:"isDownload"`
	}
	if err := p.s.abreast(ctx); err != nil {
		return err
	}
	done := make(chan error, 1)
	p.s.background(func() { done <- p.s.b.callFor(ctx, p.session, "Page.navigate", object{"url": url}, &r) })
	if err := p.during(ctx, done); err != nil {
		return p.s.gone(p, err)
	}
	if r.Error != "" && !r.Download {
		if r.Error != "net::ERR_ABORTED" { // which leaves what was there
			p.shows(ctx, r.Loader)
		}
		return errorf("E_NAVIGATION", "%s at %s", r.Error, url)
	}
	return p.Loaded(ctx)
}

// shows waits until the page shows what a navigation came to, which may be the
// browser's own page about an error: the picture is to show that page, which is
// often in another process and comes there late.
func (p *Page) shows(ctx context.Context, loader string) {
	for began := time.Now(); loader != "" && time.Since(began) < p.s.pace.of(3*time.Second); {
		if p.complete(ctx, loader) {
			return
		}
		if sleep(ctx, 2*time.Millisecond) != nil {
			return
		}
	}
}

// complete reports whether the page has the document of a loader, all of it.
func (p *Page) complete(ctx context.Context, loader string) bool {
	var r struct {
		Tree struct {
			Frame struct {
				Loader string `json:"loaderId"`
			}
		} `json:"frameTree"`
	}
	if err := p.call(ctx, "Page.getFrameTree", nil, &r); err != nil || r.Tree.Frame.Loader != loader {
		return false
	}
	state, err := p.Evaluate(ctx, "document.readyState")
	return err == nil && bytes.Equal(state, []byte(`"complete"`))
}

// Loaded waits until the document of the page is complete, and settles. Time
// passes only while a document is not waiting for something to load.
func (p *Page) Loaded(ctx context.Context) error {
	if err := p.read(ctx); err != nil {
		return err
	}
	p.s.stirred()
	p.s.time.frames = 0 // those of each document come at the same times
	if err := p.s.advance(ctx, 1000); err != nil {
		return err
	}
	for i := 0; i < 40; i++ {
		v, err := p.Evaluate(ctx, "document.readyState")
		if err == nil && bytes.Equal(v, []byte(`"complete"`)) {
			break
		}
		if err := p.s.advance(ctx, 100); err != nil {
			return err
		}
	}
	if p.s.virtual() {
		return nil
	}
	return p.s.quiet(ctx)
}

// read waits until the document is read, as far as that takes no time: it is
// read bit by bit, and its first scripts run between. What it waits for longer
// comes as time passes.
func (p *Page) read(ctx context.Context) error {
	for began := time.Now(); p.s.virtual() && time.Since(began) < p.s.pace.of(time.Second); {
		lead, err := p.s.lead()
		if err != nil {
			return err
		}
		if err := p.s.net.calm(ctx, lead); err != nil {
			return err
		}
		if v, err := p.Evaluate(ctx, "document.readyState"); err != nil || !bytes.Equal(v, []byte(`"loading"`)) {
			return nil
		}
		if err := sleep(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// during waits for an answer that may need frames or time before it comes.
func (p *Page) during(ctx context.Context, done <-chan error) error {
	for {
		select {
		case err := <-done:
			return err
		case <-p.left:
			return errorf("E_PAGE_GONE", "the page was closed")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// callFor is call without a limit of its own.
func (b *Browser) callFor(ctx context.Context, session, method string, params, result any) error {
	data, err := b.Rod.Call(ctx, session, method, params)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return json.Unmarshal(data, result)
}
