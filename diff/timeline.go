package diff

import (
	"sort"

	"github.com/tracedeck/tracedeck/trace"
)

// timeline says during which step of one trace something happened, and on
// which page.
type timeline struct {
	starts   []trace.Time
	pairs    []int // numbers in the alignment
	places   []visit
	byAction map[*trace.Action]int
	seen     map[string]bool // paths of pages that were visited
}

// visit is a page that a tab went to.
type visit struct {
	at   trace.Time
	page string
	path string
}

func (m *Masks) timeline(t *trace.Trace, al *Alignment, side int) *timeline {
	l := &timeline{seen: map[string]bool{}, byAction: map[*trace.Action]int{}}
	for n, p := range al.Pairs {
		s := p.A
		if side == 1 {
			s = p.B
		}
		if s != nil {
			l.byAction[s.action] = n
		}
		if s != nil && s.action.Kind == trace.KindCall {
			l.starts, l.pairs = append(l.starts, s.Start), append(l.pairs, n)
		}
	}
	sort.Sort((*byStart)(l))
	for _, r := range t.Network {
		if r.ResourceType == "document" {
			l.visit(r.Start, r.PageRef, m.pathOf(r.Request.URL))
		}
	}
	for _, s := range t.Snapshots {
		if s.IsMainFrame && s.FrameURL != "" {
			l.visit(s.Time, s.PageID, m.pathOf(s.FrameURL))
		}
	}
	sort.SliceStable(l.places, func(i, j int) bool { return l.places[i].at < l.places[j].at })
	return l
}

func (l *timeline) visit(at trace.Time, page, path string) {
	l.places = append(l.places, visit{at, trace.PageKey(page), path})
	l.seen[path] = true
}

// byStart orders the steps by their start.
type byStart timeline

func (l *byStart) Len() int           { return len(l.starts) }
func (l *byStart) Less(i, j int) bool { return l.starts[i] < l.starts[j] }
func (l *byStart) Swap(i, j int) {
	l.starts[i], l.starts[j] = l.starts[j], l.starts[i]
	l.pairs[i], l.pairs[j] = l.pairs[j], l.pairs[i]
}

// pairAt returns the pair whose step began last before a moment, or -1.
func (l *timeline) pairAt(t trace.Time) int {
	i := sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > t }) - 1
	if i < 0 {
		return -1
	}
	return l.pairs[i]
}

// pathAt returns the path of the page that a tab showed, or that any showed
// where the tab is not known; "" where none did.
func (l *timeline) pathAt(t trace.Time, page string) string {
	page = trace.PageKey(page)
	i := sort.Search(len(l.places), func(i int) bool { return l.places[i].at > t })
	for i--; i >= 0; i-- {
		if page == "" || l.places[i].page == page {
			return l.places[i].path
		}
	}
	return ""
}

// done reports whether the other trace did what led to something: the same
// step, or a visit of the same page.
func (c *Comparer) done(side, pair int, path string) bool {
	if pair >= 0 && c.align.Pairs[pair].Both() {
		return true
	}
	if path == "" {
		return pair < 0
	}
	return c.lines[1-side].seen[path]
}

// at fills in the pair of a change.
func (c *Comparer) at(pair int, ch Change) Change {
	if pair < 0 {
		return ch
	}
	ch.Pair = &pair
	if p := &c.align.Pairs[pair]; p.A != nil {
		ch.CallA = p.A.CallID
	}
	if p := &c.align.Pairs[pair]; p.B != nil {
		ch.CallB = p.B.CallID
	}
	return ch
}

// joint returns the pair to which something belongs that both traces have: the
// first of the two that is in both, whichever way round they are compared.
func (c *Comparer) joint(p, q int) int {
	inP, inQ := p >= 0 && c.align.Pairs[p].Both(), q >= 0 && c.align.Pairs[q].Both()
	switch {
	case inP && inQ:
		return min(p, q)
	case inP:
		return p
	case inQ:
		return q
	}
	return -1
}
