package remote

import (
	"container/list"
	"fmt"
	"io"
	"net/http"
	"os"
)

const (
	blockSize = 64 << 10
	largest   = 32 // blocks that one request takes at most
	parallel  = 6  // requests at the same time
	steady    = 4  // blocks of a run from which on the next is fetched ahead
)

// block is a part of the file that is there or on its way.
type block struct {
	number int64
	ready  chan struct{}
	data   []byte // once it is ready
	err    error
	read   bool
	place  *list.Element // in a list of the cache, once it is ready
}

// run is reading that goes on where it was, as of one entry: its requests grow.
type run struct {
	next   int64 // block that is not asked for yet
	length int64 // blocks of the last request; 0 for none
	used   int64 // when
}

// keepTail puts whole blocks of the file's end into the cache.
func (r *ReaderAt) keepTail(from int64, tail []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := (from + blockSize - 1) / blockSize; n*blockSize < r.Size(); n++ {
		b := &block{number: n, ready: make(chan struct{})}
		r.blocks[n] = b
		r.arrived(b, tail[n*blockSize-from:])
	}
}

// block returns a block's bytes, when they are there.
func (r *ReaderAt) block(n int64) ([]byte, error) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil, fmt.Errorf("%s: %w", Display(r.address), os.ErrClosed)
	}
	b := r.blocks[n]
	if b == nil {
		b = r.ask(n)
	}
	r.use(b)
	r.askAhead(n)
	r.mu.Unlock()
	select {
	case <-b.ready:
		return b.data, b.err
	case <-r.ctx.Done():
		return nil, r.ctx.Err()
	}
}

// ask starts fetching block n, and more behind it where reading goes on. The
// lock is held.
func (r *ReaderAt) ask(n int64) *block {
	g := &r.runs[0]
	for i := range r.runs {
		if r.runs[i].length > 0 && r.runs[i].next == n {
			g = &r.runs[i]
			break
		}
		if r.runs[i].used < g.used {
			g = &r.runs[i]
		}
	}
	if g.length == 0 || g.next != n {
		*g = run{next: n}
	}
	r.extend(g)
	return r.blocks[n]
}

// askAhead starts fetching what follows, when reading has come into what was
// fetched last. The lock is held.
func (r *ReaderAt) askAhead(n int64) {
	for i := range r.runs {
		g := &r.runs[i]
		if g.length >= steady && n < g.next && n >= g.next-g.length && g.next*blockSize < r.Size() && r.blocks[g.next] == nil {
			r.extend(g)
		}
	}
}

// extend fetches the next blocks of a run, twice as many as before. The lock is held.
func (r *ReaderAt) extend(g *run) {
	r.clock++
	g.used = r.clock
	length := min(max(2*g.length, 1), largest)
	var wanted []*block
	for n := g.next; n < g.next+length && n*blockSize < r.Size() && r.blocks[n] == nil; n++ {
		b := &block{number: n, ready: make(chan struct{})}
		r.blocks[n] = b
		wanted = append(wanted, b)
	}
	g.next += int64(len(wanted))
	g.length = length
	if len(wanted) > 0 {
		r.fetches.Add(1)
		go r.fetch(wanted)
	}
}

// fetch fills blocks, each as soon as its bytes are there. What a request does
// not bring, the next one asks for.
func (r *ReaderAt) fetch(wanted []*block) {
	defer r.fetches.Done()
	r.slots <- struct{}{}
	defer func() { <-r.slots }()
	err := r.retry(func() (bool, error) {
		before := len(wanted)
		from := wanted[0].number * blockSize
		to := min((wanted[before-1].number+1)*blockSize, r.Size())
		err := r.try(request{fmt.Sprintf("bytes=%d-%d", from, to-1), r.version.ifRange()}, func(resp *http.Response) error {
			if err := r.check(resp, from, to); err != nil {
				return err
			}
			return r.fill(resp.Body, &wanted)
		})
		return len(wanted) < before, err
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, b := range wanted { // they are asked for again when they are wanted again
		delete(r.blocks, b.number)
		b.err = err
		close(b.ready)
	}
}

// check reports an answer that is not the range, or not of the file that was
// opened: never is a mixture of two files read.
func (r *ReaderAt) check(resp *http.Response, from, to int64) error {
	if resp.StatusCode == http.StatusOK {
		return fmt.Errorf("%s: %w", Display(r.address), ErrChanged)
	}
	f, t, size, err := contentRange(resp)
	if err != nil {
		return &NetworkError{Display(r.address), err}
	}
	if !r.version.is(versionOf(resp, size)) {
		return fmt.Errorf("%s: %w", Display(r.address), ErrChanged)
	}
	if f != from || t != to-1 {
		return &NetworkError{Display(r.address), fmt.Errorf("the server sent the bytes %d-%d for %d-%d", f, t, from, to-1)}
	}
	return nil
}

func (r *ReaderAt) fill(in io.Reader, wanted *[]*block) error {
	for len(*wanted) > 0 {
		b := (*wanted)[0]
		data := make([]byte, min(blockSize, r.Size()-b.number*blockSize))
		if _, err := io.ReadFull(in, data); err != nil {
			return &NetworkError{Display(r.address), fmt.Errorf("the answer ends early: %w", err)}
		}
		r.mu.Lock()
		r.arrived(b, data)
		r.mu.Unlock()
		*wanted = (*wanted)[1:]
	}
	return nil
}

// use notes that a block is wanted now. The lock is held.
func (r *ReaderAt) use(b *block) {
	switch {
	case b.place != nil && b.read:
		r.recent.MoveToFront(b.place)
	case b.place != nil:
		r.ahead.Remove(b.place)
		b.place = r.recent.PushFront(b)
	}
	b.read = true
}

// arrived takes a block's bytes, and drops what was not used for longest: first
// what was read already, so that reading on does not push out what it is about
// to need. The lock is held.
func (r *ReaderAt) arrived(b *block, data []byte) {
	b.data = data
	if b.read {
		b.place = r.recent.PushFront(b)
	} else {
		b.place = r.ahead.PushFront(b)
	}
	close(b.ready)
	r.held += int64(len(data))
	for r.held > r.o.Cache {
		from := &r.recent
		if from.Len() == 0 {
			from = &r.ahead
		}
		last := from.Remove(from.Back()).(*block)
		r.held -= int64(len(last.data))
		delete(r.blocks, last.number)
	}
}
