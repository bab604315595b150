package replay

import (
	"context"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

// pageOf returns the page of now that a recorded page is.
func (r *run) pageOf(ctx context.Context, p *planned) (*determinism.Page, error) {
	id := p.scene.page
	if id == "" { // the trace does not tell
		if r.current == nil || r.current.Closed() {
			if r.current = r.s.Page(); r.current == nil {
				return nil, errorf("E_PAGE_GONE", "no page is open")
			}
			if err := r.spread(ctx, r.current); err != nil {
				return nil, err
			}
		}
		return r.current, r.resume(ctx, p, r.current)
	}
	if page := r.pages[id]; page != nil {
		if page.Closed() {
			return nil, errorf("E_PAGE_GONE", "the page of this action was closed")
		}
		r.current = page
		return page, nil
	}
	page, err := r.take(ctx, id)
	if err != nil {
		return nil, err
	}
	r.pages[id], r.current = page, page
	if err := r.spread(ctx, page); err != nil {
		return nil, err
	}
	return page, r.resume(ctx, p, page)
}

// resume goes to where a page was when the recording began, if that was in the
// middle of a session.
func (r *run) resume(ctx context.Context, p *planned, page *determinism.Page) error {
	if navigates[p.verb] || p.verb == "setContent" || p.verb == "newPage" || still[p.verb] && p.verb != "expect" && p.verb != "waitForSelector" || page.Opener() != "" || page.URL() != "about:blank" && page.URL() != "" {
		return nil
	}
	for _, s := range r.t.Snapshots {
		if !s.IsMainFrame || s.PageID != p.scene.page && p.scene.page != "" {
			continue
		}
		if !strings.HasPrefix(s.FrameURL, "http") {
			return nil
		}
		at := r.mapped(s.FrameURL)
		r.report.Warnings = append(r.report.Warnings, "the recording begins in the middle of a session; it is replayed from "+at)
		return page.Navigate(ctx, at)
	}
	return nil
}

// take finds the page that a recorded one has become: the first one, a popup
// of the page that opened it, or a new one.
func (r *run) take(ctx context.Context, id string) (*determinism.Page, error) {
	opener, isPopup := r.opener(id)
	for tries := 0; ; tries++ {
		for _, page := range r.s.Pages() {
			if r.taken(page) {
				continue
			}
			if !isPopup && page.Opener() == "" || isPopup && page.Opener() != "" && (opener == nil || page.Opener() == opener.Target()) {
				return page, nil
			}
		}
		if !isPopup {
			return r.s.NewPage(ctx)
		}
		if tries > 25 {
			return nil, errorf("E_PAGE_GONE", "the page that this action is on did not open")
		}
		if err := r.s.Advance(ctx, 200*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

func (r *run) taken(page *determinism.Page) bool {
	for _, p := range r.pages {
		if p == page {
			return true
		}
	}
	return false
}

func (r *run) opener(id string) (page *determinism.Page, isPopup bool) {
	for _, p := range r.t.Pages {
		if p.ID == id && p.OpenerID != "" {
			return r.pages[p.OpenerID], true
		}
	}
	return nil, false
}
