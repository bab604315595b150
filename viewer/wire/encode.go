package wire

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/vmihailenco/msgpack/v5"
)

// Encoder makes messages for the page. It keeps its buffer: a message is good
// until the next one is made. It is for one goroutine.
type Encoder struct {
	b bytes.Buffer
	e *msgpack.Encoder
}

// NewEncoder returns an Encoder.
func NewEncoder() *Encoder {
	w := &Encoder{}
	w.e = msgpack.NewEncoder(&w.b)
	w.e.UseCompactInts(true)
	return w
}

// begin starts a message of n members. Writing to the buffer cannot fail, and
// what is written has no custom encoders, so errors are not looked at.
func (w *Encoder) begin(n int, op string, ref uint32) {
	w.b.Reset()
	_ = w.e.EncodeArrayLen(n)
	_ = w.e.EncodeString(op)
	_ = w.e.EncodeUint(uint64(ref))
}

func (w *Encoder) ints(all ...int) {
	for _, n := range all {
		_ = w.e.EncodeInt(int64(n))
	}
}

func (w *Encoder) columns(all [][]byte) {
	_ = w.e.EncodeArrayLen(len(all))
	for _, c := range all {
		w.bin(c)
	}
}

func (w *Encoder) bin(c []byte) {
	_ = w.e.EncodeBytesLen(len(c))
	w.b.Write(c)
}

// Object makes a message whose content is a map or a struct with msgpack
// tags: "meta" or "state".
func (w *Encoder) Object(op string, ref uint32, content any) ([]byte, error) {
	w.begin(3, op, ref)
	err := w.e.Encode(content)
	return w.b.Bytes(), err
}

// Welcome answers a hello.
func (w *Encoder) Welcome(content any) ([]byte, error) {
	w.begin(4, "welcome", 0)
	w.ints(Version)
	err := w.e.Encode(content)
	return w.b.Bytes(), err
}

// Reset says that the page must forget what it has of a trace.
func (w *Encoder) Reset(ref uint32, epoch string) []byte {
	w.begin(3, "reset", ref)
	_ = w.e.EncodeString(epoch)
	return w.b.Bytes()
}

// Strings sends strings; numbers and lengths are columns.
func (w *Encoder) Strings(ref uint32, numbers, lengths, text []byte) []byte {
	w.begin(5, "strs", ref)
	w.bin(numbers)
	w.bin(lengths)
	w.bin(text)
	return w.b.Bytes()
}

// Rows sends count rows of a table. Base is microseconds.
func (w *Encoder) Rows(ref uint32, table string, first, count int, base float64, columns [][]byte) []byte {
	w.begin(7, "rows", ref)
	_ = w.e.EncodeString(table)
	w.ints(first, count)
	_ = w.e.EncodeFloat64(base)
	w.columns(columns)
	return w.b.Bytes()
}

// Patch sends the rows that changed up to change number to; rows is a column.
func (w *Encoder) Patch(ref uint32, table string, to int, base float64, rows []byte, columns [][]byte) []byte {
	w.begin(7, "patch", ref)
	_ = w.e.EncodeString(table)
	w.ints(to)
	_ = w.e.EncodeFloat64(base)
	w.bin(rows)
	w.columns(columns)
	return w.b.Bytes()
}

// LOD answers a view: from and width, of a bucket, are microseconds.
func (w *Encoder) LOD(ref uint32, table string, from, width float64, columns [][]byte) []byte {
	w.begin(6, "lod", ref)
	_ = w.e.EncodeString(table)
	_ = w.e.EncodeFloat64(from)
	_ = w.e.EncodeFloat64(width)
	w.columns(columns)
	return w.b.Bytes()
}

// Answer answers a get or a search; content is JSON. After done nothing more
// comes.
func (w *Encoder) Answer(ref uint32, content []byte, done bool) []byte {
	w.begin(4, "res", ref)
	w.bin(content)
	_ = w.e.EncodeBool(done)
	return w.b.Bytes()
}

// Error answers what could not be done.
func (w *Encoder) Error(ref uint32, code, text, hint string) []byte {
	w.begin(5, "err", ref)
	for _, s := range [...]string{code, text, hint} {
		_ = w.e.EncodeString(s)
	}
	return w.b.Bytes()
}

// Words appends cells of 32 bits to a column.
func Words(column []byte, cells []uint32) []byte {
	for _, c := range cells {
		column = binary.LittleEndian.AppendUint32(column, c)
	}
	return column
}

// Reals appends cells of 64 bits to a column.
func Reals(column []byte, cells []float64) []byte {
	for _, c := range cells {
		column = binary.LittleEndian.AppendUint64(column, math.Float64bits(c))
	}
	return column
}

// noMoment stands for a moment that there is not.
const noMoment = math.MaxUint32

// Moments appends moments, nanoseconds, to a column; none says which value
// means that there is none. Base is microseconds.
func Moments(column []byte, base float64, moments []int64, none int64) []byte {
	if !fits(base, moments, none) {
		return longMoments(column, moments, none)
	}
	from := int64(base) * 1000
	for _, t := range moments {
		cell := uint32(noMoment)
		if t != none {
			cell = uint32((t - from) / 1000)
		}
		column = binary.LittleEndian.AppendUint32(column, cell)
	}
	return column
}

func longMoments(column []byte, moments []int64, none int64) []byte {
	for _, t := range moments {
		v := float64(t) / 1000
		if t == none {
			v = math.NaN()
		}
		column = binary.LittleEndian.AppendUint64(column, math.Float64bits(v))
	}
	return column
}

func fits(base float64, moments []int64, none int64) bool {
	from := int64(base) * 1000
	for _, t := range moments {
		if t != none && (t < from || (t-from)/1000 >= noMoment) {
			return false
		}
	}
	return true
}

// Base returns the base for a frame: the earliest moment, cut to a
// microsecond, and 0 where there is none.
func Base(none int64, columns ...[]int64) float64 {
	least, found := int64(math.MaxInt64), false
	for _, moments := range columns {
		for _, t := range moments {
			if t != none && t < least {
				least, found = t, true
			}
		}
	}
	if !found {
		return 0
	}
	return math.Floor(float64(least) / 1000)
}
