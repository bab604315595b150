package viewer

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/jpeg"
	_ "image/png" // screenshots
	"io"
	"strings"

	"golang.org/x/image/draw"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

// unread returns the newest entry that has not been read, and nil if there is
// none. Addresses are only read when somebody opens them.
func (s *shelf) unread() *shelved {
	s.mu.Lock()
	defer s.mu.Unlock()
	var newest *shelved
	for _, e := range s.listed {
		if !e.read && !isAddress(e.path) && (newest == nil || e.Recorded > newest.Recorded || e.Recorded == newest.Recorded && e.path < newest.path) {
			newest = e
		}
	}
	return newest
}

// readOne reads the next entry.
func (s *shelf) readOne(ctx context.Context) {
	e := s.unread()
	if e == nil {
		return
	}
	told := s.tell(ctx, e.path)
	if ctx.Err() != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listed[e.Key] != e {
		return
	}
	s.put(e.path, func(e *shelved) {
		e.read = true
		told(e)
	})
}

// tell reads a trace and returns what it says about itself.
func (s *shelf) tell(ctx context.Context, path string) func(e *shelved) {
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return func(e *shelved) { e.Verdict, e.Error = "broken", err.Error() }
	}
	defer a.Close()
	build := index.Open
	if a.Growing() {
		build = index.Build
	}
	x, err := build(ctx, a, s.index)
	if err != nil {
		return func(e *shelved) { e.Verdict, e.Error = "broken", err.Error() }
	}
	defer x.Close()
	picture := thumbnail(ctx, a, x)
	verdict, message := verdictOf(x)
	clock := x.Clock()
	title, browser := "", ""
	for _, c := range x.Contexts() {
		if title == "" {
			title = c.Options.Title
		}
		if browser == "" {
			browser = c.Options.BrowserName
		}
	}
	return func(e *shelved) {
		e.Verdict, e.Error, e.Picture, e.Browser, e.Took = verdict, message, picture, browser, float64(clock.End)/1000
		if title != "" {
			e.Test = title
		}
		if !clock.Start.IsZero() {
			e.Recorded = millis(clock.Start)
		}
	}
}

// verdictOf says whether the session failed, and the first line of why.
func verdictOf(x *index.Index) (verdict, message string) {
	for r := range index.Row(x.Len(index.Errors)) {
		e := x.Error(r)
		if e.Source == index.TestError {
			return "failed", firstLine(e.Message)
		}
	}
	for r := range index.Row(x.Len(index.Actions)) {
		a := x.Action(r)
		if a.Flags&index.Failed != 0 && a.Kind != index.KindProtocol {
			return "failed", firstLine(a.Message)
		}
	}
	if x.Len(index.Actions) == 0 {
		return "empty", ""
	}
	return "passed", ""
}

func firstLine(s string) string {
	for line := range strings.Lines(stripColours(s)) {
		if line = strings.TrimSpace(line); line != "" {
			if r := []rune(line); len(r) > 200 {
				line = string(r[:200]) + "…"
			}
			return line
		}
	}
	return ""
}

func stripColours(s string) string {
	for {
		from := strings.Index(s, "\x1b[")
		if from < 0 {
			return s
		}
		end := strings.IndexByte(s[from:], 'm')
		if end < 0 {
			return s[:from]
		}
		s = s[:from] + s[from+end+1:]
	}
}

// Size of thumbnails, and of pictures they are made of.
const (
	thumbWidth, thumbHeight = 144, 90
	mostPixels              = 40 << 20
	mostThumbSource         = 16 << 20
)

// thumbnail returns a small picture of how the session ended, as a data:
// address, and "" if there is none.
func thumbnail(ctx context.Context, a *trace.Archive, x *index.Index) string {
	entry := ""
	if n := x.Len(index.Frames); n > 0 {
		entry = x.Frame(index.Row(n - 1)).Entry
	}
	for r := index.Row(x.Len(index.Stills)) - 1; entry == "" && r >= 0; r-- {
		if s := x.Still(r); s.Kind == index.Screenshot {
			entry = s.Entry
		}
	}
	if entry == "" {
		return ""
	}
	rc, err := a.Resource(ctx, entry)
	if err != nil {
		return ""
	}
	defer rc.Close()
	body, err := io.ReadAll(io.LimitReader(rc, mostThumbSource))
	if err != nil {
		return ""
	}
	small, err := shrink(body)
	if err != nil {
		return ""
	}
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(small)
}

// shrink makes a JPEG of thumbnail size of the top of a picture.
func shrink(body []byte) ([]byte, error) {
	head, _, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if head.Width*head.Height > mostPixels || head.Width == 0 || head.Height == 0 {
		return nil, image.ErrFormat
	}
	full, _, err := image.Decode(bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	from := full.Bounds()
	from.Max.Y = min(from.Max.Y, from.Min.Y+max(1, from.Dx()*thumbHeight/thumbWidth))
	small := image.NewRGBA(image.Rect(0, 0, thumbWidth, max(1, from.Dy()*thumbWidth/from.Dx())))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), full, from, draw.Src, nil)
	var out bytes.Buffer
	err = jpeg.Encode(&out, small, &jpeg.Options{Quality: 72})
	return out.Bytes(), err
}
