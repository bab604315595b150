package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/recorder"
	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/replay/determinism"
)

// step carries out one recorded action and reports what became of it.
func (r *run) step(ctx context.Context, p *planned) error {
	began := time.Now()
	done := Step{Number: p.number, Recorded: p.action.ID(), Title: title(p.action)}
	if p.action.Error == nil && r.untold(p) {
		done.Was = "it seems to have failed: the recorder writes no errors"
	}
	if p.action.Unfinished {
		done.Was = "the recording ended before it did"
	}
	if e := p.action.Error; e != nil {
		done.Was, done.WasCode = firstLine(e.Message), kindOf(p)
	}
	defer func() {
		done.Clock, done.Took = float64(r.s.Now().Microseconds())/1000, float64(time.Since(began).Microseconds())/1000
		r.report.Steps = append(r.report.Steps, done)
		r.event("step", done)
		r.o.Log("%s %s: %s %s", done.Recorded, done.Title, done.Status, done.Error)
	}()
	if why := r.depends(p); why != "" {
		done.Status, done.Error = Skipped, why
		return nil
	}
	if err := r.think(ctx, p); err != nil {
		done.Status, done.Error, done.Code = Failed, err.Error(), codeOr(err, ctx)
		return err
	}
	r.regroup(p.groups)
	r.hoping, r.took = p.action.Error == nil && !p.action.Unfinished && !r.untold(p), 0
	if r.hoping {
		r.took = min(p.action.End.Sub(p.action.Start), r.o.Limits.Session)
	}
	err := r.act(ctx, p, &done)
	r.judge(p, &done, err)
	r.note(p)
	if err != nil && (fatal(err) || ctx.Err() != nil) {
		return err
	}
	return nil
}

// judge says what an outcome means beside the recorded one.
func (r *run) judge(p *planned, done *Step, err error) {
	// What an unfinished one would have come to, nobody knows.
	failedBefore := p.action.Error != nil || err != nil && (p.action.Unfinished || r.untold(p))
	switch {
	case err == nil && failedBefore:
		done.Status = Changed
	case err == nil:
		done.Status = Passed
	case failedBefore:
		done.Status, done.Error, done.Code = AsBefore, err.Error(), CodeOf(err)
	default:
		done.Status, done.Error, done.Code = Failed, err.Error(), CodeOf(err)
	}
	if element := p.params.text("selector") != "" && !waits[p.verb]; element || navigates[p.verb] {
		if delete(r.lost, r.current); element && done.Status == Failed {
			r.lost[r.current] = fmt.Sprintf("it needs %s, which failed", done.Title)
		}
	}
	if p.verb == "goto" && r.current != nil {
		if delete(r.broken, r.current); err != nil && !failedBefore {
			r.broken[r.current] = fmt.Sprintf("it needs %s, which failed", done.Title)
		}
	}
}

// depends says on which step that failed a step depends, or "".
func (r *run) depends(p *planned) string {
	if p.verb == "goto" || p.verb == "newPage" {
		return ""
	}
	page := r.pages[p.scene.page]
	if page == nil {
		page = r.current
	}
	if page == nil {
		return ""
	}
	if why := r.lost[page]; why != "" && strings.HasPrefix(p.verb, "keyboard") {
		return why // the keys would go to another element
	}
	if opener, isPopup := r.opener(p.scene.page); isPopup && r.pages[p.scene.page] == nil && opener != nil && r.lost[opener] != "" {
		return r.lost[opener] // it did not open the page
	}
	return r.broken[page]
}

// mostThink is how much think time is replayed at a time.
const mostThink = 5 * time.Minute

func (r *run) think(ctx context.Context, p *planned) error {
	if r.o.Slow > 0 {
		select {
		case <-time.After(r.o.Slow):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	think := min(p.think, mostThink)
	if r.b.Regime == determinism.Real {
		think = min(think, 2*time.Second)
	}
	if think < time.Millisecond || !r.begun {
		return nil
	}
	return r.s.Advance(ctx, think)
}

// act carries out one action inside of one of the new trace.
func (r *run) act(ctx context.Context, p *planned, done *Step) (err error) {
	limit, code := r.o.Limits.Step, "E_STEP_LIMIT"
	if navigates[p.verb] {
		limit, code = r.navigationLimit(p), "E_NAVIGATION_LIMIT"
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errorf(code, "it took longer than %v", limit))
	defer cancel()
	page, err := r.pageOf(ctx, p)
	if err != nil {
		return err
	}
	r.begun = r.begun || !prelude[p.verb]
	r.named(ctx, p)
	b := p.action.Before
	call := recorder.Call{Class: b.Class, Method: b.Method, Title: b.Title, Group: b.Group, Params: r.paramsFor(p), PageID: cdp.PageID(page.Target())}
	a := r.rec.Begin(call)
	done.Call = a.ID()
	err = verbs()[p.verb](ctx, r, &doing{planned: p, page: page, action: a, step: done})
	err = cutShort(p, err)
	if err == nil {
		err = r.lasted(ctx, p, page)
	}
	if err == nil && r.begun && !still[p.verb] {
		err = r.s.Settle(ctx)
	}
	if err != nil && ctx.Err() != nil {
		switch cause := context.Cause(ctx); {
		case cause == nil || CodeOf(err) == "E_PAGE_BUSY":
		case errors.Is(err, cause): // which is said already
			err = errorf(CodeOf(cause), "%w", err)
		default:
			err = fmt.Errorf("%w: %w", cause, err)
		}
	}
	if err != nil && CodeOf(err) == code { // what hangs is not to hold up the next step
		r.diagnose()
		stopping, stop := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		_ = page.Call(stopping, "Page.stopLoading", nil, nil)
		stop()
	}
	if perr := r.pictureOf(ctx, p, page, a, done); err == nil {
		err = perr
	}
	a.End(err)
	return err
}

// prelude are verbs that may come before there is anything to see. No time
// passes with them: a document that is opened when the clock is not ahead of
// the real one begins with it.
var prelude = map[string]bool{"setViewportSize": true, "addCookies": true, "clearCookies": true, "addInitScript": true, "grantPermissions": true, "clearPermissions": true,
	"setGeolocation": true, "setExtraHTTPHeaders": true, "setOffline": true, "emulateMedia": true, "exposeBinding": true, "newPage": true, "bringToFront": true}

// still are verbs after which nothing is waited for.
var still = map[string]bool{"waitForTimeout": true, "expect": true, "waitForSelector": true, "waitForFunction": true, "screenshot": true, "accept": true, "dismiss": true, "awaited": true,
	"newPage": true, "addCookies": true, "addInitScript": true, "bringToFront": true, "setViewportSize": false}

var navigates = map[string]bool{"goto": true, "reload": true, "goBack": true, "goForward": true, "goToHistoryEntry": true}

// paramsFor are the recorded parameters, and which action they are of.
func (r *run) paramsFor(p *planned) map[string]any {
	m := map[string]any{}
	for k, v := range p.params {
		m[k] = v
	}
	if p.verb == "goto" {
		m["url"] = r.address(p)
	}
	m["_recorded"] = p.action.ID()
	return m
}
