package viewer_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/tracedeck/tracedeck/viewer"
)

// tabTo presses Tab until the focus is on what an expression over the focused
// element, e, says.
func (s *screen) tabTo(is string) {
	s.t.Helper()
	for range 120 {
		if s.eval(`((e) => !!(`+is+`))(document.activeElement)`) == "true" {
			return
		}
		s.press(input.Tab)
	}
	s.t.Fatalf("no key leads to %s", is)
}

// none of the tests in this file uses the mouse, or script in its place.

func TestOneTraceByKeyboardAlone(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/network.zip")).url)
	s.loaded()
	// A request, its headers, body and phases, and a filter for requests.
	s.tab(5)
	s.tabTo(`e.id === "netfilter"`)
	s.Keyboard.MustType([]input.Key("method:post")...)
	s.wait(`all("#detail .list .nrow").length`, "4")
	s.tabTo(`e.getAttribute("role") === "rowgroup"`)
	s.press(input.ArrowDown)
	s.wait(`$("#detail .below")?.textContent.includes("Request headers")`, "true")
	s.tabTo(`e.getAttribute("role") === "tab" && e.closest(".below")`)
	s.press(input.ArrowRight, input.ArrowRight, input.ArrowRight)
	s.wait(`all("#detail .phase").length > 0`, "true")
	s.tabTo(`/cURL/.test(e.textContent) || e.tagName === "SELECT" && /cURL/.test(e.textContent)`)
	// Messages, filtered by level.
	s.tab(4)
	s.tabTo(`e.className.includes("pill") && e.closest("#detail")`)
	s.tabTo(`e.getAttribute("role") === "listbox" && e.closest("#detail")`)
	s.press(input.ArrowDown)
	s.wait(`$("#detail .crow.sel") !== null`, "true")
	// The findings.
	s.hold(input.ShiftLeft, 'C')
	s.wait(`$("#details [aria-selected=true]").id`, "tab-contract")
	s.hold(input.ShiftLeft, 'P')
	s.wait(`$("#details [aria-selected=true]").id`, "tab-performance")
	s.tabTo(`e.className === "slowrow"`)
	// Timeline: zoom, pan, undo; lanes; divider between panels.
	s.press('w', 'w', 'd')
	s.wait(`/[?&]v=/.test(location.hash)`, "true")
	s.press(input.Backspace, input.Backspace, input.Backspace)
	s.wait(`/[?&]v=/.test(location.hash)`, "false")
	s.press('v')
	s.tabTo(`e.ariaLabel === "Network folded"`)
	s.press(input.Space)
	s.press(input.Escape)
	s.wait(`all(".lanename").find((e) => e.textContent === "Network").ariaExpanded`, "false")
	s.tabTo(`e.getAttribute("role") === "separator"`)
	width := s.eval(`$("#steps").clientWidth`)
	s.press(input.ArrowRight, input.ArrowRight)
	s.wait(`$("#steps").clientWidth > `+width, "true")
	// Inspect, and a locator that is tried.
	s.press('i')
	s.wait(`all(".inspecttree .noderow").length > 3`, "true")
	s.tabTo(`e.closest(".inspecttree") && e.getAttribute("role") === "listbox"`)
	s.press(input.ArrowDown, input.ArrowDown, input.Enter)
	s.wait(`all(".locatorline").length > 0`, "true")
	s.tabTo(`e.closest(".trylocator")`)
	s.Keyboard.MustType([]input.Key("h1")...)
	s.wait(`$(".trylocator [role=status]").textContent`, "1 found")
	s.press(input.Escape, input.Escape)
	s.wait(`$(".inspecttree") === null`, "true")
	// A script, and the file to save.
	s.press('b')
	s.tabTo(`e.closest(".segments") && e.textContent === "Test"`)
	s.press(input.Enter)
	s.wait(`$(".codetext")?.ariaLabel.endsWith(".spec.ts")`, "true")
	s.tabTo(`e.textContent === "Copy"`)
	s.press(input.Enter)
	s.wait(`$(".toast").textContent.includes("Copied") || $(".toast").textContent.includes("copy")`, "true")
	s.press(input.Escape)
	s.hold(input.ShiftLeft, 'S')
	s.tabTo(`e.type === "checkbox"`)
	s.press(input.Escape)
	// The palette knows what has no key of its own in mind.
	s.hold(input.ControlLeft, 'k')
	s.wait(`document.activeElement.type`, "search")
	s.Keyboard.MustType([]input.Key("whole trace")...)
	s.wait(`all("dialog .choice").length`, "1")
	s.press(input.Enter)
	s.wait(`$("dialog") === null`, "true")
}

func TestComparingByKeyboardAlone(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/pair-a.zip"), corpusTrace("playwright/pair-b.zip")).url)
	s.loaded()
	s.press('c')
	s.tabTo(`e.className === "choice"`)
	s.press(input.Enter)
	s.wait(`$(".sides")?.textContent.includes("First divergence")`, "true")
	s.press(input.Home)
	s.wait(`new URLSearchParams(location.hash.split("?")[1]).get("step")`, "0")
	s.press('g')
	first := s.eval(`$(".prow.sel").textContent`)
	s.press('n')
	s.wait(`$(".prow.sel").textContent !== `+fmt.Sprintf("%q", first), "true")
	for _, mode := range []string{"Swipe", "Blend", "Blink", "Pixels", "Side by side"} {
		s.press('m')
		s.wait(`$("#page .segments .on").textContent.trim()`, mode)
	}
	s.press('m', '[', '[')
	s.wait(`new URLSearchParams(location.hash.split("?")[1]).get("x")`, "40")
	for i, tab := range []string{"step", "page", "network", "console", "timing", "environment", "noise"} {
		s.tab(i + 1)
		s.wait(`$("#details [aria-selected=true]").id`, "ctab-"+tab)
	}
	s.tabTo(`e.closest(".addrule")`)
	s.Keyboard.MustType([]input.Key("mine")...)
	s.press(input.Tab)
	s.Keyboard.MustType([]input.Key("order-[0-9]+")...)
	s.press(input.Enter)
	s.wait(`all(".rule").some((e) => e.textContent.includes("mine"))`, "true")
	s.tabTo(`e.type === "checkbox"`)
	s.press(input.Space)
	s.wait(`all(".rule.off").length`, "1")
	s.tab(3)
	s.tabTo(`e.textContent === "whole traces"`)
	s.press(input.Enter)
	s.wait(`$("#details .pill.on").textContent`, "whole traces")
	s.press('v')
	s.wait(`$("#details .pill.on").textContent`, "this step")
	s.press('t')
	s.wait(`$("footer").textContent.includes("time as it was")`, "true")
	a := s.eval(`$(".side").textContent`)
	s.press('x')
	s.wait(`$(".side").textContent !== `+fmt.Sprintf("%q", a), "true")
	s.press(input.Escape)
	s.wait(`location.hash.startsWith("#/t/")`, "true")
}

func TestStartPageByKeyboardAlone(t *testing.T) {
	folder := artifacts(t)
	s := open(t, serveWith(t, viewer.Options{Folder: folder, ContentListener: listen(t)}).url)
	s.wait(`all(".folder .sign.unread").length === 0 && all(".folder .trow").length > 3`, "true")
	s.press('f')
	s.wait(`document.activeElement.id`, "startfilter")
	s.Keyboard.MustType([]input.Key("counts")...)
	s.wait(`all(".folder .trow:not(.thead)").length`, "2")
	s.press(input.Escape)
	s.press('j', input.Space, 'j', input.Space)
	s.wait(`all(".trow.picked").length`, "2")
	s.press('c')
	s.wait(`location.hash.startsWith("#/c/") || $(".banner")?.textContent.includes("copies") || false`, "true")
	s.press(input.Escape, input.Escape)
	s.press('u')
	s.wait(`$(".startpage") !== null || $(".sides") !== null`, "true")
	fresh := open(t, serveWith(t, viewer.Options{Folder: folder, ContentListener: listen(t)}).url)
	fresh.wait(`all(".folder .sign.unread").length === 0 && all(".folder .trow").length > 3`, "true")
	fresh.tabTo(`e.className.includes("pill") && e.textContent.startsWith("Failed")`)
	fresh.press(input.Enter)
	fresh.wait(`all(".folder .trow:not(.thead) .sign").every((e) => e.className.includes("failed") || e.className.includes("broken"))`, "true")
	fresh.press(input.Enter)
	fresh.tabTo(`e.textContent === "by run" || e.textContent === "by test"`)
	fresh.press(input.Enter)
	fresh.press('j', 'j', 'j')
	fresh.wait(`all(".trow.sel, .tracecard.sel").length`, "1")
	fresh.press('u')
	fresh.wait(`document.activeElement.type`, "url")
	fresh.press(input.Escape)
	fresh.wait(`$("dialog") === null`, "true")
	fresh.tabTo(`e.className.includes("testname") && e.closest(".trow").querySelector(".sign.failed, .sign.passed")`)
	fresh.press(input.Enter)
	fresh.wait(`location.hash.startsWith("#/t/")`, "true")
	fresh.loaded()
	fresh.press('u')
	fresh.wait(`$(".startpage") !== null`, "true")
}

func TestNoParameterLeadsOutOfTheTrace(t *testing.T) {
	const marker = "the-secret-beside-the-trace"
	dir := t.TempDir()
	zip := filepath.Join(dir, "traces", "trace.zip")
	copyTo(t, corpusTrace("playwright/basic.zip"), zip)
	secret := filepath.Join(dir, "secret.txt")
	writeFile(t, secret, marker)
	writeFile(t, filepath.Join(dir, "traces", "secret.txt"), marker)
	srv := serve(t, zip)
	p, w := srv.enter(t)
	id := firstID(w)
	p.say("open", 1, id, "", map[string]int{}, 0)
	p.say("open", 2, id, "", map[string]int{}, 0)
	content := w["content"].(string) + p.until("meta", nil)[2].(map[string]any)["content"].(string)
	ref := 100
	for _, out := range []string{secret, "file://" + secret, "secret.txt", "../secret.txt", "../../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", `..\secret.txt`, "....//secret.txt", "/secret.txt", "./../secret.txt", "..;/secret.txt",
		"resources/../../secret.txt", "secret.txt\x00.png", "%00/../secret.txt", "@" + secret, "0x/../../secret.txt"} {
		for _, path := range []string{"r/" + out, "snapshot/" + out, out, "snapshot/0?inspect=" + out, "snapshot/0?point=" + out} {
			if b := rawText(t, content, path); strings.Contains(b, marker) {
				t.Errorf("content %s: the secret came", path)
			}
		}
		for _, path := range []string{"/" + out, "/viewer.js/../" + out, "/export?a=" + out, "/export?a=" + id + "&b=" + out, "/d/" + out + "?a=" + out + "&b=" + out, "/c/" + out, "/upload?name=" + out, "/socket?" + out} {
			if b := rawText(t, "http://"+srv.host, path); strings.Contains(b, marker) {
				t.Errorf("page %s: the secret came", path)
			}
		}
		for _, what := range []string{"source", "place", "locator", "code", "find", "lastpass", "action", out} {
			ref++
			if d, failure := p.ask(ref, what, -1, out); strings.Contains(fmt.Sprint(d), marker) {
				t.Errorf("get %s %q: the secret came (%s)", what, out, failure)
			}
		}
		for _, question := range [][]any{{"search", 1, out, 50}, {"search", 1, "in:" + out, 50}, {"diff", 1, 2, "pixels", -1, "\x00" + out}, {"diff", 1, 2, out, 0, out}, {"diff", 1, 1, "align", -1, out}, {"view", 1, out, 0, 1, 1}} {
			ref++
			p.say(append([]any{question[0], ref}, question[1:]...)...)
			for {
				m, ok := p.hear()
				if !ok {
					t.Fatalf("%v ended the connection", question)
				}
				if strings.Contains(told(m), marker) {
					t.Errorf("%v: the secret came", question)
				}
				if number(m[1]) == ref && (m[0] == "err" || m[0] == "lod" || m[0] == "res" && m[3] == true) {
					break
				}
			}
		}
		for _, what := range []string{"open", "address", "list", out} {
			ref++
			p.say("shelf", ref, what, out)
			for {
				m, ok := p.hear()
				if !ok {
					t.Fatalf("shelf %s %q ended the connection", what, out)
				}
				if strings.Contains(told(m), marker) {
					t.Errorf("shelf %s %q: the secret came", what, out)
				}
				if (m[0] == "res" || m[0] == "err") && number(m[1]) == ref {
					break
				}
			}
		}
	}
}

// told is a message as text, bodies too.
func told(m []any) string {
	var b strings.Builder
	for _, part := range m {
		if bytes, ok := part.([]byte); ok {
			part = string(bytes)
		}
		fmt.Fprintln(&b, part)
	}
	return b.String()
}
