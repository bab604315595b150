package failures

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// timeline puts together what happened near a failure: all that went wrong,
// and of the rest what was nearest.
func (f *finder) timeline(out *Failure, e *trace.Failure) {
	from, to := f.window(e)
	var all []Moment
	add := func(at trace.Time, what, text string, bad bool) {
		all = append(all, Moment{ms(at, e.Time), what, f.clean(text, 160), bad})
	}
	for _, a := range f.t.Actions {
		if a.Kind == trace.KindProtocol || a.Kind == trace.KindHook || a.Title().Group != "" || a.Start < from || a.Start > to {
			continue
		}
		if f := a.Walk(); a.Kind != trace.KindCall && len(f) > 1 {
			continue // its parts tell
		}
		add(a.Start, "action", a.Title().String(), a.Error != nil)
	}
	for _, r := range f.t.Network {
		if r.Start < from || r.Start > to || !telling(r) || noise.MatchString(r.Request.URL) {
			continue
		}
		text := fmt.Sprintf("%s %s → %s", r.Request.Method, ShortURL(r.Request.URL), outcome(r))
		if !r.Pending() && r.End > r.Start {
			text += fmt.Sprintf(" (%.0f ms)", float64(r.End.Sub(r.Start))/1e6)
		}
		add(r.Start, "request", text, bad(r) || r.Pending())
	}
	for _, m := range out.Console {
		what := "console"
		if m.Uncaught {
			what = "page"
		}
		all = append(all, Moment{m.After, what, m.Text, true})
	}
	out.Timeline = nearest(all, f.o.Moments)
}

// telling leaves out pictures, styles and fonts that came as they should.
func telling(r *trace.Request) bool {
	if bad(r) || r.Pending() {
		return true
	}
	switch strings.ToLower(r.ResourceType) {
	case "document", "fetch", "xhr", "websocket", "eventsource":
		return true
	case "":
		mime := r.Response.Content.MimeType
		return strings.Contains(mime, "json") || strings.Contains(mime, "html")
	}
	return false
}

// nearest keeps what went wrong, then what is nearest to the failure, in the
// order of time.
func nearest(all []Moment, most int) []Moment {
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].Bad != all[j].Bad {
			return all[i].Bad
		}
		return math.Abs(all[i].After) < math.Abs(all[j].After)
	})
	all = all[:min(len(all), most)]
	sort.SliceStable(all, func(i, j int) bool { return all[i].After < all[j].After })
	return all
}
