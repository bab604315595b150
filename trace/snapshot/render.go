package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// Options say how a snapshot is shown.
type Options struct {
	Addresses Addresses    // nil: the page loads nothing
	Point     *trace.Point // where the pointer is drawn, in CSS pixels of the page
	NoTarget  bool         // do not outline the element that the action is about
	NoCanvas  bool         // do not fill canvases from the screencast
	Offset    trace.Point  // where a frame begins in the page's viewport: see [Frame]
	Head      string       // markup of the caller's own, put first into the head
	Scripts   bool         // child frames may run the caller's own script too; their policy must keep out all others
	MaxBytes  int64        // of output; 0 means [DefaultMaxBytes]
}

// DefaultMaxBytes is how much HTML one page may be.
const DefaultMaxBytes = 256 << 20

// Report tells how rendering went.
type Report struct {
	Warnings []trace.Warning
	Missing  []string // addresses that have no response in the trace, at most 1000
	CutOff   bool     // the page is larger than the limit
}

// Render writes snapshot n as an HTML document. It goes wrong only where the
// snapshot itself cannot be read or w fails: whatever is bad inside is left
// out and told in the report.
func (s *Store) Render(ctx context.Context, w io.Writer, n int, o Options) (Report, error) {
	place, ok := s.Place(n)
	if !ok {
		return Report{}, fmt.Errorf("snapshot %d: there is none", n)
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	walk := s.walker(ctx)
	top, err := walk.tree(n)
	if err != nil {
		return Report{}, err
	}
	r := &renderer{ctx: ctx, o: o, store: s, n: n, place: place, out: newHTMLWriter(w, o.MaxBytes), base: place.FrameURL, quirks: top.doctype == "", written: map[string]bool{}}
	r.addresses = &noting{to: o.Addresses, missed: map[string]bool{}}
	if o.Addresses == nil {
		r.addresses.to = nowhere{}
	}
	r.document(top.doctype)
	err = walk.walk(n, r)
	cut := errors.Is(err, ErrTooLarge) || errors.Is(r.out.err, ErrTooLarge)
	if errors.Is(err, ErrTooLarge) && r.out.err != nil && !errors.Is(r.out.err, ErrTooLarge) {
		return Report{}, r.out.err // w failed
	}
	if cut {
		walk.warnings.add("W_SNAPSHOT_CUT", n, s, ErrTooLarge.Error())
		r.out.err, err = nil, nil
	}
	if err == nil {
		err = r.out.flush()
	}
	walk.warnings.list = append(walk.warnings.list, r.warnings.list...)
	return Report{Warnings: walk.warnings.list, Missing: r.addresses.missing, CutOff: cut}, err
}

// noting is an Addresses that notes what has no address.
type noting struct {
	to      Addresses
	missing []string
	missed  map[string]bool
}

func (a *noting) Resource(address string, use Use) string {
	to := a.to.Resource(address, use)
	if to == "" && !a.missed[address] && len(a.missing) < 1000 {
		a.missed[address] = true
		a.missing = append(a.missing, address)
	}
	return to
}

func (a *noting) Entry(file string) string { return a.to.Entry(file) }

func (a *noting) Frame(f Frame) string { return a.to.Frame(f) }

// renderer writes a page's nodes as HTML.
type renderer struct {
	o         Options
	store     *Store
	n         int
	place     Place
	out       *htmlWriter
	addresses *noting
	base      string
	based     bool // a BASE was met
	quirks    bool
	headDone  bool
	page      string           // rules for the page's root, known when HTML is opened
	css       *strings.Builder // of the STYLE that is open
	cssAttrs  []attribute
	plain     int        // how many elements are open in which only text counts
	templates []template // that are open
	defined   map[string]bool
	chosen    bool   // inside a PICTURE whose IMG says what is shown
	extra     string // declarations for the element that is being written
	attrs     []attribute
	written   map[string]bool
	warnings  warnings
	ctx       context.Context // of the one call that this renders for
	sprites   sprites
	choice    choice
}

// choice is what is known of the SELECT that is open.
type choice struct {
	marked, selected bool // an OPTION says whether it is selected; one is
	many             bool
}

// template is an open TEMPLATE.
type template struct {
	shadow bool
	rules  bool // something inside needs the rules of the head
}

func (r *renderer) document(doctype string) {
	if doctype != "" {
		name := strings.Map(func(c rune) rune {
			if c < 0x80 && (letter(byte(c)) || c >= '0' && c <= '9') {
				return c
			}
			return -1
		}, doctype)
		if strings.Contains(strings.ToLower(name), "html") || name == "" {
			name = "html"
		}
		r.out.raw("<!DOCTYPE " + name + ">")
	}
}

// head writes what every page begins with, once.
func (r *renderer) head() {
	r.headDone = true
	r.out.raw(`<meta charset="utf-8">`)
	r.out.raw(r.o.Head)
	r.out.raw("<style>")
	r.out.raw(prelude)
	r.out.raw(r.page)
	if p := r.o.Point; p != nil {
		r.out.raw(pointerRule(p.X, p.Y))
	}
	r.out.raw("</style>")
}

// lower returns the name in lower case as browsers make it: only of ASCII.
func lower(name []byte) string {
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			b := append([]byte(nil), name...)
			for i, c := range b {
				if c >= 'A' && c <= 'Z' {
					b[i] = c + 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return string(name)
}

func (r *renderer) full() bool { return r.out.err != nil }

func (r *renderer) open(t *tree, n *node) bool {
	if r.out.err != nil {
		return false
	}
	raw := t.name(n)
	if !elementName(raw) {
		r.warnings.add("W_BAD_NODE", r.n, r.store, fmt.Sprintf("an element with the name %.40q", raw))
		return false
	}
	name := lower(raw)
	if r.plain > 0 || r.css != nil {
		return false
	}
	r.attrs = t.attributes(r.attrs[:0], n)
	if !r.headDone && name != "html" {
		if name == "head" {
			r.start(name, r.attrs)
			r.head()
			return true
		}
		r.out.raw("<head>")
		r.head()
		r.out.raw("</head>")
	}
	return r.element(name)
}

// element writes the start of the element whose attributes are r.attrs, and
// returns whether it has an inside.
func (r *renderer) element(name string) bool {
	switch elementRules()[name] {
	case ruleDrop:
		return false
	case ruleRename:
		r.start("x-"+name, r.attrs)
		return true
	case ruleVoid:
		r.start(name, r.attrs)
		return false
	case ruleText:
		r.start(name, r.attrs)
		r.plain++
		return true
	case ruleMeta:
		r.meta()
		return false
	case ruleLink:
		r.link()
		return false
	case ruleStyle:
		r.style(r.attrs)
		return true
	case ruleTextarea:
		return r.textarea()
	case ruleTemplate:
		return r.template()
	case ruleFrame:
		r.frame(name)
		return false
	case ruleCanvas:
		r.canvas()
		return false
	case rulePre:
		r.start("pre", r.attrs)
		r.out.raw("\n") // the parser takes one line end away
		return true
	case ruleAnimate:
		return r.animate(name)
	}
	if name == "base" {
		r.baseElement()
		return false
	}
	switch name {
	case "html", "body":
		r.root(name)
	case "use":
		r.use()
		return true
	case "select":
		_, many := find(r.attrs, "multiple")
		size, _ := find(r.attrs, "size")
		r.choice = choice{many: many || size > "1" || len(size) > 1}
	}
	r.start(name, r.attrs)
	return true
}

func (r *renderer) close(t *tree, n *node) {
	name := lower(t.name(n))
	switch elementRules()[name] {
	case ruleRename:
		name = "x-" + name
	case ruleText:
		r.plain--
	case ruleStyle:
		r.endStyle()
		return
	case ruleTextarea:
		r.plain--
	case ruleTemplate:
		r.endTemplate()
		return
	case rulePre:
		name = "pre"
	}
	switch name {
	case "picture":
		r.chosen = false
	case "select":
		r.noChoice()
	}
	if r.out.err == nil {
		r.out.raw("</")
		r.out.raw(name)
		r.out.raw(">")
	}
}

// noChoice writes an OPTION for a field in which none was selected: browsers
// take the first one otherwise.
func (r *renderer) noChoice() {
	if c := r.choice; c.marked && !c.selected && !c.many {
		r.out.raw("<option selected hidden></option>")
	}
	r.choice = choice{}
}

func (r *renderer) text(t *tree, n *node) {
	switch {
	case r.out.err != nil:
	case r.css != nil:
		if r.css.Len() < 64<<20 {
			r.css.WriteString(t.text(n))
		}
	default:
		r.out.jsonText(t.Raw(n.Text))
	}
}
