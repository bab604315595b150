package rows

import (
	"os"
	"testing"
)

// BenchmarkPNG decodes the screenshot named by PNG, or a fixture.
func BenchmarkPNG(b *testing.B) {
	path := os.Getenv("PNG")
	if path == "" {
		path = "../../../../testdata/corpus/pixelmatch/fixtures/4a.png"
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var p PNG
	for b.Loop() {
		src, err := Open(data, false, &p)
		if err != nil {
			b.Fatal(err)
		}
		h := src.Header()
		pair := [2][]byte{make([]byte, h.Width*h.Depth+Slack), make([]byte, h.Width*h.Depth+Slack)}
		for y := range h.Height {
			if err := src.Next(pair[y&1]); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(h.Width * h.Height * h.Depth))
	}
}
