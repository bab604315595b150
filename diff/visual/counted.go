package visual

// maxCounted is how many stretches of counted pixels are kept.
const maxCounted = 2048

// counted keeps which pixels were counted at equal places, from the top down until they become too many: rows that turn
// out to have stayed, above what moved, need not be read again.
type counted struct {
	runs []stretch
	rows int // for how many rows this is complete
}

// stretch is the pixels from x0 to x1 of a row.
type stretch struct{ y, x0, x1 int32 }

func (k *counted) reset(rows int) { k.runs, k.rows = k.runs[:0], rows }

func (k *counted) add(x0, x1, y int) {
	switch {
	case y >= k.rows:
	case len(k.runs) == maxCounted:
		k.rows = y
	default:
		k.runs = append(k.runs, stretch{int32(y), int32(x0), int32(x1)})
	}
}

// covers reports whether all that was counted in a band is known.
func (k *counted) covers(b band) bool { return b.a == b.b && b.a+b.n <= k.rows }

// again adds what was counted in a band to boxes.
func (k *counted) again(b band, boxes *boxes) {
	for _, r := range k.runs {
		if y := int(r.y); y >= b.a && y < b.a+b.n {
			if x0, x1 := max(int(r.x0), b.x0), min(int(r.x1), b.x1); x0 < x1 {
				boxes.add(x0, x1, y, y)
			}
		}
	}
}
