package comparison

import (
	"context"
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/diff/dom"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// part is one pair of traces.
type part struct {
	ID, Name string
	Verdict  verdict.Outcome
	Says     string // why it could not be compared
	Steps    string
	Sections []row
	Loose    []loose
	Cards    []card
	All      []step
	Hidden   []diff.Hidden
}

// row is a section in the overview.
type row struct {
	Name    diff.SectionName
	Verdict verdict.Outcome
	Says    string
}

// loose are the changes of a section that belong to no step.
type loose struct {
	ID      string
	Name    diff.SectionName
	Verdict verdict.Outcome
	Lines   []line
	More    int
}

type line struct {
	Effect verdict.Outcome
	Text   string
}

// step is a line in the list of all steps.
type step struct {
	Kind                      diff.PairKind
	Sign, Title, Indent, Link string
	Depth                     int
}

// card is a step that is worth looking at, or a further picture of it.
type card struct {
	ID                         string
	Kind                       diff.PairKind
	Sign, Means, Title, Around string
	First, Failed, More        bool
	Sections                   []cardSection
	Picture                    *picture
}

type cardSection struct {
	Name   diff.SectionName
	Note   string
	Lines  []line
	Before string
	More   int
	Tree   []treeLine
}

type treeLine struct{ Kind, Text string }

// Limits of what a page shows: changes of one section of a step, lines of a
// tree, changes of a section that belong to no step, steps in the list of all.
const (
	mostLines = 40
	mostTree  = 200
	mostLoose = 200
	mostSteps = 10_000
)

var means = map[diff.PairKind]string{diff.SameStep: "the same", diff.ChangedStep: "changed", diff.OnlyA: "only in A", diff.OnlyB: "only in B"}

// AddProblem adds a pair that was not compared, and says why.
func (r *Report) AddProblem(name string, outcome verdict.Outcome, says string) {
	r.parts = append(r.parts, &part{ID: fmt.Sprintf("t%d", len(r.parts)+1), Name: name, Verdict: outcome, Says: says})
}

// Add adds what came of comparing two traces. c gives the pictures; its
// archives must be open for as long as this takes. The error is that of ctx:
// pictures that cannot be read are left out.
func (r *Report) Add(ctx context.Context, name string, c *diff.Comparer, result *diff.Result) error {
	p := &part{ID: fmt.Sprintf("t%d", len(r.parts)+1), Name: name, Verdict: result.Verdict, Steps: result.Steps.String(), Hidden: result.Hidden}
	r.parts = append(r.parts, p)
	for i := range result.Sections {
		p.section(&result.Sections[i])
	}
	for i := range result.Pairs {
		pair := &result.Pairs[i]
		s := pair.Step()
		entry := step{Kind: pair.Kind, Sign: pair.Kind.Sign(), Title: s.Title, Indent: strings.Repeat("  ", min(pair.Depth(), 40)), Depth: pair.Depth()}
		if worth(pair) && r.room() {
			entry.Link = fmt.Sprintf("%s-%d", p.ID, i+1)
			if err := r.step(ctx, p, c, result, i, entry.Link); err != nil {
				return err
			}
		}
		if len(p.All) < mostSteps {
			p.All = append(p.All, entry)
		}
	}
	return ctx.Err()
}

func (r *Report) room() bool {
	most := r.MaxCards
	if most == 0 {
		most = 500
	}
	r.cards++
	return r.cards <= most
}

// worth reports whether a step is shown in full: something but its time
// differs.
func worth(p *diff.PairResult) bool {
	return p.Kind != diff.SameStep || p.Verdict != verdict.Same && len(p.Sections) > 0
}

func (p *part) section(s *diff.Section) {
	says := s.Note
	if n := len(s.Changes) + s.More; n > 0 && says == "" {
		says = plural(n, "change", "changes")
	}
	p.Sections = append(p.Sections, row{s.Name, s.Verdict, says})
	l := loose{ID: fmt.Sprintf("%s-%s", p.ID, s.Name), Name: s.Name, Verdict: s.Verdict}
	for _, c := range s.Changes {
		if c.Pair != nil {
			continue
		}
		if len(l.Lines) == mostLoose {
			l.More++
			continue
		}
		l.Lines = append(l.Lines, line{c.Effect, c.String()})
	}
	if len(l.Lines) > 0 {
		p.Loose = append(p.Loose, l)
	}
}

// step adds the cards of a step: one with all that differs, and one more for
// each further picture.
func (r *Report) step(ctx context.Context, p *part, c *diff.Comparer, result *diff.Result, n int, id string) error {
	pair := &result.Pairs[n]
	s := pair.Step()
	first := card{ID: id, Kind: pair.Kind, Sign: pair.Kind.Sign(), Means: means[pair.Kind], Title: s.Title, Around: strings.Join(s.Path, " › "),
		First: n == result.FirstDivergence, Failed: s.Failed}
	for i := range pair.Sections {
		if part := &pair.Sections[i]; part.Name != diff.Steps || pair.Both() {
			first.Sections = append(first.Sections, sectionOf(result, n, part))
		}
	}
	pictures, err := r.pictures(ctx, c, n)
	if err != nil {
		return err
	}
	if len(pictures) == 0 {
		p.Cards = append(p.Cards, first)
		return nil
	}
	for i := range pictures {
		next := first
		if i > 0 {
			next.ID, next.More, next.Sections = fmt.Sprintf("%s-%d", id, i+1), true, nil
		}
		next.Picture = &pictures[i]
		p.Cards = append(p.Cards, next)
	}
	return nil
}

func sectionOf(result *diff.Result, n int, s *diff.Section) cardSection {
	out := cardSection{Name: s.Name, More: s.More}
	fresh, before := result.Fresh(n, s)
	if len(s.Changes) == 0 {
		out.Note = s.Note
	}
	if before > 0 {
		out.Before = plural(before, "difference", "differences") + " as after the step before"
	}
	for i, c := range fresh {
		if i == mostLines {
			out.More += len(fresh) - i
			break
		}
		out.Lines = append(out.Lines, line{c.Effect, c.String()})
	}
	if s.Tree != nil && len(fresh) > 0 {
		out.Tree = treeOf(s.Tree)
	}
	return out
}

func treeOf(n *dom.Node) []treeLine {
	var list []treeLine
	for _, text := range n.Lines() {
		if len(list) == mostTree {
			return append(list, treeLine{"", "…"})
		}
		kind := ""
		switch trimmed := strings.TrimLeft(text, " "); {
		case strings.HasPrefix(trimmed, "+"):
			kind = "added"
		case strings.HasPrefix(trimmed, "-"):
			kind = "removed"
		}
		list = append(list, treeLine{kind, text})
	}
	return list
}
