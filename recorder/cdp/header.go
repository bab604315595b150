package cdp

import (
	"net/http"
	"sort"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har"
)

type headerField struct{ name, value string }

// fieldsOf puts headers in an order of their own: the browser hands them over
// in none. Several of one name are lines of one value.
func fieldsOf(headers map[string]string) []headerField {
	list := make([]headerField, 0, len(headers))
	for name, value := range headers {
		for _, line := range strings.Split(value, "\n") {
			list = append(list, headerField{name, line})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return strings.ToLower(list[i].name) < strings.ToLower(list[j].name) })
	return list
}

func headerOf(headers []headerField, name string) string {
	for _, h := range headers {
		if strings.EqualFold(h.name, name) {
			return h.value
		}
	}
	return ""
}

func headerValue(headers map[string]string, name string) string {
	for n, v := range headers {
		if strings.EqualFold(n, name) {
			return v
		}
	}
	return ""
}

func (r *Recorder) harHeaders(headers []headerField) []har.NameValue {
	list := make([]har.NameValue, len(headers))
	for i, h := range headers {
		list[i] = har.NameValue{Name: h.name, Value: r.masks.header(h.name, h.value)}
	}
	return list
}

func (r *Recorder) requestCookies(headers []headerField) []har.Cookie {
	list := []har.Cookie{}
	for _, h := range headers {
		if !strings.EqualFold(h.name, "cookie") {
			continue
		}
		for _, pair := range strings.Split(h.value, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			list = append(list, har.Cookie{Name: name, Value: r.masks.secret(value)})
		}
	}
	return list
}

func (r *Recorder) responseCookies(headers []headerField) []har.Cookie {
	list := []har.Cookie{}
	for _, h := range headers {
		if !strings.EqualFold(h.name, "set-cookie") {
			continue
		}
		c, err := http.ParseSetCookie(h.value)
		if err != nil {
			continue
		}
		k := har.Cookie{Name: c.Name, Value: r.masks.secret(c.Value), Path: c.Path, Domain: c.Domain, HTTPOnly: c.HttpOnly, Secure: c.Secure}
		if !c.Expires.IsZero() {
			k.Expires = c.Expires.UTC().Format("2006-01-02T15:04:05.000Z")
		}
		k.SameSite = map[http.SameSite]string{http.SameSiteLaxMode: "Lax", http.SameSiteStrictMode: "Strict", http.SameSiteNoneMode: "None"}[c.SameSite]
		list = append(list, k)
	}
	return list
}

func trimFloat(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
