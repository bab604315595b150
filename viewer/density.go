package viewer

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// denseLanes are what a view can ask for.
var denseLanes = map[string]index.Lane{"logs": index.LogLane, "events": index.EventLane}

// density counts rows in stretches of time; ok is false where the view asks
// for what there is not.
func density(x *index.Index, v wire.View) (width float64, counts []byte, ok bool) {
	lane, ok := denseLanes[v.Table]
	if !ok || v.To <= v.From {
		return 0, nil, false
	}
	width = (v.To - v.From) / float64(v.Buckets)
	sums := make([]uint32, v.Buckets)
	add := func(at time.Duration, n uint32) {
		if i := (float64(at)/float64(time.Microsecond) - v.From) / width; i >= 0 && i < float64(v.Buckets) {
			sums[int(i)] += n
		}
	}
	seen := x.View(lane, nanos(v.From), nanos(v.To), v.Buckets)
	for _, r := range seen.Rows {
		add(timeOf(x, lane, r), 1)
	}
	for i, b := range seen.Buckets {
		add(seen.Start+time.Duration(i)*seen.Width, b.Count)
	}
	for _, n := range sums {
		counts = binary.LittleEndian.AppendUint32(counts, n)
	}
	return width, counts, true
}

func timeOf(x *index.Index, l index.Lane, r index.Row) time.Duration {
	if l == index.LogLane {
		return x.Log(r).Time
	}
	return x.Event(r).Time
}

// nanos turns microseconds of the page into a time; one beyond all bounds
// becomes the bound.
func nanos(us float64) time.Duration {
	const most = math.MaxInt64 / 4
	return time.Duration(min(max(us*1000, -most), most))
}

// micros returns a moment in microseconds, and nil where there is none.
func micros(t time.Duration) *float64 {
	if t == index.NoTime {
		return nil
	}
	v := math.Round(float64(t)/10) / 100
	return &v
}
