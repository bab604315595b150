package diff

import (
	"fmt"
	"strings"
)

// String says how many steps there are of each kind.
func (n Counts) String() string {
	total := n.Same + n.Changed + n.OnlyA + n.OnlyB
	if total == n.Same {
		return steps(total) + ", all the same"
	}
	list := []string{fmt.Sprintf("%s: %d the same", steps(total), n.Same)}
	for _, c := range []struct {
		n    int
		what string
	}{{n.Changed, "changed"}, {n.OnlyA, "only in A"}, {n.OnlyB, "only in B"}} {
		if c.n > 0 {
			list = append(list, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return strings.Join(list, ", ")
}

func steps(n int) string {
	if n == 1 {
		return "1 step"
	}
	return fmt.Sprintf("%d steps", n)
}

// Fresh returns the changes in a section of pair i that are new with that step,
// and how many the page had after the step before: what differs on a page does so
// until it is left.
func (r *Result) Fresh(i int, s *Section) (fresh []Change, before int) {
	if i == 0 || s.Name != DOM && s.Name != Accessibility {
		return s.Changes, 0
	}
	known := map[string]bool{}
	for i--; i > 0 && !r.Pairs[i].Both(); i-- {
	}
	for _, old := range r.Pairs[i].Sections {
		if old.Name == s.Name {
			for _, c := range old.Changes {
				known[c.Path+"\x00"+c.String()] = true
			}
		}
	}
	for _, c := range s.Changes {
		if known[c.Path+"\x00"+c.String()] {
			before++
		} else {
			fresh = append(fresh, c)
		}
	}
	return fresh, before
}

// longestValue is how many characters of a value a line shows.
const longestValue = 160

// oneLine shortens a value and joins its lines.
func oneLine(s string) string {
	if strings.ContainsAny(s, "\n\r") {
		s = strings.Join(strings.Fields(s), " ")
	}
	if r := []rune(s); len(r) > longestValue {
		s = string(r[:longestValue]) + "…"
	}
	return s
}

// String says a change in one line.
func (c Change) String() string {
	if a, b := oneLine(c.A), oneLine(c.B); a != b || c.A == c.B {
		c.A, c.B = a, b
	}
	what := c.What
	if c.Path != "" {
		what = strings.TrimSpace(c.What + " " + lastOf(c.Path))
	}
	text := what
	switch {
	case c.What == "pixels":
		return strings.TrimSpace(c.Path + fmt.Sprintf(" %d pixels differ, %d allowed: %s", c.CountB, c.CountA, c.Note))
	case c.Kind == Added && c.B != "":
		text += " new: " + c.B
	case c.Kind == Added:
		text += " new"
	case c.Kind == Removed && c.A != "":
		text += " gone: " + c.A
	case c.Kind == Removed:
		text += " gone"
	case c.Kind == Moved:
		text += " moved"
	case c.A != c.B:
		text += ": " + Quoted(c.A) + " → " + Quoted(c.B)
	case c.CountA != c.CountB:
		text += fmt.Sprintf(" ×%d → ×%d", c.CountA, c.CountB)
		if c.B != "" {
			text += ": " + c.B
		}
		return text
	}
	if c.Kind == Added && c.CountB > 1 && c.CountA == 0 {
		text += fmt.Sprintf(" (×%d)", c.CountB)
	}
	if c.Kind == Removed && c.CountA > 1 && c.CountB == 0 {
		text += fmt.Sprintf(" (×%d)", c.CountA)
	}
	if c.Note != "" {
		text += " (" + c.Note + ")"
	}
	return text
}

// Quoted shows that a value is empty, or ends in a blank.
func Quoted(s string) string {
	if s == "" || strings.TrimSpace(s) != s {
		return fmt.Sprintf("%q", s)
	}
	return s
}

// lastOf shortens a path through a page to its last elements.
func lastOf(path string) string {
	parts := strings.Split(path, " > ")
	if len(parts) > 2 {
		return "… > " + strings.Join(parts[len(parts)-2:], " > ")
	}
	return path
}
