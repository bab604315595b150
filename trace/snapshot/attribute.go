package snapshot

import (
	"strings"
)

// Attributes by which the recorder tells what is no attribute in the page.
const (
	attrValue          = "__playwright_value_"
	attrChecked        = "__playwright_checked_"
	attrSelected       = "__playwright_selected_"
	attrScrollTop      = "__playwright_scroll_top_"
	attrScrollLeft     = "__playwright_scroll_left_"
	attrShadowRoot     = "__playwright_shadow_root_"
	attrStyleSheet     = "__playwright_style_sheet_"
	attrTarget         = "__playwright_target__"
	attrCustomElements = "__playwright_custom_elements__"
	attrCurrentSrc     = "__playwright_current_src__"
	attrBoundingRect   = "__playwright_bounding_rect__"
	attrPicture        = "__tracedeck_picture_" // of a canvas or video: SHA-1 and .png or .jpeg
	attrPopoverOpen    = "__playwright_popover_open_"
	attrDialogOpen     = "__playwright_dialog_open_"
)

// start writes a whole start tag.
func (r *renderer) start(name string, attrs []attribute) {
	r.begin(name, attrs)
	r.out.raw(">")
}

// begin writes a start tag but for its end. What the recorder told about the
// element comes first: of two attributes of one name, the first counts.
func (r *renderer) begin(name string, attrs []attribute) {
	clear(r.written)
	r.out.raw("<")
	r.out.raw(name)
	style := r.extra + r.state(name, attrs)
	if own, ok := find(attrs, "style"); ok || style != "" {
		if own != "" {
			style += CSS(own, r.base, r.addresses)
		}
		r.put("style", style)
	}
	r.written["style"] = true
	if _, ok := find(attrs, attrCurrentSrc); ok && name == "picture" {
		r.chosen = true
	}
	if current, ok := find(attrs, attrCurrentSrc); ok && name == "img" {
		r.currentSource(current, attrs)
	}
	if name == "video" {
		if to := r.ownPicture(attrs); to != "" && !r.o.NoCanvas {
			r.put("poster", to)
		}
	}
	for _, a := range attrs {
		r.attribute(name, strings.ToLower(a.name), a.value)
	}
}

// put writes an attribute unless there is one of that name.
func (r *renderer) put(name, value string) {
	if !r.written[name] {
		r.written[name] = true
		r.out.attribute(name, value)
	}
}

// state writes what the recorder told about the element's state, and returns
// what of it are style declarations.
func (r *renderer) state(name string, attrs []attribute) (style string) {
	if strings.IndexByte(name, '-') > 0 && r.defined != nil && !r.defined[name] && elementRules()[strings.TrimPrefix(name, "x-")] != ruleRename {
		r.put("data-tracedeck-undefined", "")
	}
	for _, a := range attrs {
		if !strings.HasPrefix(a.name, "__playwright_") {
			continue
		}
		switch a.name {
		case attrValue:
			r.value(name, a.value, attrs)
		case attrChecked:
			r.flag("checked", a.value)
		case attrSelected:
			r.flag("selected", a.value)
			r.choice.marked = true
			r.choice.selected = r.choice.selected || a.value == "true"
		case attrDialogOpen:
			r.put("open", "")
			if a.value == "modal" {
				r.put("data-tracedeck-modal", "")
			}
			r.needsRules()
		case attrPopoverOpen:
			r.put("data-tracedeck-popover", "")
			r.needsRules()
		case attrTarget:
			if !r.o.NoTarget && r.isTarget(a.value) {
				r.put("data-tracedeck-target", "")
				style += targetStyle
			}
		}
	}
	if x, y, ok := scrollOf(attrs); ok && name != "html" && !(name == "body" && r.quirks) {
		r.put("data-tracedeck-scroll", "")
		style += scrollVariables(x, y)
		r.needsRules()
	}
	return style
}

// value sets a field's value, where an attribute can.
func (r *renderer) value(name, value string, attrs []attribute) {
	if kind, _ := find(attrs, "type"); name == "input" && !strings.EqualFold(kind, "file") {
		r.put("value", value)
	}
}

// flag writes an attribute whose being there is its value.
func (r *renderer) flag(name, value string) {
	if value == "true" {
		r.put(name, "")
	}
	r.written[name] = true
}

// isTarget reports whether a target mark is of this snapshot's action: old
// marks stay in the page, and some versions say whose they are.
func (r *renderer) isTarget(mark string) bool {
	phase, call := splitName(mark)
	return mark == "" || mark == r.place.CallID || call == r.place.CallID && phase == r.place.Phase
}

// attribute writes a recorded attribute, if it may stand.
func (r *renderer) attribute(element, name, value string) {
	if r.written[name] || strings.HasPrefix(name, "data-tracedeck-") {
		return
	}
	switch name {
	case "src", "href", "xlink:href", "poster", "background", "srcset":
		r.loading(element, name, value)
		return
	}
	if !allowed(element, name, value) {
		return
	}
	if presentation()[name] && strings.ContainsAny(value, `(\`) {
		value = CSS(value, r.base, r.addresses)
	}
	r.put(name, value)
}

// presentation are attributes of SVG that hold what style properties do.
var presentation = set(`fill stroke filter mask clip-path marker marker-start marker-mid marker-end cursor color-profile from to by values
path offset d transform transform-origin`)

// loading writes an attribute that holds an address.
func (r *renderer) loading(element, name, value string) {
	to := ""
	switch name {
	case "src":
		switch element {
		case "img", "image", "input":
			to = loads(r.addresses, r.base, value, UseImage)
		case "audio", "video", "source":
			to = loads(r.addresses, r.base, value, UseMedia)
		}
	case "poster", "background":
		if name == "poster" && element == "video" || name == "background" && oldBackground()[element] {
			to = loads(r.addresses, r.base, value, UseImage)
		}
	case "srcset":
		if element == "img" || element == "source" && !r.chosen {
			to = r.srcset(value)
		}
	default:
		to = r.href(element, value)
	}
	if to != "" {
		r.put(name, to)
	}
}

var oldBackground = set("body table thead tbody tfoot tr td th")

// href returns what a reference of SVG or a link points to. Links lead
// nowhere but inside the page.
func (r *renderer) href(element, value string) string {
	fragment := strings.HasPrefix(strings.TrimSpace(value), "#")
	switch element {
	case "image", "feimage":
		return loads(r.addresses, r.base, value, UseImage)
	case "a", "area":
		if !fragment {
			return "#"
		}
	}
	if fragment {
		return strings.TrimSpace(value)
	}
	return ""
}

// currentSource writes the picture that an IMG showed. If it came from the
// srcset it keeps its descriptor, on which its size depends; there is no src
// then, which browsers may choose instead.
func (r *renderer) currentSource(current string, all []attribute) {
	to := loads(r.addresses, r.base, current, UseImage)
	if to != "" {
		set, _ := find(all, "srcset")
		for _, c := range candidates(set) {
			if c.descriptor != "" && scheme(to) != "data" && canonical(resolve(r.base, c.address)) == canonical(resolve(r.base, current)) {
				r.put("srcset", srcsetAddress(to)+" "+c.descriptor)
				break
			}
		}
		if !r.written["srcset"] {
			r.put("src", to)
		}
	}
	r.written["src"], r.written["srcset"] = true, true
}

// srcset keeps the candidates that can be loaded.
func (r *renderer) srcset(value string) string {
	var kept []string
	for _, c := range candidates(value) {
		to := loads(r.addresses, r.base, c.address, UseImage)
		if to == "" || to[0] == '#' {
			continue
		}
		kept = append(kept, strings.TrimSpace(srcsetAddress(to)+" "+c.descriptor))
	}
	return strings.Join(kept, ", ")
}

// srcsetAddress encodes what would end an address in a srcset.
func srcsetAddress(to string) string {
	to = strings.NewReplacer(" ", "%20", "\t", "%09", "\n", "%0A", "\r", "%0D", "\f", "%0C").Replace(to)
	if strings.HasPrefix(to, ",") {
		to = "%2C" + to[1:]
	}
	if strings.HasSuffix(to, ",") {
		to = to[:len(to)-1] + "%2C"
	}
	return to
}

// candidate is one picture of a srcset.
type candidate struct{ address, descriptor string }

// candidates takes a srcset apart as browsers do: an address ends at a blank,
// and commas only separate at its end or behind the descriptor.
func candidates(srcset string) (list []candidate) {
	const blanks = " \t\n\r\f"
	for len(list) < 1000 {
		srcset = strings.TrimLeft(srcset, blanks+",")
		if srcset == "" {
			break
		}
		end := strings.IndexAny(srcset, blanks)
		if end < 0 {
			end = len(srcset)
		}
		address, rest := srcset[:end], srcset[end:]
		if trimmed := strings.TrimRight(address, ","); trimmed != address {
			list = append(list, candidate{trimmed, ""})
			srcset = rest
			continue
		}
		descriptor, after, _ := strings.Cut(rest, ",")
		list = append(list, candidate{address, descriptorOf(descriptor)})
		srcset = after
	}
	return list
}

func descriptorOf(text string) string {
	text = strings.TrimSpace(text)
	for i := 0; i < len(text); i++ {
		if c := text[i]; !nameByte(c) && c != '.' && c != ' ' && c != '+' || c >= 0x80 {
			return ""
		}
	}
	return text
}
