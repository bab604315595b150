package viewer

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// timeColumns are the tables that a view can ask for, and the column that
// tells when a row is.
var timeColumns = map[string]struct {
	table index.Table
	time  int
}{
	"logs":   {index.Logs, index.LogTime},
	"events": {index.Events, index.EventTime},
}

// density counts rows in stretches of time. It reads one column from end to
// end: a million rows take some milliseconds.
func density(x *index.Index, v wire.View) (from, width float64, counts []byte, ok bool) {
	t, ok := timeColumns[v.Table]
	if !ok || v.To <= v.From {
		return 0, 0, nil, false
	}
	width = (v.To - v.From) / float64(v.Buckets)
	sums := make([]uint32, v.Buckets)
	const piece = 16 << 10
	longs := make([]int64, 0, piece)
	for row := 0; row < x.Len(t.table); row += piece {
		longs = x.AppendLongs(longs[:0], t.table, t.time, index.Row(row), piece)
		for _, at := range longs {
			if i := (float64(at)/1000 - v.From) / width; time.Duration(at) != index.NoTime && i >= 0 && i < float64(v.Buckets) {
				sums[int(i)]++
			}
		}
	}
	for _, n := range sums {
		counts = binary.LittleEndian.AppendUint32(counts, n)
	}
	return v.From, width, counts, true
}

// micros returns a moment in microseconds, and nil where there is none.
func micros(t time.Duration) *float64 {
	if t == index.NoTime {
		return nil
	}
	v := math.Round(float64(t)/10) / 100
	return &v
}

func microsOf(t int64) *float64 { return micros(time.Duration(t)) }
