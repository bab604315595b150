package replay

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"
)

//go:embed script/clock.js
var clockScript string

// setClock has the page's time do what the recorded program told it.
func setClock(command string) verb {
	return func(ctx context.Context, r *run, d *doing) error {
		n, err := r.clockNumber(d.params, command == "install")
		if err != nil {
			return err
		}
		amount := strconv.FormatFloat(n, 'f', -1, 64)
		if _, err := d.page.Evaluate(ctx, clockScript+"; 0"); err != nil {
			return err
		}
		if err := r.evaluated(ctx, d, fmt.Sprintf("__tracedeckClock.do(%q, %s)", command, amount)); err != nil {
			return err
		}
		state, err := d.page.Evaluate(ctx, "__tracedeckClock.state()")
		if err != nil {
			return err
		}
		source := fmt.Sprintf("%s; __tracedeckClock.take(%s);", clockScript, state)
		for _, page := range r.s.Pages() {
			if err := page.Call(ctx, "Page.addScriptToEvaluateOnNewDocument", object{"source": source}, nil); err != nil {
				return err
			}
			for _, f := range page.Frames() {
				if page == d.page && f.Parent == "" {
					continue
				}
				if _, err := page.EvaluateIn(ctx, f.ID, source+" 0"); err != nil && !transient(err) {
					return err
				}
			}
		}
		return nil
	}
}

// clockNumber is the moment, or the span, that a call on the clock names, in
// milliseconds.
func (r *run) clockNumber(p params, now bool) (float64, error) {
	for _, name := range []string{"timeNumber", "ticksNumber"} {
		if n, ok := p[name].(float64); ok {
			return n, nil
		}
	}
	if s := p.text("timeString"); s != "" {
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02", "Mon Jan 02 2006 15:04:05 GMT-0700"} {
			text, _, _ := strings.Cut(s, " (")
			if t, err := time.ParseInLocation(layout, text, r.location()); err == nil {
				return float64(t.UnixMilli()), nil
			}
		}
		return 0, errorf("E_SCRIPT", "%q is not understood as a time", s)
	}
	if s := p.text("ticksString"); s != "" {
		ms := 0.0
		for _, part := range strings.Split(s, ":") {
			n, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return 0, errorf("E_SCRIPT", "%q is not understood as a span of time", s)
			}
			ms = ms*60 + n
		}
		return ms * 1000, nil
	}
	if now {
		return float64(r.surroundings().Epoch.UnixMilli()) + float64(r.s.Now().Milliseconds()), nil
	}
	return 0, nil
}

// location is the time zone of the pages.
func (r *run) location() *time.Location {
	if l, err := time.LoadLocation(r.surroundings().Timezone); err == nil {
		return l
	}
	return time.UTC
}

// clocks are the calls on Playwright's clock.
func clocks() map[string]verb {
	list := map[string]verb{}
	for _, name := range []string{"install", "pauseAt", "runFor", "fastForward", "resume", "setFixedTime", "setSystemTime"} {
		list["clock"+strings.ToUpper(name[:1])+name[1:]] = setClock(name)
	}
	return list
}
