package viewer_test

import (
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/tracedeck/tracedeck/viewer"
)

func beside(t *testing.T, a, b string) *screen {
	t.Helper()
	s := open(t, serveWith(t, viewer.Options{Paths: []string{corpusTrace(a), corpusTrace(b)}, ContentListener: listen(t), Compare: true}).url)
	s.wait(`all("#steps .prow[role=option]").length > 0`, "true")
	s.wait(`$(".sides .verdict") !== null`, "true")
	return s
}

const pairSelected = `$("#steps .prow.sel")?.id`

func TestCompareShowsTheStepsOfBoth(t *testing.T) {
	s := beside(t, "playwright/pair-a.zip", "playwright/pair-b.zip")
	s.wait(`all("#steps .prow.same").length > 0 && all("#steps .prow.only-a, #steps .prow.only-b").length > 0`, "true")
	s.wait(`all("#stage iframe.shown").length`, "2")
	s.wait(`/^#\/c\/[0-9a-f]+\.\.[0-9a-f]+\?step=/.test(location.hash) || location.hash === ""`, "true")
	if n := s.colours("#timeline canvas"); n < 15 {
		t.Errorf("the lanes of both have %d colours", n)
	}
	s.click("#steps .pill:nth-of-type(2)")
	s.wait(`all("#steps .prow.same").length`, "0")
	s.click("#steps .pill:nth-of-type(1)")
	s.press(input.Home, 'g')
	s.wait(pairSelected+` === "pair" + (Number(/step (\d+)/.exec($(".sides .primary").textContent)[1]) - 1)`, "true")
	s.press('n')
	s.wait(`$("#steps .prow.sel").classList.contains("same")`, "false")
}

func TestCompareModes(t *testing.T) {
	s := beside(t, "playwright/runner-failing-assertion.zip", "playwright/runner-failing-assertion-retry1.zip")
	s.press(input.Home, 'j', 'j', '3', 'm')
	s.wait(`$(".segments .on").textContent + ($(".overbox .divider") !== null)`, "Swipetrue")
	before := s.eval(`$(".overtop").style.clipPath`)
	s.press(']', ']')
	s.wait(`$(".overtop").style.clipPath !== `+"`"+before+"`", "true")
	s.press('m')
	s.wait(`$(".segments .on").textContent + Number($(".overtop").style.opacity).toFixed(1)`, "Blend0.6")
	s.press('m')
	s.wait(`$(".segments .on").textContent + ($(".overtop").style.visibility !== "")`, "Blinktrue")
	s.press('m', '4')
	s.wait(`$(".segments .on").textContent + ($(".overbox img")?.naturalWidth > 50)`, "Pixelstrue")
	s.wait(`/differ|same/.test($(".overfoot").textContent)`, "true")
	s.press('m')
	s.wait(`all(".half img.shot").filter((e) => e.naturalWidth > 50).length`, "2")
}

func TestCompareTabsTellWhatDiffers(t *testing.T) {
	s := beside(t, "playwright/pair-a.zip", "playwright/pair-b.zip")
	s.wait(`all("#details [role=tab]").length`, "7")
	s.press('g')
	s.wait(`$("#detail").textContent.includes("A") && $("#detail .bothside") !== null`, "true")
	for _, c := range []struct{ tab, want string }{
		{"page", `$("#detail .verdict, #detail .dim") !== null`},
		{"timing", `all("#detail .timediff").length > 3`},
		{"environment", `all("#detail .envtable tr").length > 5`},
		{"noise", `all("#detail .rule").length > 5`},
	} {
		s.click("#ctab-" + c.tab)
		s.wait(c.want, "true")
	}
	s.click("#ctab-console")
	s.click("#detail .pill:nth-of-type(2)")
	s.wait(`!$("#detail").textContent.includes("Comparing")`, "true")
}

func TestNoiseRulesAreEdited(t *testing.T) {
	s := beside(t, "playwright/pair-a.zip", "playwright/pair-b.zip")
	s.click("#ctab-noise")
	s.wait(`all("#detail .rule").length > 5`, "true")
	all := s.eval(`all("#detail .rule").length`)
	s.click("#detail .rule input")
	s.wait(`all("#detail .rule.off").length`, "1")
	s.click(".addrule input")
	s.Keyboard.MustType([]input.Key("orders")...)
	s.press(input.Tab)
	s.Keyboard.MustType([]input.Key("order-[0-9]+")...)
	s.press(input.Enter)
	s.wait(`all("#detail .rule").length - `+all, "1")
	s.wait(`all("#detail .rule b").some((e) => e.textContent === "orders")`, "true")
	s.click("#detail .sect .mini:nth-of-type(2)")
	s.wait(`all("#detail .rule").length + "/" + all("#detail .rule.off").length`, all+"/0")
}

func TestCompareLinkLeadsBack(t *testing.T) {
	srv := serveWith(t, viewer.Options{Paths: []string{corpusTrace("playwright/pair-a.zip"), corpusTrace("playwright/pair-b.zip")}, ContentListener: listen(t)})
	s := open(t, srv.url)
	s.loaded()
	s.press('c')
	s.click("dialog .others .choice")
	s.wait(`all("#steps .prow[role=option]").length > 0`, "true")
	s.press(input.End, 'm', '3')
	s.wait(`/step=\d+&m=swipe&p=after/.test(location.hash)`, "true")
	s.wait(pairSelected, "pair7")
	link, at := s.eval("location.hash"), "pair7"
	other := open(t, srv.url+"&"+link[1:])
	other.wait(pairSelected, at)
	other.wait(`$(".segments .on").textContent`, "Swipe")
	other.press('x')
	other.wait(`location.hash.startsWith(`+"`"+link[:5]+"`"+`)`, "false")
	other.press(input.Escape)
	other.wait(`$("#steps [role=tree]") !== null`, "true")
}
