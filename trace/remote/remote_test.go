package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace/remote"
)

// content returns bytes of which every place can be told from the others.
func content(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(b)
	return b
}

// server serves content with ranges and a tag.
func serve(data []byte, tag string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if tag != "" {
			w.Header().Set("ETag", tag)
		}
		http.ServeContent(w, r, "t.zip", time.Time{}, bytes.NewReader(data))
	}
}

func start(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/t.zip"
}

func open(t *testing.T, address string, o remote.Options) *remote.ReaderAt {
	t.Helper()
	if o.Wait == 0 {
		o.Wait = time.Millisecond
	}
	r, err := remote.Open(context.Background(), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func readAll(t *testing.T, r *remote.ReaderAt, want []byte) {
	t.Helper()
	if r.Size() != int64(len(want)) {
		t.Fatalf("size %d, want %d", r.Size(), len(want))
	}
	got, err := io.ReadAll(io.NewSectionReader(r, 0, r.Size()))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("other bytes, %v", err)
	}
}

func TestReadsAnyRange(t *testing.T) {
	for _, size := range []int{1, 100, 64 << 10, 64<<10 + 1, 300_001, 3 << 20} {
		data := content(size)
		r := open(t, start(t, serve(data, `"1"`)), remote.Options{})
		random := rand.New(rand.NewPCG(1, 2))
		for range 50 {
			at := random.IntN(size)
			b := make([]byte, random.IntN(size)+1)
			n, err := r.ReadAt(b, int64(at))
			if n < len(b) && (err != io.EOF || at+n != size) || !bytes.Equal(b[:n], data[at:at+n]) {
				t.Fatalf("%d bytes of %d at %d, %v", n, len(b), at, err)
			}
		}
		readAll(t, r, data)
		if r.Whole() {
			t.Error("it was downloaded")
		}
	}
}

func TestTheEndTakesOneRequest(t *testing.T) {
	data := content(10 << 20)
	r := open(t, start(t, serve(data, `"1"`)), remote.Options{})
	if _, err := r.ReadAt(make([]byte, 1000), r.Size()-1000); err != nil {
		t.Fatal(err)
	}
	if s := r.Stats(); s.Requests != 1 || s.Bytes != 64<<10 {
		t.Errorf("%+v", s)
	}
}

func TestReadingOnTakesFewRequests(t *testing.T) {
	data := content(40 << 20)
	r := open(t, start(t, serve(data, `"1"`)), remote.Options{Cache: 8 << 20})
	// Two at once, each from its own place.
	var wait sync.WaitGroup
	for _, from := range []int64{0, 20 << 20} {
		wait.Go(func() {
			got, err := io.ReadAll(io.NewSectionReader(r, from, 18<<20))
			if err != nil || !bytes.Equal(got, data[from:from+18<<20]) {
				t.Errorf("other bytes, %v", err)
			}
		})
	}
	wait.Wait()
	if s := r.Stats(); s.Requests > 40 || s.Bytes > 44<<20 {
		t.Errorf("%+v", s)
	}
}

func TestKeepsOnlySoMuch(t *testing.T) {
	data := content(20 << 20)
	r := open(t, start(t, serve(data, `"1"`)), remote.Options{Cache: 1})
	readAll(t, r, data)
	before := r.Stats().Bytes
	r.ReadAt(make([]byte, 10), 5<<20)
	if r.Stats().Bytes == before {
		t.Error("a block of 16 MB ago is still kept")
	}
}

func TestDownloadsWhereThereAreNoRanges(t *testing.T) {
	data := content(1 << 20)
	var requests atomic.Int32
	address := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Write(data)
	}))
	r := open(t, address, remote.Options{})
	readAll(t, r, data)
	if !r.Whole() || requests.Load() != 1 {
		t.Errorf("%d requests", requests.Load())
	}
	if _, err := remote.Open(context.Background(), address, remote.Options{Spool: 1000}); err == nil || !strings.Contains(err.Error(), "more than 1000 bytes") {
		t.Errorf("err = %v", err)
	}
}

// TestServersWithoutRangesFromTheEnd is about blob stores that ignore such a
// range, or refuse it.
func TestServersWithoutRangesFromTheEnd(t *testing.T) {
	data := content(5 << 20)
	for _, refuse := range []bool{true, false} {
		r := open(t, start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.Header.Get("Range"), "bytes=-") {
				r.Header.Del("Range")
				if refuse {
					w.Header().Set("Content-Range", fmt.Sprintf("bytes */%d", len(data)))
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
					return
				}
			}
			serve(data, `"1"`)(w, r)
		})), remote.Options{})
		if r.Whole() {
			t.Errorf("it was downloaded; refuse %v", refuse)
		}
		readAll(t, r, data)
	}
}

func TestNeverMixesTwoFiles(t *testing.T) {
	old, young := content(2<<20), bytes.Repeat([]byte("new"), 700_000)[:2<<20]
	for name, answer := range map[string]func(changed bool) http.HandlerFunc{
		"tag": func(changed bool) http.HandlerFunc {
			if changed {
				return serve(young, `"2"`)
			}
			return serve(old, `"1"`)
		},
		"weak tag": func(changed bool) http.HandlerFunc {
			if changed {
				return serve(young, `W/"2"`)
			}
			return serve(old, `W/"1"`)
		},
		"size": func(changed bool) http.HandlerFunc {
			if changed {
				return serve(young[:2<<20-1], "")
			}
			return serve(old, "")
		},
		"date": func(changed bool) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if changed {
					http.ServeContent(w, r, "t.zip", time.Unix(2000, 0), bytes.NewReader(young))
					return
				}
				http.ServeContent(w, r, "t.zip", time.Unix(1000, 0), bytes.NewReader(old))
			}
		},
		"tag, and a server that ignores If-Range": func(changed bool) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				r.Header.Del("If-Range")
				if changed {
					serve(young, `"2"`)(w, r)
					return
				}
				serve(old, `"1"`)(w, r)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var changed atomic.Bool
			r := open(t, start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(changed.Load())(w, r) })), remote.Options{})
			b := make([]byte, 1000)
			if _, err := r.ReadAt(b, 0); err != nil || !bytes.Equal(b, old[:1000]) {
				t.Fatal(err)
			}
			changed.Store(true)
			if n, err := r.ReadAt(b, 1<<20); !errors.Is(err, remote.ErrChanged) || n != 0 {
				t.Errorf("%d bytes, %v", n, err)
			}
		})
	}
}

func TestTriesAgain(t *testing.T) {
	data := content(3 << 20)
	var count atomic.Int32
	address := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch count.Add(1) % 4 {
		case 1:
			w.WriteHeader(http.StatusBadGateway)
		case 2: // half an answer
			serve(data, `"1"`)(&short{ResponseWriter: w, left: 40_000}, r)
			panic(http.ErrAbortHandler)
		default:
			serve(data, `"1"`)(w, r)
		}
	}))
	r := open(t, address, remote.Options{})
	readAll(t, r, data)
	if r.Stats().Retries == 0 {
		t.Error("nothing was tried again")
	}
}

// short stops writing after so many bytes.
type short struct {
	http.ResponseWriter
	left int
}

func (s *short) Write(b []byte) (int, error) {
	n := min(len(b), s.left)
	s.left -= n
	s.ResponseWriter.Write(b[:n])
	if n < len(b) {
		s.ResponseWriter.(http.Flusher).Flush()
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestGivesUp(t *testing.T) {
	for status, attempts := range map[int]int32{500: 3, 503: 3, 429: 3, 404: 1, 403: 1, 401: 1, 501: 1} {
		var count atomic.Int32
		address := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			count.Add(1)
			w.WriteHeader(status)
		}))
		_, err := remote.Open(context.Background(), address+"?secret=1", remote.Options{Attempts: 3, Wait: time.Millisecond})
		var s *remote.StatusError
		if !errors.As(err, &s) || s.Status != status || s.Hint() == "" || count.Load() != attempts {
			t.Errorf("%d: %d attempts, %v", status, count.Load(), err)
		}
		if strings.Contains(fmt.Sprint(err), "secret") {
			t.Errorf("%v tells the query", err)
		}
	}
}

func TestStalledServer(t *testing.T) {
	data := content(1 << 20)
	var stalled atomic.Int32
	release := make(chan struct{})
	address := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Range"), "bytes=-") && stalled.Add(1) == 1 {
			select {
			case <-release:
			case <-r.Context().Done():
			}
			return
		}
		serve(data, `"1"`)(w, r)
	}))
	defer close(release)
	r := open(t, address, remote.Options{Stall: 50 * time.Millisecond})
	readAll(t, r, data)
}

func TestNoServer(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	_, err := remote.Open(context.Background(), s.URL+"/t.zip?sig=secret", remote.Options{Attempts: 2, Wait: time.Millisecond})
	var n *remote.NetworkError
	if !errors.As(err, &n) || n.Hint() == "" || strings.Contains(err.Error(), "secret") || !strings.HasPrefix(err.Error(), s.URL+"/t.zip: ") {
		t.Errorf("err = %v", err)
	}
	if _, err := remote.Open(context.Background(), "http://", remote.Options{}); err == nil {
		t.Error("no host, no error")
	}
}

// TestSignedAddress redirects to signed addresses, each good for a few requests.
func TestSignedAddress(t *testing.T) {
	data := content(6 << 20)
	var signed, used, redirects atomic.Int32
	blobs := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Private-Token") != "" || r.Header.Get("Referer") != "" {
			t.Errorf("the other host is told %v", r.Header)
		}
		if r.URL.Query().Get("sig") != fmt.Sprint(signed.Load()) || used.Add(1) > 3 {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		serve(data, `"1"`)(w, r)
	}))
	defer blobs.Close()
	address := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer x" || r.Header.Get("Private-Token") != "y" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		redirects.Add(1)
		used.Store(0)
		http.Redirect(w, r, fmt.Sprintf("%s/blob?sig=%d", blobs.URL, signed.Add(1)), http.StatusFound)
	}))
	r := open(t, address, remote.Options{Header: http.Header{"Authorization": {"Bearer x"}, "Private-Token": {"y"}}})
	readAll(t, r, data)
	if n := redirects.Load(); n < 2 || int(n) >= r.Stats().Requests {
		t.Errorf("%d redirections, %+v", n, r.Stats())
	}
}

func TestEmptyFile(t *testing.T) {
	for _, h := range []http.HandlerFunc{serve(nil, `"1"`), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Range", "bytes */0")
		w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
	}} {
		if _, err := remote.Open(context.Background(), start(t, h), remote.Options{}); err == nil || !strings.Contains(err.Error(), "empty") {
			t.Errorf("err = %v", err)
		}
	}
}

func TestLyingServers(t *testing.T) {
	data := content(1 << 20)
	for name, h := range map[string]http.HandlerFunc{
		"no content range": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusPartialContent) },
		"nonsense": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 9-1/5")
			w.WriteHeader(http.StatusPartialContent)
		},
		"another range": func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasPrefix(r.Header.Get("Range"), "bytes=-") {
				r.Header.Set("Range", "bytes=5-10")
			}
			serve(data, `"1"`)(w, r)
		},
	} {
		r, err := remote.Open(context.Background(), start(t, h), remote.Options{Attempts: 2, Wait: time.Millisecond})
		if err == nil {
			var n int
			n, err = r.ReadAt(make([]byte, 10), 100)
			if n != 0 {
				t.Errorf("%s: %d bytes", name, n)
			}
			r.Close()
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestEnds(t *testing.T) {
	data := content(1 << 20)
	r := open(t, start(t, serve(data, `"1"`)), remote.Options{})
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadAt(make([]byte, 1), 0); !errors.Is(err, os.ErrClosed) {
		t.Errorf("err = %v", err)
	}

	hangs := start(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Range"), "bytes=-") {
			<-r.Context().Done()
			return
		}
		serve(data, `"1"`)(w, r)
	}))
	ctx, stop := context.WithCancel(context.Background())
	r, err := remote.Open(ctx, hangs, remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, stop)
	if _, err := r.ReadAt(make([]byte, 1), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestDisplay(t *testing.T) {
	for address, want := range map[string]string{
		"https://user:pass@host/a/t.zip?sig=x": "https://host/a/t.zip",
		"http://host":                          "http://host",
		"http://host/a@b#c":                    "http://host/a@b",
		"nonsense":                             "nonsense",
	} {
		if got := remote.Display(address); got != want {
			t.Errorf("%s is %s", address, got)
		}
	}
}
