package userflow

import (
	"encoding/json"

	"github.com/tracedeck/tracedeck/trace"
)

// tabs knows which address each page of a recording showed at a time. Flows
// mean the first page by "main", and the others by their address.
type tabs struct {
	main   string
	showed map[string][]shown // by page, in order
}

// shown is an address from a time on.
type shown struct {
	since trace.Time
	url   string
}

func tabsOf(t *trace.Trace) *tabs {
	l := &tabs{showed: map[string][]shown{}}
	for _, e := range t.Events {
		var p struct {
			URL  string `json:"url"`
			Main bool   `json:"isMainFrame"`
		}
		if e.Method != "page" && e.Method != "navigated" || json.Unmarshal(e.Params, &p) != nil || e.Method == "navigated" && !p.Main {
			continue
		}
		l.showed[e.PageID] = append(l.showed[e.PageID], shown{e.Time, p.URL})
	}
	for _, a := range t.Actions {
		if a.Kind == trace.KindCall && a.PageID != "" {
			l.main = a.PageID
			break
		}
	}
	return l
}

// target is what a flow calls the page of an action.
func (l *tabs) target(a *trace.Action) string {
	if a.PageID == "" || a.PageID == l.main {
		return "main"
	}
	target := ""
	for _, s := range l.showed[a.PageID] {
		if s.since <= a.Start || target == "" {
			target = s.url
		}
	}
	if target == "" {
		return "main"
	}
	return target
}
