package index

import (
	"math"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
)

// time puts a time of the file on the index's clock.
func (j *joiner) time(e *entry, t trace.Time) int64 {
	if t == trace.NoTime {
		return int64(NoTime)
	}
	at := shifted(t, e.ctx.shift)
	e.ctx.last = at
	j.end = max(j.end, at)
	return at
}

// latest bounds all times, about 73 years either way: the difference of two
// fits into 64 bits whatever a file claims.
const latest = 1 << 61

// plus adds two times; a sum that does not fit is cut to the largest that does.
func plus(t, by trace.Time) trace.Time {
	switch sum := t + by; {
	case by > 0 && sum < t:
		return math.MaxInt64
	case by < 0 && sum > t:
		return math.MinInt64
	default:
		return sum
	}
}

// shifted adds two times and keeps the sum within bounds.
func shifted(t, by trace.Time) int64 {
	return int64(min(max(plus(t, by), -latest), latest))
}

// text keeps a string that rows show, cut to MaxText.
func (j *joiner) text(b []byte) StringID {
	return j.x.strings.add(cut(b, MaxText))
}

// message is text for strings that are compared by their numbers.
func (j *joiner) message(b []byte) StringID {
	return j.x.strings.intern(cut(b, MaxText))
}

// maxName is how long ids and names may be; a longer one is cut.
const maxName = 4096

func (j *joiner) name(b []byte) StringID {
	return j.x.strings.intern(cut(b, maxName))
}

// cut shortens b without breaking a character, and mends broken ones. It
// mends first: what is left of a long text is then the same whether its
// broken bytes were replaced by a reader already or not.
func cut(b []byte, limit int) []byte {
	if beyond := limit + utf8.UTFMax; len(b) > beyond {
		b = b[:beyond]
	}
	if !utf8.Valid(b) {
		b = []byte(string([]rune(string(b))))
	}
	if len(b) <= limit {
		return b
	}
	for limit > 0 && !utf8.RuneStart(b[limit]) {
		limit--
	}
	return b[:limit]
}
