package codegen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	_ "image/png" // pictures of traces are of either kind
	"io"
	"slices"
	"time"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // likewise

	"github.com/tracedeck/tracedeck/trace"
)

// Picture is a picture of a report.
type Picture struct {
	Name string // of the file, beside the text
	Type string
	Data []byte
}

const (
	mostPictures = 20
	mostInline   = 3
	widest       = 1280      // pixels of a picture
	widestInline = 320       // likewise, in the text itself
	largest      = 500 << 10 // bytes of a picture
	largestRead  = 32 << 20  // bytes of a picture that is read
	mostPixels   = 64 << 20
)

// choosePictures finds a picture for each step, and keeps as many as a report
// may have: of the failure, then of the steps right before it, then the first.
func (w *reportWriter) choosePictures(ctx context.Context) {
	w.ofStep = map[int]*Picture{}
	var steps []int
	shown := map[string]bool{}
	files := map[int]string{}
	for i := w.last; i >= 0; i-- {
		if step := w.s.Steps[i]; step.Action == nil || step.Verb == NotCarried {
			continue
		}
		if file := w.s.pictureOf(i); file != "" && !shown[file] {
			shown[file], files[i] = true, file
			steps = append(steps, i)
		}
	}
	most := mostPictures
	if w.o.Inline {
		most = mostInline
	}
	if len(steps) > most {
		first := steps[len(steps)-1]
		for _, i := range steps[most-1 : len(steps)-1] {
			if !w.o.Inline {
				w.unshown = append(w.unshown, fmt.Sprintf("Not shown: the picture after step %d, at %s.", w.number(i), at(w.s.Steps[i].time[1])))
			}
		}
		slices.Reverse(w.unshown)
		steps = append(steps[:most-1:most-1], first)
	}
	for _, i := range steps {
		if p, err := w.s.picture(ctx, files[i], w.o.Inline, i == w.last); err == nil {
			p.Name = fmt.Sprintf("step-%02d%s", w.number(i), extension(p.Type))
			w.ofStep[i] = p
		} else if !errors.Is(err, errBlank) {
			w.unshown = append(w.unshown, fmt.Sprintf("Not shown: the picture after step %d cannot be read.", w.number(i)))
		}
	}
	for i := range w.s.Steps {
		if p := w.ofStep[i]; p != nil {
			w.pictures = append(w.pictures, *p)
		}
	}
}

// pictureOf is the entry of the picture that shows what step i led to: a
// screenshot of its end, else the last picture of the screencast before the
// next step.
func (s *Scenario) pictureOf(i int) string {
	step := s.Steps[i]
	for _, shot := range step.Action.Screenshots {
		if shot.Phase == trace.PhaseAfter {
			return shot.File
		}
	}
	_, to := s.window(i, time.Second)
	file := ""
	for _, f := range s.trace.Frames {
		if f.Time > to {
			break
		}
		if f.PageID == "" || trace.PageKey(f.PageID) == step.page {
			file = f.File
		}
	}
	return file
}

// picture reads a picture and makes it as small as a report needs it.
func (s *Scenario) picture(ctx context.Context, file string, inline, failure bool) (*Picture, error) {
	rc, err := s.archive.Resource(ctx, file)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	data, err := io.ReadAll(io.LimitReader(rc, largestRead+1))
	if err != nil {
		return nil, err
	}
	config, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || len(data) > largestRead || config.Width*config.Height > mostPixels || config.Width <= 0 || config.Height <= 0 {
		return nil, fmt.Errorf("%s is no picture that can be shown: %w", file, err)
	}
	width := widest
	if inline {
		width = widestInline
	}
	if !failure && blank(data, config) { // an empty page can be the failure
		return nil, errBlank
	}
	if config.Width <= width && len(data) <= largest {
		return &Picture{Type: "image/" + kind, Data: data}, nil
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return shrink(m, width)
}

// errBlank is the error of a picture on which there is nothing: those of a page
// that is not painted yet, with which screencasts begin.
var errBlank = errors.New("nothing is on the picture")

// blank reports whether a picture is of one colour. Only such ones are so small.
func blank(data []byte, c image.Config) bool {
	if len(data) > 1024+c.Width*c.Height/100 {
		return false
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return false
	}
	at := m.Bounds().Min
	first := m.At(at.X, at.Y)
	for y := at.Y; y < m.Bounds().Max.Y; y++ {
		for x := at.X; x < m.Bounds().Max.X; x++ {
			if m.At(x, y) != first {
				return false
			}
		}
	}
	return true
}

// shrink makes a JPEG that is not wider, and small enough for an issue.
func shrink(m image.Image, width int) (*Picture, error) {
	size := m.Bounds().Size()
	if size.X > width {
		size = image.Pt(width, max(1, size.Y*width/size.X))
	}
	small := image.NewRGBA(image.Rectangle{Max: size})
	draw.ApproxBiLinear.Scale(small, small.Bounds(), m, m.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	for quality := 80; ; quality -= 20 {
		b.Reset()
		if err := jpeg.Encode(&b, small, &jpeg.Options{Quality: quality}); err != nil {
			return nil, err
		}
		if b.Len() <= largest || quality <= 20 {
			return &Picture{Type: "image/jpeg", Data: b.Bytes()}, nil
		}
	}
}

func extension(kind string) string {
	if kind == "image/jpeg" {
		return ".jpeg"
	}
	return "." + kind[len("image/"):]
}
