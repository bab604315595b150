package codegen

import (
	"context"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

const (
	maxEffects = 3   // that are asserted of one step
	maxLooked  = 400 // steps whose pages are compared
	maxMasks   = 20
)

// observePages compares the pages before and after the steps: what a step
// brought, and what is another one each time.
func (s *Scenario) observePages(ctx context.Context) {
	if len(s.trace.Snapshots) == 0 {
		return
	}
	r := &domReader{s: s, store: snapshot.FromTrace(s.archive, s.trace), cache: map[trace.Position]*dom{}}
	masks := map[string][]Element{} // by page address
	looked := 0
	for i, step := range s.Steps {
		if step.Action == nil || ctx.Err() != nil {
			continue
		}
		if looked++; looked > maxLooked {
			s.warn("W_MANY_STEPS", step.Action.ID(), "what later steps brought to the page was not looked at")
			break
		}
		s.secretField(r.read(ctx, step.before), step)
		s.effectsOf(ctx, r, i)
		s.masksOf(ctx, r, i, masks)
	}
	shown := map[string]string{} // address by page
	for i, step := range s.Steps {
		if shot := s.settled(i); shot != nil {
			shown[step.page] = shot.FrameURL
		}
		step.Masks = masks[shown[step.page]]
	}
}

func (s *Scenario) effectsOf(ctx context.Context, r *domReader, i int) {
	step := s.Steps[i]
	if s.gone(i) || step.Error != "" || !step.Verb.acts() && step.Verb != Goto && step.Verb != Back {
		return
	}
	switch step.Verb {
	case Fill, TypeText, Clear, Hover:
		return
	}
	now := s.settled(i)
	if now == nil {
		return
	}
	was := r.read(ctx, step.before)
	is := r.read(ctx, now)
	if is == nil {
		return
	}
	if step.Verb.navigates() || step.URL != "" || was == nil || step.before.FrameURL != now.FrameURL {
		if step.Verb.acts() && step.URL == "" {
			return
		}
		step.Effects = is.landmarks()
	} else {
		step.Effects = is.since(was)
	}
	next := s.nextOn(i)
	step.Effects = slices.DeleteFunc(step.Effects, func(e Effect) bool {
		if next != nil && next.Verb.types() && e.Text != "" && strings.HasPrefix(next.Text, e.Text) {
			return true // the first letters of what is typed next, which a recorder sees when they are there
		}
		return s.values.sensitive(e.Text+" "+e.Target.Selector) || s.midway && counter.MatchString(e.Text) || s.standsIn(step, e.Text)
	})
}

// standsIn reports whether a text may tell of the content of files that were
// uploaded, for which a program has only others.
func (s *Scenario) standsIn(step *Step, text string) bool {
	for _, f := range append(slices.Clip(step.Files), step.Picks...) {
		if f.Size == 0 {
			return text != f.Name
		}
	}
	return false
}

// landmarks are what tells a page from others: its first headings and the
// texts of elements with test ids.
func (d *dom) landmarks() (list []Effect) {
	for _, n := range d.named {
		if len(list) == maxEffects || n.hidden || d.dropped(n.key) || dynamic(n.text) {
			continue
		}
		if n.kind == "heading" {
			list = append(list, Effect{Target: Element{Selector: n.key}})
		} else if n.rank == 0 && n.text != "" && len([]rune(n.text)) <= longestText && len(list) > 0 {
			list = append(list, Effect{Element{Selector: n.key}, n.text})
		}
	}
	return list
}

func (d *dom) dropped(key string) bool { _, ok := d.byKey[key]; return !ok }

// since are the texts that are there now and were not before: of the innermost
// elements that have a name, else those that stand for themselves.
func (d *dom) since(was *dom) (list []Effect) {
	outer := map[int]bool{}
	for i := len(d.named) - 1; i >= 0; i-- {
		n := d.named[i]
		if outer[i] || n.hidden || d.dropped(n.key) || !was.differs(n) {
			continue
		}
		for _, p := range n.parents {
			outer[p] = true
		}
		if n.text == "" || len([]rune(n.text)) > longestText || dynamic(n.text) || len(list) >= maxEffects {
			continue
		}
		e := Effect{Element{Selector: n.key}, n.text}
		if n.kind == "heading" {
			e.Text = ""
		}
		list = append(list, e)
	}
	slices.Reverse(list)
	if len(list) == 0 {
		return d.newTexts(was)
	}
	return list
}

// differs reports whether the element was not there, or had another text.
func (d *dom) differs(n named) bool {
	i, ok := d.byKey[n.key]
	return !ok || d.named[i].text != n.text
}

func (d *dom) newTexts(was *dom) (list []Effect) {
	var texts []string
	for text, n := range d.leaves {
		if n == 1 && was.leaves[text] == 0 && len([]rune(text)) > 1 && len([]rune(text)) <= longestText && !dynamic(text) {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	for _, text := range texts[:min(len(texts), 2)] {
		list = append(list, Effect{Target: Element{Selector: textSelector(text)}})
	}
	return list
}

// masksOf finds what changes on a page by itself: between the end of a step
// and the beginning of the next, nobody did anything.
func (s *Scenario) masksOf(ctx context.Context, r *domReader, i int, masks map[string][]Element) {
	step, next := s.Steps[i], s.nextOn(i)
	if next == nil || step.after == nil || next.before == nil || step.after.FrameURL != next.before.FrameURL || next.time[0] < step.time[1] {
		return
	}
	a, b := r.read(ctx, step.after), r.read(ctx, next.before)
	if a == nil || b == nil {
		return
	}
	url := next.before.FrameURL
	masks[url] = merged(append(masks[url], a.changing(b)...))
}

// changing are the innermost elements whose text is another one and looks as
// if it were another one each time.
func (d *dom) changing(b *dom) (list []Element) {
	outer := map[int]bool{}
	for i := len(b.named) - 1; i >= 0; i-- {
		n := b.named[i]
		j, ok := d.byKey[n.key]
		if outer[i] || b.dropped(n.key) || !ok || d.named[j].text == n.text {
			continue
		}
		for _, p := range n.parents {
			outer[p] = true
		}
		if dynamic(n.text) || dynamic(d.named[j].text) || counter.MatchString(n.text) {
			list = append(list, Element{Selector: n.key})
		}
	}
	slices.Reverse(list)
	return list
}

// merged drops repetitions, and what is too much.
func merged(list []Element) (out []Element) {
	for _, e := range list {
		if !slices.Contains(out, e) && len(out) < maxMasks {
			out = append(out, e)
		}
	}
	return out
}

// dynamic reports whether a text looks like a time, a counter, an id or a
// random token.
func dynamic(text string) bool {
	return dynamicText.MatchString(text) || dynamicWords.MatchString(strings.ToLower(text))
}

var (
	dynamicText  = lazyregexp.New(`\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b(19|20)\d{2}\b|\b[0-9a-fA-F]{8,}\b|[0-9a-f]{4}-[0-9a-f]{4}-|\d{5,}|\b\w*\d\w*[A-Za-z]\w*\d\w*\b|0\.\d{4,}|^\s*\d+(\.\d+)?\s*(ms|s)\s*$`)
	counter      = lazyregexp.New(`^\D{0,20}\d+(\.\d+)?\s*%?\D{0,20}$`)
	dynamicWords = lazyregexp.New(`\b(seconds?|minutes?|hours?|days?|weeks?) ago\b|\bjust now\b|\btoday\b|\byesterday\b|\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b`)
)
