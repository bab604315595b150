package index

import (
	"encoding/base64"
	"strconv"

	"github.com/tracedeck/tracedeck/trace"
)

// text returns what the JSON string v says, and nil if v is no string.
func text(v []byte) []byte {
	var r record
	return r.text(v)
}

// moment reads a time in milliseconds; ok is false if v is no number.
func moment(v []byte) (t trace.Time, ok bool) {
	if len(v) == 0 || v[0] == '"' || v[0] == '{' || v[0] == '[' {
		return trace.NoTime, false
	}
	if err := t.UnmarshalJSON(v); err != nil {
		return trace.NoTime, false
	}
	return t, true
}

// whole reads a number and cuts its fraction.
func whole(v []byte) int64 {
	n, digits := int64(0), 0
	neg := len(v) > 0 && v[0] == '-'
	rest := v
	if neg {
		rest = v[1:]
	}
	for digits < len(rest) && digits < 18 && rest[digits] >= '0' && rest[digits] <= '9' {
		n = n*10 + int64(rest[digits]-'0')
		digits++
	}
	if digits == 0 || digits < len(rest) && rest[digits] != '.' {
		return int64(real(v))
	}
	if neg {
		return -n
	}
	return n
}

func real(v []byte) float64 {
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return 0
	}
	return f
}

func isTrue(v []byte) bool { return string(v) == "true" }

// element returns the member of the object v, and nil if there is none.
func element(v []byte, name string) []byte {
	w := walker{b: v}
	w.enter()
	for key, ok := w.next(); ok; key, ok = w.next() {
		got := w.value()
		if string(key) == name {
			return got
		}
	}
	return nil
}

// decoded returns the bytes that base64 text stands for, and the text itself
// where it is none.
func decoded(v []byte) []byte {
	out := make([]byte, base64.StdEncoding.DecodedLen(len(v)))
	n, err := base64.StdEncoding.Decode(out, v)
	if err != nil {
		return v
	}
	return out[:n]
}
