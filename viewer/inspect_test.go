package viewer_test

import (
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

func TestInspectPicksALocator(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/basic.zip")).url)
	s.loaded()
	s.press('i')
	s.wait(`all(".inspecttree .noderow").length > 3`, "true")
	s.wait(`all(".inspecttree .noderow").some((e) => /^heading "Home" \[level=1\]$/.test(e.textContent))`, "true")
	s.wait(`$("#stage iframe.inspected").getAttribute("sandbox")`, "allow-scripts")
	s.wait(`(() => { try { return $("#stage iframe").contentDocument === null; } catch { return true; } })()`, "true")
	e, err := s.Element("#stage iframe.inspected")
	if err != nil {
		t.Fatal(err)
	}
	frame, err := e.Frame()
	if err != nil {
		t.Fatal(err)
	}
	button, err := frame.Element("button")
	if err == nil {
		err = button.Click(proto.InputMouseButtonLeft, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.wait(`$(".inspectpanel h2 span")?.textContent.startsWith("Picked: <button>")`, "true")
	s.wait(`all(".locatorline code").some((e) => e.textContent.includes("getByRole('button'"))`, "true")
	if err := s.MustElement(".inspectpanel select").Select([]string{"Python"}, true, "text"); err != nil {
		t.Fatal(err)
	}
	s.wait(`all(".locatorline code").some((e) => e.textContent.includes("get_by_role(\"button\""))`, "true")
	s.click(".trylocator input")
	s.Keyboard.MustType([]input.Key("getByRole('heading')")...)
	s.wait(`$(".trylocator [role=status]").textContent`, "1 found")
	s.press(input.Escape)
	s.press(input.Escape)
	s.wait(`$(".inspectpanel") === null && $("#stage iframe.shown").getAttribute("sandbox") === ""`, "true")
}

func TestInspectGoesIntoFrames(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/frames.zip")).url)
	s.loaded()
	s.press(input.Home, 'j', 'j', 'i')
	s.wait(`all(".inspecttree .noderow").some((e) => /^button "in frame/i.test(e.textContent) || /button/.test(e.textContent) && parseInt(e.style.paddingLeft) > 19)`, "true")
	// A frame inside a frame, by what its locator is.
	s.eval(`$(".inspecttree .list").focus()`)
	s.wait(`(() => { const row = all(".inspecttree .noderow").find((e) => /deep/i.test(e.textContent) && /button/.test(e.textContent)); row?.click(); return row !== undefined; })()`, "true")
	s.wait(`all(".locatorline code").some((e) => /(contentFrame|frameLocator).*(contentFrame|frameLocator)/.test(e.textContent))`, "true")
	s.click(".trylocator input")
	s.Keyboard.MustType([]input.Key("page.locator('#same').contentFrame().locator('#q')")...)
	s.wait(`$(".trylocator [role=status]").textContent`, "1 found")
	e, err := s.Element("#stage iframe.inspected")
	if err != nil {
		t.Fatal(err)
	}
	outer, err := e.Frame()
	if err != nil {
		t.Fatal(err)
	}
	same, err := outer.Element("#same")
	if err != nil {
		t.Fatal(err)
	}
	inner, err := same.Frame()
	if err != nil {
		t.Fatal(err)
	}
	field, err := inner.Element("#q")
	if err == nil {
		err = field.Click(proto.InputMouseButtonLeft, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.wait(`$(".inspectpanel h2 span")?.textContent.startsWith("Picked: <input>")`, "true")
	s.wait(`all(".locatorline code").some((e) => /same.*(contentFrame|frameLocator)/.test(e.textContent))`, "true")
}

func TestInspectWorksByKeyboard(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/forms.zip")).url)
	s.loaded()
	s.press(input.End, 'k', 'k', 'i')
	s.wait(`all(".inspecttree .noderow").length > 3`, "true")
	s.eval(`$(".inspecttree .list").focus()`)
	s.press(input.ArrowDown, input.ArrowDown, input.Enter)
	s.wait(`$(".inspectpanel h2 span")?.textContent.startsWith("Picked")`, "true")
	s.click(".inspecttree .pill:nth-of-type(2)")
	s.wait(`$(".inspecttree .noderow")?.textContent.startsWith("<body")`, "true")
}

func TestStorageAndAuditTabs(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/network.zip")).url)
	s.loaded()
	s.tab(9)
	s.wait(`$("#tab-storage")?.getAttribute("aria-selected")`, "true")
	s.wait(`$("#detail").textContent.includes("Reading") || $("#detail").textContent.length > 10`, "true")
	s.tab(0)
	s.wait(`$("#tab-audit")?.getAttribute("aria-selected")`, "true")
	s.wait(`$("#detail .finding, #detail .dim") !== null`, "true")
}
