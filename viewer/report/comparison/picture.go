package comparison

import (
	"bytes"
	"context"
	"encoding/base64"
	"html/template"
	"net/http"
	"strings"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/diff/visual"
)

// picture is what a card shows of two pages.
type picture struct {
	Name, Says    string
	A, B, Changes template.URL
	Result        *visual.Result
	Film, Modes   bool
	Equal         bool // the bytes are the same
}

const defaultBytes = 48 << 20

func (r *Report) pictures(ctx context.Context, c *diff.Comparer, n int) ([]picture, error) {
	most := r.MaxPictures
	if most == 0 {
		most = defaultBytes
	}
	if r.bytes >= most {
		r.leftOut++
		return nil, nil
	}
	given, err := c.Pictures(ctx, n)
	if err != nil {
		return nil, err
	}
	var list []picture
	for i := range given {
		p := r.picture(ctx, &given[i])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p != nil {
			list = append(list, *p)
		}
	}
	return list, nil
}

// picture is nil where there is nothing to see.
func (r *Report) picture(ctx context.Context, s *diff.StepPicture) *picture {
	p := &picture{Name: s.Name, Film: s.Film, Result: s.Result, Says: s.Problem}
	a, b := data(ctx, s.A), data(ctx, s.B)
	p.A, p.B = r.url(a), r.url(b)
	switch {
	case p.A == "" && p.B == "":
		return nil
	case p.A == "" || p.B == "":
		return p
	case bytes.Equal(a, b):
		p.B, p.Equal = "", true
		return p
	}
	p.Modes = true
	if s.Result == nil && !s.Film {
		return p
	}
	o := visual.DefaultOptions()
	o.Sizes = visual.SizesDiffer
	var out bytes.Buffer
	if _, err := visual.Draw(ctx, &out, visual.Bytes(a), visual.Bytes(b), o, visual.DefaultDrawOptions()); err == nil {
		p.Changes = r.url(out.Bytes())
	}
	return p
}

// data is nil for a picture that is not there or cannot be read.
func data(ctx context.Context, i *diff.Image) []byte {
	if i == nil {
		return nil
	}
	b, err := i.Data(ctx)
	if err != nil {
		return nil
	}
	return b
}

// url is a picture inside of the page, and empty for bytes that are none.
func (r *Report) url(data []byte) template.URL {
	kind := http.DetectContentType(data)
	if !strings.HasPrefix(kind, "image/") {
		return ""
	}
	r.bytes += int64(len(data))
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data))
}
