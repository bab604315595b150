package index

import (
	"hash/maphash"

	"github.com/tracedeck/tracedeck/trace/locator"
	"github.com/tracedeck/tracedeck/trace/title"
)

// titled is what a list shows of an action.
type titled struct {
	text, detail StringID
	flags        ActionFlags
}

// describer remembers titles: sessions do the same things again and again,
// and wording one costs more than reading its line.
type describer struct {
	known map[callSum]titled
	hash  maphash.Hash
}

// callSum stands for everything that a title depends on.
type callSum struct {
	sum      uint64
	length   int
	language string
}

const mostTitles = 8192

// describe returns what a list shows of the action that r begins.
func (j *joiner) describe(e *entry, r *record) titled {
	d := &j.details
	key := d.sum(r, e.ctx.options.SDKLanguage)
	if t, ok := d.known[key]; ok {
		return t
	}
	words := title.Of(title.Call{Class: string(r.class), Method: string(r.method), Title: string(r.title),
		Subtitle: string(r.subtitle), Group: string(r.group), Params: without(r.params, largeParam), Language: locator.Language(key.language)})
	t := titled{text: j.x.strings.intern(cut([]byte(words.Text), MaxTitle)), detail: j.x.strings.intern(cut([]byte(words.Detail), MaxTitle)),
		flags: groupFlags(string(words.Group))}
	if d.known == nil || len(d.known) >= mostTitles {
		d.known = map[callSum]titled{}
	}
	d.known[key] = t
	return t
}

func (d *describer) sum(r *record, language string) callSum {
	d.hash.Reset()
	n := 0
	for _, part := range [][]byte{r.class, r.method, r.title, r.subtitle, r.group, r.params} {
		d.hash.Write(part)
		d.hash.WriteByte(0)
		n += len(part) + 1
	}
	return callSum{d.hash.Sum64(), n, language}
}

func groupFlags(group string) ActionFlags {
	switch group {
	case "getter":
		return Getter
	case "route":
		return Route
	case "configuration":
		return Configuration
	}
	return 0
}

// largeParam is from how many bytes on a parameter is not looked at: no title
// shows a script or a file.
const largeParam = 32 << 10

// without returns the object without members that are larger than that.
func without(v []byte, large int) []byte {
	if len(v) <= large {
		return v
	}
	small := []byte{'{'}
	w := walker{b: v}
	w.enter()
	for key, ok := w.next(); ok; key, ok = w.next() {
		got := w.value()
		if len(got) > large {
			continue
		}
		if len(small) > 1 {
			small = append(small, ',')
		}
		small = append(append(append(append(small, '"'), key...), '"', ':'), got...)
	}
	return append(small, '}')
}
