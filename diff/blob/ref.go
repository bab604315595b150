// Package blob keeps immutable bytes by their SHA-256: in a folder, in a
// branch of a git repository, or (package s3) in a bucket. What a store hands
// out is what was put into it: bytes are checked on their way in, and again
// when they are read.
package blob

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Ref names bytes by their SHA-256.
type Ref [sha256.Size]byte

// prefix names the algorithm where a Ref is written down, so that another one
// can come later.
const prefix = "sha256:"

// Of is the Ref of some bytes.
func Of(data []byte) Ref { return sha256.Sum256(data) }

// String is "sha256:" and 64 lower-case hexadecimal digits.
func (r Ref) String() string { return prefix + r.Hex() }

// Hex is the 64 digits alone, for file names.
func (r Ref) Hex() string { return hex.EncodeToString(r[:]) }

// Path is where a store lays the bytes: two levels of folders, then the digits.
func (r Ref) Path() string {
	h := r.Hex()
	return h[:2] + "/" + h[2:4] + "/" + h
}

// IsZero is whether r names nothing.
func (r Ref) IsZero() bool { return r == Ref{} }

// ParseRef reads what String writes. Nothing else is accepted.
func ParseRef(s string) (Ref, error) {
	digits, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return Ref{}, fmt.Errorf("digest %q: it begins with %q", s, prefix)
	}
	return ParseHex(digits)
}

// ParseHex reads 64 lower-case hexadecimal digits.
func ParseHex(digits string) (Ref, error) {
	var r Ref
	if len(digits) != 2*len(r) || strings.ToLower(digits) != digits {
		return Ref{}, fmt.Errorf("digest %q: 64 lower-case hexadecimal digits are expected", digits)
	}
	if _, err := hex.Decode(r[:], []byte(digits)); err != nil {
		return Ref{}, fmt.Errorf("digest %q: 64 lower-case hexadecimal digits are expected", digits)
	}
	return r, nil
}

// MarshalText writes r as String does; a zero Ref is empty.
func (r Ref) MarshalText() ([]byte, error) {
	if r.IsZero() {
		return nil, nil
	}
	return []byte(r.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (r *Ref) UnmarshalText(text []byte) (err error) {
	if len(text) == 0 {
		*r = Ref{}
		return nil
	}
	*r, err = ParseRef(string(text))
	return err
}

// ErrMissing is wrapped by what Open returns for bytes that a store does not have.
var ErrMissing = errors.New("is not in the store")

// A MissingError names bytes that a store does not have. It wraps ErrMissing.
type MissingError struct {
	Ref   Ref
	Store string // what the store is called
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%s: blob %s %v", e.Store, e.Ref, ErrMissing)
}
func (e *MissingError) Unwrap() error { return ErrMissing }

// Code is E_BLOB_MISSING.
func (e *MissingError) Code() string { return "E_BLOB_MISSING" }

// An AlteredError says that a store holds, or was given, other bytes than the
// name says.
type AlteredError struct {
	Ref   Ref // what was asked for
	Is    Ref // what the bytes are
	Store string
}

func (e *AlteredError) Error() string {
	return fmt.Sprintf("%s: blob %s was altered: its bytes are %s", e.Store, e.Ref, e.Is)
}

// Code is E_BLOB_ALTERED.
func (e *AlteredError) Code() string { return "E_BLOB_ALTERED" }
