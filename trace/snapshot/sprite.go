package snapshot

import (
	"context"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// Opener opens entries of the trace. A *[trace.Archive] is one.
type Opener interface {
	Resource(ctx context.Context, file string) (io.ReadCloser, error)
}

// OpenEntries lets the store read entries by itself. It needs to where pages
// use parts of other SVG files: a browser shows those only to pages of the
// same origin, which rebuilt pages have none of, so they are written into them.
func (s *Store) OpenEntries(o Opener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.entries = o
}

// Limits of what is written into one page from other SVG files.
const (
	maxSpriteFile  = 4 << 20
	maxSpriteNodes = 20_000
	maxSpriteDepth = 100
)

// sprites are SVG files that a page uses parts of.
type sprites struct {
	byAddress map[string]map[string]*html.Node // elements by id
	nodes     int                              // written so far
	count     int                              // of ids given
}

// sprite writes the element that a USE means in another file, and returns a
// reference to it; "" where there is none.
func (r *renderer) sprite(value string) (ref string, target *html.Node, base string) {
	abs := resolve(r.base, value)
	address, id, _ := strings.Cut(abs, "#")
	if address == "" || id == "" || opaque(address) {
		return "", nil, ""
	}
	ids, seen := r.sprites.byAddress[address]
	if !seen {
		ids = r.store.spriteFile(r.ctx, r.n, address)
		if r.sprites.byAddress == nil {
			r.sprites.byAddress = map[string]map[string]*html.Node{}
		}
		r.sprites.byAddress[address] = ids
	}
	target = ids[id]
	if target == nil || r.sprites.nodes > maxSpriteNodes {
		return "", nil, ""
	}
	r.sprites.count++
	return fmt.Sprint("#tracedeck-sprite-", r.sprites.count), target, address
}

// spriteFile reads an SVG file and returns its elements by id.
func (s *Store) spriteFile(ctx context.Context, n int, address string) map[string]*html.Node {
	s.mu.RLock()
	entries := s.entries
	s.mu.RUnlock()
	res, ok := s.Resource(ctx, n, address)
	if entries == nil || !ok {
		return nil
	}
	rc, err := entries.Resource(ctx, res.File)
	if err != nil {
		return nil
	}
	defer rc.Close()
	doc, err := html.Parse(io.LimitReader(rc, maxSpriteFile))
	if err != nil {
		return nil
	}
	ids := map[string]*html.Node{}
	for node := range doc.Descendants() {
		for _, a := range node.Attr {
			if a.Key == "id" && node.Namespace == "svg" && ids[a.Val] == nil {
				ids[a.Val] = node
			}
		}
	}
	return ids
}

// use begins a USE element. What it means in another file goes into it.
func (r *renderer) use() {
	ref, target, base := "", (*html.Node)(nil), ""
	for _, name := range []string{"href", "xlink:href"} {
		if v, ok := find(r.attrs, name); ok && ref == "" && !strings.HasPrefix(strings.TrimSpace(v), "#") {
			ref, target, base = r.sprite(v)
		}
	}
	if target == nil {
		r.start("use", r.attrs)
		return
	}
	r.begin("use", r.attrs)
	r.out.attribute("href", ref)
	r.out.raw("><defs>") // a USE shows nothing of what stands inside it
	own, attrs := r.base, r.attrs
	r.base = base
	r.spriteNode(target, ref[1:], 0)
	r.base, r.attrs = own, attrs
	r.out.raw("</defs>")
}

// spriteElements are what pictures are made of.
var spriteElements = set(`symbol g svg path circle ellipse rect line polyline polygon text tspan title desc defs lineargradient radialgradient stop
clippath mask pattern image filter feblend fecolormatrix fecomposite feflood fegaussianblur femerge femergenode feoffset`)

func (r *renderer) spriteNode(n *html.Node, id string, depth int) {
	if r.sprites.nodes++; r.sprites.nodes > maxSpriteNodes || depth > maxSpriteDepth {
		return
	}
	if n.Type == html.TextNode {
		r.out.text(n.Data)
		return
	}
	name := strings.ToLower(n.Data)
	if n.Type != html.ElementNode || !spriteElements()[name] {
		return
	}
	var attrs []attribute
	if id != "" {
		attrs = append(attrs, attribute{"id", id})
	}
	for _, a := range n.Attr {
		if a.Namespace == "" && !strings.HasPrefix(a.Key, "__") && (a.Key != "id" || id == "") {
			attrs = append(attrs, attribute{a.Key, a.Val})
		}
	}
	r.start(name, attrs)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.spriteNode(c, "", depth+1)
	}
	r.out.raw("</" + name + ">")
}
