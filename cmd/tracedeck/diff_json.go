package main

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/diff/visual"
)

// pictureDiff is the answer of "diff --json" for two pictures.
type pictureDiff struct {
	First  string `json:"first"`
	Second string `json:"second"`
	visual.Result
}

// print writes what writeJSON would. Two pictures are compared in milliseconds;
// to look at the types of the answer takes encoding/json a quarter of one.
func (d pictureDiff) print(w io.Writer) error {
	var l jsonLines
	l.open('{')
	l.text("first", d.First)
	l.text("second", d.Second)
	l.result(&d.Result)
	l.end('}')
	_, err := w.Write(append(l.b, '\n'))
	return err
}

// jsonLines is JSON being written, one member a line.
type jsonLines struct {
	b     []byte
	depth int
	empty bool // nothing is in the object or array yet
}

func (l *jsonLines) result(r *visual.Result) {
	l.text("class", string(r.Class))
	l.bool("pass", r.Pass)
	l.bool("identical", r.Identical)
	l.text("metric", string(r.Metric))
	l.float("threshold", r.Threshold)
	l.size("a", r.A)
	l.size("b", r.B)
	l.int("diffPixels", r.DiffPixels)
	l.int("totalPixels", r.TotalPixels)
	l.float("ratio", r.Ratio)
	l.int("aaPixels", r.AAPixels)
	l.some("window", r.Window)
	l.some("windowPixels", r.WindowPixels)
	l.int("counted", r.Counted)
	l.int("limit", r.Limit)
	l.some("maskedPixels", r.MaskedPixels)
	list(l, "boxes", r.Boxes, l.box)
	l.some("moreBoxes", r.MoreBoxes)
	list(l, "moves", r.Moves, l.move)
	l.some("moreMoves", r.MoreMoves)
}

func (l *jsonLines) size(name string, s visual.Size) {
	l.key(name)
	l.open('{')
	l.int("width", s.Width)
	l.int("height", s.Height)
	l.end('}')
}

func (l *jsonLines) box(b visual.Box) {
	l.int("x", b.X)
	l.int("y", b.Y)
	l.int("width", b.Width)
	l.int("height", b.Height)
	l.int("ay", b.AY)
	l.int("pixels", b.Pixels)
}

func (l *jsonLines) move(m visual.Move) {
	l.text("kind", string(m.Kind))
	l.int("a", m.A)
	l.int("b", m.B)
	l.int("rows", m.Rows)
	l.int("offset", m.Offset)
	l.int("x", m.X)
	l.int("width", m.Width)
	if m.Blank {
		l.bool("blank", true)
	}
}

// list writes a member that is an array of objects, each of which one writes.
func list[T any](l *jsonLines, name string, all []T, one func(T)) {
	l.key(name)
	if all == nil {
		l.b = append(l.b, "null"...)
		return
	}
	l.open('[')
	for _, v := range all {
		l.next()
		l.open('{')
		one(v)
		l.end('}')
	}
	l.end(']')
}

func (l *jsonLines) open(kind byte) {
	l.b = append(l.b, kind)
	l.depth++
	l.empty = true
}

func (l *jsonLines) end(kind byte) {
	l.depth--
	if !l.empty {
		l.line()
	}
	l.b = append(l.b, kind)
	l.empty = false
}

// next begins a member of an object or an array.
func (l *jsonLines) next() {
	if !l.empty {
		l.b = append(l.b, ',')
	}
	l.empty = false
	l.line()
}

func (l *jsonLines) line() {
	l.b = append(l.b, '\n')
	for range l.depth {
		l.b = append(l.b, "  "...)
	}
}

func (l *jsonLines) key(name string) {
	l.next()
	l.b = append(append(append(l.b, '"'), name...), `": `...)
}

func (l *jsonLines) int(name string, n int) {
	l.key(name)
	l.b = strconv.AppendInt(l.b, int64(n), 10)
}

// some is int for what is left out if it is 0.
func (l *jsonLines) some(name string, n int) {
	if n != 0 {
		l.int(name, n)
	}
}

func (l *jsonLines) bool(name string, v bool) {
	l.key(name)
	l.b = strconv.AppendBool(l.b, v)
}

func (l *jsonLines) float(name string, v float64) {
	l.key(name)
	if v != 0 && math.Abs(v) < 1e-6 {
		l.any(v) // has an exponent
		return
	}
	l.b = strconv.AppendFloat(l.b, v, 'f', -1, 64)
}

func (l *jsonLines) text(name, s string) {
	l.key(name)
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r > '~' }) {
		l.any(s)
		return
	}
	l.b = append(append(append(l.b, '"'), s...), '"')
}

func (l *jsonLines) any(v any) {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // texts and finite numbers have a form
	l.b = append(l.b, strings.TrimSuffix(out.String(), "\n")...)
}
