package replay

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace"
)

// pictureOf takes the picture of a step, if it is to have one.
func (r *run) pictureOf(ctx context.Context, p *planned, page *determinism.Page, a *recorder.Action, done *Step) error {
	if ctx.Err() != nil {
		return nil
	}
	key := ""
	switch {
	case navigates[p.verb]:
		key = fmt.Sprintf("nav@e%d", p.number)
	case p.verb == "screenshot" || r.o.Strategy == Every || !still[p.verb] && !quiet[p.verb]:
		key = fmt.Sprintf("cap@e%d", p.number)
	}
	if key == "" || r.o.Strategy == Manual && p.verb != "screenshot" {
		return nil
	}
	if page.Closed() {
		if page = r.s.Page(); page == nil {
			return nil
		}
	}
	file, err := r.picture(ctx, page, key, a.ID())
	if err != nil || file == "" {
		return err
	}
	done.Picture = key
	a.Attach(trace.Attachment{Name: key, ContentType: "image/png", File: file})
	return nil
}

// quiet are verbs after which nothing has changed to look at.
var quiet = map[string]bool{"close": true, "mouseMove": true, "keyboardDown": true, "keyboardUp": true, "setExtraHTTPHeaders": true, "setOffline": true}

func (r *run) picture(ctx context.Context, page *determinism.Page, key, call string) (string, error) {
	data, err := page.Picture(ctx)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) || fatal(err) {
			return "", err
		}
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("no picture %s: %v", key, err))
		return "", nil
	}
	file, err := r.rec.AddResource(data, ".png")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	picture := Picture{Key: key, File: file, SHA256: hex.EncodeToString(sum[:]), Call: call, Stamp: r.b.Stamp(), Boxes: r.boxes(ctx, page)}
	r.report.Pictures = append(r.report.Pictures, picture)
	o := r.surroundings()
	r.rec.Write(&trace.ScreencastFrame{PageID: cdp.PageID(page.Target()), File: file, Width: float64(o.Width), Height: float64(o.Height), Timestamp: r.rec.Now()})
	r.event("picture", picture)
	return file, nil
}

// final takes the last picture.
func (r *run) final(ctx context.Context) error {
	page := r.current
	if page == nil || page.Closed() {
		page = r.s.Page()
	}
	if page == nil {
		return nil
	}
	a := r.rec.Begin(recorder.Call{Class: "Page", Method: "screenshot", Title: "Final picture", PageID: cdp.PageID(page.Target())})
	file, err := r.picture(ctx, page, "final", a.ID())
	if file != "" {
		a.Attach(trace.Attachment{Name: "final", ContentType: "image/png", File: file})
	}
	a.End(err)
	return err
}
