package determinism

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Evaluate runs a script in the main document, as one of the page's own, and
// returns its value as JSON. A promise is awaited, which takes the time that it
// takes only if nothing has to pass for it.
func (p *Page) Evaluate(ctx context.Context, script string) (json.RawMessage, error) {
	return p.evaluate(ctx, object{"expression": script, "returnByValue": true, "awaitPromise": true})
}

func (p *Page) evaluate(ctx context.Context, params object) (json.RawMessage, error) {
	var r struct {
		Result    struct{ Value json.RawMessage }
		Exception *exception `json:"exceptionDetails"`
	}
	if err := p.Call(ctx, "Runtime.evaluate", params, &r); err != nil {
		return nil, err
	}
	return r.Result.Value, r.Exception.err()
}

type exception struct {
	Text      string
	Exception struct{ Description, Value any }
}

func (e *exception) err() error {
	switch {
	case e == nil:
		return nil
	case e.Exception.Description != nil:
		return errorf("E_SCRIPT", "%v", e.Exception.Description)
	}
	return errorf("E_SCRIPT", "%s %v", e.Text, e.Exception.Value)
}

// everyFrame runs a script in all frames; those that are gone do not count.
func (p *Page) everyFrame(ctx context.Context, script string) error {
	p.mu.Lock()
	var list []string
	for _, id := range p.contexts {
		list = append(list, id)
	}
	p.mu.Unlock()
	for _, id := range list {
		one, cancel := context.WithTimeout(ctx, p.s.o.Stuck)
		err := p.call(one, "Runtime.evaluate", object{"expression": script, "uniqueContextId": id, "awaitPromise": true}, nil)
		cancel()
		if err != nil && errors.Is(err, context.DeadlineExceeded) {
			return p.s.stuck(fmt.Errorf("the page did not answer: %w", err))
		}
	}
	return nil
}
