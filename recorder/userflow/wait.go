package userflow

import (
	"fmt"

	"github.com/go-rod/rod"

	"github.com/tracedeck/tracedeck/recorder"
)

// matchJS reports whether an element has attributes and properties.
const matchJS = `function (attributes, properties) {
  const same = (a, b) => a === b || a !== null && b !== null && typeof a === 'object' && typeof b === 'object' &&
    Object.keys(b).every(k => same(a[k], b[k]));
  return Object.entries(attributes || {}).every(([k, v]) => this.getAttribute(k) === v) && same(this, properties || {});
}`

func (r *run) waitForElement(t *term, page, frame *rod.Page, s *Step) error {
	operator, count := s.Operator, 1
	if operator == "" {
		operator = ">="
	}
	if s.Count != nil {
		count = *s.Count
	}
	c := recorder.Call{Class: "Frame", Method: "waitForSelector", Params: map[string]any{"selector": Locator(s.Frame, s.Selectors[0]), "operator": operator, "count": count}}
	return r.do(t, page, c, func() error {
		return t.poll(frame, func() (bool, error) {
			for _, chain := range s.Selectors {
				list, err := find(frame, chain)
				if err != nil {
					return false, err
				}
				n, err := matching(list, s)
				if err != nil {
					return false, err
				}
				if ok, err := compare(n, operator, count); ok || err != nil {
					return ok, err
				}
			}
			return false, nil
		})
	})
}

// matching counts the elements that are as the step wants them.
func matching(list rod.Elements, s *Step) (n int, err error) {
	for _, e := range list {
		if s.Visible != nil {
			if seen, err := e.Visible(); err != nil || seen != *s.Visible {
				continue
			}
		}
		if len(s.Attributes)+len(s.Properties) > 0 {
			ok, err := e.Eval(matchJS, s.Attributes, s.Properties)
			if err != nil {
				return n, err
			}
			if !ok.Value.Bool() {
				continue
			}
		}
		n++
	}
	return n, nil
}

func compare(n int, operator string, count int) (bool, error) {
	switch operator {
	case ">=":
		return n >= count, nil
	case "==":
		return n == count, nil
	case "<=":
		return n <= count, nil
	}
	return false, fmt.Errorf("there is no operator %q", operator)
}
