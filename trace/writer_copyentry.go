package trace

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// entries copies what is not events.
func (c *copying) entries() error {
	done := map[string]bool{seekEntry: true}
	for _, name := range c.done {
		done[name] = true
	}
	for _, e := range c.src.Entries() {
		if done[e.Name] || c.o.Entry != nil && !c.o.Entry(e) {
			continue
		}
		if err := c.ctx.Err(); err != nil {
			return err
		}
		to := e.Name
		if name, ok := c.renamed[e.Name]; ok {
			to = name
		} else if name, ok := c.sources[e.Name]; ok {
			to = name
		}
		if err := c.entry(e, to); err != nil {
			return err
		}
	}
	return nil
}

func (c *copying) entry(e Entry, to string) error {
	if err := checkEntryName(to); err != nil {
		c.report.warn("W_ENTRY_NAME", e.Name, "left out: %v", err)
		return nil
	}
	err := c.dst.copyEntry(c.ctx, c.src, e.Name, to, c.o.Verify)
	var cut *cutEntryError
	if errors.As(err, &cut) {
		c.report.warn("W_DAMAGED_ENTRY", e.Name, "%v", cut.err)
		return nil
	}
	if err == nil {
		c.report.Entries++
	}
	return err
}

// cutEntryError is an entry of which only a part was copied.
type cutEntryError struct{ err error }

func (e *cutEntryError) Error() string { return e.err.Error() }

// CopyResource writes the entry of src that file means under the name to,
// without inflating it, and keeps it as it is.
func (w *Writer) CopyResource(ctx context.Context, src *Archive, file, to string) error {
	e, ok := src.Resolve(file)
	if !ok {
		return fmt.Errorf("%s: %s: %w", src.name, file, errNotThere)
	}
	if err := checkEntryName(to); err != nil {
		return err
	}
	return w.copyEntry(ctx, src, e.Name, to, false)
}

// rawStore is a store that hands out packed bytes.
type rawStore interface {
	openRaw(ctx context.Context, name string) (packedEntry, io.ReadCloser, error)
}

func (w *Writer) copyEntry(ctx context.Context, src *Archive, from, to string, verify bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.usable(); err != nil || w.have[to] {
		return err
	}
	raws, ok := src.store.(rawStore)
	if _, zipped := w.out.(*zipSink); ok && zipped && !verify {
		if e, rc, err := raws.openRaw(ctx, from); err == nil {
			defer rc.Close()
			e.name = to
			w.have[to] = true
			return w.keep(w.out.raw(e, copier{rc}))
		}
	}
	rc, err := src.store.open(ctx, from)
	if err != nil {
		return &cutEntryError{err}
	}
	defer rc.Close()
	r := &cutReader{r: rc}
	if err := w.once(to, func() error { return w.out.stream(to, r) }); err != nil {
		return err
	}
	if r.err != nil {
		return &cutEntryError{r.err}
	}
	return nil
}

type copier struct{ r io.Reader }

func (c copier) WriteTo(w io.Writer) (int64, error) { return io.Copy(w, c.r) }

// cutReader ends where its reader goes wrong, and remembers why.
type cutReader struct {
	r   io.Reader
	err error
}

func (c *cutReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err != nil && err != io.EOF {
		c.err, err = err, io.EOF
	}
	return n, err
}
