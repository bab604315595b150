// Package inline writes a rebuilt page as one HTML document that needs nothing
// else: pictures, fonts, style sheets and child frames are data: addresses.
package inline

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// Options say what is taken along.
type Options struct {
	snapshot.Options
	MaxResource int64 // bytes of one resource; larger ones are left out. 0 means 8 MiB
	MaxTotal    int64 // bytes of all resources; what is beyond is left out. 0 means 64 MiB
}

const deepest = 8 // frames in frames

// policy lets the document load only what it has in itself, wherever the file
// is opened.
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src data: 'unsafe-inline'; ` +
	`font-src data:; media-src data:; frame-src data:; form-action 'none'; base-uri 'none'">`

// Write writes snapshot n of the store as one document. The report tells of
// resources that the trace does not have, or that were too large.
func Write(ctx context.Context, w io.Writer, a *trace.Archive, s *snapshot.Store, n int, o Options) (snapshot.Report, error) {
	if o.MaxResource <= 0 {
		o.MaxResource = 8 << 20
	}
	if o.MaxTotal <= 0 {
		o.MaxTotal = 64 << 20
	}
	left := o.MaxTotal
	p := &page{ctx: ctx, a: a, s: s, n: n, o: o, left: &left, seen: map[string]string{}}
	return p.write(w)
}

// page gives one page's resources and frames addresses that hold them.
type page struct {
	ctx   context.Context
	a     *trace.Archive
	s     *snapshot.Store
	n     int
	o     Options
	depth int
	left  *int64
	seen  map[string]string
}

func (p *page) write(w io.Writer) (snapshot.Report, error) {
	o := p.o.Options
	o.Addresses = p
	o.Head = policy + o.Head
	return p.s.Render(p.ctx, w, p.n, o)
}

// Resource returns the resource as a data: address.
func (p *page) Resource(address string, use snapshot.Use) string {
	if have, ok := p.seen[address]; ok {
		return have
	}
	p.seen[address] = "" // a style sheet that imports itself finds nothing
	r, ok := p.s.Resource(p.ctx, p.n, address)
	if !ok || r.File == "" {
		return ""
	}
	body, err := p.body(r.File)
	if err != nil {
		return ""
	}
	mime := mimeOf(r.MimeType, body)
	if use == snapshot.UseStyle {
		mime = "text/css;charset=utf-8"
		body = []byte(snapshot.CSS(string(body), r.URL, p))
	}
	p.seen[address] = dataAddress(mime, body)
	return p.seen[address]
}

// Entry returns an entry of the archive, such as a picture, as a data: address.
func (p *page) Entry(file string) string {
	body, err := p.body(file)
	if err != nil {
		return ""
	}
	return dataAddress(mimeOf("", body), body)
}

var errTooLarge = errors.New("too large to be taken along")

func (p *page) body(file string) ([]byte, error) {
	rc, err := p.a.Resource(p.ctx, file)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	limit := min(p.o.MaxResource, *p.left)
	body, err := io.ReadAll(io.LimitReader(rc, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(body)) > limit:
		return nil, errTooLarge
	}
	*p.left -= int64(len(body))
	return body, nil
}

// mimeOf keeps the recorded type where it is one of what pages show, and goes
// by the bytes elsewhere: nothing else has any business in here.
func mimeOf(recorded string, body []byte) string {
	kind, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(recorded)), ";")
	for _, prefix := range []string{"image/", "font/", "audio/", "video/", "application/font", "application/x-font", "application/vnd.ms-fontobject"} {
		if strings.HasPrefix(kind, prefix) && !strings.ContainsAny(kind, "\"'<>, ") {
			return kind
		}
	}
	kind, _, _ = strings.Cut(http.DetectContentType(body), ";")
	if strings.HasPrefix(kind, "text/") {
		return "application/octet-stream"
	}
	return kind
}

func dataAddress(mime string, body []byte) string {
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(body)
}

// Frame returns a child frame's page as a data: address.
func (p *page) Frame(f snapshot.Frame) string {
	n, ok := p.s.FrameOf(p.n, f.ID)
	if !ok || p.depth >= deepest || n == p.n {
		return ""
	}
	child := *p
	child.n, child.depth, child.seen = n, p.depth+1, map[string]string{}
	child.o.Offset = f.Offset
	child.o.Point = nil
	var doc bytes.Buffer
	if _, err := child.write(&doc); err != nil || int64(doc.Len()) > *p.left {
		return ""
	}
	*p.left -= int64(doc.Len())
	return dataAddress("text/html;charset=utf-8", doc.Bytes())
}
