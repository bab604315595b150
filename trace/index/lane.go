package index

import (
	"math"
	"sort"
	"sync"
	"time"
)

// Lane names a row of the timeline: a table, or a part of one.
type Lane uint8

// The lanes of a timeline.
const (
	GroupLane Lane = iota
	ActionLane
	ProtocolLane
	NetworkLane
	ConsoleLane
	ErrorLane
	FrameLane
	SnapshotLane
	LogLane
	EventLane
	Lanes = iota // how many lanes there are
)

// laneInfo says what a lane shows.
type laneInfo struct {
	table      Table
	start, end int // columns; end is -1 where rows are moments
	flags      int // a column, or -1
	kinds      uint32
}

var laneInfos = [Lanes]laneInfo{
	GroupLane:    {Actions, ActionStart, ActionEnd, ActionFlagBits, 1 << KindGroup},
	ActionLane:   {Actions, ActionStart, ActionEnd, ActionFlagBits, 1<<KindCall | 1<<KindStep | 1<<KindHook},
	ProtocolLane: {Actions, ActionStart, ActionEnd, ActionFlagBits, 1 << KindProtocol},
	NetworkLane:  {Network, RequestStart, RequestEnd, RequestFlagBits, 0},
	ConsoleLane:  {Console, ConsoleTime, -1, -1, 0},
	ErrorLane:    {Errors, ErrorTime, -1, -1, 0},
	FrameLane:    {Frames, FrameTime, -1, -1, 0},
	SnapshotLane: {Snapshots, SnapshotTime, -1, SnapshotFlagBits, 0},
	LogLane:      {Logs, LogTime, -1, -1, 0},
	EventLane:    {Events, EventTime, -1, -1, 0},
}

// Table returns the table whose rows the lane shows.
func (l Lane) Table() Table { return laneInfos[l].table }

// Bucket sums up the rows of a lane that begin in one span of time.
type Bucket struct {
	First Row    // the earliest of them; NoRow if there are none
	Count uint32 // of rows that begin here
	Flags uint32 // of all of them together
	Cover uint32 // how much of the span rows cover, added up; a row all the way is 256
}

// View is what is to be seen of a lane in a window of time: rows while they
// are few enough to be drawn one by one, buckets otherwise.
type View struct {
	Rows    []Row // in order of their start
	Buckets []Bucket
	Start   time.Duration // of the first bucket
	Width   time.Duration // of a bucket
	Total   int           // rows in the window
}

// pyramid holds one lane's rows in order of time, and their sums at every
// level of detail: each level has half the buckets of the one below.
type pyramid struct {
	rows    int // of the table, when it was made
	patches int
	order   []Row
	ends    []int64 // of each endBlock rows of order the latest end
	zero    int64
	width   int64 // of the buckets of level 0
	levels  [][]Bucket
}

const (
	endBlock    = 64
	mostBuckets = 1 << 19
	fewBuckets  = 512
)

// lanes keeps the pyramids that have been asked for.
type lanes struct {
	mu    [Lanes]sync.Mutex
	built [Lanes]*pyramid
}

// View returns what is to be seen of a lane from one moment to another on so
// many pixels.
func (x *Index) View(l Lane, from, to time.Duration, pixels int) View {
	p := x.pyramid(l)
	pixels = min(max(pixels, 1), 1<<16)
	from, to = max(from, -latest), min(to, latest+1)
	if to <= from || len(p.order) == 0 {
		return View{}
	}
	lo, hi := p.between(x, l, int64(from), int64(to))
	early := p.running(x, l, lo, int64(from), 2*pixels+1)
	v := View{Total: hi - lo + len(early)}
	if v.Total <= 2*pixels {
		v.Rows = append(early, p.order[lo:hi]...)
		return v
	}
	p.sum(x, l, &v, int64(from), int64(to), pixels)
	return v
}

// pyramid returns the lane's pyramid, made anew if rows have come in since.
func (x *Index) pyramid(l Lane) *pyramid {
	x.lanes.mu[l].Lock()
	defer x.lanes.mu[l].Unlock()
	rows, patches := x.Len(l.Table()), int(x.patches.count.Load())
	p := x.lanes.built[l]
	if p == nil || p.rows != rows || l.Table() == Actions && p.patches != patches {
		p = x.makePyramid(l, rows)
		p.patches = patches
		x.lanes.built[l] = p
	}
	return p
}

// span returns when a row begins and ends; a row without an end goes on.
func (x *Index) span(l Lane, r Row) (start, end int64) {
	info, t := &laneInfos[l], x.tables[laneInfos[l].table]
	start = t.getLong(r, info.start)
	if info.end < 0 {
		return start, start
	}
	if end = t.getLong(r, info.end); end == int64(NoTime) {
		end = math.MaxInt64
		if info.table == Network {
			end = start // how long it took is not known; it need not have gone on
			if RequestFlags(t.getWord(r, RequestFlagBits))&RequestPending != 0 {
				end = math.MaxInt64
			}
		}
	}
	return start, max(start, end)
}

func (x *Index) makePyramid(l Lane, rows int) *pyramid {
	p := &pyramid{rows: rows}
	info, t := &laneInfos[l], x.tables[laneInfos[l].table]
	last, sorted := int64(math.MinInt64), true
	for r := Row(0); int(r) < rows; r++ {
		start := t.getLong(r, info.start)
		if start == int64(NoTime) || info.kinds != 0 && info.kinds>>t.getByte(r, ActionKind)&1 == 0 {
			continue
		}
		sorted = sorted && start >= last
		last = start
		p.order = append(p.order, r)
	}
	if !sorted {
		sort.SliceStable(p.order, func(i, j int) bool {
			return t.getLong(p.order[i], info.start) < t.getLong(p.order[j], info.start)
		})
	}
	if len(p.order) > 0 {
		p.fill(x, l)
	}
	return p
}

// fill makes level 0 and those above it.
func (p *pyramid) fill(x *Index, l Lane) {
	p.zero, _ = x.span(l, p.order[0])
	last, _ := x.span(l, p.order[len(p.order)-1])
	end := min(max(last, int64(x.Clock().End)), latest) + 1
	n := int64(min(max(len(p.order)/2, fewBuckets), mostBuckets))
	p.width = max((end-p.zero+n-1)/n, 1000)
	base := make([]Bucket, (end-p.zero-1)/p.width+1)
	for i := range base {
		base[i].First = NoRow
	}
	p.ends = make([]int64, (len(p.order)+endBlock-1)/endBlock)
	cover := newCover(p.zero, p.width, len(base))
	for i, r := range p.order {
		start, stop := x.span(l, r)
		p.ends[i/endBlock] = max(p.ends[i/endBlock], stop)
		base[(start-p.zero)/p.width].add(r, x.flags(l, r))
		cover.add(start, min(stop, end))
	}
	cover.fill(base)
	p.levels = [][]Bucket{base}
	for len(base) > fewBuckets {
		base = halve(base)
		p.levels = append(p.levels, base)
	}
}

func (x *Index) flags(l Lane, r Row) uint32 {
	info := &laneInfos[l]
	t := x.tables[info.table]
	switch {
	case info.flags >= 0:
		return t.getWord(r, info.flags)
	case l == ConsoleLane:
		return uint32(levelOf(x.bytes(StringID(t.getWord(r, ConsoleLevel)))))
	case l == ErrorLane:
		return 1 << t.getByte(r, ErrorKind)
	}
	return 0
}

// Level is how grave a console message is, as a bit in the Flags of a Bucket.
type Level uint32

// The levels of messages.
const (
	PlainLevel Level = 1 << iota
	WarningLevel
	ErrorLevel
)

func levelOf(name []byte) Level {
	switch string(name) {
	case "error", "assert", "stderr":
		return ErrorLevel
	case "warning", "warn":
		return WarningLevel
	}
	return PlainLevel
}

func (b *Bucket) add(r Row, flags uint32) {
	if b.Count == 0 {
		b.First = r
	}
	b.Count++
	b.Flags |= flags
}

func halve(b []Bucket) []Bucket {
	half := make([]Bucket, (len(b)+1)/2)
	for i := range half {
		half[i] = b[2*i]
		if 2*i+1 < len(b) {
			half[i].merge(b[2*i+1])
		}
		half[i].Cover /= 2
	}
	return half
}

func (b *Bucket) merge(c Bucket) {
	if b.Count == 0 {
		b.First = c.First
	}
	b.Count += c.Count
	b.Flags |= c.Flags
	b.Cover += c.Cover
}

// cover adds up how much of each bucket rows cover. A row costs the same
// however many buckets it spans: those in its middle are counted by where
// they begin and end.
type cover struct {
	zero, width int64
	part        []int64 // nanoseconds at the edges of rows
	opens       []int32 // rows that begin to cover whole buckets here, less those that stop
}

func newCover(zero, width int64, n int) *cover {
	return &cover{zero: zero, width: width, part: make([]int64, n), opens: make([]int32, n+1)}
}

func (c *cover) add(start, end int64) {
	last := int64(len(c.part)) - 1
	start, end = max(start, c.zero), min(end, c.zero+c.width*(last+1))
	if end <= start {
		return
	}
	a, b := (start-c.zero)/c.width, (end-c.zero-1)/c.width
	if a == b {
		c.part[a] += end - start
		return
	}
	c.part[a] += c.zero + (a+1)*c.width - start
	c.part[b] += end - c.zero - b*c.width
	c.opens[a+1]++
	c.opens[b]--
}

func (c *cover) fill(b []Bucket) {
	open := int64(0)
	for i := range b {
		open += int64(c.opens[i])
		all := open*256 + int64(float64(c.part[i])/float64(c.width)*256)
		if c.part[i] > 0 && all == 0 {
			all = 1 // so that something short is seen
		}
		b[i].Cover = uint32(min(all, math.MaxUint32/2))
	}
}
