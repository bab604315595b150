package index

import (
	"net/url"
	"strings"
	"time"
)

// filters are the filters of a query with their values understood.
type filters []filter

type filter struct {
	Filter
	values []filterValue
}

type filterValue struct {
	text   string // in lower case
	lo, hi int
	time   time.Duration
	size   int64
}

// compile understands values that ParseQuery has checked.
func compile(list []Filter) filters {
	var all filters
	for _, f := range list {
		ready := filter{Filter: f}
		for _, v := range f.Values {
			fv := filterValue{text: strings.ToLower(v)}
			fv.lo, fv.hi, _ = statusRange(v)
			fv.time, _ = duration(v)
			fv.size, _ = size(v)
			ready.values = append(ready.values, fv)
		}
		all = append(all, ready)
	}
	return all
}

// holdsKind reports whether one of the values names the kind.
func (f *filter) holdsKind(kind string) bool {
	return f.any(func(v filterValue) bool {
		return v.text == kind || v.text == "network" && kind == "request" || v.text == "snapshot" && kind == "dom"
	})
}

func (f *filter) any(holds func(filterValue) bool) bool {
	for _, v := range f.values {
		if holds(v) {
			return true
		}
	}
	return false
}

// all reports whether every filter holds; those it does not know it leaves to
// others.
func (fs filters) all(holds func(f *filter, v filterValue) (yes, known bool)) bool {
	for i := range fs {
		f := &fs[i]
		known := false
		yes := f.any(func(v filterValue) bool {
			y, k := holds(f, v)
			known = known || k
			return y
		})
		if known && yes == f.Not {
			return false
		}
	}
	return true
}

// moment checks the filters of time.
func (fs filters) moment(at time.Duration) bool {
	return fs.all(func(f *filter, v filterValue) (bool, bool) {
		switch f.Name {
		case "after":
			return at != NoTime && at >= v.time, true
		case "before":
			return at != NoTime && at < v.time, true
		}
		return false, false
	})
}

func (fs filters) action(x *Index, r Row) bool {
	if len(fs) == 0 {
		return true
	}
	c := x.cursor(Actions, r)
	start, end, flags := c.time(ActionStart), c.time(ActionEnd), ActionFlags(c.word(ActionFlagBits))
	if end == NoTime {
		end = x.Clock().End
	}
	return fs.moment(start) && fs.all(func(f *filter, v filterValue) (bool, bool) {
		switch f.Name {
		case "slower-than":
			return end-start > v.time, true
		case "faster-than":
			return end-start < v.time, true
		case "method":
			return strings.EqualFold(c.text(ActionMethod), v.text), true
		case "class":
			return strings.EqualFold(c.text(ActionClass), v.text), true
		case "is":
			want := map[string]ActionFlags{"failed": Failed, "hidden": Hidden, "unfinished": Unfinished, "pending": Unfinished}[v.text]
			return flags&want != 0, true
		}
		return false, false
	})
}

func (fs filters) request(x *Index, r Row) bool {
	if len(fs) == 0 {
		return true
	}
	c := x.cursor(Network, r)
	start, end, flags := c.time(RequestStart), c.time(RequestEnd), RequestFlags(c.word(RequestFlagBits))
	return fs.moment(start) && fs.all(func(f *filter, v filterValue) (bool, bool) {
		switch f.Name {
		case "status":
			status := int(c.word(RequestStatus))
			return status >= v.lo && status <= v.hi, true
		case "method":
			return strings.EqualFold(c.text(RequestMethod), v.text), true
		case "url":
			return strings.Contains(strings.ToLower(c.text(RequestURL)), v.text), true
		case "domain":
			return inDomain(c.text(RequestURL), v.text), true
		case "mime":
			return strings.Contains(strings.ToLower(c.text(RequestMIME)), v.text), true
		case "type":
			return strings.EqualFold(c.text(RequestType), v.text), true
		case "slower-than":
			return end != NoTime && end-start > v.time, true
		case "faster-than":
			return end != NoTime && end-start < v.time, true
		case "larger-than":
			return c.long(RequestSize) > v.size, true
		case "is":
			want := map[string]RequestFlags{"failed": RequestFailed, "pending": RequestPending, "aborted": RequestAborted,
				"fulfilled": RequestFulfilled, "websocket": RequestWebSocket, "api": RequestAPI}[v.text]
			failed := v.text == "failed" && c.word(RequestStatus) >= 400
			return flags&want != 0 || failed, true
		}
		return false, false
	})
}

// inDomain reports whether an address is of a host or of one below it.
func inDomain(address, domain string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	domain = strings.TrimPrefix(domain, "*.")
	return host == domain || strings.HasSuffix(host, "."+domain)
}

func (fs filters) message(x *Index, r Row) bool {
	if len(fs) == 0 {
		return true
	}
	c := x.cursor(Console, r)
	return fs.all(func(f *filter, v filterValue) (bool, bool) {
		switch f.Name {
		case "level":
			level := c.text(ConsoleLevel)
			return strings.EqualFold(level, v.text) || v.text == "warn" && level == "warning", true
		case "url":
			return strings.Contains(strings.ToLower(c.text(ConsoleURL)), v.text), true
		}
		return false, false
	})
}
