package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// awaited is something that the recorded program waited for: an address, a
// request, a page. What came by itself when it was recorded comes by itself
// again; only what was waited for in vain is waited for once more.
type awaited struct {
	event   string         // "navigation", "request", "response", "popup", "page"
	pattern string         // as the program gave it
	matches *regexp.Regexp // nil where the program's own function decided
	until   string         // the state of the document that was waited for too
}

// What Playwright's log says of what is waited for.
var (
	saysNavigation = lazyregexp.New(`^waiting for navigation(?: to (.+))? until "(\w+)"$`)
	saysRequest    = lazyregexp.New(`^waiting for (request|response) (["/].+)$`)
)

// awaitedBy returns what a call waited for in vain, and nil where it waited
// for nothing, where that came, or where the trace does not say what it was.
func awaitedBy(a *trace.Action) *awaited {
	if a.Error == nil || !strings.Contains(a.Error.Message, "Timeout") {
		return nil
	}
	for _, l := range a.Logs {
		if m := saysNavigation.FindStringSubmatch(strings.TrimSpace(l.Message)); m != nil && m[1] != "" {
			return patterned(&awaited{event: "navigation", pattern: m[1], until: m[2]})
		}
		if m := saysRequest.FindStringSubmatch(strings.TrimSpace(l.Message)); m != nil {
			return patterned(&awaited{event: m[1], pattern: m[2]})
		}
	}
	var p struct {
		Event string
		Info  struct{ Event string }
	}
	_ = json.Unmarshal(a.Before.Params, &p) // what is no object has no members
	if p.Event == "" {
		p.Event = p.Info.Event // of older versions
	}
	if p.Event == "popup" || p.Event == "page" {
		return &awaited{event: p.Event}
	}
	return nil
}

func patterned(a *awaited) *awaited {
	var err error
	switch text := a.pattern; {
	case strings.HasPrefix(text, "/"):
		end := strings.LastIndexByte(text, '/')
		flags := ""
		if strings.Contains(text[end:], "i") {
			flags = "(?i)"
		}
		a.matches, err = regexp.Compile(flags + strings.ReplaceAll(text[1:max(end, 1)], `\/`, "/"))
	default:
		a.pattern = strings.Trim(text, `"`)
	}
	if err != nil { // what only JavaScript understands
		return nil
	}
	return a
}

// fits reports whether an address is the one that was waited for.
func (w *awaited) fits(r *run, d *doing, address string) bool {
	if w.matches != nil {
		return w.matches.MatchString(address)
	}
	return glob(r.inFull(d, w.pattern)).MatchString(address)
}

// inFull is a pattern for the addresses of now.
func (r *run) inFull(d *doing, pattern string) string {
	if strings.HasPrefix(pattern, "*") {
		return pattern
	}
	base, err := url.Parse(d.page.URL())
	if err == nil && strings.HasPrefix(pattern, "/") && base.Host != "" {
		return base.Scheme + "://" + base.Host + pattern
	}
	for then, now := range r.o.Origins {
		if rest, ok := strings.CutPrefix(pattern, then); ok {
			return now + rest
		}
	}
	return pattern
}

// glob is a pattern for addresses of Playwright's as a regular expression.
func glob(pattern string) *regexp.Regexp {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '*' && strings.HasPrefix(pattern[i:], "**"):
			out.WriteString(".*")
			for i+1 < len(pattern) && (pattern[i+1] == '*' || pattern[i+1] == '/') {
				i++
			}
		case c == '*':
			out.WriteString("[^/]*")
		case c == '{':
			out.WriteString("(?:")
			depth++
		case c == '}' && depth > 0:
			out.WriteByte(')')
			depth--
		case c == ',' && depth > 0:
			out.WriteByte('|')
		default:
			out.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	re, err := regexp.Compile("^(?:" + out.String() + strings.Repeat(")", depth) + ")$")
	if err != nil {
		return regexp.MustCompile("^" + regexp.QuoteMeta(pattern) + "$")
	}
	return re
}

// awaitInVain waits for what did not come when it was recorded.
func awaitInVain(ctx context.Context, r *run, d *doing) error {
	w := d.awaited
	what := strings.TrimSpace(w.event + " " + w.pattern)
	if w.event != "popup" && w.event != "page" && w.event != "navigation" && r.router == nil {
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("%s: whether the %s comes was not checked, as all requests are let out", d.planned.action.ID(), what))
		return nil
	}
	return r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
		came, err := w.came(ctx, r, d)
		return came, errorf("E_ASSERTION", "the %s did not come", what), err
	})
}

// came reports whether that has come which is waited for.
func (w *awaited) came(ctx context.Context, r *run, d *doing) (bool, error) {
	switch w.event {
	case "navigation":
		if !w.fits(r, d, d.page.URL()) {
			return false, nil
		}
		state, err := d.page.Evaluate(ctx, "document.readyState")
		return w.until == "commit" || string(state) == `"complete"` || w.until == "domcontentloaded" && string(state) != `"loading"`, err
	case "request", "response":
		list, _ := r.router.Heard(r.heardBefore(d.planned.action.Start))
		for _, address := range list {
			if w.fits(r, d, address) {
				return true, nil
			}
		}
		return false, nil
	}
	for _, page := range r.s.Pages() {
		if !r.taken(page) && page != d.page && (w.event == "page" || page.Opener() == d.page.Target()) {
			return true, nil
		}
	}
	return false, nil
}

// heard is how many requests had been made when a recorded action was done.
type heard struct {
	end      trace.Time
	requests int
}

// note keeps how far things are after a step.
func (r *run) note(p *planned) {
	if r.router != nil {
		_, n := r.router.Heard(1 << 30)
		r.heard = append(r.heard, heard{p.action.End, n})
	}
}

// heardBefore is how many requests had been made at a moment of the recording.
func (r *run) heardBefore(at trace.Time) (n int) {
	for _, h := range r.heard {
		if h.end <= at {
			n = max(n, h.requests)
		}
	}
	return n
}

// cutShort says of a step that waits in vain, as the recorded one did until
// its page was closed, that it is the same again: here nobody closes pages
// while a step waits.
func cutShort(p *planned, err error) error {
	if err == nil || kindOf(p) != "E_PAGE_GONE" {
		return err
	}
	switch CodeOf(err) {
	case "E_NO_ELEMENT", "E_NOT_ACTIONABLE", "E_ASSERTION", "E_SCRIPT", "E_NAVIGATION_LIMIT":
		return &Error{Code: "E_PAGE_GONE", Err: fmt.Errorf("it waits still where the recorded program closed the page: %w", err)}
	}
	return err
}

// navigationLimit is how long a navigation may take. One that did not end when
// it was recorded is not waited for longer than it was then.
func (r *run) navigationLimit(p *planned) time.Duration {
	const atLeast = 5 * time.Second
	e := p.action.Error
	if !p.action.Unfinished && (e == nil || !strings.Contains(e.Message, "Timeout") && kindOf(p) != "E_PAGE_GONE") {
		return r.o.Limits.Navigation
	}
	return min(r.o.Limits.Navigation, max(atLeast, p.action.End.Sub(p.action.Start)))
}
