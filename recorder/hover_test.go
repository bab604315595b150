package recorder

import (
	"testing"

	"github.com/go-rod/rod/lib/proto"
	"github.com/google/go-cmp/cmp"
)

// What a page shows while the mouse is over nothing of it but the page is
// clicked, and not hovered for.
func TestThePageItselfIsNotHovered(t *testing.T) {
	page, finish := recordPage(t, `<!doctype html><title>Late</title><button style="position:absolute;left:0;top:0" >First</button><p id=other style="position:absolute;left:200px;top:200px">Other</p><div id=late></div><script>
let passed = false; document.onmousemove = e => { passed ||= e.target === other; if (passed && e.target === document.documentElement && !late.firstChild) late.innerHTML = '<button style="position:absolute;left:0;top:100px">Second</button>'; };</script>`)
	page.MustElementR("button", "First").MustClick()
	other := middle(page, "#other")
	page.Mouse.MustMoveTo(400, 300).MustMoveTo(other.X, other.Y).MustMoveTo(410, 320)
	second := page.MustElementR("button", "Second")
	if err := second.Click(proto.InputMouseButtonLeft, 1); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"goto /", `click internal:role=button[name="First"i]`, `click internal:role=button[name="Second"i]`}, finish()); d != "" {
		t.Error(d)
	}
}
