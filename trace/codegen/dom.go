package codegen

import (
	"context"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

const (
	maxPageBytes = 4 << 20 // of a page that is looked at
	maxElements  = 20000   // of a page that are looked at
	longestText  = 80      // characters of a text that is compared
)

// dom is what is compared of a page: elements that have a name of their own,
// and texts that stand for themselves.
type dom struct {
	named  []named
	byKey  map[string]int
	leaves map[string]int // how often a text stands alone in an element
	fields map[string]string
}

// named is an element that a program can name.
type named struct {
	key     string // selector
	rank    int
	text    string
	kind    string // "heading", "status" or ""
	hidden  bool
	depth   int
	parents []int // of the named elements around it
	path    string
}

// reader of pages, which remembers the last ones.
type domReader struct {
	s     *Scenario
	store *snapshot.Store
	cache map[trace.Position]*dom
}

func (r *domReader) read(ctx context.Context, shot *trace.Snapshot) *dom {
	if shot == nil {
		return nil
	}
	if d, ok := r.cache[shot.Position]; ok {
		return d
	}
	if len(r.cache) > 4 {
		clear(r.cache)
	}
	d := r.parse(ctx, shot)
	r.cache[shot.Position] = d
	return d
}

func (r *domReader) parse(ctx context.Context, shot *trace.Snapshot) *dom {
	n, ok := r.store.Lookup(snapshot.PlaceOf(shot).Key)
	if !ok {
		return nil
	}
	var b strings.Builder
	if _, err := r.store.Render(ctx, &b, n, snapshot.Options{NoTarget: true, NoCanvas: true, MaxBytes: maxPageBytes}); err != nil {
		return nil
	}
	return parseDOM(strings.NewReader(b.String()), r.s.TestID)
}

func parseDOM(page io.Reader, testID string) *dom {
	root, err := html.Parse(page)
	if err != nil {
		return nil
	}
	d := &dom{byKey: map[string]int{}, leaves: map[string]int{}, fields: map[string]string{}}
	w := &domWalk{d: d, testID: testID, left: maxElements, twice: map[string]bool{}, roles: map[string]int{}}
	w.walk(root, false, 0, nil, "")
	for key := range w.twice {
		delete(d.byKey, key)
	}
	return d
}

type domWalk struct {
	d      *dom
	testID string
	left   int
	twice  map[string]bool
	roles  map[string]int
}

// unseen are elements whose content is no text of the page.
var unseen = []string{"script", "style", "noscript", "template", "head", "title", "svg", "option"}

func (w *domWalk) walk(n *html.Node, hidden bool, depth int, parents []int, path string) {
	if w.left--; w.left < 0 || depth > 400 {
		return
	}
	if n.Type == html.ElementNode {
		if n.Data == "template" && attr(n, "shadowrootmode") == "" || n.Data != "template" && slices.Contains(unseen, n.Data) {
			return
		}
		hidden = hidden || isHidden(n)
		path = cssStep(n, path)
		parents = w.element(n, hidden, depth, parents, path)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.walk(c, hidden, depth+1, parents, path)
	}
}

// element notes an element if it has a name, and returns the named elements
// around its children.
func (w *domWalk) element(n *html.Node, hidden bool, depth int, parents []int, path string) []int {
	if t := attr(n, "type"); t != "" && n.Data == "input" {
		for _, name := range []string{"id", "name"} {
			if v := attr(n, name); v != "" {
				w.d.fields[name+"="+v] = t
			}
		}
	}
	text := ""
	if onlyText(n) {
		text = textOf(n, 2*longestText)
		if text != "" && !hidden {
			w.d.leaves[text]++
		}
	}
	key, rank, kind := w.keyOf(n)
	if key == "" {
		return parents
	}
	if text == "" {
		text = textOf(n, 4*longestText)
	}
	if _, ok := w.d.byKey[key]; ok {
		w.twice[key] = true
		return parents
	}
	w.d.byKey[key] = len(w.d.named)
	w.d.named = append(w.d.named, named{key: key, rank: rank, text: text, kind: kind, hidden: hidden, depth: depth, parents: parents, path: path})
	return append(slices.Clip(parents), len(w.d.named)-1)
}

// keyOf names an element: test id, role, id.
func (w *domWalk) keyOf(n *html.Node) (key string, rank int, kind string) {
	id := attr(n, "id")
	switch {
	case attr(n, w.testID) != "":
		return testIDSelector(w.testID, attr(n, w.testID)), 0, ""
	case n.Data == "h1" || n.Data == "h2" || n.Data == "h3":
		if text := textOf(n, longestText+1); text != "" && len([]rune(text)) <= longestText {
			return "internal:role=heading[name=" + quoted(text) + "s]", 1, "heading"
		}
	}
	role := attr(n, "role")
	if role == "" && n.Data == "output" {
		role = "status"
	}
	live := role == "alert" || role == "status"
	if w.roles[role]++; live && w.roles[role] > 1 {
		w.twice["internal:role="+role] = true
	}
	switch {
	case id != "" && !generated(id):
		return idSelector(id), 4, ""
	case live:
		return "internal:role=" + role, 2, "status"
	}
	return "", 0, ""
}

// generated recognises ids that a program makes up, which are others tomorrow.
func generated(id string) bool { return generatedID.MatchString(id) || len(id) > 60 }

var generatedID = lazyregexp.New(`\d{3,}|^[:_]|:r[0-9a-z]+:|^(radix|headlessui|react-select|mui|ember|downshift|ng-|__)|[0-9a-f]{8,}|-\d+$`)

func isHidden(n *html.Node) bool {
	style := strings.ReplaceAll(attr(n, "style"), " ", "")
	return has(n, "hidden") || attr(n, "aria-hidden") == "true" || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") ||
		n.Data == "dialog" && !has(n, "open") || n.Data == "details" && !has(n, "open") || has(n, "popover")
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func onlyText(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return false
		}
	}
	return n.FirstChild != nil
}

// textOf is the text of an element with blanks joined, cut off where it is
// longer than wanted.
func textOf(n *html.Node, most int) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if b.Len() > 8*most {
			return
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && slices.Contains(unseen, n.Data) {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// cssStep adds an element to a path of CSS.
func cssStep(n *html.Node, path string) string {
	if id := attr(n, "id"); id != "" && !generated(id) && plainID.MatchString("#"+id) {
		return "#" + id
	}
	step, nth, more := n.Data, 1, false
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode && c.Data == n.Data {
			nth++
		}
	}
	for c := n.NextSibling; c != nil; c = c.NextSibling {
		more = more || c.Type == html.ElementNode && c.Data == n.Data
	}
	if nth > 1 || more {
		step += ":nth-of-type(" + number(float64(nth)) + ")"
	}
	if path == "" || n.Data == "body" || n.Data == "html" {
		return step
	}
	return path + " > " + step
}
