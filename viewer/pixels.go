package viewer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/viewer/content"
)

// mostPicture is how large a picture may be that is compared, in bytes.
const mostPicture = 64 << 20

// pictures answers how two pictures differ; text is the names of their
// entries, with a line end between them.
func (c *comparison) pictures(ctx context.Context, text string) (*visual.Result, error) {
	nameA, nameB, ok := strings.Cut(text, "\n")
	if !ok {
		return nil, errors.New("two pictures are compared, not one")
	}
	a, b, err := c.picturePair(ctx, nameA, nameB)
	if err != nil {
		return nil, err
	}
	r, err := visual.Compare(ctx, a, b, pixelOptions())
	return &r, err
}

func pixelOptions() visual.Options {
	o := visual.DefaultOptions()
	o.Sizes = visual.SizesDiffer
	return o
}

func (c *comparison) picturePair(ctx context.Context, nameA, nameB string) (a, b visual.Picture, err error) {
	if a, err = c.a.picture(ctx, nameA); err == nil {
		b, err = c.b.picture(ctx, nameB)
	}
	return a, b, err
}

// picture reads a picture that the recording holds.
func (r *recording) picture(ctx context.Context, name string) (visual.Picture, error) {
	e, ok := r.archive.Resolve(name)
	if !ok {
		return visual.Picture{}, fmt.Errorf("%s: the trace does not hold it", name)
	}
	if e.Size > mostPicture {
		return visual.Picture{}, fmt.Errorf("%s: the picture is too large", name)
	}
	rc, err := r.archive.Resource(ctx, name)
	if err != nil {
		return visual.Picture{}, err
	}
	defer rc.Close()
	body, err := io.ReadAll(io.LimitReader(rc, mostPicture))
	if err != nil {
		return visual.Picture{}, fmt.Errorf("%s: %w", name, err)
	}
	return visual.Bytes(body), nil
}

// pixels serves the picture of how two pictures differ:
// /d/<token>?a=<entry>&b=<entry>.
func (s *Server) pixels(w http.ResponseWriter, r *http.Request) {
	content.GuardHeaders(w.Header())
	c := s.comparisons.byToken(strings.TrimPrefix(r.URL.Path, "/d/"))
	if c == nil || r.Method != http.MethodGet {
		http.Error(w, "there is nothing here", http.StatusNotFound)
		return
	}
	q := r.URL.Query()
	a, b, err := c.picturePair(r.Context(), q.Get("a"), q.Get("b"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	how := visual.DefaultDrawOptions()
	how.Opacity = 0.25
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "private, max-age=3600")
	if _, err := visual.Draw(r.Context(), w, a, b, pixelOptions(), how); err != nil {
		w.Header().Del("Content-Type")
		http.Error(w, err.Error(), http.StatusNotFound) // too late where part of the picture has been sent
	}
}
