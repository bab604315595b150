// Package blobtest checks that something is a blob.Store.
package blobtest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/tracedeck/tracedeck/diff/blob"
)

// Run checks an empty store. alter, if not nil, changes the bytes that the
// store holds under a name behind its back.
func Run(t *testing.T, s blob.Store, alter func(t *testing.T, ref blob.Ref)) {
	t.Run("PutsAndGets", func(t *testing.T) { putsAndGets(t, s) })
	t.Run("RefusesOtherBytes", func(t *testing.T) { refusesOtherBytes(t, s) })
	t.Run("SaysWhatIsMissing", func(t *testing.T) { saysWhatIsMissing(t, s) })
	t.Run("ListsAndDeletes", func(t *testing.T) { listsAndDeletes(t, s) })
	if alter != nil {
		t.Run("NoticesAlteredBytes", func(t *testing.T) { noticesAlteredBytes(t, s, alter) })
	}
}

func put(t *testing.T, s blob.Store, data []byte) blob.Ref {
	t.Helper()
	ref, err := blob.PutBytes(t.Context(), s, data)
	if err == nil {
		err = blob.Flush(t.Context(), s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func putsAndGets(t *testing.T, s blob.Store) {
	for _, data := range [][]byte{{}, []byte("a"), bytes.Repeat([]byte("picture\x00\xff\n"), 300_000)} {
		ref := put(t, s, data)
		if again := put(t, s, data); again != ref {
			t.Errorf("the same bytes are %s and %s", ref, again)
		}
		got, err := blob.ReadAll(t.Context(), s, ref)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes came back as %d, %v", len(data), len(got), err)
		}
	}
}

func refusesOtherBytes(t *testing.T, s blob.Store) {
	ref := blob.Of([]byte("what was asked for"))
	err := s.Put(t.Context(), ref, bytes.NewReader([]byte("something else")))
	var altered *blob.AlteredError
	if !errors.As(err, &altered) || altered.Ref != ref {
		t.Fatalf("other bytes: %v", err)
	}
	if ok, err := s.Has(t.Context(), ref); ok || err != nil {
		t.Errorf("they were kept: %v %v", ok, err)
	}
}

func saysWhatIsMissing(t *testing.T, s blob.Store) {
	ref := blob.Of([]byte("never put"))
	_, err := blob.ReadAll(t.Context(), s, ref)
	var missing *blob.MissingError
	if !errors.As(err, &missing) || missing.Ref != ref || !errors.Is(err, blob.ErrMissing) {
		t.Errorf("a missing blob: %v", err)
	}
	if err := s.Delete(t.Context(), ref); err != nil {
		t.Errorf("deleting what is not there: %v", err)
	}
}

func listsAndDeletes(t *testing.T, s blob.Store) {
	a, b := put(t, s, []byte("first of two")), put(t, s, []byte("second of two"))
	if list := all(t, s); !slices.Contains(list, a) || !slices.Contains(list, b) {
		t.Errorf("the list %v lacks %v or %v", list, a, b)
	}
	if err := errors.Join(s.Delete(t.Context(), a), blob.Flush(t.Context(), s)); err != nil {
		t.Fatal(err)
	}
	if list := all(t, s); slices.Contains(list, a) || !slices.Contains(list, b) {
		t.Errorf("after deleting %v: %v", a, list)
	}
}

func all(t *testing.T, s blob.Store) []blob.Ref {
	t.Helper()
	var list []blob.Ref
	for ref, err := range s.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, ref)
	}
	return list
}

func noticesAlteredBytes(t *testing.T, s blob.Store, alter func(*testing.T, blob.Ref)) {
	data := []byte("will be altered")
	ref := put(t, s, data)
	alter(t, ref)
	r, err := s.Open(t.Context(), ref)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(r)
	r.Close()
	var altered *blob.AlteredError
	if !errors.As(err, &altered) {
		t.Errorf("altered bytes were read: %v", err)
	}
	if err := s.Put(t.Context(), ref, bytes.NewReader(data)); err != nil {
		t.Fatalf("putting it right: %v", err)
	}
	if _, err := blob.ReadAll(t.Context(), s, ref); err != nil {
		t.Errorf("after it was put again: %v", err)
	}
}
