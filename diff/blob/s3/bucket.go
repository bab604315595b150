package s3

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/smithy-go/encoding/httpbinding"
)

// A bucket speaks with its server: the five operations that a store needs,
// signed by Amazon's own signer. The client of their SDK has a hundred more,
// for which every start of the program would pay.
type bucket struct {
	o      Options
	client *http.Client
	signer *v4.Signer
	keys   aws.CredentialsProvider

	mu     sync.Mutex
	region string
}

const (
	// fallback is the region of servers that know of none.
	fallback = "us-east-1"

	attempts = 4
	pause    = 250 * time.Millisecond // before the second attempt; doubled each time

	answerLimit = 16 << 20 // bytes of an answer that is not a blob
)

func newBucket(o Options) *bucket {
	keys := o.Credentials
	if keys == nil {
		keys = Keys()
	}
	return &bucket{
		o: o, client: &http.Client{Transport: o.Transport}, keys: aws.NewCredentialsCache(keys),
		signer: v4.NewSigner(func(s *v4.SignerOptions) { s.DisableURIPathEscaping = true }),
		region: cmp.Or(o.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), fallback),
	}
}

func (b *bucket) put(ctx context.Context, key string, data []byte) error {
	return b.discard(b.do(ctx, http.MethodPut, key, nil, data))
}

func (b *bucket) get(ctx context.Context, key string) (io.ReadCloser, error) {
	answer, err := b.do(ctx, http.MethodGet, key, nil, nil)
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

func (b *bucket) head(ctx context.Context, key string) error {
	return b.discard(b.do(ctx, http.MethodHead, key, nil, nil))
}

func (b *bucket) remove(ctx context.Context, key string) error {
	return b.discard(b.do(ctx, http.MethodDelete, key, nil, nil))
}

func (b *bucket) discard(answer *http.Response, err error) error {
	if err != nil {
		return err
	}
	io.Copy(io.Discard, io.LimitReader(answer.Body, answerLimit))
	return answer.Body.Close()
}

// list is the names that begin with prefix.
func (b *bucket) list(ctx context.Context, prefix string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for token := ""; ; {
			page, err := b.page(ctx, prefix, token)
			if err != nil {
				yield("", err)
				return
			}
			for _, c := range page.Contents {
				if !yield(c.Key, nil) {
					return
				}
			}
			if !page.IsTruncated || page.NextContinuationToken == "" || page.NextContinuationToken == token {
				return
			}
			token = page.NextContinuationToken
		}
	}
}

// listing is a page of ListObjectsV2.
type listing struct {
	Contents              []struct{ Key string }
	IsTruncated           bool
	NextContinuationToken string
}

func (b *bucket) page(ctx context.Context, prefix, token string) (p listing, err error) {
	query := url.Values{"list-type": {"2"}, "prefix": {prefix}}
	if token != "" {
		query.Set("continuation-token", token)
	}
	answer, err := b.do(ctx, http.MethodGet, "", query, nil)
	if err != nil {
		return p, err
	}
	defer answer.Body.Close()
	if err := xml.NewDecoder(io.LimitReader(answer.Body, answerLimit)).Decode(&p); err != nil {
		return p, fmt.Errorf("the server's list: %w", err)
	}
	return p, nil
}

// do is the server's answer to a request that it accepted. What may pass by
// itself is asked again, and a bucket that turns out to be in another region
// is asked there.
func (b *bucket) do(ctx context.Context, method, key string, query url.Values, body []byte) (*http.Response, error) {
	wait := pause
	for n := 1; ; n++ {
		answer, err := b.once(ctx, method, key, query, body)
		if err == nil || n == attempts {
			return answer, err
		}
		var said refusal
		if errors.As(err, &said) && b.moved(said) {
			continue
		}
		if errors.As(err, new(keysError)) || said.status != 0 && !said.passing() {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// moved takes the region that a refusal names, if it is another.
func (b *bucket) moved(said refusal) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if said.region == "" || said.region == b.region {
		return false
	}
	b.region = said.region
	return true
}

func (b *bucket) once(ctx context.Context, method, key string, query url.Values, body []byte) (*http.Response, error) {
	keys, err := b.keys.Retrieve(ctx)
	if err != nil {
		return nil, keysError{err}
	}
	b.mu.Lock()
	region := b.region
	b.mu.Unlock()
	r, err := http.NewRequestWithContext(ctx, method, b.address(region, key, query), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	digest := hex.EncodeToString(sum[:])
	r.Header.Set("X-Amz-Content-Sha256", digest)
	if method == http.MethodPut {
		r.Header.Set("Content-Type", "application/octet-stream")
	}
	if err := b.signer.SignHTTP(ctx, keys, r, digest, "s3", region, time.Now()); err != nil {
		return nil, err
	}
	answer, err := b.client.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode/100 != 2 {
		defer answer.Body.Close()
		return nil, refused(answer)
	}
	return answer, nil
}

// address has the bucket in the host's name at Amazon's, as they want it, and
// in the path elsewhere: names below a host may not lead there. So does a name
// with a dot, which no certificate covers.
func (b *bucket) address(region, key string, query url.Values) string {
	scheme, host, at := "https", b.o.Endpoint, "/"+b.o.Bucket+"/"
	if b.o.Insecure {
		scheme = "http"
	}
	if host == "" {
		host = "s3." + region + ".amazonaws.com"
		if strings.HasPrefix(region, "cn-") {
			host += ".cn"
		}
		if !strings.Contains(b.o.Bucket, ".") {
			host, at = b.o.Bucket+"."+host, "/"
		}
	}
	address := scheme + "://" + host + httpbinding.EscapePath(at+key, false)
	if query != nil {
		// A signature is over %20, which Encode writes as a plus sign.
		address += "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
	}
	return address
}

// A refusal is an answer other than success.
type refusal struct {
	Code    string
	Message string

	status int
	region string // that the server says the bucket is in
}

func refused(answer *http.Response) refusal {
	r := refusal{}
	// Not every server explains itself, and none does to HEAD.
	_ = xml.NewDecoder(io.LimitReader(answer.Body, answerLimit)).Decode(&r)
	r.status, r.region = answer.StatusCode, answer.Header.Get("X-Amz-Bucket-Region")
	return r
}

func (r refusal) Error() string {
	text := fmt.Sprintf("the server answered %d %s", r.status, http.StatusText(r.status))
	if r.Code != "" {
		text += ": " + r.Code
	}
	if r.Message != "" {
		text += ": " + r.Message
	}
	return text
}

// passing says that the same request may succeed later.
func (r refusal) passing() bool {
	return r.status >= 500 && r.status != http.StatusNotImplemented || r.status == http.StatusTooManyRequests || r.status == http.StatusRequestTimeout
}
