package replay

import (
	"context"
	"encoding/json"
	"fmt"
)

func navigate(ctx context.Context, r *run, d *doing) error {
	address := r.address(d.planned)
	if d.scene.frame != nil {
		frame := r.frameNow(d.page, d.scene.frame)
		if frame == "" {
			return errorf("E_NAVIGATION", "the frame that was at %s is not there", d.scene.frame.url)
		}
		to, err := json.Marshal(address)
		if err != nil {
			return err
		}
		if _, err := d.page.EvaluateIn(ctx, frame, fmt.Sprintf("location.href = %s; 0", to)); err != nil {
			return err
		}
		return d.page.Loaded(ctx)
	}
	if err := r.lend(ctx, d, address); err != nil {
		return err
	}
	end, err := r.remembered(ctx, d.page)
	if err != nil {
		return err
	}
	err = r.because(d.page.Navigate(ctx, address), address)
	if eerr := end(); err == nil {
		err = eerr
	}
	return err
}

// because says why a server could not be reached: between it and the browser is a
// proxy, so that the browser knows only that there is no answer.
func (r *run) because(err error, address string) error {
	if err == nil || r.gate == nil || CodeOf(err) != "E_NAVIGATION" {
		return err
	}
	if why := r.gate.Failure(address); why != "" {
		return errorf("E_NAVIGATION", "%s at %s", why, address)
	}
	return err
}

func reload(ctx context.Context, r *run, d *doing) error {
	if err := d.page.Call(ctx, "Page.reload", nil, nil); err != nil {
		return err
	}
	return d.page.Loaded(ctx)
}

func history(by int) verb {
	return func(ctx context.Context, r *run, d *doing) error {
		if err := d.page.Travel(ctx, by); err != nil {
			return err
		}
		return d.page.Loaded(ctx)
	}
}

// historyEntry goes to the nearest entry of the history with the address that
// was recorded, backwards first.
func historyEntry(ctx context.Context, r *run, d *doing) error {
	if err := d.page.TravelTo(ctx, r.mapped(d.params.text("url"))); err != nil {
		return err
	}
	return d.page.Loaded(ctx)
}

func setContent(ctx context.Context, r *run, d *doing) error {
	html, err := json.Marshal(d.params.text("html"))
	if err != nil {
		return err
	}
	if _, err := d.page.Evaluate(ctx, fmt.Sprintf("document.open(); document.write(%s); document.close()", html)); err != nil {
		return err
	}
	return d.page.Loaded(ctx)
}
