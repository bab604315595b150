package check

import (
	"bytes"
	"fmt"
	"sort"

	"github.com/tracedeck/tracedeck/trace"
)

// frameHistory holds for each snapshot of a frame how many nodes it has that
// later ones may refer to.
type frameHistory struct{ nodes []int }

func (c *checker) snapshot(e *trace.Event, b *trace.FrameSnapshot, place string) {
	raw := parse(e.Raw).Object("snapshot")
	if raw != nil {
		if !raw.Has("resourceOverrides") {
			c.add("E_NO_OVERRIDES", place, "snapshot %s", nameOf(b))
		}
		if !raw.Has("viewport") {
			c.add("E_NO_VIEWPORT", place, "snapshot %s", nameOf(b))
		}
	}
	for _, o := range b.ResourceOverrides {
		c.uses(o.File, place)
	}
	if b.Name != "" {
		c.f.snapshots[b.Name] = true
		if _, named := c.f.named[b.Name]; !named && c.f.file.Version() >= 4 && c.f.file.Version() <= 8 {
			c.f.early[b.Name] = place
		}
	}
	if picture(b.HTML) {
		c.add("I_PICTURE_SNAPSHOT", place, "%s", nameOf(b))
	}
	h := c.f.frames[b.FrameID]
	if h == nil {
		h = &frameHistory{}
		c.f.frames[b.FrameID] = h
	}
	h.nodes = append(h.nodes, 0)
	bad := h.count(b.HTML)
	if bad > 0 {
		c.add("E_BAD_REFERENCE", place, "%d references in the snapshot %s", bad, nameOf(b))
	}
}

func nameOf(b *trace.FrameSnapshot) string {
	if b.Name != "" {
		return b.Name
	}
	return string(b.Phase) + "@" + b.CallID
}

// count goes over a node array, which is known to be JSON, counts the nodes of
// the newest snapshot as references count them (children before parents), and
// returns how many of its own references point nowhere.
func (h *frameHistory) count(html []byte) (bad int) {
	own := &h.nodes[len(h.nodes)-1]
	for i := 0; i < len(html); {
		switch html[i] {
		case '"':
			*own++
			i = skipString(html, i)
		case ']':
			*own++
			i++
		case '[':
			next := skipBlanks(html, i+1)
			if next < len(html) && html[next] == '[' {
				var ok bool
				i, ok = h.reference(html, next)
				if !ok {
					bad++
				}
				continue
			}
			i = skipBlanks(html, skipString(html, next))
			if i < len(html) && html[i] == ',' {
				if i = skipBlanks(html, i+1); i < len(html) && html[i] == '{' {
					i = skipObject(html, i)
				}
			}
		default:
			i++
		}
	}
	return bad
}

// reference reads [age,index]] from i on, and tells whether it points to a node.
func (h *frameHistory) reference(html []byte, i int) (end int, ok bool) {
	stop := bytes.IndexByte(html[i:], ']')
	if stop < 0 {
		return len(html), false
	}
	var age, index int
	_, err := fmt.Sscanf(string(html[i:i+stop+1]), "[%d,%d]", &age, &index)
	from := len(h.nodes) - 1 - age
	ok = err == nil && age >= 0 && from >= 0 && index >= 0 && index < h.nodes[from]
	end = skipBlanks(html, i+stop+1)
	if end < len(html) && html[end] == ']' {
		end++
	}
	return end, ok
}

func skipBlanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the place behind the string that begins at i.
func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// skipObject returns the place behind the object that begins at i.
func skipObject(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = skipString(b, i)
			continue
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return len(b)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
