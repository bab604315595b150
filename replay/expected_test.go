package replay

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

func TestPictureThatWasNotAsExpectedIsComparedAgain(t *testing.T) {
	site := serve(t, map[string]string{"/": `<!doctype html><style>body{margin:0;background:rgb(0,0,200)}</style>`})
	plain := func(c color.Color) []byte {
		img := image.NewRGBA(image.Rect(0, 0, 600, 400))
		draw.Draw(img, img.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, c := range []struct {
		name     string
		expected []byte
		want     Status
	}{
		{"another", plain(color.RGBA{200, 0, 0, 255}), AsBefore}, {"the same", plain(color.RGBA{0, 0, 200, 255}), Changed},
		{"nearly the same", plain(color.RGBA{20, 10, 190, 255}), Changed}, {"no picture", []byte("x"), AsBefore}, {"none", nil, AsBefore},
	} {
		path := filepath.Join(t.TempDir(), "recorded.zip")
		w, err := trace.CreateZip(path, trace.WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		chunk, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", Options: json.RawMessage(`{"viewport":{"width":600,"height":400}}`), WallTime: 1.7e12})
		if err != nil {
			t.Fatal(err)
		}
		shot := failing("c2", 300, 400, "Page", "expectScreenshot", `{"isNot":false}`, "Expect failed")
		if c.expected != nil {
			file, err := w.AddResource(c.expected, "png")
			if err != nil {
				t.Fatal(err)
			}
			shot[1].(*trace.After).Attachments = []trace.Attachment{{Name: "a-expected.png", ContentType: "image/png", File: file}}
		}
		for _, e := range together(call("c1", 100, 200, "Frame", "goto", `{"url":"http://recorded.example/"}`), shot) {
			if err := chunk.Write(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := replayOf(t, path, func(o *Options) { o.URL = site.URL })
		if s := r.Steps[len(r.Steps)-1]; s.Status != c.want {
			t.Errorf("%s: %s %s", c.name, s.Status, s.Error)
		}
	}
}
