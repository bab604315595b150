package snapshot

import (
	"context"
	"math"
)

// maxRedirects is how far browsers follow redirects.
const maxRedirects = 20

// Resource returns the response that the page of snapshot n showed for an
// absolute address: what a script made of it, if one did. Its URL is where
// redirects led to. ok is false where the trace has no body for it.
func (s *Store) Resource(ctx context.Context, n int, address string) (r Resource, ok bool) {
	p, ok := s.Place(n)
	if !ok {
		return Resource{}, false
	}
	at := p.Time
	if at <= 0 { // not recorded: the last response is as good as any
		at = math.MaxInt64
	}
	s.order()
	if file := s.override(ctx, n, canonical(address)); file != "" {
		return Resource{URL: canonical(address), File: file, MimeType: "text/css"}, true
	}
	for range maxRedirects {
		s.mu.RLock()
		r, ok = s.res.find(address, p.FrameID, at)
		s.mu.RUnlock()
		if !ok || r.Next == nil {
			return r, ok && r.File != ""
		}
		if address = resolve(address, r.Next(ctx)); address == "" {
			break
		}
	}
	return Resource{}, false
}

// override returns the entry with what a script made of a style sheet.
func (s *Store) override(ctx context.Context, n int, address string) string {
	for range 2 { // a reference leads to a file, never to another reference
		t, err := s.parsed(ctx, n)
		if err != nil {
			return ""
		}
		i := t.override(address)
		if i < 0 {
			return ""
		}
		o := t.overrides[i]
		if o.File != "" || o.Ref == nil {
			return o.File
		}
		var ok bool
		if n, ok = s.earlier(n, *o.Ref); !ok {
			return ""
		}
	}
	return ""
}
