// Package heal finds the element that a selector used to mean, on a page that
// has changed since.
//
//	m, err := heal.Find(ctx, page, target, heal.DefaultOptions())
//	if errors.Is(err, heal.ErrNotFound) {
//		…
//	}
//
// Nine strategies are tried in the order of their confidence, from the recorded
// selector itself, checked against what else is known of the element, to an
// element of like text at the same place. Each must leave exactly one element
// that nothing known speaks against: a wrong element is worse than none.
//
// A recording is never changed. An [Overlay] beside it keeps what was healed,
// what a person accepted, and what was right often enough to be accepted
// without one.
package heal
