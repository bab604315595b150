package userflow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// step is one selector of a chain, looked for inside of the element that the
// one before it found. It is evaluated in the page.
const findJS = `function (kind, text) {
  const root = this === window || this === document ? document : this.shadowRoot || this;
  const deep = (node, css, out) => {
    out.push(...node.querySelectorAll(css));
    for (const e of node.querySelectorAll('*')) if (e.shadowRoot) deep(e.shadowRoot, css, out);
    return out;
  };
  if (kind === 'css') return [...root.querySelectorAll(text)];
  if (kind === 'pierce') return deep(root, text, []);
  if (kind === 'xpath') {
    const found = document.evaluate(text, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({length: found.snapshotLength}, (_, i) => found.snapshotItem(i));
  }
  const has = e => (e.textContent || e.value || '').includes(text);
  return deep(root, '*', []).filter(e => !['SCRIPT', 'STYLE'].includes(e.nodeName) && has(e) && ![...e.children].some(has));
}`

var kinds = map[string]bool{"xpath": true, "pierce": true, "text": true, "aria": true, "css": true}

// find returns the elements that a chain of selectors means.
func find(page *rod.Page, chain []string) (rod.Elements, error) {
	var within *rod.Element
	for i, s := range chain {
		list, err := findOne(page, within, s)
		if err != nil || len(list) == 0 || i == len(chain)-1 {
			return list, err
		}
		within = list[0]
	}
	return nil, nil
}

func findOne(page *rod.Page, within *rod.Element, selector string) (rod.Elements, error) {
	kind, text, ok := strings.Cut(selector, "/")
	if !ok || !kinds[kind] {
		kind, text = "css", selector
	}
	if kind == "aria" {
		return findAria(page, within, text)
	}
	o := rod.Eval(findJS, kind, text)
	if within != nil {
		o = o.This(within.Object)
	}
	return page.ElementsByJS(o)
}

// findAria asks the browser, which computes names and roles.
func findAria(page *rod.Page, within *rod.Element, text string) (rod.Elements, error) {
	name, role := ariaParts(text)
	q := proto.AccessibilityQueryAXTree{AccessibleName: name, Role: role}
	if within != nil {
		q.ObjectID = within.Object.ObjectID
	} else {
		doc, err := page.Evaluate(rod.Eval(`() => document`).ByObject())
		if err != nil {
			return nil, err
		}
		q.ObjectID = doc.ObjectID
	}
	found, err := q.Call(page)
	if err != nil {
		return nil, err
	}
	var list rod.Elements
	for _, n := range found.Nodes {
		if n.Ignored || n.BackendDOMNodeID == 0 || n.Role != nil && n.Role.Value.Str() == "StaticText" {
			continue
		}
		e, err := page.ElementFromNode(&proto.DOMNode{BackendNodeID: n.BackendDOMNodeID})
		if err != nil {
			return nil, err
		}
		list = append(list, e)
	}
	return list, nil
}

// errNotFound is the cause of the error for an element that is not there.
var errNotFound = errors.New("no selector finds an element")

// await looks for an element until it is there, and says by which selectors.
func await(t *term, page *rod.Page, s *Step, visible bool) (found *rod.Element, by []string, err error) {
	page = page.Context(t)
	err = t.poll(page, func() (bool, error) {
		var last error
		for _, chain := range s.Selectors {
			list, err := find(page, chain)
			if err != nil {
				last = err
				continue
			}
			for _, e := range list {
				if seen, err := e.Visible(); !visible || err == nil && seen {
					found, by = e, withRole(e, chain)
					return true, nil
				}
			}
		}
		return false, last
	})
	switch {
	case err == nil:
		return found, by, nil
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		return nil, nil, fmt.Errorf("%w: %v", errNotFound, s.Selectors)
	}
	return nil, nil, fmt.Errorf("%w: %v: %w", errNotFound, s.Selectors, err)
}

// withRole adds the element's role to a selector that gives its name alone: a
// name is that of a label only where the element has one.
func withRole(e *rod.Element, chain []string) []string {
	last := chain[len(chain)-1]
	text, ok := strings.CutPrefix(last, "aria/")
	if !ok {
		return chain
	}
	if _, role := ariaParts(text); role != "" {
		return chain
	}
	tree, err := proto.AccessibilityGetPartialAXTree{ObjectID: e.Object.ObjectID}.Call(e.Page())
	if err != nil || len(tree.Nodes) == 0 || tree.Nodes[0].Role == nil {
		return chain
	}
	role := tree.Nodes[0].Role.Value.Str()
	if role == "" || role == "generic" || strings.ToLower(role) != role { // the browser's own roles have capitals
		return chain
	}
	return append(slices.Clone(chain[:len(chain)-1]), last+`[role="`+role+`"]`)
}

// place finds the page and the frame in which a step is carried out.
func place(t *term, browser *rod.Browser, main *rod.Page, s *Step) (page, frame *rod.Page, err error) {
	page, frame = main, main
	if s.Target != "" && s.Target != "main" {
		if page, frame, err = awaitTarget(t, browser, main, s.Target); err != nil {
			return nil, nil, err
		}
	}
	for _, i := range s.Frame {
		if frame, err = childFrame(t, frame, i); err != nil {
			return nil, nil, err
		}
	}
	return page, frame, nil
}

// awaitTarget finds the page that shows an address, or the frame of the main
// page: flows name frames of other sites so.
func awaitTarget(t *term, browser *rod.Browser, main *rod.Page, address string) (page, frame *rod.Page, err error) {
	err = t.poll(main, func() (bool, error) {
		pages, err := browser.Pages() // which keep the browser's context: those of steps end
		if err != nil {
			return false, err
		}
		for _, p := range pages {
			if info, err := p.Info(); err == nil && info.URL == address {
				page, frame = p, p
				return true, nil
			}
		}
		if f := frameAt(main.Context(t), address, 0); f != nil {
			page, frame = main, f
			return true, nil
		}
		return false, nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("no page and no frame shows %s", address)
	}
	return page, frame, nil
}

// frameAt looks for the frame that shows an address, within another.
func frameAt(parent *rod.Page, address string, depth int) *rod.Page {
	list, err := parent.Elements("iframe, frame")
	if err != nil || depth > 10 {
		return nil
	}
	for _, e := range list {
		f, err := e.Frame()
		if err != nil {
			continue
		}
		if at, err := f.Eval("() => location.href"); err == nil && at.Value.Str() == address {
			return f
		}
		if inner := frameAt(f, address, depth+1); inner != nil {
			return inner
		}
	}
	return nil
}

func childFrame(t *term, parent *rod.Page, i int) (*rod.Page, error) {
	var frame *rod.Page
	err := t.poll(parent, func() (bool, error) {
		list, err := parent.Context(t).Elements("iframe, frame")
		if err != nil || i >= len(list) {
			return false, err
		}
		frame, err = list[i].Frame()
		return err == nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("there is no frame %d", i)
	}
	return frame, nil
}
