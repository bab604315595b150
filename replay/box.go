package replay

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

// Box is an area of a picture, in its pixels.
type Box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// measure is evaluated in the page. A box is rounded outwards, so that no edge
// of the element sticks out of it.
const measure = `(selectors => JSON.stringify(Object.fromEntries(selectors.map(s => {
	let list = [];
	try { list = Array.from(document.querySelectorAll(s)) } catch { return [s, null] }
	const d = devicePixelRatio;
	return [s, list.slice(0, 1000).map(e => e.getBoundingClientRect()).filter(r => r.width > 0 && r.height > 0).map(r => {
		const x = Math.floor(r.left * d), y = Math.floor(r.top * d);
		return { x, y, width: Math.ceil(r.right * d) - x, height: Math.ceil(r.bottom * d) - y };
	})];
}))))(%s)`

// boxes says where the elements are that masks follow.
func (r *run) boxes(ctx context.Context, page *determinism.Page) map[string][]Box {
	if len(r.o.Boxes) == 0 {
		return nil
	}
	list, err := json.Marshal(r.o.Boxes)
	if err != nil {
		return nil
	}
	value, err := page.Evaluate(ctx, fmt.Sprintf(measure, list))
	var text string
	var found map[string][]Box
	if err == nil {
		err = json.Unmarshal(value, &text)
	}
	if err == nil {
		err = json.Unmarshal([]byte(text), &found)
	}
	if err != nil {
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("the boxes for masks cannot be measured: %v", err))
		return nil
	}
	for selector, list := range found {
		if list == nil {
			r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("mask %q is no CSS selector", selector))
		}
	}
	return found
}
