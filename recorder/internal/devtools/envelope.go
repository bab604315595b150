package devtools

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Messages are long, and most of them are looked into by who understands them.
// Browsers write what is around them always in the same way, so it is taken off
// without reading the rest. What is written otherwise is left to a JSON decoder;
// so is whether the inside is sound.

const (
	eventHead   = `{"method":"`
	resultHead  = `{"id":`
	sessionHead = `,"sessionId":"`
)

// eventIn takes an event out of a message: its method, parameters and session.
func eventIn(data []byte) (e Event, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte(eventHead))
	if !ok {
		return e, false
	}
	i := bytes.IndexByte(rest, '"')
	if i < 0 || !plain(rest[:i]) {
		return e, false
	}
	params, ok := bytes.CutPrefix(rest[i:], []byte(`","params":`))
	if !ok {
		return e, false
	}
	e.Method = string(rest[:i])
	e.Params, e.Session, ok = inside(params)
	return e, ok
}

// resultIn takes the answer to a command out of a message.
func resultIn(data []byte) (id int, result json.RawMessage, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte(resultHead))
	if !ok {
		return 0, nil, false
	}
	i := bytes.IndexByte(rest, ',')
	if i < 0 {
		return 0, nil, false
	}
	id, err := strconv.Atoi(string(rest[:i]))
	if err != nil {
		return 0, nil, false
	}
	if rest, ok = bytes.CutPrefix(rest[i:], []byte(`,"result":`)); !ok {
		return 0, nil, false
	}
	result, _, ok = inside(rest)
	return id, result, ok
}

// inside splits an object from the session and the bracket behind it.
func inside(data []byte) (object json.RawMessage, session string, ok bool) {
	if len(data) < 3 || data[0] != '{' || data[len(data)-1] != '}' {
		return nil, "", false
	}
	data = data[:len(data)-1]
	if data[len(data)-1] == '"' {
		i := bytes.LastIndex(data, []byte(sessionHead))
		if i < 0 {
			return nil, "", false
		}
		name := data[i+len(sessionHead) : len(data)-1]
		if !plain(name) {
			return nil, "", false
		}
		data, session = data[:i], string(name)
	}
	return data, session, len(data) > 1 && data[len(data)-1] == '}'
}

// plain reports whether a string is written in JSON as it is.
func plain(s []byte) bool {
	for _, c := range s {
		if c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
