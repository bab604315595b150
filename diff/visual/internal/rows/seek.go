package rows

import "github.com/tracedeck/tracedeck/diff/visual/internal/inflate"

const (
	// maxPlaces bounds how many places of a picture are kept, about 36 KiB each.
	maxPlaces = 24
	// minApart is how many rows are between two of them at least: decoding so many again costs little more than
	// keeping a place.
	minApart = 256
)

// place is where decoding can be taken up again.
type place struct {
	inf    inflate.Place
	window []byte // of filtered bytes
	prev   []byte // the row before
	off    int
	base   int
	y      int
}

// KeepPlaces makes the reader remember, from here on, places to which Seek can return.
func (p *PNG) KeepPlaces() { p.keep = true }

// remember is called when the window is at its smallest.
func (p *PNG) remember() {
	apart := max(minApart, p.head.Height/maxPlaces)
	if !p.keep || p.y == 0 || len(p.places) > 0 && p.y < p.places[len(p.places)-1].y+apart {
		return
	}
	n := p.head.Width * p.head.Depth
	from := min(p.off, max(0, p.out-inflate.Window))
	p.places = append(p.places, place{inf: p.inf.Place(), window: append([]byte(nil), p.buf[from:p.out]...),
		prev: append(make([]byte, 0, n), p.prev[:n]...), off: p.off - from, base: p.base + from, y: p.y})
}

// Seek implements Source.
func (p *PNG) Seek(y int) (int, error) {
	var best *place
	for i := range p.places {
		if p.places[i].y <= y {
			best = &p.places[i]
		}
	}
	if p.y <= y && (best == nil || p.y >= best.y) {
		return p.y, nil
	}
	if best == nil {
		return 0, p.Rewind()
	}
	if err := p.inf.Return(best.inf); err != nil {
		return 0, err
	}
	p.out, p.off, p.base, p.y = copy(p.buf, best.window), best.off, best.base, best.y
	p.prev = best.prev
	return p.y, nil
}
