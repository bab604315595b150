package dom

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/nodearray"
)

// Picture reports whether a snapshot is no page but a picture of one: Vibium
// writes a page that holds nothing but an image.
func (p *Pages) Picture(at trace.Position) bool {
	g := p.byLine[place{at.File, at.Line}]
	return g != nil && g.picture
}

// isPicture looks for a body that holds one image and nothing else.
func isPicture(b *body) bool {
	texts, images := 0, 0
	for _, n := range b.Nodes {
		switch {
		case n.Kind != nodearray.Element:
			texts++
		default:
			switch strings.ToLower(unquote(b.Raw(n.Text))) {
			case "html", "head", "body", "base":
			case "img":
				if !bytes.Contains(b.Raw(n.Attrs), []byte(`"data:image/`)) {
					return false
				}
				images++
			default:
				return false
			}
		}
	}
	return images == 1 && texts == 0
}

// PictureData returns the bytes of the picture that a snapshot is, from its
// html.
func PictureData(html []byte) []byte {
	_, rest, ok := bytes.Cut(html, []byte(";base64,"))
	if !ok {
		return nil
	}
	data, _, _ := bytes.Cut(rest, []byte(`"`))
	b, err := base64.StdEncoding.DecodeString(string(data))
	if err != nil {
		return nil
	}
	return b
}
