package visual

import (
	"cmp"
	"slices"
)

// maskedPixels is the area of a picture of w by h that the rectangles cover together.
func maskedPixels(a, b []Rect, w, h int) int {
	all := slices.Concat(a, b)
	if len(all) == 0 {
		return 0
	}
	edges := []int{0, h}
	for _, m := range all {
		edges = append(edges, min(max(m.Y, 0), h), min(max(m.Y+m.Height, 0), h))
	}
	slices.Sort(edges)
	n := 0
	for i := 1; i < len(edges); i++ {
		if edges[i] > edges[i-1] {
			n += (edges[i] - edges[i-1]) * coveredAt(all, edges[i-1], w)
		}
	}
	return n
}

// coveredAt is how many pixels of row y the rectangles cover.
func coveredAt(all []Rect, y, w int) int {
	var spans [][2]int
	for _, m := range all {
		if y >= m.Y && y < m.Y+m.Height {
			spans = append(spans, [2]int{max(m.X, 0), min(m.X+m.Width, w)})
		}
	}
	slices.SortFunc(spans, func(p, q [2]int) int { return cmp.Compare(p[0], q[0]) })
	n, end := 0, 0
	for _, s := range spans {
		if from := max(s[0], end); s[1] > from {
			n += s[1] - from
			end = s[1]
		}
	}
	return n
}
