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
	known   bool
	least   time.Duration // recording's time of arrival minus the browser's time
}

// at returns the recording's time of a moment that the browser's clock calls
// seconds, in a message that arrived at the recording's time arrived. It is
// never later than that.
func (c *browserClock) at(seconds float64, arrived trace.Time) trace.Time {
	if seconds <= 0 || c.foreign {
		return arrived
	}
	theirs := time.Duration(seconds * float64(time.Second))
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
