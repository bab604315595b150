package viewer_test

import "testing"

// Vibium writes no errors down: a click that waited in vain is told by its
// time limit, and the page opens at it.
func TestAStepThatRanOutOfTimeIsTold(t *testing.T) {
	for _, c := range []struct{ name, step, limit string }{
		{"vibium/v26.8.21-unfinished.zip", "#does-not-exist", "1.50 s"},
		{"vibium/v26.3.17-unfinished.zip", "#does-not-exist", "1.50 s"},
		{"vibium/v26.2.28-errors.zip", "#does-not-exist", "800 ms"},
	} {
		s := open(t, serve(t, corpusTrace(c.name)).url)
		s.loaded()
		s.wait(`$("#steps .row.sel .name")?.textContent.includes("`+c.step+`")`, "true")
		s.wait(`$(".failcard h2")?.textContent`, "The step took all of its "+c.limit+", and probably failed")
		s.wait(`$(".failcard .which").textContent.includes("`+c.step+`")`, "true")
		s.wait(`all("#steps .badge[title^='It took all']").length`, "1")
	}
}

// Steps that ended in time are not suspected.
func TestStepsThatEndedInTimeAreNotSuspected(t *testing.T) {
	for _, name := range []string{"vibium/v26.8.21-basic.zip", "vibium/v26.2.28-basic.zip", "playwright/basic.zip"} {
		s := open(t, serve(t, corpusTrace(name)).url)
		s.loaded()
		s.wait(`$(".failcard") === null && all("#steps .badge[title^='It took all']").length`, "0")
		s.wait(`$("header .chip.pass") !== null`, "true")
	}
}
