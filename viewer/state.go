package viewer

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/index"
)

// welcomeMessage is what a page is told when it is let in.
type welcomeMessage struct {
	Program string        `msgpack:"program"` // version
	Content string        `msgpack:"content"` // origin of what was recorded; "" means that of the page
	Traces  []traceEntry  `msgpack:"traces"`
	Opened  string        `msgpack:"opened"` // id of the trace that the hello opened; "" if none
	Tables  []tableSchema `msgpack:"tables"`
	Start   bool          `msgpack:"start"`   // begin with the start page
	Compare bool          `msgpack:"compare"` // the first two traces, from the start
}

// wanted returns the id of the trace that a page shows at once: the one its
// address names, or the first, unless it begins with something else.
func (m *welcomeMessage) wanted(id string) string {
	for _, t := range m.Traces {
		if id == "" && !m.Start && !m.Compare || id != "" && (strings.HasPrefix(t.ID, id) || strings.HasPrefix(id, t.ID)) {
			return t.ID
		}
	}
	return ""
}

type traceEntry struct {
	ID   string `msgpack:"id"`
	Name string `msgpack:"name"`
	Live bool   `msgpack:"live"`
}

// metaMessage is what a trace says about itself.
type metaMessage struct {
	ID       string        `msgpack:"id"`
	Name     string        `msgpack:"name"`
	Content  string        `msgpack:"content"` // path on the content origin under which its things are
	Start    float64       `msgpack:"start"`   // milliseconds since the epoch; 0 if unknown
	Live     bool          `msgpack:"live"`
	Bytes    int64         `msgpack:"bytes"` // of events
	Contexts []contextMeta `msgpack:"contexts"`
}

type contextMeta struct {
	Origin   string  `msgpack:"origin"`
	Browser  string  `msgpack:"browser"`
	Channel  string  `msgpack:"channel"`
	Producer string  `msgpack:"producer"`
	Version  int     `msgpack:"version"`
	Platform string  `msgpack:"platform"`
	Language string  `msgpack:"language"`
	Title    string  `msgpack:"title"`
	File     string  `msgpack:"file"`
	TestID   string  `msgpack:"testId"`
	Timeout  float64 `msgpack:"timeout"`
	Width    int     `msgpack:"width"`
	Height   int     `msgpack:"height"`
	Options  string  `msgpack:"options"` // JSON
}

func metaOf(r *recording, p progress) metaMessage {
	m := metaMessage{ID: r.id, Name: r.name, Content: contentPath(r), Live: r.archive.Growing(), Bytes: p.batch.Total}
	if start := p.index.Clock().Start; !start.IsZero() {
		m.Start = float64(start.UnixNano()) / 1e6
	}
	for _, c := range p.index.Contexts() {
		o := c.Options
		one := contextMeta{Origin: o.Origin, Browser: o.BrowserName, Channel: o.Channel, Producer: o.Producer(), Version: o.Version, Platform: o.Platform,
			Language: o.SDKLanguage, Title: o.Title, File: c.File, TestID: o.TestIDAttribute, Timeout: o.TestTimeout, Options: optionsText(o.Options)}
		if v, ok := o.Viewport(); ok {
			one.Width, one.Height = int(v.Width), int(v.Height)
		}
		m.Contexts = append(m.Contexts, one)
	}
	return m
}

// optionsText leaves out options too large to look at (a storage state).
func optionsText(raw json.RawMessage) string {
	if len(raw) > 32<<10 {
		return ""
	}
	return string(raw)
}

// stateMessage is how far reading has come.
type stateMessage struct {
	Rows     map[string]int `msgpack:"rows"` // of all tables, those that are not sent too
	Bytes    int64          `msgpack:"bytes"`
	Total    int64          `msgpack:"total"`
	Took     float64        `msgpack:"took"` // milliseconds
	End      float64        `msgpack:"end"`  // microseconds: the recording's last moment
	Done     bool           `msgpack:"done"`
	Live     bool           `msgpack:"live"`
	Bad      int            `msgpack:"bad"` // lines
	Warnings []warning      `msgpack:"warnings"`
	Error    string         `msgpack:"error"`
}

type warning struct {
	Code  string `msgpack:"code"`
	Place string `msgpack:"place"`
	Text  string `msgpack:"text"`
}

const mostWarnings = 100

func stateOf(p progress) stateMessage {
	m := stateMessage{Rows: map[string]int{}, Bytes: p.batch.Bytes, Total: p.batch.Total, Took: float64(p.took.Microseconds()) / 1000,
		End: float64(p.index.Clock().End) / float64(time.Microsecond), Done: p.done, Live: p.live}
	for t := index.Table(0); int(t) < index.Tables; t++ {
		m.Rows[t.String()] = p.index.Len(t)
	}
	lines, bad := p.index.BadLines()
	m.Bad = bad
	for _, w := range p.index.Warnings() {
		m.Warnings = append(m.Warnings, warning{w.Code, w.Place, w.Text})
	}
	for _, b := range lines {
		m.Warnings = append(m.Warnings, warning{"W_BAD_LINE", place(b), b.Text})
	}
	m.Warnings = m.Warnings[:min(len(m.Warnings), mostWarnings)]
	if p.err != nil {
		m.Error = p.err.Error()
	}
	return m
}

func (m *stateMessage) equal(o *stateMessage) bool {
	if m.Done != o.Done || m.Live != o.Live || m.Error != o.Error || m.Bytes != o.Bytes || m.Bad != o.Bad || m.End != o.End || len(m.Rows) != len(o.Rows) {
		return false
	}
	for t, n := range m.Rows {
		if o.Rows[t] != n {
			return false
		}
	}
	return slices.Equal(m.Warnings, o.Warnings)
}

func place(b index.BadLine) string {
	return b.Position.File + ":" + strconv.Itoa(b.Position.Line)
}
