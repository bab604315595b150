package recorder

import (
	"bytes"
	"context"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace"
)

// colourPage shows another colour after each click: the number of clicks, two
// bits of it in each of the three.
const colourPage = `<!doctype html><title>Colours</title><style>body{margin:0;height:100vh;background:#000}</style><script>
let n = 0; addEventListener('click', () => { n++; document.body.style.background = 'rgb(' + [n & 3, n >> 2 & 3, n >> 4 & 3].map(x => x * 80) + ')'; });</script>`

// colourIn is the number that a picture of colourPage shows.
func colourIn(t *testing.T, a *trace.Archive, file string) int {
	t.Helper()
	r, err := a.Resource(context.Background(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	red, green, blue, _ := img.At(img.Bounds().Dx()/2, img.Bounds().Dy()/2).RGBA()
	of := func(c uint32) int { return (int(c>>8) + 40) / 80 }
	return of(red) | of(green)<<2 | of(blue)<<4
}

// clicker attaches to a browser with a colourPage, and returns how to click in it.
func clicker(t *testing.T, o Options) (s *Session, click func()) {
	t.Helper()
	browser := launchBrowser(t)
	page := browser.MustPage(serveText(t, colourPage)).MustWaitLoad()
	s = attachTo(t, browser, o)
	x := 100.0
	return s, func() {
		x += 10 // clicks at one place would be those of a double click
		for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
			if err := (proto.InputDispatchMouseEvent{Type: kind, X: x, Y: 100, Button: proto.InputMouseButtonLeft, ClickCount: 1}).Call(page); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// picturesOf are the pictures from the beginning of each act to that of the next.
func picturesOf(tr *trace.Trace) (list [][]*trace.Picture) {
	acts := tr.Tree()
	for i, x := range acts {
		end := trace.Time(1 << 62)
		if i+1 < len(acts) {
			end = acts[i+1].Before.StartTime
		}
		var own []*trace.Picture
		for _, f := range tr.Frames {
			if f.Timestamp >= x.Before.StartTime && f.Timestamp <= end {
				own = append(own, f)
			}
		}
		list = append(list, own)
	}
	return list
}

// Where the next act waits for it, each act's last picture shows what it did.
func TestPicturesShowWhatActionsDid(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "t.zip")
	s, click := clicker(t, DefaultOptions(out))
	// seen reports whether the act of that number is over, and a picture was taken after it.
	seen := func(acts int) bool {
		files, _ := filepath.Glob(filepath.Join(out+".recording", "*.trace"))
		for _, f := range files {
			data, _ := os.ReadFile(f)
			end := []byte(`"type":"after"`)
			if bytes.Count(data, end) >= acts && bytes.LastIndex(data, []byte(`"screencast-frame"`)) > bytes.LastIndex(data, end) {
				return true
			}
		}
		return false
	}
	const clicks = 10
	for i := range clicks {
		click()
		eventually(t, "a picture is there", func() bool { return seen(i + 1) })
		time.Sleep(500 * time.Millisecond) // a busy machine draws late
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	a, tr := loadTrace(t, out)
	list := picturesOf(tr)
	if len(list) != clicks {
		t.Fatalf("%d actions of %d clicks", len(list), clicks)
	}
	for i, own := range list {
		if len(own) == 0 || colourIn(t, a, own[len(own)-1].File) != i+1 {
			t.Errorf("action %d: %d pictures, the last of which does not show it", i+1, len(own))
		}
	}
}

// However fast a program acts, each act has a picture before the next.
func TestFastActionsHavePictures(t *testing.T) {
	for _, pause := range []time.Duration{0, 60 * time.Millisecond} {
		t.Run(pause.String(), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "t.zip")
			s, click := clicker(t, DefaultOptions(out))
			time.Sleep(500 * time.Millisecond)
			const clicks = 40
			for range clicks {
				next := time.Now().Add(pause)
				click()
				time.Sleep(time.Until(next))
			}
			if err := s.Stop(context.Background()); err != nil {
				t.Fatal(err)
			}
			a, tr := loadTrace(t, out)
			list, show := picturesOf(tr), 0
			if len(list) != clicks {
				t.Fatalf("%d actions of %d clicks", len(list), clicks)
			}
			for i, own := range list {
				if len(own) == 0 {
					t.Errorf("action %d has no picture", i+1)
				} else if colourIn(t, a, own[len(own)-1].File) == i+1 {
					show++
				}
			}
			t.Logf("%d of %d last pictures show what was done, of %d pictures", show, clicks, len(tr.Frames))
		})
	}
}
