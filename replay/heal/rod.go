package heal

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// RodPage is the main document of a page that rod drives.
type RodPage struct {
	page *rod.Page

	mu    sync.Mutex
	world proto.RuntimeExecutionContextID
}

// Rod returns a Page for the main document of a page of rod.
func Rod(p *rod.Page) *RodPage { return &RodPage{page: p} }

// Evaluate runs an expression in a world of its own.
func (p *RodPage) Evaluate(ctx context.Context, expression string) (json.RawMessage, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.run(ctx, expression, true)
	if err != nil {
		return nil, err
	}
	return r.Value.MarshalJSON()
}

// Found returns the element of the last match.
func (p *RodPage) Found(ctx context.Context) (*rod.Element, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.run(ctx, Element, false)
	if err != nil {
		return nil, err
	}
	return p.page.Context(ctx).ElementFromObject(r)
}

// run makes the world again when the document it was of is gone.
func (p *RodPage) run(ctx context.Context, expression string, value bool) (*proto.RuntimeRemoteObject, error) {
	page := p.page.Context(ctx)
	var last error
	for range 2 {
		if p.world == 0 {
			if err := p.make(page); err != nil {
				return nil, err
			}
		}
		r, err := proto.RuntimeEvaluate{Expression: expression, ContextID: p.world, ReturnByValue: value}.Call(page)
		if err == nil && r.ExceptionDetails != nil {
			return nil, fmt.Errorf("looking for an element: %s", r.ExceptionDetails.Exception.Description)
		}
		if err == nil {
			return r.Result, nil
		}
		p.world, last = 0, err
	}
	return nil, last
}

func (p *RodPage) make(page *rod.Page) error {
	w, err := proto.PageCreateIsolatedWorld{FrameID: page.FrameID, WorldName: "tracedeck-heal"}.Call(page)
	if err != nil {
		return err
	}
	r, err := proto.RuntimeEvaluate{Expression: Script(), ContextID: w.ExecutionContextID}.Call(page)
	if err != nil {
		return err
	}
	if r.ExceptionDetails != nil {
		return fmt.Errorf("looking for an element: %s", r.ExceptionDetails.Exception.Description)
	}
	p.world = w.ExecutionContextID
	return nil
}
