package visual

import (
	"unsafe"

	"github.com/tracedeck/tracedeck/diff/visual/internal/rows"
)

// side is one of the two pictures: where its rows come from, and the latest of them in a ring.
type side struct {
	png  rows.PNG // its buffers are kept
	src  rows.Source
	head rows.Header

	ring   []byte
	pitch  int
	rows   int // in the ring
	depth  int // of pixels in the ring
	direct bool
	own    [2][]byte // where rows are decoded that may not go into the ring as they are
	next   int       // the next row to be read
	first  int       // the row from which on the ring was filled
	masks  []Rect

	// like says, by place in the ring, that twin has the same row: 1 at the same height, 2 one row higher, and so on;
	// 0 is none. Such rows need not be in the ring themselves.
	like [ringRows]uint8
	twin *side
}

func (s *side) open(p Picture) error {
	src, err := rows.Open(p.data, p.own, &s.png)
	if err != nil {
		return &PictureError{Name: p.Name, Err: err}
	}
	s.src, s.head = src, src.Header()
	return nil
}

// place prepares the ring. Rows of another depth than the ring's, and rows that masks will change, are decoded beside
// it: a row must stay as it is until the one after it is decoded.
func (s *side) place(pitch, n, depth int, masked bool) {
	s.pitch, s.rows, s.depth, s.next, s.first = pitch, n, depth, 0, 0
	clear(s.like[:])
	if need := pitch*n + rows.Slack; len(s.ring) < need {
		s.ring = make([]byte, need)
	}
	if s.direct = s.head.Depth == depth && !masked; s.direct {
		return
	}
	for i := range s.own {
		if need := s.head.Width*s.head.Depth + rows.Slack; len(s.own[i]) < need {
			s.own[i] = make([]byte, need)
		}
	}
}

// slot is where row y goes in the ring.
func (s *side) slot(y int) []byte {
	at := y % s.rows * s.pitch
	return s.ring[at : at+s.pitch]
}

// row is where row y is, if it is in the ring.
func (s *side) row(y int) []byte {
	if k := s.like[y%s.rows]; k > 0 {
		return s.twin.slot(y - int(k-1))
	}
	return s.slot(y)
}

func (s *side) pointer(y int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s.row(y))) }

// part gives a side rows of its own for those that it shares with its twin.
func (s *side) part() {
	for y := max(s.first, s.next-s.rows); y < s.next; y++ {
		k := y % s.rows
		if s.like[k] == 0 {
			continue
		}
		copy(s.slot(y), s.row(y))
		s.like[k] = 0
		if y == s.next-1 {
			s.png.Own(s.slot(y))
		}
	}
}

// pull reads rows until the one before to is there.
func (s *side) pull(to int) error {
	for to = min(to, s.head.Height); s.next < to; s.next++ {
		dst := s.slot(s.next)
		s.like[s.next%s.rows] = 0
		if s.direct {
			if err := s.src.Next(dst); err != nil {
				return err
			}
			continue
		}
		own := s.own[s.next&1]
		if err := s.src.Next(own); err != nil {
			return err
		}
		if s.head.Depth == s.depth {
			copy(dst, own[:s.head.Width*s.depth])
		} else {
			expand(dst, own, s.head.Width)
		}
	}
	return nil
}

// expand makes RGBA of RGB.
func expand(dst, src []byte, n int) {
	for i := range n {
		d, s := dst[4*i:4*i+4], src[3*i:3*i+3]
		d[0], d[1], d[2], d[3] = s[0], s[1], s[2], 255
	}
}

// seek makes rows from y on available to pull again. Those that are in the ring already are not read anew.
func (s *side) seek(y int) error {
	if y <= s.next && y >= max(s.first, s.next-s.rows) {
		return nil
	}
	at, err := s.src.Seek(y)
	if err == nil && at != s.next {
		s.first, s.next = at, at
	}
	return err
}

// blank hides what of row y lies in the rectangles, which are at y+dy in the picture they belong to.
func (s *side) blank(masks []Rect, y, dy int) {
	row := s.row(y)
	for _, m := range masks {
		if y+dy < m.Y || y+dy >= m.Y+m.Height {
			continue
		}
		x0, x1 := max(m.X, 0), min(m.X+m.Width, s.head.Width)
		if x0 < x1 {
			clear(row[x0*s.depth : x1*s.depth])
		}
	}
}
