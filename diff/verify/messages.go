package verify

import (
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// resourceFailure is how Chromium's console tells of a request that failed. The
// request itself tells more, where it was recorded.
const resourceFailure = "Failed to load resource"

func (c *capturer) console() {
	network := len(c.t.Network) > 0
	for _, m := range c.t.Console {
		level, into := m.Kind, c.issues
		switch {
		case level == "warning" || level == "warn":
			into = c.warns
		case level != "error" && level != "assert":
			continue
		case network && strings.HasPrefix(m.Text, resourceFailure):
			continue
		}
		if !c.passes(m.Location.URL, c.pageAt(m.Time, m.PageID)) {
			continue
		}
		script := ""
		if m.Location.URL != "" {
			script = c.stable(c.masks.Path(m.Location.URL))
		}
		c.add(into, m.Time, m.PageID, Issue{Key: key("console", c.normal(m.Text), script), Category: Console, Message: c.clean(firstLine(m.Text)), Source: script})
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// failures takes errors of pages, actions that failed, and errors of the test
// that no action tells of.
func (c *capturer) failures() {
	for _, f := range c.t.Errors {
		if f.Action != nil && (f.Kind == trace.FailedTest || inside(f.Action)) {
			continue
		}
		text := f.Message
		if f.Name != "" && !strings.HasPrefix(text, f.Name) {
			text = f.Name + ": " + text
		}
		page := f.PageID
		if page == "" && f.Action != nil {
			page = f.Action.PageID
		}
		if !c.passes(f.Location.URL, c.pageAt(f.Time, page)) {
			continue
		}
		where := c.stable(c.masks.TopFrame(f.Stack))
		i := Issue{Category: Category(f.Kind), Message: c.clean(firstLine(text)), Source: where}
		switch {
		case f.Action != nil:
			i.Category, i.Step = Action, c.stepKey(f.Action)
			where, i.Source = i.Step, c.clean(f.Action.Title().String())
		case f.Kind == trace.FailedTest:
			where, i.Source, i.Category = "", "", Test
		default:
			i.Category = Page
		}
		i.Key = key(string(i.Category), c.normal(text), where)
		c.add(c.issues, f.Time, page, i)
	}
}

// inside reports whether something inside the action failed too.
func inside(a *trace.Action) bool {
	return slices.ContainsFunc(a.Children, func(child *trace.Action) bool { return child.Error != nil || inside(child) })
}
