package index

import (
	"bufio"
	"bytes"
	"io"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// bodies searches the bodies of requests and answers. A body that many
// requests share is searched once.
func (s *searcher) bodies() error {
	if !s.wanted("body", requestFilters...) || s.m.need == 0 {
		return nil
	}
	seen := map[string]bool{}
	t := s.x.tables[Network]
	for r := range Row(s.x.Len(Network)) {
		if !s.filters.request(s.x, r) {
			continue
		}
		c := s.x.cursor(Network, r)
		for _, entry := range []string{c.text(RequestBody), c.text(RequestSent)} {
			if entry == "" || seen[entry] || isMedia(entry) {
				continue
			}
			seen[entry] = true
			h := Hit{Kind: "body", Table: Network, Row: r, Time: time.Duration(t.getLong(r, RequestStart)), Entry: entry}
			if err := s.entry(h); err != nil || s.stopped {
				return err
			}
		}
	}
	return nil
}

// attachments searches the names and the texts of what tests attached.
func (s *searcher) attachments() error {
	if !s.wanted("attachment", timeFilters...) {
		return nil
	}
	f := s.m.start()
	for r := range Row(s.x.Len(Attachments)) {
		c := s.x.cursor(Attachments, r)
		if !s.filters.moment(c.time(AttachmentTime)) {
			continue
		}
		h := Hit{Kind: "attachment", Table: Attachments, Row: r, Time: c.time(AttachmentTime), Entry: c.text(AttachmentEntry), Snippet: c.text(AttachmentName)}
		f.reset()
		f.add([]byte(h.Snippet))
		if f.ok() {
			s.emit(h, &f)
		} else if h.Entry != "" && s.m.need > 0 && !isMedia("x."+path.Base(c.text(AttachmentType))) {
			if err := s.entry(h); err != nil {
				return err
			}
		}
		if s.stopped {
			return nil
		}
	}
	return nil
}

// sources searches the source files that the recorder kept.
func (s *searcher) sources() error {
	if !s.wanted("source") || s.m.need == 0 {
		return nil
	}
	for _, e := range s.x.source.archive.Entries() {
		if !strings.HasPrefix(e.Name, "src/") && !strings.Contains(e.Name, "src@") {
			continue
		}
		if err := s.entry(Hit{Kind: "source", Row: NoRow, Time: NoTime, Entry: e.Name}); err != nil || s.stopped {
			return err
		}
	}
	return nil
}

// isMedia tells by its name that an entry is no text.
func isMedia(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpeg", ".jpg", ".gif", ".webp", ".avif", ".ico", ".woff", ".woff2", ".ttf", ".otf", ".mp4", ".webm", ".mp3", ".zip", ".gz", ".wasm", ".pdf":
		return true
	}
	return false
}

// bodyWindow is how much of a body is looked at in one go: what a query asks
// for must be within it.
const bodyWindow = 1 << 20

// entry searches one entry piece by piece, each with the end of the one
// before it, and reports the first match.
func (s *searcher) entry(h Hit) error {
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	rc, err := s.x.source.archive.Resource(s.ctx, h.Entry)
	if err != nil {
		return nil
	}
	defer rc.Close()
	r := bufio.NewReaderSize(io.LimitReader(rc, s.maxBody), 64<<10)
	if head, _ := r.Peek(512); !isText(head) {
		return nil
	}
	f := s.m.start()
	var window []byte
	lines := 0
	for {
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		dropped := max(len(window)-4*snippetSide, 0)
		lines += bytes.Count(window[:dropped], []byte("\n"))
		kept := copy(window, window[dropped:])
		window = slices.Grow(window[:kept], bodyWindow)[:kept+bodyWindow]
		n, err := io.ReadFull(r, window[kept:])
		window = window[:kept+n]
		f.reset()
		f.add(window)
		if f.ok() {
			h.Line = lines + bytes.Count(window[:f.at], []byte("\n")) + 1
			s.emit(h, &f)
			return nil
		}
		if err != nil || f.refused {
			return nil
		}
	}
}

// isText reports whether the beginning of an entry looks like text.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 && len(head)-i >= utf8.UTFMax {
			return false
		}
		i += n
	}
	return true
}
