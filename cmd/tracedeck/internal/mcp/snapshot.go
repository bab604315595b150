package mcp

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	_ "image/png" // screenshots
	"io"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // screencasts

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

func sortBy[T any, K cmp.Ordered](list []T, key func(T) K) {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
}

type snapshotArgs struct {
	TraceArg
	Action string `json:"action" jsonschema:"call id"`
	Phase  string `json:"phase,omitempty" jsonschema:"before, action or after; after unless told"`
	As     string `json:"as,omitempty" jsonschema:"text or picture; text unless told"`
	From   int    `json:"from,omitempty" jsonschema:"first letter of the text that is wanted"`
	Limit  int    `json:"limit,omitempty" jsonschema:"letters; 8000 unless told"`
}

// PageView is a page at a moment.
type PageView struct {
	Content Text   `json:"content"`
	Title   string `json:"title,omitempty"`
	URL     string `json:"url,omitempty"`
	Phase   string `json:"phase"`
	As      string `json:"as"`
}

func (v *PageView) shrink() bool { return v.Content.shrink() }

func (s *Server) snapshotTool(ctx context.Context, in snapshotArgs) (PageView, reply, error) {
	t, tr, err := s.load(ctx, in.Trace)
	if err != nil {
		return PageView{}, reply{session: t}, err
	}
	a, err := findAction(tr, in.Action)
	if err != nil {
		return PageView{}, reply{session: t}, err
	}
	v := PageView{Phase: cmp.Or(in.Phase, "after"), As: cmp.Or(in.As, "text")}
	switch v.As {
	case "text":
		err = v.read(ctx, t, tr, a, in)
		return v, reply{session: t}, err
	case "picture":
		pic, err := s.picture(ctx, t, tr, a, v.Phase)
		if err != nil {
			return v, reply{session: t}, err
		}
		v.Content.Note = "pictures are as they were recorded: secrets that a page showed are not masked in them"
		return v, reply{session: t, content: []mcp.Content{&mcp.ImageContent{Data: pic, MIMEType: "image/jpeg"}, &mcp.TextContent{Text: v.Content.Note}}}, nil
	}
	return v, reply{session: t}, fmt.Errorf("as is text or picture, not %.40q", in.As)
}

// read takes the text of the page that the viewer would show.
func (v *PageView) read(ctx context.Context, t *session, tr *trace.Trace, a *trace.Action, in snapshotArgs) error {
	store := snapshot.FromTrace(t.archive, tr)
	n, ok := store.TabOf(tr, a, trace.Phase(v.Phase))
	if !ok {
		return fmt.Errorf("phase is before, action or after, not %.40q", v.Phase)
	}
	if n < 0 {
		return fmt.Errorf("there is no DOM snapshot of %s at that moment; as=picture may have one", a.ID())
	}
	text, err := store.Text(ctx, n)
	if err != nil && text == "" {
		return err
	}
	v.Content = textPart(t.masker.Text(text), in.From, in.Limit)
	if place, ok := store.Place(n); ok {
		v.URL = place.FrameURL
	}
	v.Title, _ = store.Title(ctx, n) // a page may have none
	return nil
}

// mostPixels is how wide or high a picture is at the most.
const mostPixels = 1280

// picture returns the picture that is nearest to a moment of an action.
func (s *Server) picture(ctx context.Context, t *session, tr *trace.Trace, a *trace.Action, phase string) ([]byte, error) {
	if s.o.NoPictures {
		return nil, fmt.Errorf("this server shows no pictures (--no-pictures); as=text shows what stood on the page")
	}
	file := pictureFile(tr, a, phase)
	if file == "" {
		return nil, fmt.Errorf("the trace has no picture of %s; as=text may have the page", a.ID())
	}
	rc, err := t.archive.Resource(ctx, file)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	data, err := io.ReadAll(io.LimitReader(rc, 32<<20))
	if err != nil {
		return nil, err
	}
	return smaller(data)
}

func pictureFile(tr *trace.Trace, a *trace.Action, phase string) string {
	for _, shot := range a.Screenshots {
		if string(shot.Phase) == phase {
			return shot.File
		}
	}
	at := a.End
	if phase == "before" {
		at = a.Start
	}
	best, distance := "", trace.Time(0)
	for _, p := range tr.Frames {
		if a.PageID != "" && p.PageID != "" && trace.PageKey(p.PageID) != trace.PageKey(a.PageID) {
			continue
		}
		if d := max(p.Time-at, at-p.Time); best == "" || d < distance {
			best, distance = p.File, d
		}
	}
	return best
}

// smaller returns a picture as JPEG, no larger than a model looks at.
func smaller(data []byte) ([]byte, error) {
	c, kind, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the picture cannot be read: %w", err)
	}
	if c.Width*c.Height > 64<<20 {
		return nil, fmt.Errorf("the picture is too large: %d×%d", c.Width, c.Height)
	}
	if kind == "jpeg" && c.Width <= mostPixels && c.Height <= mostPixels {
		return data, nil
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the picture cannot be read: %w", err)
	}
	scale := min(1, float64(mostPixels)/float64(max(c.Width, c.Height)))
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(c.Width)*scale)), max(1, int(float64(c.Height)*scale))))
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(out, out.Bounds(), img, img.Bounds(), draw.Over, nil)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, out, &jpeg.Options{Quality: 80}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
