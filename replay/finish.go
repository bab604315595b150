package replay

import (
	"context"
	"fmt"
	"time"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

// diagnose notes the state of things when the session could not go on.
func (r *run) diagnose() {
	if r.report.Last != nil { // what was first is the reason
		return
	}
	d := &Diagnosis{Pending: r.s.Pending()}
	r.report.Last = d
	if r.current == nil {
		return
	}
	d.URL = r.current.URL()
	if r.current.Closed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a := r.rec.Begin(recorder.Call{Class: "Page", Method: "screenshot", Title: "Where it ended", PageID: cdp.PageID(r.current.Target())})
	data, err := r.current.Glimpse(ctx)
	if err == nil && len(data) > 0 {
		if d.Picture, err = r.rec.AddResource(data, ".png"); err == nil {
			a.Attach(trace.Attachment{Name: "last", ContentType: "image/png", File: d.Picture})
			o := r.surroundings()
			r.rec.Write(&trace.ScreencastFrame{PageID: cdp.PageID(r.current.Target()), File: d.Picture, Width: float64(o.Width), Height: float64(o.Height), Timestamp: r.rec.Now()})
		}
	}
	a.End(err)
}

// finish ends the recording.
func (r *run) finish(ctx context.Context) error {
	r.regroup(nil)
	r.report.Clock = float64(r.s.Now().Microseconds()) / 1000
	end := map[string]any{"passed": r.report.Count(Passed), "failed": r.report.Count(Failed), "skipped": r.report.Count(Skipped), "clockMs": r.report.Clock}
	if r.report.Code != "" {
		end["code"], end["error"] = r.report.Code, r.report.Error
	}
	if r.report.Last != nil {
		end["diagnosis"] = r.report.Last
	}
	if r.router != nil {
		r.report.Network = r.router.Report()
		end["network"] = r.report.Network
	}
	if remarks := r.s.Remarks(); len(remarks) > 0 {
		end["remarks"] = remarks
		for _, x := range remarks {
			r.report.Warnings = append(r.report.Warnings, x.String())
		}
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
