package snapshot

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// targetStyle outlines the element that an action is about. It is an inline
// style because rules of the page do not reach into shadow roots.
const targetStyle = "outline:2px solid #006ab1!important;background-color:#6fa8dc7f!important;"

// prelude stands in the head of every page, and in shadow roots that need it.
// Its selectors count nothing, so that any rule of the page wins, where they
// only stand in for what browsers do by themselves when scripts run:
// positions to scroll to, modal dialogs and popovers, canvases.
const prelude = `:where([data-tracedeck-scroll]){position:relative}` +
	`[data-tracedeck-scroll]::before{` + scrollTarget + `left:var(--tracedeck-x)!important;top:var(--tracedeck-y)!important}` +
	`:where([data-tracedeck-modal]){position:fixed;inset-block:0;max-width:calc(100% - 6px - 2em);max-height:calc(100% - 6px - 2em);` +
	`overflow:auto;z-index:2147483646;box-shadow:0 0 0 200vmax rgba(0,0,0,.1)}` +
	`:where([data-tracedeck-popover]){display:block;z-index:2147483646}` +
	`:where(canvas){display:inline-block;overflow:hidden;width:attr(width px,300px);height:attr(height px,150px)}` +
	`video:not([controls])::-webkit-media-controls{display:none!important}`

// scrollTarget is a box as large as what is seen of the scroller, so that it
// is brought into view exactly at its place, whichever edges are aligned.
const scrollTarget = `content:""!important;display:block!important;position:absolute!important;width:100%!important;height:100%!important;` +
	`margin:0!important;padding:0!important;border:0!important;min-width:0!important;min-height:0!important;max-width:none!important;` +
	`max-height:none!important;right:auto!important;bottom:auto!important;transform:none!important;visibility:hidden!important;` +
	`pointer-events:none!important;scroll-initial-target:nearest!important;`

func scrollRule(selector string, x, y float64) string {
	return fmt.Sprintf("%s{%sleft:%spx!important;top:%spx!important}", selector, scrollTarget, number(x), number(y))
}

func scrollVariables(x, y float64) string {
	return "--tracedeck-x:" + number(x) + "px;--tracedeck-y:" + number(y) + "px;"
}

// pointerRule draws the point at which an action acted.
func pointerRule(x, y float64) string {
	return fmt.Sprintf(`html::after{content:""!important;display:block!important;position:fixed!important;left:%spx!important;top:%spx!important;`+
		`width:20px!important;height:20px!important;margin:-10px 0 0 -10px!important;padding:0!important;border:0!important;border-radius:50%%!important;`+
		`background:#f44336!important;opacity:.75!important;box-shadow:0 0 0 2px #fff!important;z-index:2147483647!important;`+
		`pointer-events:none!important;transform:none!important}`, number(x), number(y))
}

// number writes a length; what is no length becomes 0.
func number(v float64) string {
	if math.IsNaN(v) || math.Abs(v) > 1e8 {
		v = 0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// scrollOf returns how far an element was scrolled.
func scrollOf(attrs []attribute) (x, y float64, scrolled bool) {
	for _, a := range attrs {
		switch a.name {
		case attrScrollLeft:
			x, _ = strconv.ParseFloat(a.value, 64)
		case attrScrollTop:
			y, _ = strconv.ParseFloat(a.value, 64)
		}
	}
	return x, y, x != 0 || y != 0
}

// rect is a box in the viewport of its frame, in CSS pixels.
type rect struct{ Left, Top, Right, Bottom float64 }

func boundingRect(attrs []attribute) (rect, bool) {
	text, ok := find(attrs, attrBoundingRect)
	var b rect
	if !ok || json.Unmarshal([]byte(text), &b) != nil {
		return b, false
	}
	return b, true
}

// canvas writes a CANVAS as a box that shows what the screencast had there.
// Without scripts a canvas has no size of its own and shows its fallback.
func (r *renderer) canvas() {
	style := ""
	if b, ok := boundingRect(r.attrs); ok && b.Right > b.Left && b.Bottom > b.Top {
		style = fmt.Sprintf("width:%spx!important;height:%spx!important;box-sizing:border-box!important;min-width:0!important;max-width:none!important;"+
			"min-height:0!important;max-height:none!important;", number(b.Right-b.Left), number(b.Bottom-b.Top))
		style += r.canvasPicture(b)
	}
	r.needsRules()
	r.extra = style
	r.start("canvas", r.attrs)
	r.extra = ""
	r.out.raw("</canvas>")
}

var pictureName = lazyregexp.New(`^[0-9a-f]{40}\.(png|jpeg)$`)

// ownPicture is the address of the pixels that a recorder read from a canvas
// or video, or "".
func (r *renderer) ownPicture(attrs []attribute) string {
	name, ok := find(attrs, attrPicture)
	if !ok || !pictureName.MatchString(name) {
		return ""
	}
	return r.addresses.Entry("resources/" + name)
}

// canvasPicture returns declarations that show the canvas's own pixels, or put the picture nearest in time
// behind the box, so far moved that the box shows its own place.
func (r *renderer) canvasPicture(b rect) string {
	if to := r.ownPicture(r.attrs); to != "" && !r.o.NoCanvas {
		return fmt.Sprintf("background:url(%s) 0 0/100%% 100%% no-repeat content-box!important;", quoteCSS(to))
	}
	if r.o.NoCanvas || !r.place.IsMainFrame && r.o.Offset.X == 0 && r.o.Offset.Y == 0 {
		return ""
	}
	p, ok := r.store.Picture(r.n)
	if !ok || p.Viewport.Width <= 0 || p.Viewport.Height <= 0 {
		return ""
	}
	to := r.addresses.Entry(p.File)
	if to == "" {
		return ""
	}
	return fmt.Sprintf("background:url(%s) %spx %spx/%spx %spx no-repeat border-box!important;", quoteCSS(to),
		number(-b.Left-r.o.Offset.X), number(-b.Top-r.o.Offset.Y), number(p.Viewport.Width), number(p.Viewport.Height))
}
