package visual

// Class says in one word how two pictures differ. The later ones are the graver.
type Class string

const (
	// Equal: no pixel differs by more than the threshold.
	Equal Class = "equal"
	// AntiAliasing: what differs looks like anti-aliasing everywhere.
	AntiAliasing Class = "anti-aliasing"
	// Moved: rows or blocks were inserted, removed or shifted, and everything else is equal.
	Moved Class = "moved"
	// Changed: something is drawn differently. There may be moves as well.
	Changed Class = "changed"
)

var classes = []Class{Equal, AntiAliasing, Moved, Changed}

// Result is what a comparison found.
type Result struct {
	Class Class `json:"class"`
	// Pass is whether Counted is within Limit, or the class is allowed.
	Pass bool `json:"pass"`
	// Identical is whether every pixel is the same in both, so that the threshold had no say.
	Identical bool `json:"identical"`

	Metric    Metric  `json:"metric"`
	Threshold float64 `json:"threshold"`
	A         Size    `json:"a"`
	B         Size    `json:"b"`

	// DiffPixels is the metric's count at equal positions, as pixelmatch gives it.
	DiffPixels int `json:"diffPixels"`
	// TotalPixels is the area that both pictures cover together, in a frame as wide and as high as the larger.
	TotalPixels int `json:"totalPixels"`
	// Ratio is DiffPixels over TotalPixels, not rounded.
	Ratio float64 `json:"ratio"`
	// AAPixels is how many pixels differ but look like anti-aliasing. 0 if these were counted as different.
	AAPixels int `json:"aaPixels"`
	// Window is the side of the window in which WindowPixels is the largest count, if that was asked for.
	Window       int `json:"window,omitempty"`
	WindowPixels int `json:"windowPixels,omitempty"`
	// Counted is what was compared with Limit: DiffPixels or WindowPixels.
	Counted int `json:"counted"`
	// Limit is how many pixels were allowed.
	Limit int `json:"limit"`
	// MaskedPixels is how many pixels were left out.
	MaskedPixels int `json:"maskedPixels,omitempty"`

	// Boxes are the areas that changed, from top to bottom; if rows moved, what changed apart from that.
	Boxes []Box `json:"boxes"`
	// MoreBoxes is how many small ones were left out.
	MoreBoxes int `json:"moreBoxes,omitempty"`
	// Moves are the rows that were inserted, removed or shifted, from top to bottom.
	Moves []Move `json:"moves"`
	// MoreMoves is how many small ones were left out.
	MoreMoves int `json:"moreMoves,omitempty"`
}

// Size is a picture's size in pixels.
type Size struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Box is an area of the second picture in which pixels differ.
type Box struct {
	Rect
	// AY is where the area begins in the first picture, which is not Y when it was shifted.
	AY int `json:"ay"`
	// Pixels is how many of the pixels in the area differ.
	Pixels int `json:"pixels"`
}

// MoveKind says what happened to some rows.
type MoveKind string

const (
	// Inserted rows are only in the second picture.
	Inserted MoveKind = "inserted"
	// Removed rows are only in the first.
	Removed MoveKind = "removed"
	// Shifted rows are the same in both, pushed up or down by what was inserted or removed before them.
	Shifted MoveKind = "shifted"
	// Relocated rows are the same in both, but in another order than the rows around them.
	Relocated MoveKind = "relocated"
	// Fixed rows stayed where they were while rows around them shifted: a sticky header, a footer.
	Fixed MoveKind = "fixed"
	// Covered rows of the first picture are hidden by a relocated block in the second.
	Covered MoveKind = "covered"
	// Uncovered rows of the second picture were hidden by a relocated block in the first.
	Uncovered MoveKind = "uncovered"
	// CutOff rows were at the bottom of the first picture and were pushed out of it.
	CutOff MoveKind = "cut-off"
	// Revealed rows came in at the bottom of the second picture as others shifted up.
	Revealed MoveKind = "revealed"
)

// Move is something that happened to a run of rows, or to a column of it.
type Move struct {
	Kind MoveKind `json:"kind"`
	// A and B are where the rows begin in the first and in the second picture. For rows that only one has, the
	// other is the place where they would be.
	A int `json:"a"`
	B int `json:"b"`
	// Rows is how many.
	Rows int `json:"rows"`
	// Offset is B-A of rows that both have: positive is down.
	Offset int `json:"offset"`
	// X and Width say which columns, where it is not all of them.
	X     int `json:"x"`
	Width int `json:"width"`
	// Blank is set if the rows are all alike: empty space.
	Blank bool `json:"blank,omitempty"`

	left bool // X is 0, and it is not all columns
}
