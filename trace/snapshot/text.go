package snapshot

import (
	"context"
	"strings"
)

// Text returns the text of snapshot n's frame: what stands in it, shadow roots
// before what they slot, without styles and without the values of fields.
// Blanks are joined. Where a page is too large it returns the text up to there
// and an error.
func (s *Store) Text(ctx context.Context, n int) (string, error) {
	v := &textVisitor{}
	err := s.walker(ctx).walk(n, v)
	return strings.TrimSpace(v.b.String()), err
}

// Title returns the title of the page in snapshot n.
func (s *Store) Title(ctx context.Context, n int) (string, error) {
	v := &textVisitor{wantTitle: true}
	err := s.walker(ctx).walk(n, v)
	return strings.TrimSpace(v.b.String()), err
}

// textVisitor collects text. It leaves out what is never seen.
type textVisitor struct {
	b         strings.Builder
	wantTitle bool
	inTitle   int
	gap       bool
}

func (v *textVisitor) full() bool { return v.b.Len() > maxText }

// maxText is how much text a page may have, in bytes.
const maxText = 64 << 20

func (v *textVisitor) open(t *tree, n *node) bool {
	name := lower(t.name(n))
	switch name {
	case "script", "style", "noembed", "noframes", "iframe", "object", "canvas", "textarea", "select", "datalist", "svg":
		if name == "svg" && !v.wantTitle || name == "select" && !v.wantTitle {
			break
		}
		return false
	case "title":
		if v.wantTitle {
			v.inTitle++
			return true
		}
		return false
	case "template":
		_, shadow := find(t.attributes(nil, n), attrShadowRoot)
		return shadow
	}
	v.gap = true
	return true
}

func (v *textVisitor) close(t *tree, n *node) {
	if v.wantTitle && lower(t.name(n)) == "title" {
		v.inTitle--
	}
	v.gap = true
}

func (v *textVisitor) text(t *tree, n *node) {
	if v.wantTitle && (v.inTitle == 0 || v.b.Len() > 0) || v.b.Len() > maxText {
		return
	}
	text := t.text(n)
	if text == "" {
		return
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		v.gap = true
		return
	}
	if v.gap || startsBlank(text) {
		v.space()
	}
	v.gap = false
	for i, w := range words {
		if i > 0 {
			v.b.WriteByte(' ')
		}
		v.b.WriteString(w)
	}
	v.gap = strings.TrimRight(text, " \t\n\r\f") != text
}

func (v *textVisitor) space() {
	if v.b.Len() > 0 {
		v.b.WriteByte(' ')
	}
}

func startsBlank(text string) bool { return strings.TrimLeft(text, " \t\n\r\f") != text }
