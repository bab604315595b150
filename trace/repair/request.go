package repair

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// request gives a request what viewers count on, in the form that HAR has it.
func (x *filter) request(e *trace.Event, b *trace.ResourceSnapshot) error {
	was := rawjson.Object(nil)
	if line, err := rawjson.Parse(e.Raw); err == nil {
		was = line.Object("snapshot")
	}
	line, err := trace.AppendBody(nil, b)
	if err != nil {
		return err
	}
	outer, err := rawjson.Parse(line)
	if err != nil {
		return err
	}
	entry := outer.Object("snapshot")
	r := requestRepair{x: x, e: e, was: was, entry: entry}
	r.all(b)
	if !r.changed {
		return x.out.Keep(e)
	}
	outer.Set("snapshot", r.entry.AppendTo(nil))
	body, err := trace.DecodeBody(outer.AppendTo(nil))
	if err != nil {
		return err
	}
	return x.out.Write(body)
}

// requestRepair is the repair of one entry. was is how it stood in the file,
// entry how it reads in the newest version.
type requestRepair struct {
	x       *filter
	e       *trace.Event
	was     rawjson.Object
	entry   rawjson.Object
	changed bool
}

func (r *requestRepair) fix(code, format string, args ...any) {
	r.changed = true
	r.x.fix(r.e, code, format, args...)
}

func (r *requestRepair) all(b *trace.ResourceSnapshot) {
	if r.x.file.Version() >= 3 {
		r.missing(b)
	}
	r.seconds()
	r.date(b)
	r.part("request", func(o *rawjson.Object) { r.cookies(o, "request cookies") })
	r.part("response", func(o *rawjson.Object) {
		r.splitSetCookie(o)
		r.cookies(o, "response cookies")
	})
}

// part lets edit change a part of the entry.
func (r *requestRepair) part(key string, edit func(*rawjson.Object)) {
	o := r.entry.Object(key)
	before := string(o.AppendTo(nil))
	edit(&o)
	if after := o.AppendTo(nil); string(after) != before {
		r.entry.Set(key, after)
	}
}

// missing fills in what is not there. The values say that nothing is known.
func (r *requestRepair) missing(b *trace.ResourceSnapshot) {
	request, response := r.was.Object("request"), r.was.Object("response")
	var list []string
	fill := func(was rawjson.Object, o *rawjson.Object, key, value string) {
		if v := was.Get(key); v == nil || string(v) == "null" {
			o.Set(key, []byte(value))
			list = append(list, key)
		}
	}
	r.part("request", func(o *rawjson.Object) {
		fill(request, o, "method", `"GET"`)
		fill(request, o, "headers", `[]`)
		fill(request, o, "queryString", string(queryString(b.Entry.Request.URL)))
	})
	r.part("response", func(o *rawjson.Object) {
		fill(response, o, "content", `{"size":-1,"mimeType":"x-unknown"}`)
		fill(response, o, "headers", `[]`)
		fill(response, o, "status", `-1`)
	})
	fill(r.was, &r.entry, "timings", `{"send":-1,"wait":-1,"receive":-1}`)
	fill(r.was, &r.entry, "time", `-1`)
	if len(list) > 0 {
		r.fix("E_NO_CONTENT", "%s: %s", b.Entry.Request.URL, strings.Join(list, ", "))
	}
}

// queryString is HAR's list of the parameters in a URL.
func queryString(address string) []byte {
	out := []byte{'['}
	u, err := url.Parse(address)
	if err != nil || u.RawQuery == "" {
		return append(out, ']')
	}
	for i, pair := range strings.Split(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if i > 0 {
			out = append(out, ',')
		}
		out = rawjson.Object{{Key: "name", Value: rawjson.Quote(unescape(name))}, {Key: "value", Value: rawjson.Quote(unescape(value))}}.AppendTo(out)
	}
	return append(out, ']')
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// seconds tells of a start in seconds, which reading puts right.
func (r *requestRepair) seconds() {
	was, err := strconv.ParseFloat(string(r.was.Get("_monotonicTime")), 64)
	if err != nil {
		return
	}
	now, err := strconv.ParseFloat(string(r.entry.Get("_monotonicTime")), 64)
	if err == nil && now > was*999 && now < was*1001 && was > 0 {
		r.fix("W_SECONDS", "%v s", was)
	}
}

const harDate = "2006-01-02T15:04:05.000Z"

// date writes the date as viewers read it.
func (r *requestRepair) date(b *trace.ResourceSnapshot) {
	t, err := time.Parse(time.RFC3339Nano, b.Entry.StartedDateTime)
	if err != nil {
		var ok bool
		if t, ok = r.x.calendar(b); !ok {
			return
		}
	}
	if text := t.UTC().Format(harDate); text != b.Entry.StartedDateTime {
		r.entry.SetText("startedDateTime", text)
		r.fix("W_DATE", "%q is now %s", b.Entry.StartedDateTime, text)
	}
}

// calendar works out when a request began from the clocks of its context.
func (x *filter) calendar(b *trace.ResourceSnapshot) (time.Time, bool) {
	if x.wall < epoch || !b.Entry.HasMonotonicTime {
		return time.Time{}, false
	}
	at := trace.Milliseconds(b.Entry.MonotonicTime).Sub(x.mono)
	return time.UnixMilli(int64(x.wall)).Add(at), true
}

// splitSetCookie makes a header each of several cookies in one value.
func (r *requestRepair) splitSetCookie(response *rawjson.Object) {
	headers, err := rawjson.Elements(response.Get("headers"))
	if err != nil {
		return
	}
	out, cookies, split := []byte{'['}, []string{}, false
	add := func(text []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, text...)
	}
	for _, text := range headers {
		h, err := rawjson.Parse(text)
		if err != nil || !strings.EqualFold(h.Text("name"), "set-cookie") {
			add(text)
			continue
		}
		values := strings.Split(h.Text("value"), "\n")
		cookies = append(cookies, values...)
		split = split || len(values) > 1
		for _, v := range values {
			h.SetText("value", v)
			add(h.AppendTo(nil))
		}
	}
	if split {
		response.Set("headers", append(out, ']'))
		r.fix("W_SET_COOKIE", "%d cookies", len(cookies))
	}
	if have, err := rawjson.Elements(response.Get("cookies")); err == nil && len(have) == 0 && len(cookies) > 0 && split {
		response.Set("cookies", responseCookies(cookies))
	}
}

// responseCookies is HAR's list of the cookies that a response sets.
func responseCookies(values []string) []byte {
	out := []byte{'['}
	for _, v := range values {
		c, err := http.ParseSetCookie(v)
		if err != nil {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		o := rawjson.Object{{Key: "name", Value: rawjson.Quote(c.Name)}, {Key: "value", Value: rawjson.Quote(c.Value)}}
		if c.Path != "" {
			o.SetText("path", c.Path)
		}
		if c.Domain != "" {
			o.SetText("domain", c.Domain)
		}
		if !c.Expires.IsZero() {
			o.SetText("expires", c.Expires.UTC().Format(harDate))
		}
		o.Set("httpOnly", fmt.Append(nil, c.HttpOnly))
		o.Set("secure", fmt.Append(nil, c.Secure))
		if name := sameSite[c.SameSite]; name != "" {
			o.SetText("sameSite", name)
		}
		out = o.AppendTo(out)
	}
	return append(out, ']')
}

var sameSite = map[http.SameSite]string{http.SameSiteLaxMode: "Lax", http.SameSiteStrictMode: "Strict", http.SameSiteNoneMode: "None"}

// cookies makes HAR cookies of the protocol's: a plain value, a date.
func (r *requestRepair) cookies(o *rawjson.Object, what string) {
	list, err := rawjson.Elements(o.Get("cookies"))
	if err != nil {
		return
	}
	out, fixed := []byte{'['}, 0
	for i, text := range list {
		if i > 0 {
			out = append(out, ',')
		}
		if c, err := rawjson.Parse(text); err == nil && fixCookie(&c) {
			fixed++
			text = c.AppendTo(nil)
		}
		out = append(out, text...)
	}
	if fixed > 0 {
		o.Set("cookies", append(out, ']'))
		r.fix("W_COOKIES", "%d %s", fixed, what)
	}
}

func fixCookie(c *rawjson.Object) (fixed bool) {
	if value := c.Object("value"); value != nil {
		c.Set("value", rawjson.Quote(value.Text("value")))
		fixed = true
	}
	if seconds, err := strconv.ParseFloat(string(c.Get("expiry")), 64); err == nil && !c.Has("expires") {
		c.Delete("expiry")
		c.SetText("expires", time.UnixMilli(int64(seconds*1000)).UTC().Format(harDate))
		fixed = true
	}
	switch s := c.Text("sameSite"); s {
	case "lax", "strict", "none":
		c.SetText("sameSite", strings.ToUpper(s[:1])+s[1:])
		fixed = true
	}
	return fixed
}
