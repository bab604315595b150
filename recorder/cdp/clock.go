package cdp

import (
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// browserClock brings times of one of the browser's clocks to the recording's.
// The two run equally fast, so the difference is what the quickest message so
// far showed: the others were only under way for longer. It serves browsers on
// other machines, whose calendars may be wrong.
type browserClock struct {
	foreign bool // it shows a time that somebody made up: moments are when they are told
	// ours is the difference if the browser is on this machine and keeps to its
	// calendar; 0 if it need not be.
	ours  time.Duration
	known bool
	least time.Duration // recording's time of arrival minus the browser's time
}

// at returns the recording's time of a moment that the browser's clock calls
// seconds, in a message that arrived at the recording's time arrived. It is
// never later than that.
func (c *browserClock) at(seconds float64, arrived trace.Time) trace.Time {
	if seconds <= 0 || c.foreign {
		return arrived
	}
	theirs := time.Duration(seconds * float64(time.Second))
	if late := time.Duration(arrived) - theirs - c.ours; !c.known && c.ours != 0 && late >= 0 && late < longestLocal {
		c.known, c.least = true, c.ours
	}
	if d := time.Duration(arrived) - theirs; !c.known || d < c.least {
		c.known, c.least = true, d
	}
	return trace.Time(theirs + c.least)
}

// past is at for a moment that may be long before the message was sent.
func (c *browserClock) past(seconds float64, arrived trace.Time) trace.Time {
	if !c.known {
		return c.at(seconds, arrived)
	}
	return min(trace.Time(time.Duration(seconds*float64(time.Second))+c.least), arrived)
}

// page is at for what a page says of the time at which it sent a message. A
// page keeps to the calendar that there was when it was opened: where it says
// what cannot be, the time of arrival is taken.
func (c *browserClock) page(seconds float64, arrived trace.Time) trace.Time {
	if c.known && !c.foreign && seconds > 0 {
		if late := time.Duration(arrived) - time.Duration(seconds*float64(time.Second)) - c.least; late < -wrong || late > longestLate {
			return arrived
		}
	}
	return c.at(seconds, arrived)
}

const (
	// longestLocal is how late the first message of a browser on this machine may
	// be: a busy machine takes long to start pages.
	longestLocal = 3 * time.Second

	wrong       = 50 * time.Millisecond // how much earlier than the quickest message one cannot come
	longestLate = 10 * time.Second
)
