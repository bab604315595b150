// Package s3 keeps blobs in a bucket of an S3-compatible server.
package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/tracedeck/tracedeck/diff/blob"
)

// Options say where the bucket is. The keys come from Credentials or, where
// that is nil, from the places in which Amazon's own tools look: environment
// variables, the credentials file, and the machine's role.
type Options struct {
	Bucket   string
	Region   string // found out by the server's answer if empty
	Endpoint string // host, with a port where it needs one; Amazon's own if empty
	Insecure bool   // http instead of https
	Prefix   string // of all names in the bucket, such as "tracedeck-baselines/"

	Credentials *credentials.Credentials
	Transport   http.RoundTripper // the default one if nil
}

// Store is a blob.Store in a bucket. What is read from it is checked.
type Store struct {
	client *minio.Client
	o      Options
}

// amazon is the endpoint of S3 itself.
const amazon = "s3.amazonaws.com"

// New is the store that o describes. Nothing is sent yet.
func New(o Options) (*Store, error) {
	if o.Bucket == "" {
		return nil, errors.New("s3: which bucket?")
	}
	if o.Endpoint == "" {
		o.Endpoint = amazon
	}
	if o.Credentials == nil {
		o.Credentials = credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		})
	}
	client, err := minio.New(o.Endpoint, &minio.Options{Creds: o.Credentials, Secure: !o.Insecure, Region: o.Region, Transport: o.Transport})
	if err != nil {
		return nil, fmt.Errorf("s3: %w", err)
	}
	return &Store{client, o}, nil
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
	_, err = s.client.PutObject(ctx, s.o.Bucket, s.key(ref), bytes.NewReader(data), int64(len(data)), minio.PutObjectOptions{ContentType: "application/octet-stream"})
	return s.explain("put", ref, err)
}

// Open is part of blob.Store.
func (s *Store) Open(ctx context.Context, ref blob.Ref) (io.ReadCloser, error) {
	o, err := s.client.GetObject(ctx, s.o.Bucket, s.key(ref), minio.GetObjectOptions{})
	if err != nil {
		return nil, s.explain("get", ref, err)
	}
	// Only the first read or Stat asks the server.
	if _, err := o.Stat(); err != nil {
		o.Close()
		return nil, s.explain("get", ref, err)
	}
	return blob.Checked(s.Name(), ref, o), nil
}

// Has is part of blob.Store.
func (s *Store) Has(ctx context.Context, ref blob.Ref) (bool, error) {
	_, err := s.client.StatObject(ctx, s.o.Bucket, s.key(ref), minio.StatObjectOptions{})
	err = s.explain("look for", ref, err)
	if errors.Is(err, blob.ErrMissing) {
		return false, nil
	}
	return err == nil, err
}

// List is part of blob.Store.
func (s *Store) List(ctx context.Context) iter.Seq2[blob.Ref, error] {
	return func(yield func(blob.Ref, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for o := range s.client.ListObjects(ctx, s.o.Bucket, minio.ListObjectsOptions{Prefix: s.o.Prefix, Recursive: true}) {
			if o.Err != nil {
				yield(blob.Ref{}, s.explain("list", blob.Ref{}, o.Err))
				return
			}
			ref, err := blob.ParseHex(path.Base(o.Key))
			if err == nil && s.key(ref) == o.Key && !yield(ref, nil) {
				return
			}
		}
	}
}

// Delete is part of blob.Store.
func (s *Store) Delete(ctx context.Context, ref blob.Ref) error {
	err := s.explain("delete", ref, s.client.RemoveObject(ctx, s.o.Bucket, s.key(ref), minio.RemoveObjectOptions{}))
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
	switch answer := minio.ToErrorResponse(err); {
	case answer.Code == minio.NoSuchKey || answer.StatusCode == http.StatusNotFound && answer.Code != minio.NoSuchBucket:
		return &blob.MissingError{Ref: ref, Store: s.Name()}
	case answer.Code == minio.NoSuchBucket:
		return &Error{s.Name(), verb, err, "make the bucket, or mend storage.remote.bucket in the configuration"}
	case answer.StatusCode == http.StatusForbidden || strings.Contains(answer.Code, "AccessKey"):
		return &Error{s.Name(), verb, err, "check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what they may do with the bucket"}
	}
	return &Error{s.Name(), verb, err, "check storage.remote in the configuration, and that the server can be reached"}
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
