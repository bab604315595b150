package viewer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/viewer"
)

// axeSource is axe-core, which comes with the front end's packages.
func axeSource(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "web", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatalf("axe-core is needed for this test: cd web && npm ci (%v)", err)
	}
	return string(b)
}

// flaws runs axe-core on what is on screen, and returns what is serious.
// Recorded pages are left out: their flaws are not the viewer's.
func (s *screen) flaws(axe string) string {
	s.t.Helper()
	if _, err := s.Eval("() => { if (!window.axe) { " + axe + " } }"); err != nil {
		s.t.Fatal(err)
	}
	r, err := s.Eval(`async () => {
		const r = await axe.run({ include: [["html"]], exclude: [["iframe"]] }, { resultTypes: ["violations"], iframes: false });
		return r.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
			.map((v) => v.id + ": " + v.nodes.slice(0, 4).map((n) => n.target.join(" ") + " {" + n.any.concat(n.all).map((c) => c.message).slice(0, 1).join() + "}").join(" | ")).join("\n");
	}`)
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Value.Str()
}

func (s *screen) theme(name string) {
	s.t.Helper()
	if err := (proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: name}}}).Call(s); err != nil {
		s.t.Fatal(err)
	}
}

// lookedAt tells of what axe-core finds on a screen, in one theme or in both.
func (s *screen) lookedAt(name, axe string, themes ...string) {
	s.t.Helper()
	for _, theme := range themes {
		s.theme(theme)
		if got := s.flaws(axe); got != "" {
			s.t.Errorf("%s, %s:\n%s", name, theme, got)
		}
	}
}

// themeOf takes turns, where looking at a screen in both themes would only
// find the same twice.
func themeOf(n int) string { return []string{"dark", "light"}[n%2] }

func TestTraceScreenHasNoSeriousFlaws(t *testing.T) {
	axe := axeSource(t)
	s := open(t, serve(t, corpusTrace("playwright/runner-failing-assertion.zip")).url)
	s.loaded()
	s.wait(`$(".failcard") !== null`, "true")
	s.lookedAt("failure", axe, "dark", "light")
	for i, name := range strings.Fields("errors call log console network source attachments metadata storage audit") {
		s.tab((i + 1) % 10)
		s.wait(`$("#tab-`+name+`")?.getAttribute("aria-selected")`, "true")
		if name == "network" {
			s.click("#detail .list .nrow")
		}
		if name != "errors" {
			s.lookedAt("tab "+name, axe, themeOf(i))
		}
	}
	s.press('i')
	s.wait(`all(".inspecttree .noderow").length > 3`, "true")
	s.lookedAt("inspect", axe, "dark")
}

func TestDialogsHaveNoSeriousFlaws(t *testing.T) {
	axe := axeSource(t)
	s := open(t, serve(t, corpusTrace("playwright/basic.zip")).url)
	s.loaded()
	s.press('/')
	s.wait(`$("dialog")?.open`, "true")
	s.lookedAt("search", axe, "light")
	s.press(input.Escape)
	s.eval(`dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }))`)
	s.wait(`$("dialog")?.textContent.includes("next error")`, "true")
	s.lookedAt("keys", axe, "dark")
}

func TestCompareScreenHasNoSeriousFlaws(t *testing.T) {
	axe := axeSource(t)
	s := beside(t, "playwright/pair-a.zip", "playwright/pair-b.zip")
	s.lookedAt("compare", axe, "dark", "light")
	for i, tab := range strings.Fields("page network timing environment noise") {
		s.click("#ctab-" + tab)
		s.wait(`$("#detail").textContent.includes("Comparing") || $("#detail").textContent.includes("Reading")`, "false")
		s.press('m')
		s.lookedAt("compare "+tab, axe, themeOf(i))
	}
}

func TestStartPageHasNoSeriousFlaws(t *testing.T) {
	axe := axeSource(t)
	s := open(t, serveWith(t, viewer.Options{Folder: artifacts(t), ContentListener: listen(t)}).url)
	s.wait(`all(".folder .sign.unread").length === 0 && all(".folder .trow").length > 3`, "true")
	s.lookedAt("start page", axe, "dark", "light")
	s.press('u')
	s.wait(`$("dialog")?.open`, "true")
	s.lookedAt("address", axe, "light")
}
