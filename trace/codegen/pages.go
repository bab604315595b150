package codegen

import (
	"strconv"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// pages gives the pages of a trace the variables by which a program names them.
type pages struct {
	names  map[string]string // by key
	opener map[string]string // variable of the page that opened it
	last   string            // key of the page acted on last
	popups int
	own    int
	opened map[string]trace.Time
	openID map[string]string
	closed map[string]trace.Time
	order  []string // keys
}

func newPages(t *trace.Trace) *pages {
	p := &pages{names: map[string]string{}, opener: map[string]string{}, opened: map[string]trace.Time{}, openID: map[string]string{}, closed: map[string]trace.Time{}}
	for _, page := range t.Pages {
		key := trace.PageKey(page.ID)
		if _, ok := p.opened[key]; ok {
			continue
		}
		p.opened[key], p.openID[key] = page.Opened, trace.PageKey(page.OpenerID)
		p.order = append(p.order, key)
	}
	for _, e := range t.Events {
		if e.Method == "pageClosed" {
			p.closed[trace.PageKey(orDefault(e.PageID, paramsOf(e.Params).text("pageId")))] = e.Time
		}
	}
	return p
}

// openedBy reports how well the time at which a step began goes with the time at
// which it would have opened a page; less is better. Recorders see the page a
// little before the step that they tell of, too.
func (p *pages) openedBy(step *Step, key string) (d time.Duration, ok bool) {
	if d = p.opened[key].Sub(step.time[0]); d < 0 {
		return -2 * d, -d <= 250*time.Millisecond
	}
	return d, true
}

// key returns the key of the page that an action is on.
func (p *pages) key(id string) string {
	if id != "" {
		p.last = trace.PageKey(id)
	} else if p.last == "" && len(p.order) > 0 {
		p.last = p.order[0]
	}
	return p.last
}

// name returns the variable of a page; isNew is true when it is named for the
// first time.
func (p *pages) name(key string) (name string, isNew bool) {
	if n, ok := p.names[key]; ok {
		return n, false
	}
	switch {
	case len(p.names) == 0:
		name = "page"
	case p.openID[key] != "" && p.names[p.openID[key]] != "":
		p.popups++
		name = numbered("popup", p.popups)
	default:
		p.own++
		name = numbered("page", p.own+1)
	}
	p.names[key] = name
	return name, true
}

func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return name + strconv.Itoa(n)
}
