package audit

import (
	"context"
	"encoding/base64"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// maxBody is how much of a body is looked at, in bytes.
const maxBody = 2 << 20

// maxLooked is how many bodies are remembered, so that none is read twice.
const maxLooked = 50_000

// looked is what is known of a body that was read.
type looked struct {
	c   *content
	cut bool
}

// body looks through a body, which is an entry of the archive or stands in the
// request itself. It returns nil where there is nothing to look at.
func (s *scan) body(ctx context.Context, file, text, encoding string, kind written, source *verdict.Source) *content {
	if file == "" && text == "" || kind == nothing && file == "" && encoding != "" {
		return nil
	}
	return s.once(ctx, file, text, encoding, strconv.Itoa(int(kind)), source, func(b []byte) *content {
		k := kind
		if k == nothing {
			if k = guess(b); k == nothing {
				return nil
			}
		}
		return inspect(string(b), k)
	})
}

func (s *scan) messages(ctx context.Context, file string, text []byte, source *verdict.Source) *content {
	return s.once(ctx, file, string(text), "", "messages", source, inMessages)
}

// once reads a body and looks through it, unless the same entry was looked through
// in the same way before.
func (s *scan) once(ctx context.Context, file, text, encoding, how string, source *verdict.Source, look func([]byte) *content) *content {
	id := file + "\x00" + how
	if known := s.bodies[id]; file != "" && known != nil {
		return counted(known, source)
	}
	b, cut, err := s.read(ctx, file, text, encoding)
	if err != nil && len(b) == 0 {
		source.Missing++
		return nil
	}
	s.report.Summary.Scanned.Bodies++
	s.report.Summary.Scanned.BodyBytes += int64(len(b))
	l := &looked{c: look(b), cut: cut || err != nil}
	if file != "" && len(s.bodies) < maxLooked {
		s.bodies[id] = l
	}
	return counted(l, source)
}

func counted(l *looked, source *verdict.Source) *content {
	if l.c == nil {
		return nil
	}
	source.Looked++
	if l.cut || l.c.more > 0 {
		source.Skipped++
	}
	return l.c
}

func (s *scan) read(ctx context.Context, file, text, encoding string) (b []byte, cut bool, err error) {
	if file == "" {
		b = []byte(text)
		if encoding == "base64" {
			b, err = base64.StdEncoding.DecodeString(text)
		}
		return b[:min(len(b), maxBody)], len(b) > maxBody, err
	}
	r, err := s.a.Resource(ctx, file)
	if err != nil {
		return nil, false, err
	}
	defer r.Close()
	b, err = io.ReadAll(io.LimitReader(r, maxBody+1))
	s.advance(int64(len(b)))
	return b[:min(len(b), maxBody)], len(b) > maxBody, err
}

// guess says what a body without a type of its own is written in.
func guess(b []byte) written {
	head := b[:min(len(b), 512)]
	for _, c := range head {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return nothing
		}
	}
	switch t := strings.TrimSpace(string(head)); {
	case t == "":
		return nothing
	case t[0] == '{' || t[0] == '[':
		return data
	case t[0] == '<':
		return markup
	}
	return prose
}

func joined(params []har.NameValue) string {
	var list []string
	for _, p := range params {
		list = append(list, url.QueryEscape(p.Name)+"="+url.QueryEscape(p.Value))
	}
	return strings.Join(list, "&")
}

func unescapePath(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

func lengthOf(header string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(header))
	return n
}
