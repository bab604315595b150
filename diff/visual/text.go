package visual

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Explain says in one line what moved and what changed; it is empty for equal pictures.
func (r *Result) Explain() string {
	parts := r.moved()
	if n := len(r.Boxes) + r.MoreBoxes; n > 0 {
		pixels := 0
		for _, b := range r.Boxes {
			pixels += b.Pixels
		}
		parts = append(parts, fmt.Sprintf("%s in %s", count(pixels, "pixel"), count(n, "changed box", "changed boxes")))
	}
	return strings.Join(parts, "; ")
}

// namedMoves is how many moves are named in one line.
const namedMoves = 4

// moved says in one line what moved: of many moves the largest, in their order.
func (r *Result) moved() []string {
	first := slices.Clone(r.Moves)
	slices.SortStableFunc(first, func(a, b Move) int {
		return cmp.Or(cmp.Compare(minor(a), minor(b)), cmp.Compare(b.Rows*b.Width, a.Rows*a.Width))
	})
	first = first[:min(len(first), namedMoves)]
	var parts []string
	for _, m := range r.Moves {
		if slices.Contains(first, m) {
			parts = append(parts, m.String())
		}
	}
	if more := len(r.Moves) - len(parts) + r.MoreMoves; more > 0 {
		parts = append(parts, count(more, "smaller move"))
	}
	return parts
}

// minor is 1 for what tells little: rows that stayed, and what is beyond the bottom.
func minor(m Move) int {
	if m.Kind == Fixed || m.Kind == CutOff || m.Kind == Revealed {
		return 1
	}
	return 0
}

// Moved says in one line what moved, and is empty where nothing did.
func (r *Result) Moved() string { return strings.Join(r.moved(), "; ") }

// String says what happened to the rows, such as "40 rows inserted at y=64".
func (m Move) String() string {
	what := count(m.Rows, "row")
	if m.Blank {
		what = count(m.Rows, "blank row")
	}
	if m.X > 0 || m.left {
		what += fmt.Sprintf(" of the column x=%d to %d", m.X, m.X+m.Width-1)
	}
	switch m.Kind {
	case Inserted, Uncovered:
		return fmt.Sprintf("%s %s at y=%d", what, m.Kind, m.B)
	case Removed, Covered:
		return fmt.Sprintf("%s %s at y=%d", what, m.Kind, m.A)
	case CutOff:
		return what + " cut off at the bottom"
	case Revealed:
		return what + " revealed at the bottom"
	case Fixed:
		return fmt.Sprintf("%s at y=%d stayed in place", what, m.B)
	}
	way := "down"
	if m.Offset < 0 {
		way = "up"
	}
	return fmt.Sprintf("%s at y=%d %s %s by %d", what, m.A, m.Kind, way, abs(m.Offset))
}

// count is "1 row" or "2 rows".
func count(n int, one string, many ...string) string {
	if n == 1 {
		return "1 " + one
	}
	if len(many) > 0 {
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}
