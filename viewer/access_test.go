package viewer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/viewer"
)

// media makes the browser ask for something, "prefers-contrast=more" say.
func (s *screen) media(features ...string) {
	s.t.Helper()
	m := proto.EmulationSetEmulatedMedia{}
	for _, f := range features {
		name, value, _ := strings.Cut(f, "=")
		m.Features = append(m.Features, &proto.EmulationMediaFeature{Name: name, Value: value})
	}
	if err := m.Call(s); err != nil {
		s.t.Fatal(err)
	}
}

// contrast is how far two colours of the page, given as expressions, are apart.
func (s *screen) contrast(text, behind string) string {
	return s.eval(`(() => { const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map((v) => { v /= c.startsWith("color(srgb") ? 1 : 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const [a, b] = [light(` + text + `), light(` + behind + `)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); })()`)
}

func TestHighContrast(t *testing.T) {
	axe := axeSource(t)
	s := open(t, serve(t, corpusTrace("playwright/runner-failing-assertion.zip")).url)
	s.loaded()
	s.wait(`$(".failcard") !== null`, "true")
	for _, theme := range []string{"dark", "light"} {
		s.media("prefers-contrast=more", "prefers-color-scheme="+theme)
		for _, text := range []string{"#steps .row .name", "#steps .row .ms", "#detail .dim", "footer"} {
			var ratio float64
			if _, err := fmt.Sscan(s.contrast(`getComputedStyle($("`+text+`")).color`, `getComputedStyle($("#steps")).backgroundColor`), &ratio); err != nil || ratio < 7 {
				t.Errorf("%s, %s: contrast %.1f, want 7 at least (%v)", theme, text, ratio, err)
			}
		}
		if got := s.flaws(axe); got != "" {
			t.Errorf("%s:\n%s", theme, got)
		}
	}
	s.media("forced-colors=active")
	s.wait(`getComputedStyle($("#steps .row.sel")).outlineStyle`, "solid")
	if n := s.colours("#timeline canvas"); n < 4 {
		t.Errorf("with the system's colours the lanes have %d colours", n)
	}
}

// TestTwiceAsLarge looks at what a browser zoomed to 200 % shows.
func TestTwiceAsLarge(t *testing.T) {
	axe := axeSource(t)
	s := open(t, serve(t, corpusTrace("playwright/runner-failing-assertion.zip")).url)
	if err := s.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: 720, Height: 450, DeviceScaleFactor: 2}); err != nil {
		t.Fatal(err)
	}
	s.loaded()
	s.wait(`$(".failcard") !== null`, "true")
	s.wait(`document.documentElement.scrollWidth <= innerWidth`, "true")
	s.wait(`["steps", "page", "details"].every((id) => { const b = $("#" + id).getBoundingClientRect(); return b.width > 600 && b.height > 150; })`, "true")
	s.wait(`$("header").scrollWidth <= $("header").clientWidth + 1`, "true")
	if got := s.flaws(axe); got != "" {
		t.Error(got)
	}
	// All of it can be brought into view.
	for _, id := range []string{"steps", "page", "details"} {
		s.eval(`$("#` + id + `").scrollIntoView({ block: "start" })`)
		s.wait(`(() => { const b = $("#`+id+`").getBoundingClientRect(); return b.top < innerHeight - 60 && b.bottom > 60; })()`, "true")
	}
}

func TestReducedMotion(t *testing.T) {
	s := beside(t, "playwright/runner-failing-assertion.zip", "playwright/runner-failing-assertion-retry1.zip")
	s.media("prefers-reduced-motion=reduce")
	s.wait(`document.getAnimations().filter((a) => a.playState === "running" && a.effect.getComputedTiming().duration > 1).length`, "0")
	s.wait(`all("*").every((e) => parseFloat(getComputedStyle(e).transitionDuration) < 0.001)`, "true")
	s.press(input.Home, 'j', 'j', '3', 'm', 'm', 'm')
	s.wait(`$(".segments .on").textContent`, "Blink")
	seen := s.eval(`$(".overtop")?.style.visibility`)
	for range 12 { // a blink lasts less
		time.Sleep(150 * time.Millisecond)
		if now := s.eval(`$(".overtop")?.style.visibility`); now != seen {
			t.Fatal("the pictures blink though motion is to be reduced")
		}
	}
}

func TestRecordingsAreListedWhileTheyAreMade(t *testing.T) {
	dir := t.TempDir()
	srv := serveWith(t, viewer.Options{Folder: dir, ContentListener: listen(t)})
	s := open(t, srv.url)
	s.wait(`$(".startpage") !== null`, "true")
	at := filepath.Join(dir, "now")
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		f, err := os.Create(filepath.Join(at, "trace.trace"))
		if err != nil {
			return
		}
		defer f.Close()
		fmt.Fprintln(f, `{"version":8,"type":"context-options","origin":"library","browserName":"chromium","platform":"linux","wallTime":1700000000000,"monotonicTime":1,"options":{},"title":"being made"}`)
		for i := 1; ; i++ {
			fmt.Fprintf(f, `{"type":"before","callId":"c@%d","startTime":%d,"class":"Page","method":"step","title":"step %d","params":{}}`+"\n"+`{"type":"after","callId":"c@%d","endTime":%d}`+"\n", i, 10*i, i, i, 10*i+5)
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	}()
	t.Cleanup(func() { close(stop); <-done })
	s.wait(`$("[aria-label='Live now']")?.textContent.includes("1 recording")`, "true")
	s.eval(`$("[aria-label='Live now'] button").click()`)
	s.wait(`$("header .chip.live") !== null`, "true")
	s.wait(`all("#steps .row").length > 0`, "true")
	n := s.eval(`$("#steps .foot").textContent`)
	s.wait(`$("#steps .foot").textContent !== "`+n+`"`, "true") // it grows
}

func TestRecordedAccessibilityTreeIsShown(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/aria-only.zip")).url)
	s.loaded()
	s.press(input.End)
	s.wait(selected, "Click locator('#inc')")
	s.press('5')
	s.wait(`all(".ariatree li").map((e) => e.textContent.trim()).slice(0, 3).join(" | ")`, `heading "Home" [level=1] | paragraph ready | button "Increment"`)
	for key, moment := range map[input.Key]string{'1': "before", '3': "after"} {
		s.press(key)
		s.wait(`$("#stage img.shot")?.naturalWidth > 100 && decodeURIComponent($("#stage img.shot").src).includes("`+moment+`")`, "true")
	}
}

func TestNewDialogsAndTabsHaveNoSeriousFlaws(t *testing.T) {
	axe := axeSource(t)
	s := open(t, serve(t, corpusTrace("playwright/runner-failing-assertion.zip")).url)
	s.loaded()
	s.wait(`$(".failcard") !== null`, "true")
	for key, name := range map[input.Key]string{'b': "script", 'S': "save", 'v': "lanes"} {
		s.eval(fmt.Sprintf(`dispatchEvent(new KeyboardEvent("keydown", { key: %q, shiftKey: %v, bubbles: true }))`, string(rune(key)), key == 'S'))
		s.wait(`$("dialog")?.open`, "true")
		s.lookedAt(name, axe, "dark", "light")
		s.press(input.Escape)
		s.wait(`$("dialog[open]") === null`, "true")
	}
	for key, name := range map[string]string{"C": "contract", "P": "performance"} {
		s.eval(fmt.Sprintf(`dispatchEvent(new KeyboardEvent("keydown", { key: %q, shiftKey: true, bubbles: true }))`, key))
		s.wait(`$("#tab-`+name+`")?.getAttribute("aria-selected")`, "true")
		s.wait(`/Reading|Looking/.test($("#detail").textContent)`, "false")
		s.lookedAt(name, axe, "dark", "light")
	}
	s.press('y')
	s.wait(`$("#dock") !== null`, "true")
	s.lookedAt("split", axe, "dark", "light")
}
