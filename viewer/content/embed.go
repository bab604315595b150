package content

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// Embedder renders what was recorded for a page that has no server to ask:
// all that a recorded page loads is put aside, once, and named by a number.
type Embedder struct {
	t       *Trace
	most    int64 // bytes of one thing
	put     func(kind string, body []byte) int
	numbers map[string]int // by what they are: "r/" and an entry, "p/" and a snapshot
	depth   int
}

// errTooLarge is why something was left out.
var errTooLarge = errors.New("it is larger than the limit")

// NewEmbedder returns an Embedder for a trace. Put takes a body and returns its
// number; bodies of more than most bytes are left out.
func NewEmbedder(t *Trace, most int64, put func(kind string, body []byte) int) *Embedder {
	return &Embedder{t: t, most: most, put: put, numbers: map[string]int{}}
}

// Address is how rendered pages and style sheets name what was put aside. All
// are of one length, so that none is the beginning of another.
func Address(number int) string { return fmt.Sprintf("deck-embedded:%06d", number) }

// Entry puts an entry of the archive aside, and returns its number. Of a
// damaged one the good part is taken.
func (e *Embedder) Entry(ctx context.Context, name string) (int, error) {
	key := "r/" + name
	if n, ok := e.numbers[key]; ok {
		return n, nil
	}
	if known, ok := e.t.Archive.Resolve(name); ok && known.Size > e.most {
		return 0, errTooLarge
	}
	body, err := e.read(ctx, name)
	if err != nil {
		return 0, err
	}
	recorded := ""
	if s, err := e.t.Snapshots(ctx); err == nil {
		recorded = s.TypeOf(name)
	}
	e.numbers[key] = e.put(typeOf(name, recorded, body[:min(len(body), 512)], false), body)
	return e.numbers[key], nil
}

func (e *Embedder) read(ctx context.Context, name string) ([]byte, error) {
	rc, err := e.t.Archive.Resource(ctx, name)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	body, err := io.ReadAll(io.LimitReader(rc, e.most+1))
	if int64(len(body)) > e.most {
		return nil, errTooLarge
	}
	if err != nil && len(body) == 0 {
		return nil, err
	}
	return body, nil
}

// mostInside is how deep frames may lie inside each other.
const mostInside = 6

// Page puts snapshot n aside as a page, and returns its number.
func (e *Embedder) Page(ctx context.Context, n int) (int, error) {
	key := fmt.Sprint("p/", n)
	if known, ok := e.numbers[key]; ok {
		return known, nil
	}
	if e.depth >= mostInside {
		return 0, errTooLarge
	}
	e.depth++
	defer func() { e.depth-- }()
	store, err := e.t.Snapshots(ctx)
	if err != nil {
		return 0, err
	}
	var b bytes.Buffer
	o := snapshot.Options{Addresses: &embedded{ctx, e, store, n}, MaxBytes: e.most}
	if _, err := store.Render(ctx, &b, n, o); err != nil && b.Len() == 0 {
		return 0, err
	}
	e.numbers[key] = e.put("text/html", b.Bytes())
	return e.numbers[key], nil
}

// embedded gives what snapshot n loads its numbers.
type embedded struct {
	ctx   context.Context
	e     *Embedder
	store *snapshot.Store
	n     int
}

func (a *embedded) Resource(address string, use snapshot.Use) string {
	r, ok := a.store.Resource(a.ctx, a.n, address)
	if !ok {
		return ""
	}
	if use == snapshot.UseStyle {
		return a.style(r, address)
	}
	return a.Entry(r.File)
}

// style puts a style sheet aside, with what it loads.
func (a *embedded) style(r snapshot.Resource, address string) string {
	key := "s/" + address + "\x00" + r.File
	if n, ok := a.e.numbers[key]; ok {
		return Address(n)
	}
	if a.e.depth >= mostInside {
		return "" // sheets that import each other
	}
	a.e.depth++
	defer func() { a.e.depth-- }()
	text, err := readText(a.ctx, a.e.t.Archive, r)
	if err != nil {
		return ""
	}
	a.e.numbers[key] = a.e.put("text/css", []byte(snapshot.CSS(text, r.URL, a)))
	return Address(a.e.numbers[key])
}

func (a *embedded) Entry(file string) string {
	n, err := a.e.Entry(a.ctx, file)
	if err != nil {
		return ""
	}
	return Address(n)
}

func (a *embedded) Frame(f snapshot.Frame) string {
	n, ok := a.store.FrameOf(a.n, f.ID)
	if !ok {
		return ""
	}
	number, err := a.e.Page(a.ctx, n)
	if err != nil {
		return ""
	}
	return Address(number)
}
