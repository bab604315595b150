package visual

// slide moves gaps that could as well lie a little higher or lower, because the rows around them repeat, to where they
// read best: to the edge of what was inserted or removed, or to the bottom if everything above the gap has shifted.
func slide(runs []run, a, b []uint64) []run {
	out := make([]run, 0, len(runs))
	for i, r := range runs {
		if len(out) == 0 {
			out = append(out, r)
			continue
		}
		prev := &out[len(out)-1]
		rows, start, n := a, prev.a+prev.n, r.a-prev.a-prev.n
		if n == 0 {
			rows, start, n = b, prev.b+prev.n, r.b-prev.b-prev.n
		} else if r.b != prev.b+prev.n {
			out = append(out, r) // rows on both sides: nothing to slide
			continue
		}
		last := i == len(runs)-1
		by := bestSlide(rows, start, n, prev.n, r.n, last && prev.offset() != 0 && alike(a[r.a:r.a+r.n]))
		prev.n += by
		r = run{r.a + by, r.b + by, r.n - by}
		if r.n > 0 {
			out = append(out, r)
		}
	}
	return out
}

// bestSlide returns by how many rows the gap of n rows at start should move, if above and below it are runs of so many
// rows. toEnd prefers to take in all of the run below.
func bestSlide(rows []uint64, start, n, above, below int, toEnd bool) int {
	down := 0
	for down < below && start+n+down < len(rows) && rows[start+down] == rows[start+n+down] {
		down++
	}
	if toEnd && down == below {
		return down
	}
	best, most := 0, edges(rows, start, n)
	for by := 1; by <= down && by < below; by++ {
		if e := edges(rows, start+by, n); e > most {
			best, most = by, e
		}
	}
	for by := 1; by < above && rows[start-by] == rows[start+n-by]; by++ {
		if e := edges(rows, start-by, n); e > most {
			best, most = -by, e
		}
	}
	return best
}

// edges is how many ends of n rows at start are unlike what they adjoin. The upper one counts more.
func edges(rows []uint64, start, n int) int {
	e := 0
	if start > 0 && rows[start-1] != rows[start] {
		e += 2
	}
	if end := start + n; end < len(rows) && rows[end-1] != rows[end] {
		e++
	}
	return e
}
