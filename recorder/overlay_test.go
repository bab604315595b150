package recorder

import (
	"bytes"
	"context"
	"image"
	_ "image/jpeg"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// The overlay ends a recording and its hot keys make groups, and nothing of it
// is in what is recorded.
func TestOverlayStopsAndIsNotRecorded(t *testing.T) {
	url, browser := serveForms(t), launchBrowser(t)
	page := browser.MustPage("about:blank").Timeout(time.Minute)
	page.MustSetViewport(800, 600, 1, false)
	o := DefaultOptions(filepath.Join(t.TempDir(), "t.zip"))
	o.Browser.Overlay, o.Groups = true, []string{"Sign up"}
	s := attachTo(t, browser, o)
	page.MustNavigate(url + "/form").MustWaitLoad()
	eventually(t, "the overlay is there", func() bool { return page.MustHas("tracedeck-overlay") })
	group := func() {
		if err := page.KeyActions().Press(input.AltLeft, input.ShiftLeft).Type(input.Digit1).Do(); err != nil {
			t.Fatal(err)
		}
	}
	group()
	page.MustElement("[name=first]").MustClick()
	typeText(page, "Ada")
	time.Sleep(500 * time.Millisecond) // within which an action is over and its picture taken
	group()
	page.MustElement("#button-8471").MustClick()
	var box struct{ X, Y, Width, Height float64 }
	if err := page.MustEval("() => { const r = document.querySelector('tracedeck-overlay').getBoundingClientRect(); return {X: r.x, Y: r.y, Width: r.width, Height: r.height}; }").Unmarshal(&box); err != nil {
		t.Fatal(err)
	}
	if box.Width < 50 || box.Y < 500 {
		t.Fatalf("the overlay is at %+v", box)
	}
	time.Sleep(500 * time.Millisecond)
	page.Mouse.MustMoveTo(box.X+box.Width-25, box.Y+box.Height/2)
	page.Mouse.MustClick(proto.InputMouseButtonLeft)
	select {
	case <-s.Asked():
	case <-time.After(20 * time.Second):
		t.Fatal("the stop button does nothing")
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	a, tr := loadTrace(t, o.Output)
	var got []string
	for _, x := range tr.Tree() {
		line := x.Before.Method
		if x.Parent != nil {
			line = x.Parent.Before.Title + "/" + line
		}
		got = append(got, line)
	}
	if all := strings.Join(got, " "); all != "goto tracingGroup Sign up/click Sign up/fill click" {
		t.Errorf("actions %s", all)
	}
	for _, e := range a.Entries() {
		if strings.HasSuffix(e.Name, ".trace") && strings.Contains(strings.ToLower(resource(t, a, e.Name)), "tracedeck-overlay") {
			t.Error("the overlay is in the snapshots")
		}
	}
	if len(tr.Frames) == 0 {
		t.Fatal("no pictures")
	}
	for _, f := range tr.Frames {
		img, _, err := image.Decode(bytes.NewReader([]byte(resource(t, a, f.File))))
		if err != nil {
			t.Fatal(err)
		}
		b := img.Bounds()
		if r, _, _, _ := img.At(b.Max.X-30, b.Max.Y-30).RGBA(); r>>8 < 200 {
			t.Errorf("%s: the overlay is in the picture", f.File)
		}
	}
}
