// Package remote reads a file at an http(s) address by byte ranges, so that a
// trace can be opened without downloading it.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options say how an address is read.
type Options struct {
	Client   *http.Client  // nil means one with timeouts
	Header   http.Header   // sent with every request, such as Authorization
	Attempts int           // for one range; 0 means 4
	Wait     time.Duration // before the second attempt, doubled each time; 0 means 250 ms
	Cache    int64         // bytes of blocks that are kept; 0 means 64 MiB
	Spool    int64         // most bytes to download where the server has no ranges; 0 means 16 GiB
}

func (o Options) withDefaults() Options {
	if o.Client == nil {
		o.Client = &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ResponseHeaderTimeout: 60 * time.Second, DisableCompression: true}}
	}
	if o.Attempts <= 0 {
		o.Attempts = 4
	}
	if o.Wait <= 0 {
		o.Wait = 250 * time.Millisecond
	}
	if o.Cache <= 0 {
		o.Cache = 64 << 20
	}
	if o.Spool <= 0 {
		o.Spool = 16 << 30
	}
	return o
}

// ErrChanged is the cause of an error for a file that is not the one any more
// that was opened.
var ErrChanged = errors.New("the file at the address has changed since it was opened")

// StatusError is an answer that is none of the file.
type StatusError struct {
	URL    string
	Status int
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: the server answers %d %s", e.URL, e.Status, http.StatusText(e.Status))
}

// Hint says what to do about it.
func (e *StatusError) Hint() string {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "the address may need a token, or a signed address may have expired: get a fresh one"
	case http.StatusNotFound, http.StatusGone:
		return "check the address; CI artifacts are removed after a while"
	}
	return "try again later, or download the file and open it"
}

// Stats says what reading has cost so far.
type Stats struct {
	Requests int
	Bytes    int64 // of bodies
}

// ReaderAt reads the file at an address. It is safe for concurrent use.
type ReaderAt struct {
	ctx   context.Context
	stop  context.CancelFunc
	url   string
	o     Options
	size  int64
	etag  string // or the date, for If-Range
	spool *os.File

	mu     sync.Mutex
	blocks map[int64]*block
	order  []int64 // of use, oldest first
	held   int64
	last   int64 // block that was read last
	run    int   // blocks read one behind the other
	stats  Stats
}

const blockSize = 64 << 10

// largest is how many blocks one request takes at most.
const largest = 32

type block struct {
	ready chan struct{}
	data  []byte
	err   error
}

// Open asks for the end of the file at url: that tells its size, and is where
// a zip's directory is. The context ends all reading, not only Open. A server
// that does not serve ranges has the file downloaded to a temporary one.
func Open(ctx context.Context, url string, o Options) (*ReaderAt, error) {
	ctx, stop := context.WithCancel(ctx)
	r := &ReaderAt{ctx: ctx, stop: stop, url: url, o: o.withDefaults(), blocks: map[int64]*block{}, last: -2}
	if err := r.open(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *ReaderAt) open() error {
	resp, err := r.get(fmt.Sprintf("bytes=-%d", blockSize), "")
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return r.download(resp)
	}
	from, _, size, err := contentRange(resp.Header.Get("Content-Range"))
	if err != nil {
		return fmt.Errorf("%s: %w", r.url, err)
	}
	r.size = size
	r.etag = validator(resp.Header)
	tail, err := io.ReadAll(io.LimitReader(resp.Body, blockSize))
	r.count(len(tail))
	if err != nil || int64(len(tail)) != size-from {
		return nil // read again when it is needed
	}
	r.keepTail(from, tail)
	return nil
}

// keepTail puts whole blocks of the file's end into the cache.
func (r *ReaderAt) keepTail(from int64, tail []byte) {
	for n := (from + blockSize - 1) / blockSize; n*blockSize < r.size; n++ {
		b := &block{ready: make(chan struct{}), data: tail[n*blockSize-from:]}
		close(b.ready)
		r.blocks[n] = b
		r.order = append(r.order, n)
		r.held += int64(len(b.data))
	}
}

// validator returns what If-Range may be given: a strong tag, or the date.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return h.Get("Last-Modified")
}

// download takes the whole file from a server without ranges.
func (r *ReaderAt) download(resp *http.Response) error {
	f, err := os.CreateTemp("", "tracedeck-*.zip")
	if err != nil {
		return err
	}
	r.spool = f
	n, err := io.Copy(f, io.LimitReader(resp.Body, r.o.Spool+1))
	r.count(int(n))
	switch {
	case err != nil:
		return fmt.Errorf("%s: downloading: %w", r.url, err)
	case n > r.o.Spool:
		return fmt.Errorf("%s: more than %d bytes, and the server does not serve ranges", r.url, r.o.Spool)
	case resp.ContentLength >= 0 && n != resp.ContentLength:
		return fmt.Errorf("%s: the server sent %d of %d bytes", r.url, n, resp.ContentLength)
	}
	r.size = n
	return nil
}

// get asks for a range, again after a pause where that may help.
func (r *ReaderAt) get(ranges, ifRange string) (*http.Response, error) {
	var failed error
	for attempt := range r.o.Attempts {
		if attempt > 0 {
			select {
			case <-r.ctx.Done():
				return nil, r.ctx.Err()
			case <-time.After(r.o.Wait << (attempt - 1)):
			}
		}
		resp, err := r.once(ranges, ifRange)
		if err != nil {
			failed = err
			if r.ctx.Err() != nil {
				return nil, r.ctx.Err()
			}
			continue
		}
		switch s := resp.StatusCode; {
		case s == http.StatusPartialContent, s == http.StatusOK:
			return resp, nil
		case s == http.StatusRequestedRangeNotSatisfiable && ifRange == "":
			resp.Body.Close()
			return nil, fmt.Errorf("%s: the file is empty", r.url)
		default:
			resp.Body.Close()
			failed = &StatusError{r.url, s}
			// A redirect to a signed address is followed anew each time, so a
			// 403 of an expired one is worth another attempt.
			if s < 500 && s != http.StatusTooManyRequests && s != http.StatusForbidden && s != http.StatusRequestTimeout {
				return nil, failed
			}
		}
	}
	return nil, failed
}

func (r *ReaderAt) once(ranges, ifRange string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(r.ctx, http.MethodGet, r.url, nil)
	if err != nil {
		return nil, err
	}
	for k, v := range r.o.Header {
		req.Header[k] = v
	}
	req.Header.Set("Range", ranges)
	req.Header.Set("Accept-Encoding", "identity")
	if ifRange != "" {
		req.Header.Set("If-Range", ifRange)
	}
	r.mu.Lock()
	r.stats.Requests++
	r.mu.Unlock()
	return r.o.Client.Do(req)
}

func (r *ReaderAt) count(n int) {
	r.mu.Lock()
	r.stats.Bytes += int64(n)
	r.mu.Unlock()
}

// contentRange reads "bytes 0-9/100".
func contentRange(h string) (from, to, size int64, err error) {
	if n, _ := fmt.Sscanf(h, "bytes %d-%d/%d", &from, &to, &size); n != 3 || from < 0 || to < from || size <= to {
		return 0, 0, 0, fmt.Errorf("the server sent the content range %q", h)
	}
	return from, to, size, nil
}

// Size returns the bytes of the file.
func (r *ReaderAt) Size() int64 { return r.size }

// Stats returns what reading has cost so far.
func (r *ReaderAt) Stats() Stats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stats
}

// Close ends all reading.
func (r *ReaderAt) Close() error {
	r.stop()
	if r.spool == nil {
		return nil
	}
	return errors.Join(r.spool.Close(), os.Remove(r.spool.Name()))
}

// ReadAt reads bytes of the file, from the cache or the server.
func (r *ReaderAt) ReadAt(b []byte, at int64) (n int, err error) {
	if r.spool != nil {
		return r.spool.ReadAt(b, at)
	}
	if at < 0 {
		return 0, errors.New("negative offset " + strconv.FormatInt(at, 10))
	}
	for n < len(b) {
		if at >= r.size {
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

// block returns a block's bytes. Reading one behind the other makes requests
// grow, so that a long entry takes few of them.
func (r *ReaderAt) block(n int64) ([]byte, error) {
	r.mu.Lock()
	b := r.blocks[n]
	if b == nil {
		b = r.request(n)
	}
	r.use(n)
	r.mu.Unlock()
	select {
	case <-b.ready:
		return b.data, b.err
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	}
}

// request starts fetching block n and those behind it. The lock is held.
func (r *ReaderAt) request(n int64) *block {
	if n == r.last+1 {
		r.run = min(max(r.run, 1)*2, largest)
	} else {
		r.run = 1
	}
	end := n
	var list []*block
	for ; end < n+int64(r.run) && end*blockSize < r.size && r.blocks[end] == nil; end++ {
		b := &block{ready: make(chan struct{})}
		r.blocks[end] = b
		r.order = append(r.order, end)
		list = append(list, b)
	}
	r.last = end - 1
	go r.fetch(n, list)
	return list[0]
}

// fetch fills blocks with one request.
func (r *ReaderAt) fetch(n int64, list []*block) {
	from := n * blockSize
	to := min(from+int64(len(list))*blockSize, r.size)
	data, err := r.download1(from, to)
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, b := range list {
		b.err = err
		if err == nil {
			b.data = data[i*blockSize : min((i+1)*blockSize, len(data))]
		} else {
			delete(r.blocks, n+int64(i))
		}
		close(b.ready)
	}
	r.held += int64(len(data))
	r.evict()
}

// download1 fetches one range, again where the answer was cut short.
func (r *ReaderAt) download1(from, to int64) ([]byte, error) {
	var failed error
	for range r.o.Attempts {
		data, err := r.rangeOnce(from, to)
		if err == nil {
			return data, nil
		}
		failed = err
		if !errors.Is(err, io.ErrUnexpectedEOF) || r.ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}

func (r *ReaderAt) rangeOnce(from, to int64) ([]byte, error) {
	resp, err := r.get(fmt.Sprintf("bytes=%d-%d", from, to-1), r.etag)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return nil, fmt.Errorf("%s: %w", r.url, ErrChanged)
	}
	f, t, size, err := contentRange(resp.Header.Get("Content-Range"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.url, err)
	}
	if f != from || t != to-1 || size != r.size || r.etag != "" && validator(resp.Header) != "" && validator(resp.Header) != r.etag {
		return nil, fmt.Errorf("%s: %w", r.url, ErrChanged)
	}
	data := make([]byte, to-from)
	n, err := io.ReadFull(resp.Body, data)
	r.count(n)
	if err != nil {
		return nil, fmt.Errorf("%s: the answer ends early: %w", r.url, io.ErrUnexpectedEOF)
	}
	return data, nil
}

// use notes that a block was read. The lock is held.
func (r *ReaderAt) use(n int64) {
	for i := len(r.order) - 1; i >= 0; i-- {
		if r.order[i] == n {
			copy(r.order[i:], r.order[i+1:])
			r.order[len(r.order)-1] = n
			return
		}
	}
}

// evict drops the blocks that were not used for longest. The lock is held.
func (r *ReaderAt) evict() {
	for r.held > r.o.Cache && len(r.order) > 2*largest {
		n := r.order[0]
		r.order = r.order[1:]
		if b := r.blocks[n]; b != nil {
			r.held -= int64(len(b.data))
			delete(r.blocks, n)
		}
	}
}

// Display returns an address without what may be secret in it: the user, and
// the query, in which signed addresses have their signature.
func Display(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	return scheme + "://" + host + "/" + path
}
