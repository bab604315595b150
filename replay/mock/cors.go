package mock

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/har"
)

func isPreflight(q *Request) bool {
	return strings.EqualFold(q.Method, "OPTIONS") && q.Header("Access-Control-Request-Method") != ""
}

// preflight allows what is asked for: whether the request itself was allowed
// is known from its recorded answer.
func preflight(q *Request) Answer {
	origin := q.Header("Origin")
	if origin == "" {
		origin = "*"
	}
	list := []har.NameValue{{Name: "Access-Control-Allow-Origin", Value: origin}, {Name: "Access-Control-Allow-Methods", Value: q.Header("Access-Control-Request-Method")},
		{Name: "Access-Control-Allow-Credentials", Value: "true"}, {Name: "Access-Control-Max-Age", Value: "0"}, {Name: "Vary", Value: "Origin"}}
	if h := q.Header("Access-Control-Request-Headers"); h != "" {
		list = append(list, har.NameValue{Name: "Access-Control-Allow-Headers", Value: h})
	}
	if q.Header("Access-Control-Request-Private-Network") != "" {
		list = append(list, har.NameValue{Name: "Access-Control-Allow-Private-Network", Value: "true"})
	}
	return Answer{Decision: Fulfil, Status: 204, Headers: list}
}

// cors has the answer name the origin that the page has now: the recorded page
// was allowed to read it from the origin that it had then.
func cors(q *Request, list []har.NameValue) []har.NameValue {
	origin := q.Header("Origin")
	if origin == "" || httpOrigin(Origin(q.URL)) == origin {
		return list
	}
	var out []har.NameValue
	for _, h := range list {
		switch strings.ToLower(h.Name) {
		case "access-control-allow-origin", "access-control-allow-credentials":
		default:
			out = append(out, h)
		}
	}
	return append(out, har.NameValue{Name: "Access-Control-Allow-Origin", Value: origin}, har.NameValue{Name: "Access-Control-Allow-Credentials", Value: "true"})
}

// expose lets scripts of another origin see a header.
func expose(list []har.NameValue, name string) []har.NameValue {
	for i, h := range list {
		if strings.EqualFold(h.Name, "Access-Control-Expose-Headers") {
			list[i].Value += ", " + name
			return list
		}
	}
	return append(list, har.NameValue{Name: "Access-Control-Expose-Headers", Value: name})
}
