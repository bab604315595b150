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
	p.line("%s  %s", p.env.paint(outcomeColors[r.Verdict], string(r.Verdict)), r.Steps.String())
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
		fresh.Changes, before = r.Fresh(i, s)
		p.changes(indent, &fresh, mostOfStep)
		if before > 0 {
			p.line("%s%s%s", indent, p.env.paint(dim, fmt.Sprintf("%-12s ", shortSection(s.Name))), p.env.paint(dim, plural(before, "difference")+" as before"))
		}
	}
}

func (p textDiff) changes(indent string, s *diff.Section, most int) {
	name := p.env.paint(dim, fmt.Sprintf("%-12s ", shortSection(s.Name)))
	if s.Note != "" && len(s.Changes) == 0 && s.RecordedA && s.RecordedB { // what is nowhere is said once, below
		p.line("%s%s%s", indent, name, p.env.paint(dim, printable(s.Note)))
	}
	for i, c := range s.Changes {
		if i >= most && !p.all {
			p.line("%s%s… and %d more", indent, name, len(s.Changes)-i+s.More)
			return
		}
		p.line("%s%s%s", indent, name, p.env.paint(outcomeColors[c.Effect], printable(c.String())))
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
			p.line("    %s", p.env.paint(outcomeColors[c.Effect], printable(c.String())))
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
			sample = fmt.Sprintf("%s → %s", diff.Quoted(s.A), diff.Quoted(s.B))
			if s.Field != "" {
				sample = s.Field + ": " + sample
			}
		}
		p.line("    %-18s %4d  %s", h.Rule, h.Count, p.env.paint(dim, printable(sample)))
	}
}
