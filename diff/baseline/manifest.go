// Package baseline says which screenshots of which session were approved, and
// with which renderer. It is a small text file that lives in git; the pictures
// themselves are blobs outside of it.
package baseline

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/visual"
)

// Version is the version of the file that Save writes.
const Version = 1

// MaxSide is the longest side of an approved picture, in pixels.
const MaxSide = 1 << 16

// Baseline is one approved picture.
type Baseline struct {
	Digest blob.Ref `json:"digest"`
	Width  int      `json:"width"`  // pixels
	Height int      `json:"height"` // pixels
	// Boxes are where elements lay that a mask names, by their selector, so that the mask can follow them.
	Boxes map[string][]visual.Rect `json:"boxes,omitempty"`
}

// Equal is whether both are the same picture with the same boxes.
func (b Baseline) Equal(o Baseline) bool {
	return b.Digest == o.Digest && b.Width == o.Width && b.Height == o.Height && maps.EqualFunc(b.Boxes, o.Boxes, slices.Equal)
}

// Manifest is all approved pictures: by session, by the key of the picture in
// the session, and by the renderer it was made with. Several renderers stand
// side by side, so that a laptop and a CI machine need not agree to the pixel.
type Manifest struct {
	// Renderers are those that the baselines name, by their ID.
	Renderers map[string]Renderer
	// Baselines are session → key → ID of the renderer → picture.
	Baselines map[string]map[string]map[string]Baseline

	read blob.Ref // of the file as it was read; zero if there was none
}

// New is a manifest without baselines.
func New() *Manifest {
	return &Manifest{Renderers: map[string]Renderer{}, Baselines: map[string]map[string]map[string]Baseline{}}
}

// Approve notes a picture for one renderer. It reports whether anything is
// new.
func (m *Manifest) Approve(session, key string, r Renderer, b Baseline) bool {
	id := r.ID()
	if m.Baselines[session][key][id].Equal(b) {
		return false
	}
	if m.Baselines[session] == nil {
		m.Baselines[session] = map[string]map[string]Baseline{}
	}
	if m.Baselines[session][key] == nil {
		m.Baselines[session][key] = map[string]Baseline{}
	}
	m.Renderers[id] = r
	m.Baselines[session][key][id] = b
	return true
}

// Remove forgets a picture of one renderer, and of all if id is empty.
func (m *Manifest) Remove(session, key, id string) {
	if id == "" {
		delete(m.Baselines[session], key)
	} else if delete(m.Baselines[session][key], id); len(m.Baselines[session][key]) == 0 {
		delete(m.Baselines[session], key)
	}
	if len(m.Baselines[session]) == 0 {
		delete(m.Baselines, session)
	}
	m.dropUnused()
}

// dropUnused forgets renderers that no baseline names.
func (m *Manifest) dropUnused() {
	used := map[string]bool{}
	for e := range m.All() {
		used[e.Renderer] = true
	}
	maps.DeleteFunc(m.Renderers, func(id string, _ Renderer) bool { return !used[id] })
}

// Match says how near the renderer of a baseline is to the one that is asked for.
type Match int

const (
	None  Match = iota // there is no baseline under that key
	Other              // only with renderers whose pictures cannot be compared: another regime, viewport or scale
	Near               // with a renderer that should draw alike but need not: another build, flags or fonts
	Exact              // with the very same renderer
)

// Find is the baseline that is nearest to what r draws, and the ID of the
// renderer that it was made with.
func (m *Manifest) Find(session, key string, r Renderer) (b Baseline, id string, match Match) {
	byRenderer := m.Baselines[session][key]
	if b, ok := byRenderer[r.ID()]; ok {
		return b, r.ID(), Exact
	}
	for _, other := range slices.Sorted(maps.Keys(byRenderer)) {
		is := Other
		if m.Renderers[other].Comparable(r) {
			is = Near
		}
		if is > match {
			b, id, match = byRenderer[other], other, is
		}
	}
	return b, id, match
}

// Entry is one line of a manifest.
type Entry struct {
	Session, Key, Renderer string
	Baseline
}

// Rename gives a session's baselines to another name. It returns how many pictures that is, and false, having done
// nothing, if that name has baselines already.
func (m *Manifest) Rename(from, to string) (n int, ok bool) {
	if from == to || len(m.Baselines[to]) > 0 {
		return 0, false
	}
	for _, renderers := range m.Baselines[from] {
		n += len(renderers)
	}
	if n > 0 {
		m.Baselines[to] = m.Baselines[from]
	}
	delete(m.Baselines, from)
	return n, true
}

// All yields every baseline, sorted by session, key and renderer.
func (m *Manifest) All() func(yield func(Entry) bool) {
	return func(yield func(Entry) bool) {
		for _, session := range slices.Sorted(maps.Keys(m.Baselines)) {
			for _, key := range slices.SortedFunc(maps.Keys(m.Baselines[session]), CompareKeys) {
				for _, id := range slices.Sorted(maps.Keys(m.Baselines[session][key])) {
					if !yield(Entry{session, key, id, m.Baselines[session][key][id]}) {
						return
					}
				}
			}
		}
	}
}

// Keys are the keys of a session's pictures in the order of its steps.
func (m *Manifest) Keys(session string) []string {
	return slices.SortedFunc(maps.Keys(m.Baselines[session]), CompareKeys)
}

// Digests are all blobs that the manifest names, each once.
func (m *Manifest) Digests() []blob.Ref {
	var list []blob.Ref
	seen := map[blob.Ref]bool{}
	for e := range m.All() {
		if !seen[e.Digest] {
			seen[e.Digest] = true
			list = append(list, e.Digest)
		}
	}
	return list
}

// CompareKeys orders the keys of a session's pictures by the step that they
// belong to: nav@e2 before cap@e10, and final at the end.
func CompareKeys(a, b string) int {
	return cmp.Or(cmp.Compare(place(a), place(b)), natural(a, b))
}

func place(key string) int {
	switch key {
	case "initial":
		return -1
	case "final":
		return 1 << 30
	}
	_, number, ok := strings.Cut(key, "@e")
	value, err := strconv.Atoi(number)
	if !ok || err != nil || value < 0 || value >= 1<<29 {
		return 1 << 29
	}
	return value
}

// natural compares texts, and numbers in them by their value.
func natural(a, b string) int {
	for x, y := a, b; x != "" && y != ""; {
		m, n := digits(x), digits(y)
		if m == 0 || n == 0 {
			if x[0] != y[0] {
				return cmp.Compare(x[0], y[0])
			}
			x, y = x[1:], y[1:]
			continue
		}
		p, q := strings.TrimLeft(x[:m], "0"), strings.TrimLeft(y[:n], "0")
		if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
			return c
		}
		x, y = x[m:], y[n:]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// digits is with how many digits a text begins.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
