package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
)

// MaxBytes is the longest blob that ReadAll and the stores take: 512 MiB.
const MaxBytes = 512 << 20

// Store keeps bytes by their digest. All methods may be called by several
// goroutines at once.
type Store interface {
	// Name is what errors call the store.
	Name() string
	// Put keeps the bytes of r, if they are those that ref names; otherwise it keeps nothing and returns an
	// *AlteredError. What is there already stays as it is, unless it was altered.
	Put(ctx context.Context, ref Ref, r io.Reader) error
	// Open reads the bytes of ref. If the store has none the error is a *MissingError; if what it has is not what
	// ref names, reading ends in an *AlteredError instead of io.EOF. The caller closes it.
	Open(ctx context.Context, ref Ref) (io.ReadCloser, error)
	// Has is whether the store has bytes under that name.
	Has(ctx context.Context, ref Ref) (bool, error)
	// List yields all that is there, in no order. Files that are no blobs are left out.
	List(ctx context.Context) iter.Seq2[Ref, error]
	// Delete forgets ref. It is no error if the store never had it.
	Delete(ctx context.Context, ref Ref) error
}

// Flusher is a store that gathers what was put and sends it at once.
type Flusher interface {
	// Flush returns when everything that was put has arrived.
	Flush(ctx context.Context) error
}

// Flush sends what s still holds back, if it is a store that does so.
func Flush(ctx context.Context, s Store) error {
	if f, ok := s.(Flusher); ok {
		return f.Flush(ctx)
	}
	return nil
}

// PutBytes keeps data and returns its Ref. Where the store has it altered, it is put right.
func PutBytes(ctx context.Context, s Store, data []byte) (Ref, error) {
	ref := Of(data)
	if Whole(ctx, s, ref) {
		return ref, nil
	}
	return ref, s.Put(ctx, ref, bytes.NewReader(data))
}

// ReadAll is the bytes of ref, checked.
func ReadAll(ctx context.Context, s Store, ref Ref) ([]byte, error) {
	r, err := s.Open(ctx, ref)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	err = errors.Join(err, r.Close())
	if err == nil && len(data) > MaxBytes {
		err = fmt.Errorf("%s: blob %s is longer than %d MiB", s.Name(), ref, MaxBytes>>20)
	}
	return data, err
}

// Whole reports whether s has ref, and its bytes are as they should be.
func Whole(ctx context.Context, s Store, ref Ref) bool {
	if ok, err := s.Has(ctx, ref); !ok || err != nil {
		return false
	}
	_, err := ReadAll(ctx, s, ref)
	return err == nil
}

// Mend is Copy that also replaces bytes of dst that were altered, once it has read the right ones.
func Mend(ctx context.Context, dst, src Store, ref Ref) (copied bool, err error) {
	if Whole(ctx, dst, ref) {
		return false, nil
	}
	return bring(ctx, dst, src, ref)
}

// attempts is how often Copy reads bytes that arrive altered: a proxy may
// have cut them off.
const attempts = 3

// Copy brings ref from src to dst, unless dst has it. It reports whether it
// had to.
func Copy(ctx context.Context, dst, src Store, ref Ref) (copied bool, err error) {
	if ok, err := dst.Has(ctx, ref); ok || err != nil {
		return false, err
	}
	return bring(ctx, dst, src, ref)
}

func bring(ctx context.Context, dst, src Store, ref Ref) (copied bool, err error) {
	var altered *AlteredError
	for range attempts {
		if err = copyOnce(ctx, dst, src, ref); err == nil {
			return true, nil
		}
		if !errors.As(err, &altered) {
			break
		}
	}
	return false, err
}

func copyOnce(ctx context.Context, dst, src Store, ref Ref) error {
	r, err := src.Open(ctx, ref)
	if err != nil {
		return err
	}
	return errors.Join(dst.Put(ctx, ref, r), r.Close())
}

// Checked reads r to its end and there compares what it read with ref.
func Checked(store string, ref Ref, r io.ReadCloser) io.ReadCloser {
	return &checked{r: r, ref: ref, store: store, sum: sha256.New()}
}

type checked struct {
	r     io.ReadCloser
	ref   Ref
	store string
	sum   hash.Hash
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.sum.Write(p[:n])
	if err == io.EOF {
		if is := Ref(c.sum.Sum(nil)); is != c.ref {
			return n, &AlteredError{Ref: c.ref, Is: is, Store: c.store}
		}
	}
	return n, err
}

func (c *checked) Close() error { return c.r.Close() }
