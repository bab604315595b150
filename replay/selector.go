package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace/locator"
	"github.com/tracedeck/tracedeck/web"
)

type object = map[string]any

// finder returns the script that finds elements.
var finder = sync.OnceValue(func() string {
	data, err := fs.ReadFile(web.Dist(), "inject/replay.js")
	if err != nil {
		panic(err) // it is a part of this program
	}
	return string(data)
})

// compile takes a selector apart for the script in the page.
func compile(s locator.Selector) ([]object, error) {
	list := []object{}
	for i, p := range s.Parts {
		part := object{"engine": p.Engine, "body": p.Body, "capture": p.Capture}
		var err error
		switch p.Engine {
		case locator.EngineCSS, locator.EngineCSSLight:
			var css locator.CSS
			if css, err = p.CSS(); err == nil {
				part["css"] = alternatives(css)
			}
		case locator.EngineText, locator.EngineByText, locator.EngineLabel, locator.EngineHasText, locator.EngineHasNotText:
			var t locator.Text
			if t, err = p.Text(); err == nil {
				part["text"] = text(t)
			}
		case locator.EngineRole, "role", locator.EngineAttr, locator.EngineTestID:
			var a locator.Attributes
			if a, err = p.Attributes(); err == nil {
				part["name"], part["conditions"] = a.Name, conditions(a.Conditions)
			}
		case locator.EngineHas, locator.EngineHasNot, locator.EngineAnd, locator.EngineOr, locator.EngineChain, "left-of", "right-of", "above", "below", "near":
			var inner locator.Selector
			if inner, err = s.InnerOf(i); err == nil {
				part["inner"], err = compile(inner)
			}
			if _, distance, derr := p.Inner(); derr == nil && distance > 0 {
				part["distance"] = distance
			}
		}
		if err != nil {
			return nil, err
		}
		list = append(list, part)
	}
	return list, nil
}

func expressionOf(r *locator.Regexp) any {
	if r == nil {
		return nil
	}
	return object{"source": r.Source, "flags": r.Flags}
}

func text(t locator.Text) object {
	o := object{"string": t.String, "exact": t.Exact}
	if t.Regexp != nil {
		o["regexp"] = expressionOf(t.Regexp)
	}
	return o
}

func conditions(list []locator.Attribute) []object {
	kinds := map[locator.ValueKind]string{locator.NoValue: "none", locator.StringValue: "string", locator.BoolValue: "bool", locator.NumberValue: "number", locator.RegexpValue: "regexp"}
	out := []object{}
	for _, a := range list {
		o := object{"name": a.Name(), "operator": a.Operator, "kind": kinds[a.Value.Kind], "string": a.Value.String, "bool": a.Value.Bool, "number": a.Value.Number, "ignoreCase": a.IgnoreCase}
		if a.Value.Kind == locator.RegexpValue {
			o["regexp"] = expressionOf(&a.Value.Regexp)
		}
		out = append(out, o)
	}
	return out
}

func alternatives(css locator.CSS) [][]object {
	out := [][]object{}
	for _, c := range css {
		out = append(out, chain(c))
	}
	return out
}

func chain(c locator.Complex) []object {
	out := []object{}
	for _, p := range c {
		functions := []object{}
		for _, f := range p.Functions {
			functions = append(functions, object{"name": f.Name, "arguments": arguments(f.Arguments)})
		}
		out = append(out, object{"plain": p.Plain, "functions": functions, "combinator": p.Combinator})
	}
	return out
}

func arguments(list []locator.Argument) []object {
	out := []object{}
	for _, a := range list {
		switch {
		case len(a.Selector) > 0:
			out = append(out, object{"selector": chain(a.Selector)})
		case a.IsNumber:
			out = append(out, object{"number": a.Number})
		default:
			out = append(out, object{"string": a.String})
		}
	}
	return out
}

// query finds the elements that a selector means at this moment, in the frame
// that the action was in.
func (r *run) query(ctx context.Context, d *doing, selector string) ([]*determinism.Handle, error) {
	near := ""
	if d.scene.near != nil {
		near = r.frameNow(d.page, d.scene.near)
	}
	return query(ctx, d.page, r.frameNow(d.page, d.scene.frame), near, selector)
}

// query finds elements from a frame of the page on; "" is the main one, or
// whichever has such elements. Frames on the way to them are entered.
func query(ctx context.Context, p *determinism.Page, frame, near, selector string) (list []*determinism.Handle, err error) {
	s, err := locator.Parse(selector)
	if err != nil {
		return nil, &Error{Code: "E_SELECTOR", Err: err}
	}
	if frame == "" {
		frame = p.Target()
	}
	top := frame == p.Target()
	ways := s.Frames()
	for i, way := range ways {
		parts, err := compile(way)
		if err != nil {
			return nil, &Error{Code: "E_SELECTOR", Err: err}
		}
		if list, err = find(ctx, p, frame, parts); err != nil {
			return nil, err
		}
		if len(list) == 0 && i == 0 && top {
			if list, err = elsewhere(ctx, p, near, parts); err != nil {
				return nil, err
			}
		}
		if i == len(ways)-1 || len(list) == 0 {
			return list, nil
		}
		if frame, err = list[0].ContentFrame(ctx); err != nil {
			return nil, err
		}
		if frame == "" {
			return nil, errorf("E_SELECTOR", "%s is not a frame", way)
		}
	}
	return list, nil
}

// elsewhere looks into the other frames of a page: Playwright's traces do not
// say in which one an action was. Of several frames with matches it is the one
// that was used before, or none.
func elsewhere(ctx context.Context, p *determinism.Page, near string, parts []object) ([]*determinism.Handle, error) {
	var only []*determinism.Handle
	several := false
	for _, f := range p.Frames() {
		if f.Parent == "" {
			continue
		}
		list, err := find(ctx, p, f.ID, parts)
		if err != nil || len(list) == 0 {
			continue // it may be gone
		}
		if f.ID == near {
			return list, nil
		}
		if only != nil {
			several = true
		}
		only = list
	}
	if several {
		return nil, nil
	}
	return only, nil
}

// most is how many elements of what a selector means are looked at.
const most = 200

func find(ctx context.Context, p *determinism.Page, frame string, parts []object) ([]*determinism.Handle, error) {
	world, err := p.World(ctx, frame, finder())
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	found, _, err := p.Run(ctx, frame, world, fmt.Sprintf("__deckReplay.find(%s)", data))
	if err != nil {
		if strings.Contains(err.Error(), "is not a valid selector") || strings.Contains(err.Error(), "is not known") || strings.Contains(err.Error(), "XPath") {
			return nil, &Error{Code: "E_SELECTOR", Err: err}
		}
		return nil, err
	}
	defer found.Free(ctx)
	var n int
	if err := found.Call(ctx, "function () { return this.length }", &n); err != nil {
		return nil, err
	}
	var list []*determinism.Handle
	for i := range min(n, most) {
		e, err := found.Get(ctx, "function (i) { return this[i] }", i)
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}
