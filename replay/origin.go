package replay

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// mapOrigins finds out which recorded origin the app under test takes the
// place of: that of the first page.
func (r *run) mapOrigins() error {
	m := map[string]string{}
	for from, to := range r.o.Origins {
		m[from] = to
	}
	if r.o.URL != "" {
		to, err := url.Parse(r.o.URL)
		if err != nil || to.Scheme == "" || to.Host == "" && !isFile(to) {
			return errorf("E_ORIGIN", "%q is no address of an app", r.o.URL)
		}
		for _, s := range r.steps {
			if s.verb != "goto" {
				continue
			}
			from, err := url.Parse(r.absolute(s))
			if err == nil && isFile(from) {
				r.moved = placeOf(from, to)
				break
			}
			if err == nil && from.Host != "" {
				if isFile(to) {
					return errorf("E_ORIGIN", "the session was recorded at %s; files at %s cannot take its place, a server of them can", origin(from), r.o.URL)
				}
				if old := origin(from); m[old] == "" {
					m[old] = origin(to)
				}
				break
			}
		}
		if r.moved == nil && !isFile(to) && len(m) == len(r.o.Origins) { // no navigation: the recording begins in the middle
			for _, s := range r.t.Snapshots {
				if u, err := url.Parse(s.FrameURL); err == nil && s.IsMainFrame && strings.HasPrefix(u.Scheme, "http") {
					m[origin(u)] = origin(to)
					break
				}
			}
		}
	}
	r.o.Origins = m
	return nil
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// absolute is the recorded address of a navigation.
func (r *run) absolute(s *planned) string {
	raw := s.params.text("url")
	var c struct{ BaseURL string }
	_ = json.Unmarshal(s.action.Context.Options, &c)
	if c.BaseURL == "" { // the header may not tell; the snapshots do
		for _, snap := range s.action.Snapshots {
			if snap.IsMainFrame && snap.Phase == trace.PhaseAfter && strings.HasPrefix(snap.FrameURL, "http") {
				c.BaseURL = snap.FrameURL
			}
		}
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil {
		return raw
	}
	u, err := base.Parse(raw)
	if err != nil {
		return raw
	}
	return u.String()
}

// address is where a navigation goes now.
func (r *run) address(s *planned) string { return r.mapped(r.absolute(s)) }

func (r *run) mapped(raw string) string {
	u, err := url.Parse(raw)
	if err == nil {
		if at, ok := r.moved.swap(u); ok {
			return at
		}
	}
	if err != nil || u.Host == "" {
		if r.o.URL != "" && strings.HasPrefix(raw, "/") {
			if base, err := url.Parse(r.o.URL); err == nil {
				if u, err := base.Parse(raw); err == nil {
					return u.String()
				}
			}
		}
		return raw
	}
	to, ok := r.o.Origins[origin(u)]
	if !ok {
		return raw
	}
	if base, err := url.Parse(to); err == nil {
		u.Scheme, u.Host = base.Scheme, base.Host
	}
	return u.String()
}
