package diff

import (
	"encoding/json"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// storage compares what pages had stored, and the cookies that answers set.
func (c *Comparer) storage() Section {
	a, inA := c.stored(0)
	b, inB := c.stored(1)
	if !inA || !inB {
		return unrecorded(Storage, inA, inB)
	}
	var changes []Change
	for _, k := range sortedKeys(union(a, b)) {
		v, hasA := a[k]
		w, hasB := b[k]
		if v == w && hasA == hasB {
			continue
		}
		name := k[strings.LastIndexByte(k, ' ')+1:]
		if hasA && hasB && c.masks.Field(InStorage, name, v) == c.masks.Field(InStorage, name, w) {
			c.hid.hid(c.masks, InStorage, name, v, w)
			continue
		}
		changes = append(changes, Change{Kind: kindOf(hasA, hasB), Effect: neutral, What: k, A: clip(v, maxShown), B: clip(w, maxShown)})
	}
	return section(Storage, changes)
}

// storedItem is an item as traces and storage states have it.
type storedItem struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type storedCookie struct {
	storedItem
	Domain   string `json:"domain"`
	Path     string `json:"path"`
	HTTPOnly bool   `json:"httpOnly"`
	Secure   bool   `json:"secure"`
	SameSite string `json:"sameSite"`
}

type storedOrigin struct {
	Origin         string         `json:"origin"`
	LocalStorage   []storedItem   `json:"localStorage"`
	SessionStorage []storedItem   `json:"sessionStorage"`
	Cookies        []storedCookie `json:"cookies"`
}

// stored returns what a trace says was stored, by where and name. Requests tell
// of cookies, so a trace that has those holds something of it.
func (c *Comparer) stored(side int) (all map[string]string, recorded bool) {
	t := c.sides[side].Trace
	all, recorded = map[string]string{}, recordsNetwork(t)
	for _, e := range t.Events {
		var o storedOrigin
		if e.Method == "storage" && json.Unmarshal(e.Params, &o) == nil {
			recorded = true
			c.origin(all, o)
		}
	}
	for _, ctx := range t.Contexts {
		var options struct {
			StorageState *struct {
				Cookies []storedCookie `json:"cookies"`
				Origins []storedOrigin `json:"origins"`
			} `json:"storageState"`
		}
		if json.Unmarshal(ctx.Options, &options) != nil || options.StorageState == nil {
			continue
		}
		recorded = true
		c.origin(all, storedOrigin{Cookies: options.StorageState.Cookies})
		for _, o := range options.StorageState.Origins {
			c.origin(all, o)
		}
	}
	for _, r := range t.Network {
		c.setCookies(all, r)
	}
	return all, recorded
}

func (c *Comparer) origin(all map[string]string, o storedOrigin) {
	at := c.masks.Text(InURL, o.Origin)
	for _, i := range o.LocalStorage {
		all["localStorage "+at+" "+i.Name] = i.Value
	}
	for _, i := range o.SessionStorage {
		all["sessionStorage "+at+" "+i.Name] = i.Value
	}
	for _, k := range o.Cookies {
		all["cookie "+strings.TrimPrefix(k.Domain, ".")+k.Path+" "+k.Name] = k.Value + k.flags()
	}
}

func (k *storedCookie) flags() string {
	var b strings.Builder
	if k.HTTPOnly {
		b.WriteString("; HttpOnly")
	}
	if k.Secure {
		b.WriteString("; Secure")
	}
	if k.SameSite != "" {
		b.WriteString("; SameSite=" + k.SameSite)
	}
	return b.String()
}

// setCookies takes the cookies that an answer set, without their expiry, which
// is another each time.
func (c *Comparer) setCookies(all map[string]string, r *trace.Request) {
	for _, h := range r.Response.Headers {
		if !strings.EqualFold(h.Name, "set-cookie") {
			continue
		}
		for _, line := range strings.Split(h.Value, "\n") {
			parts := strings.Split(line, ";")
			name, value, _ := strings.Cut(strings.TrimSpace(parts[0]), "=")
			k := storedCookie{storedItem: storedItem{name, value}}
			for _, p := range parts[1:] {
				attr, v, _ := strings.Cut(strings.TrimSpace(p), "=")
				switch strings.ToLower(attr) {
				case "path":
					k.Path = v
				case "httponly":
					k.HTTPOnly = true
				case "secure":
					k.Secure = true
				case "samesite":
					k.SameSite = v
				}
			}
			if name != "" {
				all["set-cookie "+c.masks.pathOf(k.Path)+" "+name] = value + k.flags()
			}
		}
	}
}
