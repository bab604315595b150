package viewer_test

import (
	"bytes"
	"context"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/viewer"
)

// question opens the list of keys.
func (s *screen) question() {
	s.t.Helper()
	s.hold(input.ShiftLeft, '?')
	s.wait(`$("dialog")?.getAttribute("aria-label")`, "Keys")
}

func TestKeysAreChangedAndRemembered(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/fail.zip")).url)
	s.loaded()
	s.question()
	s.Keyboard.MustType([]input.Key("next error")...)
	s.wait(`all(".keyrow").length`, "1")
	s.press(input.Tab, input.Tab)
	s.wait(`document.activeElement.dataset.command`, "nextError")
	s.press(input.Enter)
	s.wait(`document.activeElement.textContent`, "press a key, Del for none")
	s.press('x')
	s.wait(`$("[data-command=nextError]").textContent`, "X")
	s.press(input.Escape)
	s.wait(`$("dialog") === null`, "true")
	s.press(input.Home, 'e')
	s.wait(selected, "Create page")
	s.press('x')
	s.wait(selected, "Click locator('#hidden')")
	s.MustReload()
	s.loaded()
	s.press(input.Home, 'x')
	s.wait(selected, "Click locator('#hidden')")
	s.question()
	s.click(".keyfoot .btn")
	s.press(input.Escape, input.Home, 'e')
	s.wait(selected, "Click locator('#hidden')")
}

func TestLettersCanBeSwitchedOff(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/fail.zip")).url)
	s.loaded()
	s.question()
	s.click(".keyfoot input")
	s.press(input.Escape)
	s.wait(`$("dialog") === null`, "true")
	s.press(input.Home, 'e', 'j')
	s.wait(selected, "Create page")
	s.hold(input.ControlLeft, 'k')
	s.wait(`$("dialog")?.getAttribute("aria-label")`, "Commands")
	s.Keyboard.MustType([]input.Key("next error")...)
	s.press(input.Enter)
	s.wait(selected, "Click locator('#hidden')")
}

func TestATabIsSplitOffToTheBottom(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/fail.zip")).url)
	s.loaded()
	s.tab(5)
	s.press('y')
	s.wait(`$("#dock .nrow") !== null && $("#tab-network") === null`, "true")
	s.wait(`$("#details [role=tab][aria-selected=true]").id !== "tab-network"`, "true")
	high := s.eval(`$("#dock").clientHeight`)
	s.eval(`$(".split.flat").focus()`)
	s.press(input.ArrowUp, input.ArrowUp)
	s.wait(`$("#dock").clientHeight > `+high, "true")
	s.press('y')
	s.wait(`$("#dock") === null && $("#details [role=tab][aria-selected=true]").id`, "tab-network")
}

func TestLanesAreFoldedPinnedHiddenAndResized(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/network.zip")).url)
	s.loaded()
	const names, height = `all("#timeline .lanename").map((e) => e.textContent).join()`, `$("#timeline canvas").clientHeight`
	s.wait(names, "Actions,Protocol,Network,Console")
	before := s.eval(height)
	s.eval(`all(".lanename")[2].focus()`)
	s.press(input.Enter)
	s.wait(`all(".lanename")[2].getAttribute("aria-expanded")`, "false")
	s.wait(height+" < "+before, "true")
	s.press(input.ArrowDown, input.ArrowDown)
	s.wait(`all(".lanename")[2].getAttribute("aria-expanded")`, "true")
	s.wait(height+" > "+before, "true")
	s.press('v')
	s.wait(`$("dialog")?.getAttribute("aria-label")`, "Lanes of the timeline")
	s.click(`input[aria-label="Network pinned"]`)
	s.click(`input[aria-label="Console hidden"]`)
	s.wait(names, "Network,Actions,Protocol")
	s.press(input.Escape)
	s.MustReload()
	s.loaded()
	s.wait(names, "Network,Actions,Protocol")
	s.press('v')
	s.click(".keyfoot .btn")
	s.wait(names, "Actions,Protocol,Network,Console")
}

func TestRangesAreUndone(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/fail.zip")).url)
	s.loaded()
	drag := func(from, to float64) {
		box := s.MustElement("#timeline canvas").MustShape().Box()
		y := box.Y + 60
		s.Mouse.MustMoveTo(box.X+box.Width*from, y)
		s.Mouse.MustDown(proto.InputMouseButtonLeft)
		s.Mouse.MustMoveTo(box.X+box.Width*(from+to)/2, y)
		s.eval("new Promise((r) => setTimeout(r, 900))") // a drag that rests is one change all the same
		s.Mouse.MustMoveTo(box.X+box.Width*to, y)
		s.Mouse.MustUp(proto.InputMouseButtonLeft)
	}
	const ranged = `new URLSearchParams(location.hash.split("?")[1]).get("sel")`
	drag(0.2, 0.4)
	s.wait(`$("footer").textContent.includes("range ")`, "true")
	s.wait(ranged+" !== null", "true")
	first := s.eval(ranged)
	s.eval("new Promise((r) => setTimeout(r, 900))")
	s.press(input.Escape)
	s.wait(`$("footer").textContent.includes("range ")`, "false")
	s.press(input.Backspace)
	s.wait(ranged, first)
	s.press(input.Backspace)
	s.wait(ranged, "null")
}

func TestSavedFilesHoldNoSecretsUnlessAskedFor(t *testing.T) {
	const secret = "sk_live_notToBeSeen0123456789"
	path := filepath.Join(t.TempDir(), "typed.zip")
	rewritten(t, corpusTrace("playwright/forms.zip"), path, func(line map[string]any) map[string]any {
		if params, ok := line["params"].(map[string]any); ok && line["method"] == "fill" {
			params["password"] = secret
		}
		return line
	})
	page := func(o *redact.Options) string {
		var b bytes.Buffer
		if _, err := viewer.Export(context.Background(), &b, viewer.ExportOptions{Paths: []string{path}, Index: index.Options{NoCache: true}, Redact: o}); err != nil {
			t.Fatal(err)
		}
		return unpacked(t, b.String())
	}
	if !strings.Contains(page(nil), secret) {
		t.Error("the secret is not in a file that keeps all: this test tests nothing")
	}
	if strings.Contains(page(&redact.Options{}), secret) {
		t.Error("the secret is in a file without secrets")
	}
	srv := serve(t, path)
	_, w := srv.enter(t)
	id := firstID(w)
	s := open(t, srv.url)
	s.loaded()
	asked := make(chan string, 1)
	go s.EachEvent(func(e *proto.NetworkRequestWillBeSent) {
		if strings.Contains(e.Request.URL, "/export") {
			asked <- e.Request.URL
		}
	})()
	if err := (proto.NetworkEnable{}).Call(s); err != nil {
		t.Fatal(err)
	}
	s.hold(input.ShiftLeft, 'S')
	s.wait(`$("dialog")?.textContent.includes("Keep secrets") && !$("dialog input").checked`, "true")
	s.press(input.Enter)
	s.wait(`$(".toast").textContent`, "Saved as one HTML file")
	if got := <-asked; !strings.Contains(got, "redact=1") {
		t.Errorf("the page asked for %s", got)
	}
	r, err := http.NewRequest("POST", "http://"+srv.host+"/export?redact=1&pictures=0&a="+id, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+srv.token)
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if strings.Contains(unpacked(t, text(t, answer)), secret) {
		t.Error("the secret is in the file that the page gets")
	}
}
