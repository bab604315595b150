package wire

import (
	"bytes"
	"math"

	"github.com/vmihailenco/msgpack/v5"
)

// Decode reads a message from the page. The bytes are foreign: whatever is
// wrong with them is an error that wraps [ErrMessage], and nothing larger
// than the message itself is allocated.
func Decode(frame []byte) (Message, error) {
	if len(frame) > MaxFrame {
		return nil, malformed("%d bytes", len(frame))
	}
	r := reader{d: msgpack.NewDecoder(bytes.NewReader(frame))}
	r.left, r.err = r.d.DecodeArrayLen()
	op, ref := r.text(), r.ref()
	if r.err != nil {
		return nil, malformed("%v", r.err)
	}
	m, err := r.body(op, ref)
	switch {
	case err != nil:
		return nil, err
	case r.err != nil:
		return nil, malformed("%s: %v", op, r.err)
	case r.left != 0:
		return nil, malformed("%s: %d members too many", op, r.left)
	}
	return m, nil
}

func (r *reader) body(op string, ref uint32) (Message, error) {
	switch op {
	case "hello":
		h := Hello{Ref: ref, Version: r.number(0, 1<<16), Token: r.text()}
		if r.left > 0 {
			h.Trace = r.text()
		}
		return h, nil
	case "open":
		return Open{Ref: ref, Trace: r.text(), Epoch: r.text(), Rows: r.counts(), Patches: r.count()}, nil
	case "close":
		return Close{Ref: ref}, nil
	case "view":
		return View{Ref: ref, Trace: r.ref(), Table: r.text(), From: r.real(), To: r.real(), Buckets: r.number(1, 1<<14)}, nil
	case "get":
		return Get{Ref: ref, Trace: r.ref(), What: r.text(), Row: r.number(-1, math.MaxInt32), Text: r.text()}, nil
	case "search":
		return Search{Ref: ref, Trace: r.ref(), Query: r.text(), Limit: r.number(1, 10_000)}, nil
	case "diff":
		return Diff{Ref: ref, A: r.ref(), B: r.ref(), What: r.text(), Row: r.number(-1, math.MaxInt32), Text: r.text()}, nil
	case "shelf":
		return Shelf{Ref: ref, What: r.text(), Text: r.text()}, nil
	case "cancel":
		return Cancel{Ref: ref}, nil
	case "credit":
		return Credit{Frames: r.number(1, MaxCredit)}, nil
	}
	return nil, malformed("unknown op %.20q", op)
}

// reader takes members of the array one after the other; after the first
// error it returns zeros.
type reader struct {
	d    *msgpack.Decoder
	left int
	err  error
}

func (r *reader) next() bool {
	if r.err == nil && r.left <= 0 {
		r.err = malformed("too short")
	}
	r.left--
	return r.err == nil
}

func (r *reader) text() string {
	if !r.next() {
		return ""
	}
	var s string
	if s, r.err = r.d.DecodeString(); len(s) > maxText {
		r.err = malformed("text of %d bytes", len(s))
	}
	return s
}

func (r *reader) number(least, most int) int {
	if !r.next() {
		return 0
	}
	return r.bounded(least, most)
}

func (r *reader) bounded(least, most int) int {
	var n int64
	if n, r.err = r.d.DecodeInt64(); r.err == nil && (n < int64(least) || n > int64(most)) {
		r.err = malformed("%d is not within %d and %d", n, least, most)
	}
	return int(n)
}

func (r *reader) count() int  { return r.number(0, math.MaxInt32) }
func (r *reader) ref() uint32 { return uint32(r.number(0, math.MaxInt32)) }

func (r *reader) real() float64 {
	if !r.next() {
		return 0
	}
	var f float64
	if f, r.err = r.d.DecodeFloat64(); r.err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
		r.err = malformed("%v is not a time", f)
	}
	return f
}

func (r *reader) counts() map[string]int {
	if !r.next() {
		return nil
	}
	var n int
	if n, r.err = r.d.DecodeMapLen(); r.err == nil && n > maxOpenTables {
		r.err = malformed("%d tables", n)
	}
	all := map[string]int{}
	for i := 0; i < n && r.err == nil; i++ {
		var name string
		if name, r.err = r.d.DecodeString(); r.err == nil {
			all[name] = r.bounded(0, math.MaxInt32)
		}
	}
	return all
}
