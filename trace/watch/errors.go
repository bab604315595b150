package watch

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

func (d *Detector) console(c *trace.Console) {
	defer d.secretIn(c.Text, "the console", c.Location.URL)
	if c.Kind != "error" && c.Kind != "assert" {
		d.effectOn(c.PageID)
		return
	}
	if strings.HasPrefix(c.Text, "Failed to load resource") {
		return // the request itself tells more
	}
	d.tell(Finding{Category: Errors, Severity: Error, Rule: "console-error", Message: "New error: " + firstLine(c.Text), URL: c.Location.URL}, kind(c.Text))
	d.effectOn(c.PageID)
}

// effectOn marks the clicks of a page as having had an effect.
func (d *Detector) effectOn(page string) {
	for _, c := range d.open.values {
		if page == "" || c.page == "" || c.page == page {
			c.effect = true
		}
	}
}

func (d *Detector) event(e *trace.ContextEvent) {
	if c, f := trace.ConsoleOf(e); c != nil {
		d.console(c)
		return
	} else if f != nil {
		d.pageError(f.Name, f.Message, f.Location.URL, "")
		return
	}
	switch {
	case e.Method == "pageError":
		d.pageErrorEvent(e)
	case e.Class == "Performance" && e.Method == "longtask":
		d.longTask(e)
	case e.Class == "Performance" && e.Method == "vitals":
		d.vitals(e)
	case e.Class == "Input" && e.Method == "submit":
		d.submitted(e)
	case e.Method == "navigated", e.Method == "dialog", e.Method == "download", e.Method == "page":
		d.effectOn(e.PageID)
		d.submits.drop(e.PageID)
	case e.Method == "crash", e.Method == "pageCrash":
		d.tell(Finding{Category: Errors, Severity: Critical, Rule: "page-crashed", Message: "The page crashed"}, "")
	}
}

func (d *Detector) pageErrorEvent(e *trace.ContextEvent) {
	var p struct {
		Kind  string
		Error struct {
			Value json.RawMessage
			Error *trace.Error
		}
		Location struct{ URL string }
	}
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	name, message := "", string(p.Error.Value)
	if p.Error.Error != nil {
		name, message = p.Error.Error.Name, p.Error.Error.Message
	}
	d.pageError(name, message, p.Location.URL, p.Kind)
	d.effectOn(e.PageID)
}

func (d *Detector) pageError(name, message, url, how string) {
	if name != "" && !strings.HasPrefix(message, name) {
		message = name + ": " + message
	}
	f := Finding{Category: Errors, Severity: Error, Rule: "uncaught-error", Message: "Uncaught error: " + firstLine(message), URL: url}
	if how == "unhandledRejection" || strings.Contains(message, "(in promise)") {
		f.Rule, f.Message = "unhandled-rejection", "Unhandled rejection: "+firstLine(message)
	}
	d.tell(f, kind(message))
}

// request judges an answer: by its status, and by what the endpoint answered before.
func (d *Detector) request(r *trace.ResourceSnapshot) {
	e := &r.Entry
	if e.HasMonotonicTime && e.Time > 0 {
		d.advance(trace.Milliseconds(e.MonotonicTime + e.Time))
	}
	d.answered(e)
	d.secretIn(e.Request.URL, e.Request.Method+" "+shown(e), e.Request.URL)
	d.keysIn(e)
	if e.Pending() || e.WasAborted {
		return
	}
	endpoint := e.Request.Method + " " + template.URL(e.Request.URL)
	f := Finding{Category: Network, Severity: Error, URL: e.Request.URL, Method: e.Request.Method, Status: e.Response.Status}
	previous, was := d.good.get(endpoint)
	switch s := e.Response.Status; {
	case e.Failed():
		if strings.Contains(e.Response.FailureText, "ABORTED") {
			return
		}
		f.Rule, f.Status, f.Severity = "no-answer", 0, Warning
		f.Message = fmt.Sprintf("No answer: %s %s (%s)", e.Request.Method, shown(e), strings.TrimPrefix(e.Response.FailureText, "net::"))
	case s >= 500:
		f.Rule, f.Message = "server-error", fmt.Sprintf("Server error: %s %s → %d", e.Request.Method, shown(e), s)
	case s >= 400 && was:
		f.Rule, f.Previous, f.Severity = "access-lost", previous, Warning
		f.Message = fmt.Sprintf("Auth/access issue: %s %s → %d (was %d)", e.Request.Method, shown(e), s, previous)
	default:
		if s >= 200 && s < 300 {
			d.well(endpoint, s)
		}
		return
	}
	f.Preview = d.preview(e)
	// after it was well again it is news again
	d.tell(f, fmt.Sprintf("%s %d since %d", endpoint, f.Status, d.failing(endpoint)))
}

// failing counts how often the endpoint had been well again when it failed.
func (d *Detector) failing(endpoint string) int {
	d.bad.put(endpoint, true)
	n, _ := d.rounds.get(endpoint)
	return n
}

// well notes a good answer.
func (d *Detector) well(endpoint string, status int) {
	d.good.put(endpoint, status)
	if _, ok := d.bad.get(endpoint); ok {
		d.bad.drop(endpoint)
		n, _ := d.rounds.get(endpoint)
		d.rounds.put(endpoint, n+1)
	}
}

func (d *Detector) preview(e *har.Entry) string {
	text := e.Response.Content.Text
	if text == "" && e.Response.Content.File != "" && d.Body != nil {
		text = d.Body(e.Response.Content.File)
	}
	if e.Response.Content.Encoding == "base64" && e.Response.Content.File == "" {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// shown is the request's address without what a message can do without.
func shown(e *har.Entry) string {
	u := e.Request.URL
	if _, rest, ok := strings.Cut(u, "://"); ok {
		u = rest
	}
	if path, _, ok := strings.Cut(u, "?"); ok {
		return path
	}
	return u
}

// answered holds for requests of the page's own, which answer a form or a click.
func (d *Detector) answered(e *har.Entry) {
	if slices.Contains([]string{"image", "font", "stylesheet", "media"}, e.ResourceType) {
		return
	}
	started := trace.NoTime
	if e.HasMonotonicTime {
		started = trace.Milliseconds(e.MonotonicTime)
	}
	for _, c := range d.open.values {
		if !started.Known() || started >= c.at {
			c.effect = true
		}
	}
	for _, page := range slices.Clone(d.submits.order) {
		if s := d.submits.values[page]; !started.Known() || started >= s.at.Add(-clickWait) {
			d.submits.drop(page)
		}
	}
}
