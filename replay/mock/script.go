package mock

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

//go:embed script/page.js
var pageScript string

// settings are what the script in the page knows.
type settings struct {
	Mode     Mode              `json:"mode"`
	Policies map[string]Mode   `json:"policies"`
	Allowed  []string          `json:"allowed"`
	Then     map[string]string `json:"then"` // recorded origins by those of now
	Now      map[string]string `json:"now"`
	Ignore   []string          `json:"ignore"`
	Miss     string            `json:"miss"` // the code of a miss
	Header   string            `json:"header"`
	Teller   string            `json:"teller"`
	Moved    bool              `json:"moved"` // to another port of the machine
	Peers    bool              `json:"peers"`
	Sockets  []*connection     `json:"sockets"`
	Streams  []*connection     `json:"streams"`
}

// Script returns what must run in each document and worker before the page's
// own scripts, for web sockets, event streams and streamed bodies. It leaves
// what it has to report for [Router.Collect], or gives it to a binding named
// [determinism.Teller], for [Router.Hear].
func (r *Router) Script() string { return r.script }

func (r *Router) makeScript(ctx context.Context) error {
	s := settings{Mode: r.o.Mode, Policies: r.policies, Allowed: r.allowed, Then: r.origins.then, Now: r.origins.now, Ignore: r.q.ignore, Miss: CodeMiss, Header: chunkHeader, Teller: determinism.Teller, Moved: r.moved(),
		Sockets: []*connection{}, Streams: []*connection{}}
	if r.o.OnMiss != Error {
		s.Miss = CodeMissWarn
	}
	left := r.o.MaxMessages
	for _, c := range r.rec.list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.kind != socket && c.kind != events {
			continue
		}
		k, err := r.rec.connection(ctx, c)
		if err != nil && k.Open >= 0 {
			r.note(Miss{Code: CodeBodyMissing, Method: c.method, URL: c.Request.URL, Type: c.ResourceType, Reason: err.Error()})
		}
		for i, m := range k.Messages {
			if left -= int64(len(m.Data)) + 40; left < 0 {
				r.note(Miss{Code: CodeBodyCut, Method: c.method, URL: c.Request.URL, Type: c.ResourceType, Reason: "there are more messages than are played"})
				k.Messages, k.End = k.Messages[:i], -1
				break
			}
		}
		if c.kind == socket {
			s.Sockets = append(s.Sockets, k)
		} else {
			s.Streams = append(s.Streams, k)
		}
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	i := strings.LastIndex(pageScript, "(CONFIG)")
	r.script = pageScript[:i] + "(" + string(text) + ");\n"
	return nil
}

// Take is an expression that yields what the script of a document has to
// report, as JSON for [Router.Collect], and forgets it.
const Take = `JSON.stringify(globalThis[Symbol.for("tracedeck.mock")]?.take() ?? [])`

// Collect takes in what the script of a document reports: what [Take] yielded,
// or what the binding was given. Reports come from the page, which may say
// what it likes; only their codes are trusted.
func (r *Router) Collect(report string) {
	var list []Miss
	if json.Unmarshal([]byte(report), &list) != nil {
		var m Miss
		if json.Unmarshal([]byte(report), &m) != nil {
			return
		}
		list = []Miss{m}
	}
	for _, m := range list {
		switch m.Code {
		case CodeMiss, CodeMissWarn, CodeBlocked, CodeSocket:
			m.URL, m.Reason, m.Nearest, m.Method, m.Type = cut(m.URL), cut(m.Reason), "", cut(m.Method), cut(m.Type)
			r.note(m)
		}
	}
}

// Hear takes in what the script of a document or worker tells by the binding.
// What it returns, if it is not "", is to run in the others: a recorded
// connection is played once, wherever it is asked for.
func (r *Router) Hear(text string) (script string) {
	var m struct{ Used string }
	if json.Unmarshal([]byte(text), &m) != nil || m.Used == "" {
		r.Collect(text)
		return ""
	}
	if len(m.Used) > 10 {
		return ""
	}
	id, err := json.Marshal(m.Used)
	if err != nil {
		return ""
	}
	return `globalThis[Symbol.for("tracedeck.mock")]?.used([` + string(id) + `])`
}

// Drain is an expression that closes, in a document or worker, the web sockets
// of which the recording does not say when they were closed, if all that it
// holds of them was played, and yields how many these are.
const Drain = `globalThis[Symbol.for("tracedeck.mock")]?.drain() ?? 0`

func cut(s string) string {
	if len(s) > 2000 {
		s = strings.ToValidUTF8(s[:2000], "")
	}
	return s
}
