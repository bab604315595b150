// Package remote reads a file at an http(s) address by byte ranges, so that a
// trace can be opened without downloading it.
package remote

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/tracedeck/tracedeck/trace/internal/tempfile"
)

// Options say how an address is read. The zero value is what most want.
type Options struct {
	Client *http.Client // nil means one with timeouts and the proxy of the environment
	// Header is sent with every request to the address's own host, such as
	// Authorization; it is not sent to where that redirects.
	Header   http.Header
	Attempts int           // for one range that brings nothing; 0 means 4
	Wait     time.Duration // before the second attempt, doubled each time; 0 means 250 ms
	Stall    time.Duration // without a byte, after which a request is given up; 0 means 30 s
	Cache    int64         // bytes of blocks that are kept; 0 means 64 MiB
	Spool    int64         // most bytes to download where the server has no ranges; 0 means 16 GiB
}

func (o Options) withDefaults() Options {
	if o.Client == nil {
		o.Client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
			MaxIdleConnsPerHost: parallel, IdleConnTimeout: 90 * time.Second, DisableCompression: true}}
	}
	if o.Attempts <= 0 {
		o.Attempts = 4
	}
	if o.Wait <= 0 {
		o.Wait = 250 * time.Millisecond
	}
	if o.Stall <= 0 {
		o.Stall = 30 * time.Second
	}
	if o.Cache <= 0 {
		o.Cache = 64 << 20
	}
	o.Cache = max(o.Cache, 2*largest*blockSize)
	if o.Spool <= 0 {
		o.Spool = 16 << 30
	}
	return o
}

// Stats says what reading has cost so far.
type Stats struct {
	Requests int   // all, and of these
	Retries  int   // those that were sent because another had failed
	Bytes    int64 // of bodies
}

// ReaderAt reads the file at an address. It is safe for concurrent use. Close it.
type ReaderAt struct {
	ctx     context.Context // of Open: there is none in io.ReaderAt
	stop    context.CancelFunc
	address string
	o       Options
	client  *http.Client
	version version
	spool   *tempfile.File // the whole file, where the server has no ranges
	slots   chan struct{}  // for requests at the same time
	fetches sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	resolved string // where the address has redirected to
	blocks   map[int64]*block
	recent   list.List // of blocks that are there and were read, the last first
	ahead    list.List // of those that were not read yet
	held     int64     // bytes of both
	runs     [8]run
	clock    int64 // counts uses of runs
	stats    Stats
}

// Open asks for the end of the file at the address: that tells its size, and is
// where a zip's directory is. The context ends all reading, not only Open. A
// server that does not serve ranges has the file downloaded to a temporary one.
func Open(ctx context.Context, address string, o Options) (*ReaderAt, error) {
	ctx, stop := context.WithCancel(ctx)
	r := &ReaderAt{ctx: ctx, stop: stop, address: address, o: o.withDefaults(),
		slots: make(chan struct{}, parallel), blocks: map[int64]*block{}}
	if err := r.setUp(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	if err := r.retry(func() (bool, error) {
		return false, r.try(request{ranges: fmt.Sprintf("bytes=-%d", blockSize)}, r.first)
	}); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// first takes the answer to the first request.
func (r *ReaderAt) first(resp *http.Response) error {
	if resp.StatusCode == http.StatusPartialContent {
		return r.begin(resp)
	}
	// Some servers have ranges, and not those that count from the end.
	size := resp.ContentLength
	if resp.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		size = unsatisfied(resp.Header.Get("Content-Range"))
	}
	if size == 0 {
		return fmt.Errorf("%s: %w", Display(r.address), errEmpty)
	}
	if size > 4*blockSize && resp.Header.Get("Accept-Ranges") != "none" {
		from := (size - 1) / blockSize * blockSize
		err := r.try(request{ranges: fmt.Sprintf("bytes=%d-%d", from, size-1)}, func(resp *http.Response) error {
			if resp.StatusCode != http.StatusPartialContent {
				return errNoRanges
			}
			return r.begin(resp)
		})
		if err == nil {
			return nil
		}
	}
	if resp.StatusCode != http.StatusOK {
		return &StatusError{Display(r.address), resp.StatusCode, 0, false}
	}
	return r.download(resp)
}

// begin takes the end of the file, and learns from it what file that is.
func (r *ReaderAt) begin(resp *http.Response) error {
	from, _, size, err := contentRange(resp)
	if err != nil && size == 0 {
		err = errEmpty
	}
	if err != nil {
		return fmt.Errorf("%s: %w", Display(r.address), err)
	}
	r.version = versionOf(resp, size)
	tail, err := io.ReadAll(io.LimitReader(resp.Body, 4*blockSize))
	if err == nil && int64(len(tail)) == size-from {
		r.keepTail(from, tail)
	}
	return nil // else it is read again when it is needed
}

// download takes the whole file from a server without ranges.
func (r *ReaderAt) download(resp *http.Response) error {
	f, n, err := tempfile.Spool(r.ctx, resp.Body, r.o.Spool)
	if f == nil {
		return err
	}
	switch {
	case n > r.o.Spool:
		err = fmt.Errorf("%s: more than %d bytes, and the server does not serve ranges", Display(r.address), r.o.Spool)
	case err != nil:
		err = &NetworkError{Display(r.address), err}
	case resp.ContentLength >= 0 && n != resp.ContentLength:
		err = &NetworkError{Display(r.address), fmt.Errorf("the server sent %d of %d bytes", n, resp.ContentLength)}
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	r.spool, r.version = f, versionOf(resp, n)
	return nil
}

// Size returns the bytes of the file.
func (r *ReaderAt) Size() int64 { return r.version.size }

// Whole reports whether the file had to be downloaded, as its server has no ranges.
func (r *ReaderAt) Whole() bool { return r.spool != nil }

// Stats returns what reading has cost so far.
func (r *ReaderAt) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stats
}

// Close ends all reading, and returns when it has ended.
func (r *ReaderAt) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.stop()
	r.fetches.Wait()
	if r.spool == nil {
		return nil
	}
	return r.spool.Close()
}

// ReadAt reads bytes of the file, from the cache or the server. An error for
// which errors.Is says [ErrChanged] is final.
func (r *ReaderAt) ReadAt(b []byte, at int64) (n int, err error) {
	if r.spool != nil {
		return r.spool.ReadAt(b, at)
	}
	if at < 0 {
		return 0, &os.PathError{Op: "read", Path: Display(r.address), Err: os.ErrInvalid}
	}
	for n < len(b) {
		if at >= r.Size() {
			return n, io.EOF
		}
		data, err := r.block(at / blockSize)
		if err != nil {
			return n, err
		}
		k := copy(b[n:], data[at%blockSize:])
		n += k
		at += int64(k)
	}
	return n, nil
}
