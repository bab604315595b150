package dom

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"sort"
	"strings"
	"sync"
	"unsafe"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/nodearray"
)

// Mask puts names in the place of what differs from run to run.
type Mask interface {
	// Text masks the text of an element.
	Text(text string) string
	// Attribute masks the value of an attribute. The field is its name, or
	// the name of the form field or meta element whose value it is.
	Attribute(field, value string) string
}

// Pages are all snapshots of a trace. It is safe for concurrent use.
type Pages struct {
	archive *trace.Archive
	mask    Mask
	budget  int64

	mu     sync.Mutex
	kept   int64
	reread []*page // that were let go and read again, the earliest first
	byLine map[place]*page
	frames map[frame][]*page
	known  map[string]hashes // by the JSON of a text or of attributes; nil once all are read

	listsMu sync.Mutex
	lists   map[string][]attribute // by element and JSON
}

// frame tells frames of different contexts apart.
type frame struct{ file, id string }

type place struct {
	file string
	line int
}

// page is one snapshot.
type page struct {
	at       trace.Position
	frame    frame
	ordinal  int
	hash     []hashes // by number of reference
	rootHash hashes
	picture  bool
	empty    bool // it holds no node

	body *body // nil where it was let go
}

// body is a snapshot taken apart. It is not changed once it is made.
type body struct{ nodearray.Tree }

func newBody(text []byte) *body { return &body{nodearray.Parse(text)} }

// hashes are of a node and all below it: with what is volatile masked, and
// without.
type hashes struct{ masked, strict uint64 }

// seed is one for all pages: hashes of two traces are compared.
var seed = maphash.MakeSeed()

// DefaultBudget is how many bytes of pages are kept in memory. What is beyond
// is read again when it is asked for.
const DefaultBudget = 96 << 20

// maxKnown is how many texts are remembered with their hashes.
const maxKnown = 1 << 16

// Read goes over the snapshots of a trace. It goes wrong only when ctx ends:
// what is damaged is left out.
func Read(ctx context.Context, a *trace.Archive, m Mask, budget int64) (*Pages, error) {
	if budget <= 0 {
		budget = DefaultBudget
	}
	p := &Pages{archive: a, mask: m, budget: budget, byLine: map[place]*page{}, frames: map[frame][]*page{}, known: map[string]hashes{}}
	for _, f := range a.Files() {
		for e, err := range a.FileEvents(ctx, f) {
			if err != nil {
				continue
			}
			if s, ok := e.Body.(*trace.FrameSnapshot); ok {
				p.add(f.Trace, e.Position, s)
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	p.known = nil
	return p, nil
}

func (p *Pages) add(file string, at trace.Position, s *trace.FrameSnapshot) {
	f := frame{file, s.FrameID}
	g := &page{at: at, frame: f, ordinal: len(p.frames[f]), body: newBody(bytes.Clone(s.HTML))}
	p.frames[f] = append(p.frames[f], g)
	p.byLine[place{at.File, at.Line}] = g
	p.hashAll(g)
	g.picture, g.empty = isPicture(g.body), len(g.body.Nodes) == 0
	if p.kept+g.body.size() > p.budget {
		g.body = nil
		return
	}
	p.kept += g.body.size()
}

func (b *body) size() int64 {
	return int64(len(b.JSON) + int(unsafe.Sizeof(nodearray.Node{}))*cap(b.Nodes) + 4*cap(b.Order))
}

// hashAll hashes the nodes of a page from the leaves up.
func (p *Pages) hashAll(g *page) {
	b := g.body
	g.hash = make([]hashes, len(b.Order))
	if len(b.Nodes) == 0 {
		return
	}
	var lists [2][]byte
	type level struct {
		node uint32
		from int // where the hashes of its children begin in lists
	}
	var open []level
	put := func(h hashes) {
		if h == (hashes{}) {
			return
		}
		lists[0] = appendHash(lists[0], h.masked)
		lists[1] = appendHash(lists[1], h.strict)
	}
	finish := func() {
		top := open[len(open)-1]
		open = open[:len(open)-1]
		own := p.element(b, &b.Nodes[top.node])
		h := hashes{maphash.Bytes(seed, appendHash(lists[0], own.masked)[top.from:]), maphash.Bytes(seed, appendHash(lists[1], own.strict)[top.from:])}
		lists[0], lists[1] = lists[0][:top.from], lists[1][:top.from]
		g.hash[b.Nodes[top.node].Number] = h
		put(h)
	}
	for i := uint32(0); i < uint32(len(b.Nodes)); i++ {
		for len(open) > 0 && i >= b.Nodes[open[len(open)-1].node].Next {
			finish()
		}
		switch n := &b.Nodes[i]; n.Kind {
		case nodearray.Text:
			h := p.text(b.Raw(n.Text))
			g.hash[n.Number] = h
			put(h)
		case nodearray.Element:
			open = append(open, level{i, len(lists[0])})
		case nodearray.Reference:
			if t, k, ok := p.target(g, b, i); ok {
				put(t.hash[k])
			}
		}
	}
	for len(open) > 0 {
		finish()
	}
	if b.Nodes[0].Kind != nodearray.Reference {
		g.rootHash = g.hash[b.Nodes[0].Number]
	} else if t, k, ok := p.target(g, b, 0); ok {
		g.rootHash = t.hash[k]
	}
}

func appendHash(b []byte, h uint64) []byte {
	return append(b, byte(h), byte(h>>8), byte(h>>16), byte(h>>24), byte(h>>32), byte(h>>40), byte(h>>48), byte(h>>56))
}

// target returns what a reference means. References only lead backwards.
func (p *Pages) target(g *page, b *body, i uint32) (*page, uint32, bool) {
	back, index := b.Nodes[i].Refers()
	age := int(back)
	list := p.frames[g.frame]
	at := g.ordinal - age
	if at < 0 || int64(index) >= int64(len(list[at].hash)) || age == 0 && b.Nodes[b.Order[index]].Next > i {
		return nil, 0, false
	}
	return list[at], index, true
}

// text hashes a text; blanks alone are nothing.
func (p *Pages) text(raw []byte) hashes {
	if h, ok := p.known[string(raw)]; ok {
		return h
	}
	text := strings.Join(strings.Fields(unquote(raw)), " ")
	var h hashes
	if text != "" {
		h = hashes{maphash.String(seed, p.mask.Text(text)), maphash.String(seed, text)}
	}
	p.remember(string(raw), h)
	return h
}

func (p *Pages) remember(key string, h hashes) {
	if len(key) > 4096 {
		return
	}
	if len(p.known) >= maxKnown {
		clear(p.known)
	}
	p.known[key] = h
}

// element hashes an element without its children.
func (p *Pages) element(b *body, n *nodearray.Node) hashes {
	key := string(b.Raw(n.Text)) + string(b.Raw(n.Attrs))
	if h, ok := p.known[key]; ok {
		return h
	}
	name := strings.ToLower(unquote(b.Raw(n.Text)))
	var masked, strict strings.Builder
	for _, a := range p.attributes(name, b.Raw(n.Attrs)) {
		masked.WriteString("\x00" + a.Name + "\x01" + a.masked)
		strict.WriteString("\x00" + a.Name + "\x01" + a.Value)
	}
	h := hashes{maphash.String(seed, name+masked.String()), maphash.String(seed, name+strict.String())}
	p.remember(key, h)
	return h
}

// attribute is one attribute of an element. Its name is masked.
type attribute struct{ Name, Value, masked string }

// ownMarks are attributes that the recorder puts into pages and that say
// nothing about them.
var ownMarks = map[string]bool{"__playwright_target__": true, "__playwright_bounding_rect__": true, "__playwright_custom_elements__": true,
	"__playwright_current_src__": true}

// openMark is what recorders note of a dialog that is open.
const openMark = "__playwright_dialog_open_"

// attributes returns the attributes of an element in the order of their names.
// The caller must not change the list.
func (p *Pages) attributes(element string, raw []byte) []attribute {
	if len(raw) <= 2 {
		return nil
	}
	key := element + string(raw)
	p.listsMu.Lock()
	list, ok := p.lists[key]
	p.listsMu.Unlock()
	if ok {
		return list
	}
	list = p.parseAttributes(element, raw)
	p.listsMu.Lock()
	defer p.listsMu.Unlock()
	if len(p.lists) >= maxLists || p.lists == nil {
		p.lists = map[string][]attribute{}
	}
	if len(key) < 4096 {
		p.lists[key] = list
	}
	return list
}

// maxLists is how many lists of attributes are remembered.
const maxLists = 1 << 14

func (p *Pages) parseAttributes(element string, raw []byte) []attribute {
	var all map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &all) != nil || len(all) == 0 {
		return nil
	}
	list := make([]attribute, 0, len(all))
	named := ""
	if element == "input" || element == "meta" {
		named = unquote(all["name"])
	}
	if element == "input" && strings.EqualFold(unquote(all["type"]), "password") {
		named = "password" // recorders mask what is in it, each in its own way
	}
	if _, ok := all[openMark]; ok { // newer recorders write it instead of the attribute
		delete(all, openMark)
		all["open"] = json.RawMessage(`""`)
	}
	for k, v := range all {
		if ownMarks[k] || element == "iframe" && k == "src" {
			continue
		}
		a := attribute{Name: strings.ToLower(k), Value: strings.TrimSpace(unquote(v))}
		field := a.Name
		if named != "" && (a.Name == "value" || a.Name == "content" || a.Name == "__playwright_value_") {
			field = named
		}
		if strings.ContainsAny(a.Name, "-_") && strings.ContainsAny(a.Name, "0123456789") {
			a.Name = p.mask.Text(a.Name)
		}
		a.masked = p.mask.Attribute(field, a.Value)
		list = append(list, a)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// load returns a page taken apart, and reads it again where it was let go.
func (p *Pages) load(ctx context.Context, g *page) (*body, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if g.body != nil {
		return g.body, nil
	}
	s, err := p.archive.SnapshotAt(ctx, g.at)
	if err != nil {
		return nil, fmt.Errorf("%s:%d: %w", g.at.File, g.at.Line, err)
	}
	b := newBody(s.HTML)
	if len(b.Order) != len(g.hash) {
		return nil, fmt.Errorf("%s:%d: the snapshot is not what it was", g.at.File, g.at.Line)
	}
	for p.kept+b.size() > p.budget && len(p.reread) > 0 {
		p.kept -= p.reread[0].body.size()
		p.reread[0].body = nil
		p.reread = p.reread[1:]
	}
	g.body = b
	p.kept += b.size()
	p.reread = append(p.reread, g)
	return b, nil
}
