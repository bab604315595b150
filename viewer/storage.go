package viewer

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// storedValue is a cookie or an item of a page's storage, as far as a trace
// tells: what the context began with, and the cookies that answers set.
type storedValue struct {
	Kind   string   `json:"kind"`  // "cookie", "local" or "session"
	Where  string   `json:"where"` // domain or origin
	Name   string   `json:"name"`
	Value  string   `json:"value"`
	Flags  string   `json:"flags"`  // of a cookie: "Path=/; HttpOnly"
	Source string   `json:"source"` // "at the start", or the address of the answer
	Time   *float64 `json:"time"`   // microseconds; null for what was there at the start
}

// storageState is what context options may hold.
type storageState struct {
	Cookies []struct {
		Name, Value, Domain, Path, SameSite string
		HTTPOnly                            bool `json:"httpOnly"`
		Secure                              bool
	}
	Origins []struct {
		Origin                       string
		LocalStorage, SessionStorage []struct{ Name, Value string }
	}
}

const mostStored = 2000

// storage lists what was stored, in the order of time.
func (r *recording) storage(ctx context.Context) (any, error) {
	t, _, err := r.load(ctx)
	if err != nil {
		return nil, err
	}
	list := []storedValue{}
	for _, c := range t.Contexts {
		list = append(list, stateOfContext(c.Options)...)
	}
	for _, q := range t.Network {
		list = append(list, cookiesOf(q)...)
		if len(list) > mostStored {
			break
		}
	}
	return list[:min(len(list), mostStored)], nil
}

func stateOfContext(options json.RawMessage) (list []storedValue) {
	var o struct {
		StorageState json.RawMessage `json:"storageState"`
	}
	var s storageState
	if json.Unmarshal(options, &o) != nil || json.Unmarshal(o.StorageState, &s) != nil {
		return nil // none, or the path of a file
	}
	for _, c := range s.Cookies {
		flags := []string{"Path=" + c.Path}
		if c.HTTPOnly {
			flags = append(flags, "HttpOnly")
		}
		if c.Secure {
			flags = append(flags, "Secure")
		}
		if c.SameSite != "" {
			flags = append(flags, "SameSite="+c.SameSite)
		}
		list = append(list, storedValue{Kind: "cookie", Where: c.Domain, Name: c.Name, Value: c.Value, Flags: strings.Join(flags, "; "), Source: "at the start"})
	}
	for _, origin := range s.Origins {
		for _, i := range origin.LocalStorage {
			list = append(list, storedValue{Kind: "local", Where: origin.Origin, Name: i.Name, Value: i.Value, Source: "at the start"})
		}
		for _, i := range origin.SessionStorage {
			list = append(list, storedValue{Kind: "session", Where: origin.Origin, Name: i.Name, Value: i.Value, Source: "at the start"})
		}
	}
	return list
}

func cookiesOf(q *trace.Request) (list []storedValue) {
	if q.Entry == nil {
		return nil
	}
	host := strings.TrimPrefix(strings.TrimPrefix(q.Entry.Request.URL, "https://"), "http://")
	host, _, _ = strings.Cut(host, "/")
	for _, h := range q.Entry.Response.Headers {
		if !strings.EqualFold(h.Name, "set-cookie") {
			continue
		}
		for line := range strings.SplitSeq(h.Value, "\n") {
			pair, flags, _ := strings.Cut(line, ";")
			name, value, _ := strings.Cut(pair, "=")
			list = append(list, storedValue{Kind: "cookie", Where: host, Name: strings.TrimSpace(name), Value: value, Flags: strings.TrimSpace(flags), Source: q.Entry.Request.URL, Time: micros(time.Duration(q.End))})
		}
	}
	return list
}
