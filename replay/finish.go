package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

// diagnose notes the state of things when the session could not go on.
func (r *run) diagnose() {
	d := &Diagnosis{Pending: r.s.Pending()}
	if r.current != nil {
		d.URL = r.current.URL()
	}
	r.report.Last = d
}

// finish ends the recording.
func (r *run) finish(ctx context.Context) error {
	r.regroup(nil)
	r.report.Clock = float64(r.s.Now().Microseconds()) / 1000
	end := map[string]any{"passed": r.report.Count(Passed), "failed": r.report.Count(Failed), "skipped": r.report.Count(Skipped), "clockMs": r.report.Clock}
	if r.report.Code != "" {
		end["code"], end["error"], end["diagnosis"] = r.report.Code, r.report.Error, r.report.Last
	}
	if r.router != nil {
		r.report.Network = r.router.Report()
		end["network"] = r.report.Network
	}
	r.covered(ctx)
	r.event("end", end)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
	defer cancel()
	err := r.rec.Stop(saving)
	for _, w := range r.rec.Warnings() {
		r.report.Warnings = append(r.report.Warnings, w.String())
	}
	if err == nil && r.report.Last != nil {
		r.lastWords(saving)
	}
	return err
}

// covered writes which code ran, as the browser's protocol tells it: an entry
// for each page that is open.
func (r *run) covered(ctx context.Context) {
	if !r.o.Coverage {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, page := range r.s.Pages() {
		data, err := page.Coverage(ctx)
		if err != nil {
			r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("no coverage of %s: %v", page.URL(), err))
			continue
		}
		if file, err := r.rec.AddResource(data, ".json"); err == nil {
			r.event("coverage", map[string]any{"file": file, "pageId": cdp.PageID(page.Target()), "url": page.URL()})
		}
	}
}

// lastWords reads the last lines of the console from the trace that was
// written.
func (r *run) lastWords(ctx context.Context) {
	a, err := trace.Open(ctx, r.o.Output, trace.Options{})
	if err != nil {
		return
	}
	defer a.Close()
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		return
	}
	for _, m := range t.Console[max(0, len(t.Console)-5):] {
		r.report.Last.Console = append(r.report.Last.Console, firstLine(m.Text))
	}
}
