package trace

import (
	"encoding/json"

	"github.com/tracedeck/tracedeck/trace/har"
)

// complete returns the event with the members that viewers count on, which
// the fields' zero values would leave out.
func complete(body Body) Body {
	switch b := body.(type) {
	case *Before:
		if b.Params == nil {
			c := *b
			c.Params = json.RawMessage("{}")
			return &c
		}
	case *FrameSnapshot:
		if b.ResourceOverrides == nil && b.Extra.Get("resourceOverrides") == nil {
			c := *b
			c.ResourceOverrides = []ResourceOverride{}
			return &c
		}
	case *ResourceSnapshot:
		c := *b
		c.Entry = completeEntry(b.Entry)
		return &c
	}
	return body
}

func completeEntry(e har.Entry) har.Entry {
	for _, list := range []*[]har.NameValue{&e.Request.Headers, &e.Request.QueryString, &e.Response.Headers} {
		if *list == nil {
			*list = []har.NameValue{}
		}
	}
	for _, list := range []*[]har.Cookie{&e.Request.Cookies, &e.Response.Cookies} {
		if *list == nil {
			*list = []har.Cookie{}
		}
	}
	if e.Cache == nil {
		e.Cache = json.RawMessage("{}")
	}
	return e
}
