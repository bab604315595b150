package viewer_test

import (
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// shownSnapshot is the number of the recorded page that is seen, once it has
// loaded.
const shownSnapshot = `($("#stage iframe.shown[data-loaded=true]")?.dataset.row ?? "")`

func TestWalkingKeepsThePagesAroundLoaded(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/forms.zip")).url)
	s.loaded()
	s.press(input.Home)
	for range 6 {
		s.wait(shownSnapshot+` !== "" || $("#stage .empty, #stage img.shot") !== null`, "true")
		s.wait(`all("#stage iframe").every((e) => e.dataset.loaded === "true")`, "true")
		s.press('j')
	}
	s.wait(`all("#stage iframe").length > 1 && all("#stage iframe").length <= 6`, "true")
	s.wait(`all("#stage iframe.shown").length`, "1")
	s.wait(`all("#stage iframe.waiting").every((e) => getComputedStyle(e).visibility === "hidden")`, "true")
}

func TestPanelsFollowTheWindow(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/basic.zip")).url)
	s.loaded()
	s.size(2000, 1000)
	s.wait(`Math.round($("#details").offsetWidth / 10)`, "64")
	s.size(1024, 700)
	s.wait(`$("#details").offsetWidth < 345 && $("#page").offsetWidth > 220`, "true")
	s.wait(`document.documentElement.scrollWidth <= innerWidth`, "true")
}
