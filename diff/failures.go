package diff

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// errors compares what failed: actions, the test, and scripts of pages.
func (c *Comparer) errors() Section {
	var sides [2][]occurrence
	var failed [2]bool
	for side := range sides {
		sides[side] = c.failures(side)
		for _, o := range sides[side] {
			failed[side] = failed[side] || o.what != "page error"
		}
	}
	for side := range sides {
		for i := range sides[side] {
			// A session that failed and one that did not can be told apart
			// whatever was done in them.
			sides[side][i].always = failed[0] != failed[1] && sides[side][i].what != "page error"
		}
	}
	return section(Errors, c.compareKinds(InMessage, sides))
}

func (c *Comparer) failures(side int) []occurrence {
	var list []occurrence
	for _, f := range c.sides[side].Trace.Errors {
		if f.Kind == trace.FailedTest && f.Action != nil || f.Action != nil && inside(f.Action) {
			continue // told with the action that failed
		}
		text := strings.TrimSpace(sgr.ReplaceAllString(f.Message, ""))
		if f.Name != "" && !strings.HasPrefix(text, f.Name) {
			text = f.Name + ": " + text
		}
		o := occurrence{what: string(f.Kind) + " error", text: withoutLog(text), at: f.Time, bad: true, pair: c.lines[side].pairAt(f.Time)}
		where := topFrame(c.masks, f.Stack)
		if f.Action != nil {
			if n, ok := c.lines[side].byAction[f.Action]; ok {
				o.pair = n
			}
			where = c.stepKey(o.pair)
		} else if f.Kind == trace.FailedTest {
			where = ""
		}
		page := f.PageID
		if page == "" && f.Action != nil {
			page = f.Action.PageID
		}
		o.path = c.lines[side].pathAt(f.Time, page)
		o.kind = o.what + "\x00" + c.masks.Text(InMessage, o.text) + "\x00" + where
		list = append(list, o)
	}
	return list
}

// sgr are colours of a terminal.
var sgr = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)

// inside reports whether something inside the action failed too, of which its
// own failure only tells again.
func inside(a *trace.Action) bool {
	for _, child := range a.Children {
		if child.Error != nil || inside(child) {
			return true
		}
	}
	return false
}

// withoutLog leaves out the log of the call that Playwright adds to a message.
func withoutLog(text string) string {
	if i := strings.Index(text, "\nCall log:"); i > 0 {
		return strings.TrimSpace(text[:i])
	}
	return text
}

// stepKey is the same for both steps of a pair, also where they differ.
func (c *Comparer) stepKey(pair int) string {
	if pair < 0 {
		return ""
	}
	p := &c.align.Pairs[pair]
	if p.A != nil {
		return p.A.key
	}
	return p.B.key
}

// frame of a stack: "at pay (http://x/app.js:3:5)", "pay@http://x/app.js:3:5".
var stackFrame = lazyregexp.New(`^\s*(?:at )?(?:async )?([\w$.<> \[\]]*?)\s*[@(]?((?:https?|file|webpack)[^\s()]*?)(?::\d+){0,2}\)?$`)

// topFrame is the function and the script at the top of a stack, without the
// place in it.
func topFrame(m *Masks, stack string) string {
	for _, line := range strings.Split(stack, "\n") {
		if f := stackFrame.FindStringSubmatch(line); f != nil {
			return strings.TrimSpace(f[1]) + " " + m.pathOf(f[2])
		}
	}
	return ""
}
