package main

import (
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// textDiff prints how two traces differ for a person at a terminal.
type textDiff struct {
	env *env
	all bool
}

// Limits of what is printed: runs of the same steps, changes of one section of
// a step.
const (
	longRun    = 4
	mostOfStep = 8
)

var outcomeColors = map[verdict.Outcome]string{verdict.Regressed: red, verdict.Mixed: red, verdict.Improved: green, verdict.Changed: yellow,
	verdict.Inconclusive: dim}

var signColors = map[diff.PairKind]string{diff.ChangedStep: yellow, diff.OnlyA: red, diff.OnlyB: green, diff.SameStep: dim}

func (p textDiff) line(format string, args ...any) {
	fmt.Fprintln(p.env.out, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

func (p textDiff) print(r *diff.Result) {
	p.line("%s  %s", p.env.paint(outcomeColors[r.Verdict], string(r.Verdict)), stepCounts(r.Steps))
	p.line("%s %s\n%s %s\n", p.env.paint(dim, "A"), printable(r.A), p.env.paint(dim, "B"), printable(r.B))
	for i := 0; i < len(r.Pairs); {
		if n := p.run(r, i); n > longRun && !p.all {
			p.line("    %s", p.env.paint(dim, fmt.Sprintf("= %d steps are the same", n)))
			i += n
			continue
		}
		p.pair(r, i)
		i++
	}
	if len(r.Pairs) > 0 {
		p.line("")
	}
	p.sections(r)
	p.hidden(r)
}

func stepCounts(n diff.Counts) string {
	total := n.Same + n.Changed + n.OnlyA + n.OnlyB
	if total == n.Same {
		return plural(total, "step") + ", all the same"
	}
	list := []string{fmt.Sprintf("%s: %d the same", plural(total, "step"), n.Same)}
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

// run is how many steps from i on are the same and have nothing to tell.
func (p textDiff) run(r *diff.Result, i int) int {
	n := 0
	for ; i+n < len(r.Pairs) && r.Pairs[i+n].Kind == diff.SameStep && len(r.Pairs[i+n].Sections) == 0; n++ {
	}
	return n
}

func (p textDiff) pair(r *diff.Result, i int) {
	pair := &r.Pairs[i]
	mark, note := " ", ""
	if i == r.FirstDivergence {
		mark, note = "▶", p.env.paint(dim, "   ← first divergence")
	}
	sign := p.env.paint(signColors[pair.Kind], pair.Kind.Sign())
	text := printable(pair.Step().Title)
	if pair.Step().Failed {
		text = p.env.paint(red, "✗ "+text)
	}
	p.line("%s %s %s%s%s", mark, sign, strings.Repeat("  ", pair.Depth()), text, note)
	indent := strings.Repeat("  ", pair.Depth()) + "      "
	for j := range pair.Sections {
		s := &pair.Sections[j]
		if s.Name == diff.Steps && !pair.Both() {
			continue
		}
		fresh := *s
		before := 0
		fresh.Changes, before = newChanges(r, i, s)
		p.changes(indent, &fresh, mostOfStep)
		if before > 0 {
			p.line("%s%s%s", indent, p.env.paint(dim, fmt.Sprintf("%-12s ", shortSection(s.Name))), p.env.paint(dim, plural(before, "difference")+" as before"))
		}
	}
}

// newChanges returns the changes of a page that it did not have after the step
// before, and how many it had.
func newChanges(r *diff.Result, i int, s *diff.Section) (fresh []diff.Change, before int) {
	if i == 0 || s.Name != diff.DOM && s.Name != diff.Accessibility {
		return s.Changes, 0
	}
	known := map[string]bool{}
	for i--; i > 0 && !r.Pairs[i].Both(); i-- {
	}
	for _, old := range r.Pairs[i].Sections {
		if old.Name == s.Name {
			for _, c := range old.Changes {
				known[c.Path+"\x00"+changeText(c)] = true
			}
		}
	}
	for _, c := range s.Changes {
		if known[c.Path+"\x00"+changeText(c)] {
			before++
		} else {
			fresh = append(fresh, c)
		}
	}
	return fresh, before
}

func (p textDiff) changes(indent string, s *diff.Section, most int) {
	name := p.env.paint(dim, fmt.Sprintf("%-12s ", shortSection(s.Name)))
	if s.Note != "" && len(s.Changes) == 0 {
		p.line("%s%s%s", indent, name, p.env.paint(dim, printable(s.Note)))
	}
	for i, c := range s.Changes {
		if i >= most && !p.all {
			p.line("%s%s… and %d more", indent, name, len(s.Changes)-i+s.More)
			return
		}
		p.line("%s%s%s", indent, name, p.env.paint(outcomeColors[c.Effect], printable(changeText(c))))
	}
	if s.More > 0 {
		p.line("%s%s… and %d more", indent, name, s.More)
	}
}

func shortSection(n diff.SectionName) string {
	if n == diff.Steps {
		return "call"
	}
	return string(n)
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

// changeText says a change in one line.
func changeText(c diff.Change) string {
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
		return fmt.Sprintf("%d pixels differ, %d allowed: %s", c.CountB, c.CountA, c.Note)
	case c.Kind == diff.Added && c.B != "":
		text += " new: " + c.B
	case c.Kind == diff.Added:
		text += " new"
	case c.Kind == diff.Removed && c.A != "":
		text += " gone: " + c.A
	case c.Kind == diff.Removed:
		text += " gone"
	case c.Kind == diff.Moved:
		text += " moved"
	case c.A != c.B:
		text += ": " + quoted(c.A) + " → " + quoted(c.B)
	case c.CountA != c.CountB:
		text += fmt.Sprintf(" ×%d → ×%d", c.CountA, c.CountB)
		if c.B != "" {
			text += ": " + c.B
		}
		return text
	}
	if c.Kind == diff.Added && c.CountB > 1 && c.CountA == 0 {
		text += fmt.Sprintf(" (×%d)", c.CountB)
	}
	if c.Kind == diff.Removed && c.CountA > 1 && c.CountB == 0 {
		text += fmt.Sprintf(" (×%d)", c.CountA)
	}
	if c.Note != "" {
		text += " (" + c.Note + ")"
	}
	return text
}

// quoted shows that a value is empty, or ends in a blank.
func quoted(s string) string {
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

func (p textDiff) sections(r *diff.Result) {
	for i := range r.Sections {
		s := &r.Sections[i]
		text := string(s.Verdict)
		if s.Note != "" {
			text += ": " + s.Note
		}
		p.line("%-14s %s", s.Name, p.env.paint(outcomeColors[s.Verdict], printable(text)))
		loose := *s
		loose.Changes = nil
		for _, c := range s.Changes {
			if c.Pair == nil {
				loose.Changes = append(loose.Changes, c)
			}
		}
		loose.Note, loose.More = "", 0
		for _, c := range loose.Changes {
			p.line("    %s", p.env.paint(outcomeColors[c.Effect], printable(changeText(c))))
		}
	}
}

func (p textDiff) hidden(r *diff.Result) {
	if len(r.Hidden) == 0 {
		return
	}
	p.line("\nhidden by rules")
	for _, h := range r.Hidden {
		sample := ""
		if len(h.Samples) > 0 {
			s := h.Samples[0]
			sample = fmt.Sprintf("%s → %s", quoted(s.A), quoted(s.B))
			if s.Field != "" {
				sample = s.Field + ": " + sample
			}
		}
		p.line("    %-18s %4d  %s", h.Rule, h.Count, p.env.paint(dim, printable(sample)))
	}
}
