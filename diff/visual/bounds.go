package visual

import "math"

// bounds settle by whole numbers, for most pairs of opaque pixels, on which side of a limit delta7 is. What they settle
// is further from the limit than any rounding.
type bounds struct {
	near int32 // channels that differ by at most this are within the limit
	far  int64 // luma that differs by at least this is above it
}

func boundsOf(most float64) bounds {
	// The form is convex: in a cube it is largest in a corner.
	corner := 0.0
	for _, g := range [2]float64{-1, 1} {
		for _, b := range [2]float64{-1, 1} {
			corner = max(corner, yiqSquare(yOf(1, g, b), iOf(1, g, b), qOf(1, g, b)))
		}
	}
	near := math.Floor(math.Sqrt(most/corner)) - 1
	return bounds{near: int32(min(near, 255)), far: int64(math.Ceil(1e8 * math.Sqrt((most+1)/0.5053)))}
}

// delta is delta7 of two opaque pixels where it is above the limit, or only its sign where that is plain; and 0 where it
// is within.
func (b bounds) delta(p, q pixel, most float64) float64 {
	dr, dg, db := int32(p&255)-int32(q&255), int32(p>>8&255)-int32(q>>8&255), int32(p>>16&255)-int32(q>>16&255)
	if y := 29889531*int64(dr) + 58662247*int64(dg) + 11448223*int64(db); y >= b.far {
		return -most - 1
	} else if -y >= b.far {
		return most + 1
	}
	if max(dr, -dr, dg, -dg, db, -db) <= b.near {
		return 0
	}
	return within(float64(dr), float64(dg), float64(db), most)
}

// within is delta7 of a difference in red, green and blue, and 0 where it is within the limit.
func within(dr, dg, db, most float64) float64 {
	y := yOf(dr, dg, db)
	d := yiqSquare(y, iOf(dr, dg, db), qOf(dr, dg, db))
	switch {
	case d <= most:
		return 0
	case y > 0:
		return -d
	}
	return d
}
