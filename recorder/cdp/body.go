package cdp

import (
	"context"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"time"
)

// bodyTimeout is how long the browser may take to hand over a body.
const bodyTimeout = 30 * time.Second

// takeBody asks for the bytes of an answer.
func (r *Recorder) takeBody(s *session, h *hop) {
	switch {
	case h.stream != nil:
		h.body = body{state: bodyFull, file: h.stream.file, size: h.bytes}
	case h.response == nil, h.sentInfo.Method == "HEAD", h.response.Status == 204, h.response.Status == 304 && h.bytes == 0:
	case !r.o.Bodies:
		h.body = body{state: bodySkipped, size: h.bytes, note: "bodies are not recorded"}
	case h.bytes > r.o.MaxBody:
		h.body = body{state: bodySkipped, size: h.bytes, note: "longer than the limit"}
	case r.takeFile(h):
	default:
		h.body = body{state: bodyFetching, size: h.bytes}
		ext, size, kind := extensionOf(h.response.MimeType), h.bytes, headerValue(h.response.Headers, "Content-Type")
		fetch := func() {
			r.fetch(h, &h.body, s.id, "Network.getResponseBody", func(data []byte) body { return r.keep(original(data, size, kind), ext) })
		}
		if mayWait(s, h) {
			r.later(s.page, fetch)
		} else {
			fetch()
		}
	}
}

// takePost records the bytes that a request sent.
func (r *Recorder) takePost(s *session, h *hop) {
	q := &h.sentInfo
	if !q.HasPostData && q.PostData == "" {
		return
	}
	if !r.o.Bodies {
		h.post = body{state: bodySkipped, note: "bodies are not recorded"}
		return
	}
	var data []byte
	whole := len(q.PostEntries) > 0
	for _, e := range q.PostEntries {
		data = append(data, e.Bytes...)
		whole = whole && len(e.Bytes) > 0 // files and blobs come without bytes
	}
	q.PostEntries = nil
	kind := headerValue(q.Headers, "Content-Type")
	switch {
	case whole:
		h.post = r.keepSent(data, kind)
	case q.PostData != "" && len(data) == 0:
		h.post = r.keepSent([]byte(q.PostData), kind)
	default:
		h.post = body{state: bodyFetching}
		r.fetch(h, &h.post, s.id, "Network.getRequestPostData", func(data []byte) body { return r.keepSent(data, kind) })
	}
	q.PostData = ""
}

// keepSent writes what a request sent, with the secrets in it masked. Its size
// is that of what was sent.
func (r *Recorder) keepSent(data []byte, contentType string) body {
	b := r.keep(r.masks.body(contentType, data), extensionOf(contentType))
	b.size = int64(len(data))
	return b
}

// keep writes bytes as a resource.
func (r *Recorder) keep(data []byte, ext string) body {
	if int64(len(data)) > r.o.MaxBody {
		return body{state: bodySkipped, size: int64(len(data)), note: "longer than the limit"}
	}
	file, err := r.sink.AddResource(data, ext)
	if err != nil {
		return body{state: bodySkipped, size: int64(len(data)), note: err.Error()}
	}
	return body{state: bodyFull, file: file, size: int64(len(data))}
}

// fetch asks for bytes and fills in b, which the loop owns, when they are written.
func (r *Recorder) fetch(h *hop, b *body, session, method string, keep func([]byte) body) {
	r.fetching.Add(1)
	go func() {
		defer r.fetching.Done()
		select {
		case r.bodies <- struct{}{}:
		case <-r.ended:
			return
		}
		got := r.fetched(h.request.id, session, method, keep)
		<-r.bodies
		r.post(func() { r.filled(h, b, got) })
	}()
}

// filled sets what became of a body.
func (r *Recorder) filled(h *hop, b *body, got body) {
	if h.written {
		return
	}
	switch {
	case b == &h.idle:
		h.unread(got)
		r.writeWhole(h.request)
		return
	case b == &h.body && h.failure != nil:
		got = h.part(got)
	case got.size == 0 && got.state == bodyFull && b == &h.body && h.announced() > 0:
		got = body{state: bodyEvicted, note: "the browser handed over nothing: what a service worker passes on is with the page's request"}
	case got.size == 0 && got.state == bodyFull && b == &h.body && h.unseen():
		got = body{state: bodyEvicted, note: "a service worker answered, and the page took the bytes past the browser (as a blob, into a cache), or there were none"}
	}
	if got.size == 0 && got.state != bodyFull {
		got.size = b.size
	}
	*b = got
	r.writeWhole(h.request)
}

// announced is how long the body has to be by what came over the wire; 0 if
// that is not known.
func (h *hop) announced() int64 {
	if n, err := strconv.ParseInt(headerValue(h.response.Headers, "Content-Length"), 10, 64); err == nil {
		return n
	}
	// An empty answer in chunks takes five bytes.
	return max(h.transfer-int64(h.response.WireBytes)-5, 0)
}

// unseen reports whether it is not known that an answer of a service worker was
// as empty as the browser says.
func (h *hop) unseen() bool {
	return h.response.ServiceWorker && h.bytes == 0 && headerValue(h.response.Headers, "Content-Length") != "0"
}

func (r *Recorder) fetched(id, session, method string, keep func([]byte) body) body {
	ctx, cancel := context.WithTimeout(context.Background(), bodyTimeout)
	defer cancel()
	var got struct {
		Body     string `json:"body"`
		PostData string `json:"postData"`
		Base64   bool   `json:"base64Encoded"`
	}
	if err := r.conn.Call(ctx, session, method, object{"requestId": id}, &got); err != nil {
		return body{state: bodyEvicted, note: reason(err)}
	}
	data := []byte(got.Body + got.PostData)
	if got.Base64 {
		var err error
		if data, err = base64.StdEncoding.DecodeString(string(data)); err != nil {
			return body{state: bodyEvicted, note: err.Error()}
		}
	}
	return keep(data)
}

func reason(err error) string {
	var p *ProtocolError
	if errors.As(err, &p) {
		return p.Message
	}
	return err.Error()
}

// extensions are those by which resources are named, so that a folder of them
// can be looked at.
var extensions = map[string]string{
	"text/html": ".html", "application/xhtml+xml": ".xhtml", "text/css": ".css", "text/plain": ".txt", "text/csv": ".csv",
	"text/javascript": ".js", "application/javascript": ".js", "application/x-javascript": ".js", "application/json": ".json",
	"application/xml": ".xml", "text/xml": ".xml", "image/png": ".png", "image/jpeg": ".jpeg", "image/gif": ".gif",
	"image/webp": ".webp", "image/avif": ".avif", "image/svg+xml": ".svg", "image/x-icon": ".ico", "image/vnd.microsoft.icon": ".ico",
	"font/woff": ".woff", "font/woff2": ".woff2", "font/ttf": ".ttf", "font/otf": ".otf", "application/font-woff": ".woff",
	"application/wasm": ".wasm", "application/pdf": ".pdf", "application/zip": ".zip", "video/mp4": ".mp4", "video/webm": ".webm",
	"audio/mpeg": ".mp3", "application/x-www-form-urlencoded": ".txt", "application/manifest+json": ".json", "application/ld+json": ".json",
}

func extensionOf(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	if ext := extensions[mime]; ext != "" {
		return ext
	}
	if strings.HasSuffix(mime, "+json") {
		return ".json"
	}
	return ".dat"
}
