package mock

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/har"
)

// connection is a web socket or an event stream as it is played in the page.
type connection struct {
	URL string `json:"url"`

	Start    float64   `json:"start"` // milliseconds since 1970
	Open     float64   `json:"open"`  // milliseconds until it was open; -1 if it never was
	End      float64   `json:"end"`   // milliseconds until it ended; -1 if it did not
	Protocol string    `json:"protocol,omitempty"`
	Messages []message `json:"messages"`
	// Failed tells that the network ended it, and Loose that nobody knows whether
	// and when it ended.
	Failed bool `json:"failed,omitempty"`
	Loose  bool `json:"loose,omitempty"`
	// Code and Reason are those of the end of a web socket; 0 is not recorded.
	Code   int    `json:"code,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// ended says how a connection came to its end.
func (k *connection) ended(c *recorded) {
	failed := c.Failed() && !c.WasAborted
	switch {
	case c.kind == events && c.Response.Status >= 100 && c.Response.Status != 200:
		k.Open = -1
	case failed && c.Response.Status < 100, failed && c.kind != events && c.Response.Status != 101 && c.Response.Status != 200:
		k.Open, k.Failed = -1, true
	case failed:
		k.Failed = true
	}
	// Playwright writes of a socket when its last message was.
	k.Loose = c.kind == socket && c.Timings.Wait < 0 && c.Response.Status == 101
	if c.Time >= 0 && !c.WasAborted && !k.Loose {
		k.End = c.Time
	}
	var close struct {
		Code   int
		Reason string
	}
	if json.Unmarshal(c.Extra("_close"), &close) == nil && close.Code > 0 {
		k.Code, k.Reason = close.Code, close.Reason
	} else if k.Failed {
		k.Code = 1006
	}
}

// isStream reports whether an answer is one that a page takes for an event
// stream.
func isStream(e *har.Entry) bool {
	mime := e.Response.Content.MimeType
	return mime == "" || mime == "x-unknown" || strings.HasPrefix(strings.ToLower(mime), "text/event-stream")
}

// message is one of a connection. Sent tells that the page sent it.
type message struct {
	Sent   bool    `json:"sent,omitempty"`
	At     float64 `json:"at"` // milliseconds since the request
	Binary bool    `json:"binary,omitempty"`
	Data   string  `json:"data"` // base64 if binary
	Event  string  `json:"event,omitempty"`
	ID     string  `json:"id,omitempty"`
}

// line is a message as recorders write it.
type line struct {
	Type   string   `json:"type"`
	Time   *float64 `json:"time"`
	Opcode int      `json:"opcode"`
	Data   string   `json:"data"`
	Event  string   `json:"event"`
	ID     string   `json:"id"`
}

func (l *line) message(began float64) message {
	m := message{Sent: l.Type == "send", Data: l.Data, Event: l.Event, ID: l.ID, Binary: l.Opcode == 2}
	if l.Time != nil {
		m.At = max(0, *l.Time-began)
	}
	return m
}

// connection reads what went over a socket or an event stream.
func (r *recording) connection(ctx context.Context, c *recorded) (*connection, error) {
	k := &connection{URL: c.Request.URL, Start: startOf(c.Entry), Open: max(0, float64(wait(c.Entry).Microseconds())/1000), End: -1, Protocol: c.Response.Header("Sec-WebSocket-Protocol"), Messages: []message{}}
	k.ended(c)
	var inline []line
	if json.Unmarshal(c.Extra("_webSocketMessages"), &inline) == nil && len(inline) > 0 {
		began := 0.0
		if t := inline[0].Time; t != nil {
			began = *t
		}
		if s := startOf(c.Entry); s > 0 && began > s { // seconds in files of other tools
			began = s
		}
		for i := range inline {
			k.Messages = append(k.Messages, inline[i].message(began))
		}
		return k, nil
	}
	body, err := r.body(ctx, c.Entry)
	if err != nil {
		return k, err
	}
	if lines, ok := messageLines(body); ok {
		for i := range lines {
			k.Messages = append(k.Messages, lines[i].message(startOf(c.Entry)))
		}
	} else if c.kind == events {
		k.Messages = parseEvents(body, k.Open, k.End)
		if len(k.Messages) == 0 && !isStream(c.Entry) {
			k.Open = -1
		}
	}
	return k, nil
}

// startOf is when a request was made, in milliseconds since 1970.
func startOf(e *har.Entry) float64 {
	t, err := time.Parse(time.RFC3339Nano, e.StartedDateTime)
	if err != nil {
		return 0
	}
	return float64(t.UnixMicro()) / 1000
}

// messageLines reads what recorders write of messages; ok is false for bodies
// that are none.
func messageLines(body []byte) (list []line, ok bool) {
	for _, text := range bytes.Split(body, []byte("\n")) {
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		var l line
		if json.Unmarshal(text, &l) != nil || l.Type != "send" && l.Type != "receive" {
			if len(list) > 0 { // the recording was cut off in the middle
				return list, true
			}
			return nil, false
		}
		if l.Opcode == 1 || l.Opcode == 2 || l.Opcode == 0 {
			list = append(list, l)
		}
	}
	return list, len(list) > 0
}

// parseEvents reads the text of an event stream. When its messages came is not
// known: they are put evenly between its beginning and its end.
func parseEvents(body []byte, from, to float64) []message {
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(body), "\ufeff"))
	list := []message{}
	for _, block := range strings.SplitAfter(text, "\n\n") {
		if m, ok := parseEvent(block); ok && strings.HasSuffix(block, "\n\n") {
			list = append(list, m)
		}
	}
	for i := range list {
		list[i].At = from
		if to > from && len(list) > 1 {
			list[i].At = from + (to-from)*float64(i)/float64(len(list))
		}
	}
	return list
}

func parseEvent(block string) (m message, ok bool) {
	var data []string
	for _, l := range strings.Split(block, "\n") {
		name, value, _ := strings.Cut(l, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data = append(data, value)
		case "event":
			m.Event = value
		case "id":
			m.ID = value
		}
	}
	m.Data = strings.Join(data, "\n")
	return m, len(data) > 0
}

// eventText writes recorded messages as the text of an event stream, for a
// page without the script. Other bodies stay as they are.
func eventText(body []byte) []byte {
	lines, ok := messageLines(body)
	if !ok {
		return body
	}
	var b bytes.Buffer
	for _, l := range lines {
		if l.ID != "" {
			b.WriteString("id: " + oneLine(l.ID) + "\n")
		}
		if l.Event != "" && l.Event != "message" {
			b.WriteString("event: " + oneLine(l.Event) + "\n")
		}
		for _, d := range strings.Split(l.Data, "\n") {
			b.WriteString("data: " + d + "\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("retry: " + strconv.Itoa(24*60*60*1000) + "\n\n") // nothing follows
	return b.Bytes()
}

func oneLine(s string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(s) }
