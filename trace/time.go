package trace

import (
	"math"
	"strconv"
	"time"
)

// Time is a moment on the recording machine's monotonic clock, in
// nanoseconds. Only differences between times of one context mean anything;
// [Context] ties that clock to the calendar. In a trace file it is written in
// milliseconds.
type Time int64

// NoTime is the time of something whose moment was not recorded (-1 ms in
// the files).
const NoTime Time = -1e6

// Milliseconds returns a Time that is ms milliseconds after the clock's zero.
// A value that does not fit (about 292 years) is cut to the largest that does;
// NaN becomes [NoTime].
func Milliseconds(ms float64) Time {
	switch {
	case ms != ms:
		return NoTime
	case ms >= math.MaxInt64/1e6:
		return math.MaxInt64
	case ms <= math.MinInt64/1e6:
		return math.MinInt64
	}
	whole := math.Trunc(ms)
	return Time(whole)*1e6 + Time(math.Round((ms-whole)*1e6))
}

// Milliseconds returns t in milliseconds since the clock's zero.
func (t Time) Milliseconds() float64 { return float64(t) / 1e6 }

// Sub returns how long after u the moment t is.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// Add returns the moment d after t.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Known reports whether the moment was recorded.
func (t Time) Known() bool { return t != NoTime }

// IsZero reports whether t is the clock's zero.
func (t Time) IsZero() bool { return t == 0 }

// MarshalJSON writes t in milliseconds with at most six decimals.
func (t Time) MarshalJSON() ([]byte, error) { return t.appendJSON(nil), nil }

func (t Time) appendJSON(b []byte) []byte {
	whole, part := int64(t)/1e6, int64(t)%1e6
	if part == 0 {
		return strconv.AppendInt(b, whole, 10)
	}
	if t < 0 {
		b = append(b, '-')
		whole, part = -whole, -part
	}
	b = strconv.AppendInt(b, whole, 10)
	b = append(b, '.')
	for unit := int64(1e5); part > 0; unit /= 10 {
		b = append(b, byte('0'+part/unit))
		part %= unit
	}
	return b
}

// UnmarshalJSON reads a number of milliseconds.
func (t *Time) UnmarshalJSON(b []byte) error {
	v, err := parseTime(b)
	if err == nil {
		*t = v
	}
	return err
}

// parseTime keeps decimal digits as written, up to nanoseconds: going through
// a float would move epoch times by some hundred nanoseconds.
func parseTime(b []byte) (Time, error) {
	i, neg := 0, false
	if len(b) > 0 && b[0] == '-' {
		neg, i = true, 1
	}
	var whole, part int64
	start := i
	for ; i < len(b) && b[i] >= '0' && b[i] <= '9' && i-start < 13; i++ {
		whole = whole*10 + int64(b[i]-'0')
	}
	if i == start {
		return parseFloatTime(b)
	}
	if i < len(b) && b[i] == '.' {
		unit := int64(1e5)
		for i++; i < len(b) && b[i] >= '0' && b[i] <= '9'; i++ {
			if unit > 0 {
				part += int64(b[i]-'0') * unit
			} else if b[i] >= '5' && i > 0 {
				return parseFloatTime(b)
			}
			unit /= 10
		}
	}
	if i != len(b) {
		return parseFloatTime(b)
	}
	t := Time(whole*1e6 + part)
	if neg {
		t = -t
	}
	return t, nil
}

func parseFloatTime(b []byte) (Time, error) {
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return NoTime, err
	}
	return Milliseconds(f), nil
}
