package visual

import (
	"fmt"
	"math"
	"slices"
)

// Metric names how the difference of two colours is measured, and with it which published counts are given.
type Metric string

// The metrics. All take the same threshold from 0 to 1 and have the same test for anti-aliasing, but for the way in
// which translucent pixels are blended.
const (
	// Pixelmatch7 is the YIQ distance of pixelmatch 7.2.0: translucent pixels lie on a checkerboard.
	Pixelmatch7 Metric = "pixelmatch7"
	// Pixelmatch5 is the YIQ distance of pixelmatch 5.x, which Playwright bundles: translucent pixels lie on white.
	Pixelmatch5 Metric = "pixelmatch5"
	// OKLab is the HyAB distance in OKLab with corrected lightness, of pixelmatch's main branch (commit c6fee35).
	OKLab Metric = "oklab"
)

// Metrics are all of them, the default first.
func Metrics() []Metric { return []Metric{Pixelmatch7, Pixelmatch5, OKLab} }

// SizePolicy says what pictures of different sizes are.
type SizePolicy string

const (
	// SizesError answers with a *SizeError, which carries the aligned explanation. It is the zero value's meaning.
	SizesError SizePolicy = "error"
	// SizesDiffer compares what both pictures cover from their upper left corner, and counts every pixel that only
	// one of them has as different.
	SizesDiffer SizePolicy = "difference"
)

// Unlimited is the value of a limit that is not set.
const Unlimited = -1

// Options say how to compare. The zero value is an exact comparison: threshold 0 and nothing allowed;
// DefaultOptions is what people expect.
type Options struct {
	// Metric is Pixelmatch7 if empty.
	Metric Metric `json:"metric"`
	// Threshold from 0 to 1: how far two colours may be apart to count as equal.
	Threshold float64 `json:"threshold"`
	// IncludeAA counts pixels that look like anti-aliasing too. Without it they are only reported.
	IncludeAA bool `json:"includeAA"`
	// White blends translucent pixels on white instead of the checkerboard (pixelmatch's checkerboard: false).
	// Pixelmatch5 always does.
	White bool `json:"white,omitempty"`
	// Window, if above 0, compares the largest count in any square of so many pixels a side with the limits,
	// instead of the count of the whole picture. Scattered noise then passes where a dense change does not.
	Window int `json:"window,omitempty"`

	// MaxPixels and MaxRatio are how many pixels, and which share of all pixels, may differ. Unlimited means not
	// set. The stricter one that is set holds; with none set, nothing may differ.
	MaxPixels int     `json:"maxPixels"`
	MaxRatio  float64 `json:"maxRatio"`
	// Allow lists classes that pass whatever their count.
	Allow []Class `json:"allow,omitempty"`

	// Masks are areas whose content does not matter.
	Masks []Mask `json:"masks,omitempty"`
	// Sizes is SizesError if empty.
	Sizes SizePolicy `json:"sizes,omitempty"`
	// MaxBoxes and MaxMoves are how many of each are reported: 0 for 100.
	MaxBoxes int `json:"maxBoxes,omitempty"`
	MaxMoves int `json:"maxMoves,omitempty"`
	// CountOnly leaves out everything but the counts: no boxes, no moves.
	CountOnly bool `json:"countOnly,omitempty"`
}

// DefaultOptions are pixelmatch's: threshold 0.1, anti-aliasing not counted, no difference allowed.
func DefaultOptions() Options {
	return Options{Metric: Pixelmatch7, Threshold: 0.1, MaxPixels: Unlimited, MaxRatio: Unlimited, Sizes: SizesError}
}

// Rect is an area in pixels from the upper left corner. It may reach out of the picture.
type Rect struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Mask is an area of each picture whose content does not matter, such as the box of one element in both. Where
// either is, nothing is counted; either may be empty.
type Mask struct {
	A Rect `json:"a"`
	B Rect `json:"b"`
}

// SameMask is the same area of both pictures.
func SameMask(r Rect) Mask { return Mask{A: r, B: r} }

// Validate says what is wrong with o, naming the field.
func (o *Options) Validate() error {
	switch {
	case o.Metric != "" && !slices.Contains(Metrics(), o.Metric):
		return fmt.Errorf("metric %q: want one of %q", o.Metric, Metrics())
	case !(o.Threshold >= 0 && o.Threshold <= 1):
		return fmt.Errorf("threshold %v: want 0 to 1", o.Threshold)
	case o.Window < 0:
		return fmt.Errorf("window %d: want 0 or more pixels", o.Window)
	case o.MaxPixels < Unlimited:
		return fmt.Errorf("maxPixels %d: want 0 or more", o.MaxPixels)
	case math.IsNaN(o.MaxRatio) || o.MaxRatio > 1 || o.MaxRatio < 0 && o.MaxRatio != Unlimited:
		return fmt.Errorf("maxRatio %v: want 0 to 1", o.MaxRatio)
	case o.Sizes != "" && o.Sizes != SizesError && o.Sizes != SizesDiffer:
		return fmt.Errorf("sizes %q: want %q or %q", o.Sizes, SizesError, SizesDiffer)
	}
	for _, c := range o.Allow {
		if !slices.Contains(classes, c) {
			return fmt.Errorf("allowed class %q: want one of %q", c, classes)
		}
	}
	return nil
}

// limit is how many of total pixels may differ.
func (o *Options) limit(total int) int {
	limit := total
	if o.MaxPixels == Unlimited && o.MaxRatio == Unlimited {
		return 0
	}
	if o.MaxPixels != Unlimited {
		limit = min(limit, o.MaxPixels)
	}
	if o.MaxRatio != Unlimited {
		limit = min(limit, int(o.MaxRatio*float64(total)))
	}
	return limit
}

func orDefault(n, otherwise int) int {
	if n <= 0 {
		return otherwise
	}
	return n
}
