package snapshot

import (
	"encoding/base64"
	"net/url"
	"strings"
)

func find(attrs []attribute, name string) (string, bool) {
	for _, a := range attrs {
		if strings.EqualFold(a.name, name) {
			return a.value, true
		}
	}
	return "", false
}

// meta keeps what says how the page is laid out. The others tell browsers to
// do things.
func (r *renderer) meta() {
	name, _ := find(r.attrs, "name")
	content, _ := find(r.attrs, "content")
	if name = strings.ToLower(name); name != "viewport" && name != "color-scheme" {
		return
	}
	r.out.raw("<meta")
	r.out.attribute("name", name)
	r.out.attribute("content", content)
	r.out.raw(">")
}

// baseElement takes note of what addresses are relative to.
func (r *renderer) baseElement() {
	href, ok := find(r.attrs, "href")
	if ok && !r.based {
		if to := resolve(r.place.FrameURL, href); to != "" {
			r.base, r.based = to, true
		}
	}
}

func (r *renderer) link() {
	rel, _ := find(r.attrs, "rel")
	kind, _ := find(r.attrs, "type")
	href, _ := find(r.attrs, "href")
	words := strings.Fields(strings.ToLower(rel))
	if !contains(words, "stylesheet") || contains(words, "alternate") || !isCSS(kind) {
		return
	}
	if scheme(href) == "data" {
		if text, ok := dataText(tidy(href)); ok {
			r.styleElement(r.attrs, text, r.base)
		}
		return
	}
	to := loads(r.addresses, r.base, href, UseStyle)
	if to == "" || to[0] == '#' {
		return
	}
	r.out.raw(`<link rel="stylesheet"`)
	r.out.attribute("href", to)
	for _, name := range []string{"id", "class", "media", "disabled"} {
		if v, ok := find(r.attrs, name); ok {
			r.out.attribute(name, v)
		}
	}
	r.out.raw(">")
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

func isCSS(mime string) bool {
	mime, _, _ = strings.Cut(mime, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	return mime == "" || mime == "text/css"
}

// dataText returns the text of a data: style sheet.
func dataText(address string) (string, bool) {
	head, body, ok := strings.Cut(address[len("data:"):], ",")
	if !ok || !isCSS(head) {
		return "", false
	}
	if text, err := url.PathUnescape(body); err == nil {
		body = text
	}
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64") {
		raw, err := base64.StdEncoding.DecodeString(body)
		return string(raw), err == nil
	}
	return body, true
}

// style begins to collect the text of a STYLE.
func (r *renderer) style(attrs []attribute) {
	r.css = &strings.Builder{}
	r.cssAttrs = append(r.cssAttrs[:0], attrs...)
}

func (r *renderer) endStyle() {
	text := r.css.String()
	r.css = nil
	if kind, _ := find(r.cssAttrs, "type"); isCSS(kind) {
		r.styleElement(r.cssAttrs, text, r.base)
	}
}

func (r *renderer) styleElement(attrs []attribute, text, base string) {
	r.out.raw("<style")
	for _, name := range []string{"id", "class", "media", "title", "disabled"} {
		if v, ok := find(attrs, name); ok {
			r.out.attribute(name, v)
		}
	}
	r.out.raw(">")
	r.out.raw(CSS(text, base, r.addresses))
	r.out.raw("</style>")
}

// textarea writes the value that the field had, which its text need not be.
func (r *renderer) textarea() bool {
	r.start("textarea", r.attrs)
	r.out.raw("\n") // the parser takes one line end away
	if v, ok := find(r.attrs, attrValue); ok {
		r.out.text(v)
		r.out.raw("</textarea>")
		return false
	}
	r.plain++
	return true
}

// template writes shadow roots and adopted style sheets, which the recorder
// hands over in templates.
func (r *renderer) template() bool {
	if text, ok := find(r.attrs, attrStyleSheet); ok {
		r.styleElement(nil, text, r.base)
		return false
	}
	_, shadow := find(r.attrs, attrShadowRoot)
	if shadow {
		r.out.raw(`<template shadowrootmode="open">`)
	} else {
		r.start("template", r.attrs)
	}
	r.templates = append(r.templates, template{shadow: shadow})
	return true
}

func (r *renderer) endTemplate() {
	last := len(r.templates) - 1
	if r.templates[last].rules {
		r.out.raw("<style>" + prelude + "</style>")
	}
	r.templates = r.templates[:last]
	r.out.raw("</template>")
}

// needsRules notes that the element needs the rules of [prelude], which do
// not reach into a shadow root.
func (r *renderer) needsRules() {
	if n := len(r.templates); n > 0 {
		r.templates[n-1].rules = true
	}
}

// frame writes an IFRAME or FRAME with the snapshot of the frame in it.
func (r *renderer) frame(name string) {
	src, _ := find(r.attrs, "src")
	kept := r.attrs[:0:0]
	for _, a := range r.attrs {
		if !strings.EqualFold(a.name, "src") {
			kept = append(kept, a)
		}
	}
	r.begin(name, kept)
	if i := strings.LastIndex(src, "/snapshot/"); i >= 0 {
		f := Frame{ID: src[i+len("/snapshot/"):]}
		if rect, ok := boundingRect(r.attrs); ok {
			f.Known = true
			f.Offset.X, f.Offset.Y = r.o.Offset.X+rect.Left, r.o.Offset.Y+rect.Top
		}
		if to := r.addresses.Frame(f); to != "" {
			r.out.attribute("src", to)
		}
	}
	if r.o.Scripts {
		r.out.raw(` sandbox="allow-scripts">`)
	} else {
		r.out.raw(` sandbox="">`)
	}
	if name == "iframe" {
		r.out.raw("</iframe>")
	}
}

// animate writes an animation of SVG unless it changes what an attribute
// loads or does.
func (r *renderer) animate(name string) bool {
	target, _ := find(r.attrs, "attributename")
	target = strings.ToLower(strings.TrimSpace(target))
	if !plainAttributes()[target] && target != "" || target == "style" {
		return false
	}
	r.start(name, r.attrs)
	return true
}

// root takes from HTML and BODY what concerns the whole page.
func (r *renderer) root(name string) {
	x, y, scrolled := scrollOf(r.attrs)
	if scrolled && (name == "html" || r.quirks) {
		rule := scrollRule(name+"::before", x, y)
		if name == "html" {
			r.page = rule
		} else {
			r.out.raw("<style>" + rule + "</style>")
		}
	}
	if list, ok := find(r.attrs, attrCustomElements); ok {
		r.defined = map[string]bool{}
		for _, n := range strings.Split(list, ",") {
			r.defined[n] = true
		}
	}
}
