// Package s3 keeps blobs in a bucket of an S3-compatible server.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"path"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/tracedeck/tracedeck/diff/blob"
)

// Options say where the bucket is. The keys come from Credentials or, where
// that is nil, from the places in which Amazon's own tools look; see Keys.
type Options struct {
	Bucket   string
	Region   string // AWS_REGION if empty, else the one that the server names
	Endpoint string // host, with a port where it needs one; Amazon's own if empty
	Insecure bool   // http instead of https
	Prefix   string // of all names in the bucket, such as "tracedeck-baselines/"

	Credentials aws.CredentialsProvider
	Transport   http.RoundTripper // the default one if nil
}

// Store is a blob.Store in a bucket. What is read from it is checked.
type Store struct {
	bucket *bucket
	o      Options
}

// New is the store that o describes. Nothing is read or sent yet.
func New(o Options) (*Store, error) {
	if o.Bucket == "" {
		return nil, errors.New("s3: which bucket?")
	}
	if strings.ContainsAny(o.Endpoint, "/?#@") {
		return nil, fmt.Errorf("s3: endpoint %q: a host, with a port where it needs one, and no more", o.Endpoint)
	}
	return &Store{newBucket(o), o}, nil
}

// Name is the address of the bucket and the prefix.
func (s *Store) Name() string { return "s3://" + path.Join(s.o.Bucket, s.o.Prefix) }

func (s *Store) key(ref blob.Ref) string { return s.o.Prefix + ref.Path() }

// Put is part of blob.Store.
func (s *Store) Put(ctx context.Context, ref blob.Ref, r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, blob.MaxBytes+1))
	if err != nil {
		return err
	}
	if is := blob.Of(data); is != ref {
		return &blob.AlteredError{Ref: ref, Is: is, Store: s.Name()}
	}
	return s.explain("put", ref, s.bucket.put(ctx, s.key(ref), data))
}

// Open is part of blob.Store.
func (s *Store) Open(ctx context.Context, ref blob.Ref) (io.ReadCloser, error) {
	body, err := s.bucket.get(ctx, s.key(ref))
	if err != nil {
		return nil, s.explain("get", ref, err)
	}
	return blob.Checked(s.Name(), ref, body), nil
}

// Has is part of blob.Store.
func (s *Store) Has(ctx context.Context, ref blob.Ref) (bool, error) {
	err := s.explain("look for", ref, s.bucket.head(ctx, s.key(ref)))
	if errors.Is(err, blob.ErrMissing) {
		return false, nil
	}
	return err == nil, err
}

// List is part of blob.Store.
func (s *Store) List(ctx context.Context) iter.Seq2[blob.Ref, error] {
	return func(yield func(blob.Ref, error) bool) {
		for key, err := range s.bucket.list(ctx, s.o.Prefix) {
			if err != nil {
				yield(blob.Ref{}, s.explain("list", blob.Ref{}, err))
				return
			}
			ref, err := blob.ParseHex(path.Base(key))
			if err == nil && s.key(ref) == key && !yield(ref, nil) {
				return
			}
		}
	}
}

// Delete is part of blob.Store.
func (s *Store) Delete(ctx context.Context, ref blob.Ref) error {
	err := s.explain("delete", ref, s.bucket.remove(ctx, s.key(ref)))
	if errors.Is(err, blob.ErrMissing) {
		return nil
	}
	return err
}

// explain turns the server's answer into an error that says what to do.
func (s *Store) explain(verb string, ref blob.Ref, err error) error {
	if err == nil {
		return nil
	}
	var said refusal
	errors.As(err, &said)
	next := "check storage.remote in the configuration, and that the server can be reached"
	switch {
	case said.Code == "NoSuchBucket":
		next = "make the bucket, or mend storage.remote.bucket in the configuration"
	case said.Code == "NoSuchKey" || said.status == http.StatusNotFound:
		return &blob.MissingError{Ref: ref, Store: s.Name()}
	case said.Code == "RequestTimeTooSkewed":
		next = "set this machine's clock"
	case said.status == http.StatusForbidden || said.status == http.StatusUnauthorized || strings.Contains(said.Code, "AccessKey"):
		next = "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what they may do with the bucket"
	case errors.Is(err, ErrNoKeys):
		next = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
	case errors.As(err, new(keysError)):
		next = "mend the file, the role or the program that the message names, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
	}
	return &Error{s.Name(), verb, err, next}
}

// An Error says what the server did not do.
type Error struct {
	store, verb string
	err         error
	hint        string
}

func (e *Error) Error() string { return e.store + ": " + e.verb + ": " + e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

// Code is E_REMOTE.
func (e *Error) Code() string { return "E_REMOTE" }

// Hint says what to do next.
func (e *Error) Hint() string { return e.hint }
