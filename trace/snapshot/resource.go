package snapshot

import (
	"context"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// Resource is a response that a page had, whose body may be in the archive.
type Resource struct {
	URL      string
	Method   string
	FrameID  string
	MimeType string
	File     string     // name of the archive's entry; "" if the body was not kept
	Start    trace.Time // of the request
	// Next returns the address that the response redirected to; nil where it
	// was no redirect.
	Next func(context.Context) string
}

// ResourceOf returns the resource that a request brought; ok is false where
// it brought none that a page could show.
func ResourceOf(e *har.Entry, start trace.Time) (r Resource, ok bool) {
	if e.Response.Status == 304 || e.ResourceType == "websocket" {
		return r, false
	}
	r = Resource{URL: e.Request.URL, Method: e.Request.Method, FrameID: e.FrameRef,
		MimeType: e.Response.Content.MimeType, File: e.Response.Content.File, Start: start}
	if to := e.Response.RedirectURL; to != "" {
		r.Next = func(context.Context) string { return to }
	}
	return r, e.Request.URL != ""
}

// resources finds responses by address.
type resources struct {
	byURL  map[string][]Resource
	byFile map[string]string // MIME type by entry
	sorted bool
}

func (rs *resources) add(r Resource) {
	if rs.byURL == nil {
		rs.byURL, rs.byFile = map[string][]Resource{}, map[string]string{}
	}
	r.URL, r.Method = canonical(r.URL), strings.ToUpper(r.Method)
	rs.byURL[r.URL] = append(rs.byURL[r.URL], r)
	if r.File != "" && rs.byFile[r.File] == "" {
		rs.byFile[r.File] = r.MimeType
	}
	rs.sorted = false
}

func (rs *resources) sort() {
	if rs.sorted {
		return
	}
	for _, list := range rs.byURL {
		sort.SliceStable(list, func(i, j int) bool { return list[i].Start < list[j].Start })
	}
	rs.sorted = true
}

// find returns the response that a frame showed at that time: the last that
// was asked for before, by the frame itself if it ever was.
func (rs *resources) find(url string, frame string, at trace.Time) (Resource, bool) {
	var own, other *Resource
	list := rs.byURL[canonical(url)]
	for i := range list {
		r := &list[i]
		if r.Start >= at {
			break
		}
		if r.Method != "GET" && r.Method != "" {
			continue
		}
		if r.FrameID == frame {
			own = r
		} else {
			other = r
		}
	}
	switch {
	case own != nil:
		return *own, true
	case other != nil:
		return *other, true
	}
	return Resource{}, false
}
