package replay

import (
	"context"
	"encoding/json"
	"path"
	"path/filepath"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace"
)

// begin makes the session and starts to record it.
func (r *run) begin(ctx context.Context) error {
	o := r.surroundings()
	o.Dialog = r.dialog
	r.planDialogs()
	var err error
	if r.s, err = r.b.NewSession(ctx, o); err != nil {
		return err
	}
	r.report.Regime, r.report.Browser, r.report.Seed, r.report.Epoch = string(r.b.Regime), r.b.Version.String(), o.Seed, o.Epoch
	ro := recorder.DefaultOptions(r.o.Output)
	ro.NoStacks = true
	ro.Title = r.o.Title
	if ro.Title == "" {
		ro.Title = "replay of " + path.Base(filepath.ToSlash(r.report.Trace))
	}
	ro.Browser.Pictures, ro.Browser.Input, ro.Browser.Secrets = cdp.NoPictures, false, r.o.Secrets
	ro.Browser.VirtualTime = r.b.Regime == determinism.Frames || r.b.Regime == determinism.Timers
	// A copy, so that the recorder hears of this context only and does not
	// take the driver's commands for actions.
	scoped := *r.b.Rod
	scoped.BrowserContextID = proto.BrowserBrowserContextID(r.s.Context)
	if r.rec, err = recorder.Start(ctx, &scoped, ro); err != nil {
		r.s.Close()
		return err
	}
	r.event("begin", map[string]any{"trace": r.report.Trace, "regime": r.report.Regime, "browser": r.report.Browser, "stamp": r.b.Stamp(), "seed": o.Seed,
		"epoch": o.Epoch.UTC().Format(time.RFC3339), "locale": o.Locale, "timezoneId": o.Timezone, "viewport": map[string]any{"width": o.Width, "height": o.Height}, "refused": r.report.Refused})
	return nil
}

// surroundings are what the page was told about the world when it was recorded.
func (r *run) surroundings() determinism.SessionOptions {
	o := determinism.DefaultSession()
	if !r.t.Start.IsZero() && r.t.Start.Year() > 1971 {
		o.Epoch = r.t.Start.UTC().Truncate(time.Second)
	}
	for _, c := range r.t.Contexts {
		if !c.Runner() && !hollow(c) {
			recorded(&o, c.Options)
			break
		}
	}
	if tags := spoken(r.t); len(tags) > 0 {
		if o.Locale == determinism.DefaultSession().Locale {
			o.Locale = tags[0]
		}
		if len(o.Languages) == 0 && tags[0] == o.Locale {
			o.Languages = tags
		}
	}
	if c := r.o.Context; c != nil {
		recorded(&o, c.raw)
		if c.UserAgent != "" {
			o.UserAgent = c.UserAgent
		}
	}
	s := r.o.Session
	o.Network, o.Scripts, o.Hear, o.Proxy, o.Coverage, o.ServiceWorkers, o.Media, o.Stuck = s.Network, s.Scripts, s.Hear, s.Proxy, s.Coverage || r.o.Coverage, s.ServiceWorkers, s.Media, s.Stuck
	o.ServiceWorkers = o.ServiceWorkers || r.o.Context != nil && r.o.Context.ServiceWorkers == "allow"
	if s.Seed != "" {
		o.Seed = s.Seed
	}
	if !s.Epoch.IsZero() {
		o.Epoch = s.Epoch
	}
	if s.Width > 0 && s.Height > 0 {
		o.Width, o.Height = s.Width, s.Height
	}
	if s.Scale > 0 {
		o.Scale = s.Scale
	}
	for _, w := range []struct{ to, from *string }{{&o.UserAgent, &s.UserAgent}, {&o.Locale, &s.Locale}, {&o.Timezone, &s.Timezone}, {&o.ColorScheme, &s.ColorScheme}} {
		if *w.from != "" {
			*w.to = *w.from
		}
	}
	if s.Locale != "" {
		o.Languages = s.Languages
	}
	if s.Screen != [2]int{} || s.Width > 0 {
		o.Screen = s.Screen
	}
	o.ReducedMotion = o.ReducedMotion || s.ReducedMotion
	if o.Stuck <= 0 {
		o.Stuck = r.o.Limits.Step
	}
	return o
}

// recorded takes over what the header of a trace says of the browser context.
func recorded(o *determinism.SessionOptions, raw json.RawMessage) {
	var c struct {
		Viewport    *trace.Size `json:"viewport"`
		Scale       float64     `json:"deviceScaleFactor"`
		IsMobile    *bool       `json:"isMobile"`
		HasTouch    *bool       `json:"hasTouch"`
		UserAgent   string      `json:"userAgent"`
		Screen      *trace.Size `json:"screen"`
		Locale      string      `json:"locale"`
		Languages   []string    `json:"languages"`
		Timezone    string      `json:"timezoneId"`
		ColorScheme string      `json:"colorScheme"`
		Reduced     string      `json:"reducedMotion"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return
	}
	if c.Viewport != nil && c.Viewport.Width >= 1 && c.Viewport.Height >= 1 && c.Viewport.Width <= 10000 && c.Viewport.Height <= 10000 {
		o.Width, o.Height = int(c.Viewport.Width), int(c.Viewport.Height)
	}
	if c.Scale > 0 && c.Scale <= 8 {
		o.Scale = c.Scale
	}
	if c.IsMobile != nil {
		o.Mobile = *c.IsMobile
	}
	if c.HasTouch != nil {
		o.Touch = *c.HasTouch
	}
	if c.UserAgent != "" && (o.Mobile || !stock.MatchString(c.UserAgent)) { // a desktop's own would name another browser
		o.UserAgent = c.UserAgent
	}
	if c.Screen != nil && c.Screen.Width >= 1 && c.Screen.Height >= 1 && c.Screen.Width <= 20000 && c.Screen.Height <= 20000 {
		o.Screen = [2]int{int(c.Screen.Width), int(c.Screen.Height)}
	}
	if c.Locale != "" && c.Locale != o.Locale {
		o.Locale, o.Languages = c.Locale, nil
	}
	if len(c.Languages) > 0 && len(c.Languages) <= 20 && c.Languages[0] == o.Locale {
		o.Languages = c.Languages
	}
	if c.Timezone != "" {
		o.Timezone = c.Timezone
	}
	if c.ColorScheme == "dark" || c.ColorScheme == "light" {
		o.ColorScheme = c.ColorScheme
	}
	if c.Reduced != "" {
		o.ReducedMotion = c.Reduced == "reduce"
	}
}
