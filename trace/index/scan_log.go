package index

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Log lines are the most numerous by far, and recorders write them in one
// way. scanLog reads that one way and nothing else; a line that is written
// otherwise goes the general way.

var (
	logCall    = []byte(`{"type":"log","callId":"`)
	logTime    = []byte(`,"time":`)
	logMessage = []byte(`,"message":"`)
)

// scanLog reads a line of a log into the fields of r that [joiner.log] looks
// at, or reports that the line is not as it expects.
func scanLog(line []byte, r *record) bool {
	if !bytes.HasPrefix(line, logCall) || line[len(line)-1] != '}' || line[len(line)-2] != '"' {
		return false
	}
	rest := line[len(logCall):]
	end := special(rest)
	if end >= len(rest) || rest[end] != '"' {
		return false
	}
	call, rest := rest[:end], rest[end+1:]
	if !bytes.HasPrefix(rest, logTime) {
		return false
	}
	rest = rest[len(logTime):]
	end = 0
	for end < len(rest) && scalar[rest[end]] {
		end++
	}
	at, ok := moment(rest[:end])
	if rest = rest[end:]; !ok || !bytes.HasPrefix(rest, logMessage) || len(rest) < len(logMessage)+2 {
		return false
	}
	message := rest[len(logMessage) : len(rest)-2]
	r.scratch = r.scratch[:0]
	if message, ok = r.plain(message); !ok {
		return false
	}
	r.kind, r.callID, r.time, r.message = recordLog, call, at, message
	return true
}

// plain returns what the inside of a string says; it is not ok where that
// holds a quote, or escapes that are rare.
func (r *record) plain(b []byte) (text []byte, ok bool) {
	at := special(b)
	if at == len(b) {
		return b, true
	}
	out := append(r.scratch[:0], b[:at]...)
	for at < len(b) {
		if b[at] == '"' || at+1 >= len(b) {
			return nil, false
		}
		switch c := b[at+1]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		default:
			return nil, false
		}
		b = b[at+2:]
		at = special(b)
		out = append(out, b[:at]...)
	}
	r.scratch = out
	return out, true
}

// special returns the place of the first quote or backslash, and len(b) where
// there is none.
func special(b []byte) int {
	k := 0
	for ; k+8 <= len(b); k += 8 {
		if hit := quoteOrSlash(binary.LittleEndian.Uint64(b[k:])); hit != 0 {
			return k + bits.TrailingZeros64(hit)/8
		}
	}
	for ; k < len(b); k++ {
		if b[k] == '"' || b[k] == '\\' {
			return k
		}
	}
	return k
}
