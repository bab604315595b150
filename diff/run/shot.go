package run

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	_ "image/jpeg" // its size
	_ "image/png"  // its size
	"io"
	"slices"
	"strings"

	_ "golang.org/x/image/webp" // its size

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace"
)

// MaxPicture is the longest encoded picture that is taken from a trace.
const MaxPicture = 64 << 20

// Shot is a screenshot that a trace holds.
type Shot struct {
	Key string
	baseline.Baseline
	Data []byte
}

// Taken is all screenshots of a trace, and what drew them.
type Taken struct {
	Title    string
	Renderer baseline.Renderer
	Shots    []Shot // sorted by key
	Warnings []Remark
}

// What the names of attachments end with: the first three are those of
// Playwright's toHaveScreenshot, of which only the actual one is a new picture.
const (
	actual   = "-actual"
	expected = "-expected"
	diffed   = "-diff"
	boxes    = ".boxes"
)

// Shots are the screenshots of a trace: every picture that is attached to an
// action or a test, under its name. Of what Playwright attaches to a failed
// toHaveScreenshot it is the actual one.
func Shots(ctx context.Context, a *trace.Archive, t *trace.Trace) (*Taken, error) {
	taken := &Taken{Title: titleOf(t), Renderer: RendererOf(t)}
	places := map[string]map[string][]visual.Rect{}
	seen := map[string]bool{}
	for _, at := range t.Attachments {
		switch {
		case strings.HasSuffix(at.Name, boxes) && strings.HasPrefix(at.ContentType, "application/json"):
			if data, err := attached(ctx, a, at.Attachment); err == nil {
				var m map[string][]visual.Rect
				if json.Unmarshal(data, &m) == nil {
					places[strings.TrimSuffix(at.Name, boxes)] = m
				}
			}
		case isPicture(at.Attachment):
			if err := taken.add(ctx, a, at.Attachment, seen); err != nil {
				return nil, err
			}
		}
	}
	for _, e := range t.Events {
		if e.Class == "Replay" && e.Method == "picture" {
			var p struct {
				Key   string
				Boxes map[string][]visual.Rect
			}
			if json.Unmarshal(e.Params, &p) == nil && p.Boxes != nil {
				places[p.Key] = p.Boxes
			}
		}
	}
	for i := range taken.Shots {
		taken.Shots[i].Boxes = places[taken.Shots[i].Key]
	}
	slices.SortFunc(taken.Shots, func(x, y Shot) int { return baseline.CompareKeys(x.Key, y.Key) })
	return taken, nil
}

func isPicture(at trace.Attachment) bool {
	_, ok := diff.PictureName(at)
	return ok
}

func (t *Taken) add(ctx context.Context, a *trace.Archive, at trace.Attachment, seen map[string]bool) error {
	key, _ := diff.PictureName(at)
	base := key
	for n := 2; seen[key]; n++ {
		key = fmt.Sprintf("%s#%d", base, n)
	}
	seen[key] = true
	data, err := attached(ctx, a, at)
	if err == nil {
		var s Shot
		if s, err = NewShot(key, data); err == nil {
			t.Shots = append(t.Shots, s)
			return nil
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.Warnings = append(t.Warnings, Remark{Code: "W_PICTURE_UNREADABLE", Message: fmt.Sprintf("picture %s: %v", at.Name, err)})
	return nil
}

// NewShot is a screenshot of encoded bytes.
func NewShot(key string, data []byte) (Shot, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Shot{}, fmt.Errorf("picture %s: %w", key, err)
	}
	if c.Width > baseline.MaxSide || c.Height > baseline.MaxSide {
		return Shot{}, fmt.Errorf("picture %s: %d×%d pixels are more than %d a side", key, c.Width, c.Height, baseline.MaxSide)
	}
	return Shot{Key: key, Data: data, Baseline: baseline.Baseline{Digest: blob.Of(data), Width: c.Width, Height: c.Height}}, nil
}

func attached(ctx context.Context, a *trace.Archive, at trace.Attachment) ([]byte, error) {
	if at.File == "" {
		return base64.StdEncoding.DecodeString(at.Base64)
	}
	r, err := a.Resource(ctx, at.File)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, MaxPicture+1))
	if err == nil && len(data) > MaxPicture {
		err = fmt.Errorf("is longer than %d MiB", MaxPicture>>20)
	}
	return data, err
}

func titleOf(t *trace.Trace) string {
	for _, c := range t.Contexts {
		if c.Title != "" {
			return c.Title
		}
	}
	return ""
}

// RendererOf is what drew the pictures of a trace: what the trace says of it,
// or as much as follows from its first browser context.
func RendererOf(t *trace.Trace) baseline.Renderer {
	var r baseline.Renderer
	for _, c := range t.Contexts {
		if text := c.Get("renderer"); text != nil && json.Unmarshal(text, &r) == nil && r.Browser != "" {
			return r
		}
	}
	if r, ok := replayedBy(t); ok {
		return r
	}
	for _, c := range t.Contexts {
		if c.BrowserName == "" {
			continue
		}
		r = baseline.Renderer{Browser: c.BrowserName, Platform: c.Platform, Scale: scaleOf(c.Options)}
		if v := versionOf(c.Get("_browser")); v != "" {
			r.Browser += " " + v
		}
		if size, ok := c.Viewport(); ok {
			r.Width, r.Height = int(size.Width), int(size.Height)
		}
		return r
	}
	return r
}

// replayedBy is what replay notes of the browser at the beginning of a trace.
func replayedBy(t *trace.Trace) (r baseline.Renderer, ok bool) {
	for _, e := range t.Events {
		if e.Class != "Replay" || e.Method != "begin" {
			continue
		}
		var p struct {
			Browser, Regime string
			Viewport        struct{ Width, Height int }
			Flags, Fonts    string
		}
		if json.Unmarshal(e.Params, &p) != nil || p.Browser == "" {
			return r, false
		}
		r = baseline.Renderer{Browser: p.Browser, Regime: p.Regime, Width: p.Viewport.Width, Height: p.Viewport.Height, Scale: 1, Flags: p.Flags, Fonts: p.Fonts}
		for _, c := range t.Contexts {
			if c.BrowserName != "" {
				r.Platform, r.Scale = c.Platform, scaleOf(c.Options)
			}
		}
		return r, true
	}
	return r, false
}

func scaleOf(options []byte) float64 {
	var o struct {
		Scale float64 `json:"deviceScaleFactor"`
	}
	if json.Unmarshal(options, &o) != nil || o.Scale == 0 {
		return 1
	}
	return o.Scale
}

// versionOf is the browser's version of what the recorder notes about it.
func versionOf(text []byte) string {
	var o struct {
		Product string `json:"product"`
		Version string `json:"version"`
	}
	if json.Unmarshal(text, &o) != nil {
		return ""
	}
	if o.Version != "" {
		return o.Version
	}
	_, v, _ := strings.Cut(o.Product, "/")
	return v
}
