package heal

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

// DeterminedPage is a frame of a page of a deterministic session.
type DeterminedPage struct {
	page  *determinism.Page
	frame string
	base  string
}

// Determined returns a Page for a frame of a page of a deterministic session.
// Looking for an element takes none of its time; give it no patience, and let
// time pass between two calls of Find. base is the script that the session's
// driver itself has in the worlds of its frames; see [determinism.Page.World].
func Determined(p *determinism.Page, frame, base string) *DeterminedPage {
	return &DeterminedPage{p, frame, base}
}

// Evaluate runs an expression in the driver's world of the frame.
func (p *DeterminedPage) Evaluate(ctx context.Context, expression string) (json.RawMessage, error) {
	_, value, err := p.run(ctx, "JSON.stringify("+expression+")")
	if err != nil {
		return nil, err
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, fmt.Errorf("looking for an element: %w", err)
	}
	return json.RawMessage(text), nil
}

// Found returns the element of the last match.
func (p *DeterminedPage) Found(ctx context.Context) (*determinism.Handle, error) {
	h, _, err := p.run(ctx, Element)
	return h, err
}

func (p *DeterminedPage) run(ctx context.Context, expression string) (*determinism.Handle, json.RawMessage, error) {
	world, err := p.page.World(ctx, p.frame, p.base)
	if err != nil {
		return nil, nil, err
	}
	_, there, err := p.page.Run(ctx, p.frame, world, "typeof __deckHeal")
	if err != nil {
		return nil, nil, err
	}
	if string(there) == `"undefined"` {
		if _, _, err := p.page.Run(ctx, p.frame, world, Script()+";0"); err != nil {
			return nil, nil, err
		}
	}
	return p.page.Run(ctx, p.frame, world, expression)
}
