package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// request is one range that is wanted.
type request struct {
	ranges  string
	ifRange string // what the file must still be for the range to be sent
}

// version tells one content of the address from another.
type version struct {
	size     int64
	tag      string // ETag
	modified string
}

func versionOf(resp *http.Response, size int64) version {
	return version{size, resp.Header.Get("ETag"), resp.Header.Get("Last-Modified")}
}

// ifRange is what makes a server send a range of this version or all of
// another. Weak tags are not for that.
func (v version) ifRange() string {
	if v.tag != "" && !strings.HasPrefix(v.tag, "W/") {
		return v.tag
	}
	return v.modified
}

// is reports whether both are one version, as far as servers tell.
func (v version) is(w version) bool {
	return v.size == w.size && (v.tag == "" || w.tag == "" || v.tag == w.tag) &&
		(v.tag != "" && w.tag != "" || v.modified == "" || w.modified == "" || v.modified == w.modified)
}

// setUp makes a client that keeps the headers from other hosts.
func (r *ReaderAt) setUp() error {
	own, err := url.Parse(r.address)
	if err != nil || own.Host == "" {
		return fmt.Errorf("%s: not an address", Display(r.address))
	}
	client := *r.o.Client
	check := client.CheckRedirect
	client.CheckRedirect = func(req *http.Request, via []*http.Request) error {
		req.Header.Del("Referer") // it would have the query
		if !sameHost(own, req.URL) {
			for k := range r.o.Header {
				req.Header.Del(k)
			}
		}
		if check != nil {
			return check(req, via)
		}
		if len(via) >= 10 {
			return errors.New("more than 10 redirections")
		}
		return nil
	}
	r.client = &client
	return nil
}

func sameHost(own, other *url.URL) bool {
	return strings.EqualFold(own.Host, other.Host) && (own.Scheme == other.Scheme || other.Scheme == "https")
}

// retry calls f until it has no error, or one that will come again. After
// progress it starts counting anew.
func (r *ReaderAt) retry(f func() (progress bool, err error)) error {
	for attempt := 1; ; attempt++ {
		progress, err := f()
		if progress {
			attempt = 1
		}
		wait, again := r.again(err, attempt)
		if !again || attempt >= r.o.Attempts {
			return err
		}
		select {
		case <-r.ctx.Done():
			return r.ctx.Err()
		case <-time.After(wait):
		}
		r.mu.Lock()
		r.stats.Retries++
		r.mu.Unlock()
	}
}

// again says whether, and after what time, an error may have passed.
func (r *ReaderAt) again(err error, attempt int) (time.Duration, bool) {
	const longest = 30 * time.Second
	wait := min(r.o.Wait<<(attempt-1), longest)
	var status *StatusError
	var network *NetworkError
	switch {
	case err == nil, r.ctx.Err() != nil:
		return 0, false
	case errors.Is(err, errExpired):
		return 0, true
	case errors.As(err, &status):
		return min(max(wait, status.after), longest), status.again()
	}
	return wait, errors.As(err, &network)
}

// try sends a request once, and gives an answer that has the file, or a part
// of it, to use. Where the address has redirected before, it goes to there at
// once: signed addresses of CI artifacts take a while to get.
func (r *ReaderAt) try(q request, use func(*http.Response) error) error {
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	stall := time.AfterFunc(r.o.Stall, func() { cancel(errStalled) })
	defer stall.Stop()
	req, direct, err := r.newRequest(ctx, q)
	if err != nil {
		return err
	}
	resp, err := r.client.Do(req)
	if err != nil {
		r.forget()
		return r.networkError(ctx, err)
	}
	defer resp.Body.Close()
	resp.Body = &body{ReadCloser: resp.Body, r: r, ctx: ctx, stall: stall}
	switch s := resp.StatusCode; {
	case s == http.StatusPartialContent, s == http.StatusOK:
		r.remember(resp)
		if e := resp.Header.Get("Content-Encoding"); e != "" && e != "identity" {
			return fmt.Errorf("%s: the server sends it packed by %s", Display(r.address), e)
		}
		return use(resp)
	case s == http.StatusRequestedRangeNotSatisfiable && q.ifRange == "":
		return use(resp)
	case s == http.StatusRequestedRangeNotSatisfiable:
		return fmt.Errorf("%s: %w", Display(r.address), ErrChanged)
	case direct && s < 500:
		r.forget()
		return errExpired
	default:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return &StatusError{Display(r.address), s, time.Duration(min(max(seconds, 0), 60)) * time.Second,
			resp.Request.URL.String() != req.URL.String()}
	}
}

func (r *ReaderAt) newRequest(ctx context.Context, q request) (req *http.Request, direct bool, err error) {
	r.mu.Lock()
	address := r.resolved
	r.stats.Requests++
	r.mu.Unlock()
	if direct = address != ""; !direct {
		address = r.address
	}
	if req, err = http.NewRequestWithContext(ctx, http.MethodGet, address, nil); err != nil {
		return nil, false, fmt.Errorf("%s: not an address", Display(r.address))
	}
	own, _ := url.Parse(r.address) // it was parsed before
	if sameHost(own, req.URL) {
		for k, v := range r.o.Header {
			req.Header[http.CanonicalHeaderKey(k)] = v
		}
	}
	req.Header.Set("Range", q.ranges)
	req.Header.Set("Accept-Encoding", "identity")
	if q.ifRange != "" {
		req.Header.Set("If-Range", q.ifRange)
	}
	return req, direct, nil
}

// remember keeps where the address has redirected to.
func (r *ReaderAt) remember(resp *http.Response) {
	to := resp.Request.URL.String()
	r.mu.Lock()
	defer r.mu.Unlock()
	if to != r.address {
		r.resolved = to
	}
}

func (r *ReaderAt) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.resolved = ""
}

func (r *ReaderAt) networkError(ctx context.Context, err error) error {
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if cause := context.Cause(ctx); errors.Is(cause, errStalled) {
		err = cause
	}
	return &NetworkError{Display(r.address), withoutAddress(err)}
}

// body counts what is read, and notices that nothing comes any more.
type body struct {
	io.ReadCloser
	r     *ReaderAt
	ctx   context.Context
	stall *time.Timer
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.stall.Reset(b.r.o.Stall)
		b.r.mu.Lock()
		b.r.stats.Bytes += int64(n)
		b.r.mu.Unlock()
	}
	if err != nil && err != io.EOF {
		err = b.r.networkError(b.ctx, err)
	}
	return n, err
}

// contentRange reads "bytes 0-9/100".
func contentRange(resp *http.Response) (from, to, size int64, err error) {
	h := resp.Header.Get("Content-Range")
	if n, _ := fmt.Sscanf(h, "bytes %d-%d/%d", &from, &to, &size); n != 3 || from < 0 || to < from || size <= to {
		if n != 3 {
			size = -1
		}
		return 0, 0, size, fmt.Errorf("the server sent the content range %q", h)
	}
	return from, to, size, nil
}

// unsatisfied reads the size in "bytes */100", 0 if there is none.
func unsatisfied(h string) (size int64) {
	fmt.Sscanf(h, "bytes */%d", &size)
	return max(size, 0)
}
