package viewer_test

import (
	"fmt"
	"image/color"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

func TestInspectingFramesByKeyboardAlone(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/frames.zip")).url)
	s.loaded()
	s.press(input.Home, 'j', 'j', 'i')
	s.wait(`all(".inspecttree .noderow").length > 3`, "true")
	// The tree goes on into frames, and frames in frames.
	s.tabTo(`e.closest(".inspecttree") && e.getAttribute("role") === "listbox"`)
	for range 200 {
		if s.eval(`/button.*deep/i.test($(".noderow.sel")?.textContent)`) == "true" {
			break
		}
		s.press(input.ArrowDown)
	}
	s.press(input.Enter)
	s.wait(`$(".inspectpanel h2 span")?.textContent.startsWith("Picked: <button>")`, "true")
	s.wait(`all(".locatorline code").some((e) => /(contentFrame|frameLocator).*(contentFrame|frameLocator)/.test(e.textContent))`, "true")
	s.tabTo(`e.tagName === "SELECT" && e.closest(".inspectpanel")`)
	s.Keyboard.MustType('P') // Python
	s.wait(`all(".locatorline code").some((e) => /(content_frame|frame_locator).*(content_frame|frame_locator)/.test(e.textContent))`, "true")
	s.tabTo(`e.closest(".locatorline") && e.textContent === "copy"`)
	s.press(input.Enter)
	s.wait(`/Copied|does not let/.test($(".toast").textContent)`, "true")
	s.tabTo(`e.closest(".trylocator")`)
	s.Keyboard.MustType([]input.Key("page.locator('#same').contentFrame().locator('#q')")...)
	s.wait(`$(".trylocator [role=status]").textContent`, "1 found")
	s.press(input.Escape, input.Escape)
	s.wait(`$(".inspecttree") === null`, "true")
}

func TestAttachmentsByKeyboardAlone(t *testing.T) {
	attach := func(name, kind, file string) object {
		return object{"name": name, "contentType": kind, "sha1": file}
	}
	lines := append(opening(), object{"type": "after", "callId": "a@1", "endTime": 20, "attachments": []any{
		attach("cart-expected.png", "image/png", "e.png"), attach("cart-actual.png", "image/png", "a.png"), attach("cart-diff.png", "image/png", "d.png"), attach("notes", "text/markdown", "n.md")}})
	s := open(t, serve(t, zipOf(t, lines, nil, map[string][]byte{"e.png": picture(t, color.RGBA{R: 255, A: 255}), "a.png": picture(t, color.RGBA{B: 255, A: 255}), "d.png": picture(t, color.RGBA{G: 255, A: 255}), "n.md": []byte("# what went wrong")})).url)
	s.loaded()
	s.tab(7)
	s.wait(`all("#detail .pill").length`, "4")
	for _, mode := range []string{"side", "swipe", "blend", "diff"} {
		s.tabTo(fmt.Sprintf(`e.closest("#detail .pills") && e.textContent === %q`, mode))
		s.press(input.Enter)
		s.wait(`$("#detail .pill.on").textContent`, mode)
		if mode == "swipe" {
			s.tabTo(`e.type === "range"`)
			before := s.eval(`all("#detail .over img")[1].style.clipPath`)
			s.press(input.ArrowLeft, input.ArrowLeft)
			s.wait(`all("#detail .over img")[1].style.clipPath !== `+fmt.Sprintf("%q", before), "true")
		}
	}
	s.tabTo(`e.closest("#detail h2") && /notes/.test(e.textContent)`)
	s.press(input.Space)
	s.wait(`$("#detail").textContent.includes("# what went wrong")`, "true")
	s.tabTo(`e.closest("#detail .sect") && e.textContent === "Save"`)
	s.tabTo(`e.closest("#detail .sect .dim") && e.className === "linkish"`) // the step that attached it
	s.press(input.Enter)
	s.wait(`$("#steps .row.sel") !== null`, "true")
}

func TestRangesAndPagesByKeyboardAlone(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/runner-failing-assertion.zip")).url)
	s.loaded()
	// A range from step to step narrows the tree; it can be fitted, undone and cleared.
	all := s.eval(`$("#steps .pill").textContent`)
	rows := s.eval(`all("#steps .row").length`)
	s.press(input.Home, 'j', 'j', 'j', '[')
	s.wait(`/[?&]sel=/.test(location.hash)`, "true")
	s.press('j', ']')
	s.wait(`all("#steps .row").length < `+rows, "true")
	s.press('z')
	s.wait(`/[?&]v=/.test(location.hash)`, "true")
	s.press(input.Escape)
	s.wait(`/[?&]sel=/.test(location.hash)`, "false")
	s.press('0')
	s.wait(`$("#steps .pill").textContent`, all)
	// From error to error, over the page at each moment, to the source and the log.
	s.press(input.Home, 'e')
	s.wait(`$("#steps .row.sel.bad") !== null`, "true")
	for key, phase := range map[input.Key]string{'1': "before", '3': "after", '4': "screenshot"} {
		s.press(key)
		s.wait(`new URLSearchParams(location.hash.split("?")[1]).get("p")`, phase)
	}
	for n, tab := range []string{"errors", "call", "log", "console", "network", "source", "attachments", "metadata", "storage"} {
		s.tab(n + 1)
		s.wait(`$("#details [role=tab][aria-selected=true]").id`, "tab-"+tab)
	}
	s.tab(3)
	s.wait(`$("#details [role=tab][aria-selected=true]").id`, "tab-log")
	s.tabTo(`e.getAttribute("role") === "tab" && e.closest("#details")`)
	s.press(input.ArrowLeft)
	s.wait(`$("#details [role=tab][aria-selected=true]").id`, "tab-call")
	// The tab split off, the step as text, the regions, the keys.
	s.press('y')
	s.wait(`$("#dock") !== null`, "true")
	s.press('y')
	s.wait(`$("#dock") === null`, "true")
	s.press('t')
	s.wait(`/Copied|does not let/.test($(".toast").textContent)`, "true")
	for range 4 {
		s.press(input.F6)
	}
	s.hold(input.ShiftLeft, '?')
	s.wait(`$("dialog")?.textContent.includes("the range begins at this step")`, "true")
	s.press(input.Escape)
	s.wait(`$("dialog") === null`, "true")
	// A search, whose hit leads to its step.
	s.press('/')
	s.wait(`document.activeElement.type`, "search")
	s.Keyboard.MustType([]input.Key("toHaveText")...)
	s.wait(`all("dialog .choice").length > 0`, "true")
	s.press(input.Enter)
	s.wait(`$("dialog") === null`, "true")
}
