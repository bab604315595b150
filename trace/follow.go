package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ErrTruncated is the cause of an error that [Follow] yields for a file that
// became shorter. It is read again from its beginning.
var ErrTruncated = errors.New("the file became shorter")

// DefaultPoll is how often [Follow] looks for more.
const DefaultPoll = 100 * time.Millisecond

// Follow yields the events of a folder that a recording is being written to:
// those that are there, and then those that are added, until ctx ends. A line
// is yielded when its end is there. Errors tell of lines that are none
// (*[SyntaxError]) and of files that became shorter; following goes on.
func Follow(ctx context.Context, dir string, poll time.Duration) iter.Seq2[*Event, error] {
	if poll <= 0 {
		poll = DefaultPoll
	}
	f := &follower{dir: dir, tails: map[string]*tail{}}
	return func(yield func(*Event, error) bool) {
		for {
			grown, goOn := f.round(yield)
			if !goOn {
				return
			}
			if grown && ctx.Err() == nil {
				continue
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(poll):
			}
		}
	}
}

type follower struct {
	dir   string
	tails map[string]*tail
}

// round takes what was added to all files since the last one.
func (f *follower) round(yield func(*Event, error) bool) (grown, goOn bool) {
	for _, pattern := range []string{"*.trace", "*.network"} {
		files, err := filepath.Glob(filepath.Join(f.dir, pattern))
		if err != nil && !yield(nil, err) {
			return false, false
		}
		for _, path := range files {
			more, ok := f.tail(path).read(yield)
			if !ok {
				return false, false
			}
			grown = grown || more
		}
	}
	return grown, true
}

func (f *follower) tail(path string) *tail {
	t := f.tails[path]
	if t == nil {
		t = &tail{path: path, name: filepath.Base(path)}
		if prefix, ok := strings.CutSuffix(path, ".network"); ok {
			t.beside = f.tails[prefix+".trace"]
		}
		f.tails[path] = t
	}
	return t
}

// tail is how far a growing file has been read.
type tail struct {
	path, name string
	beside     *tail // the .trace file of a .network file
	decoder    *Decoder
	offset     int64 // bytes of whole lines that were yielded
	line       int
	part       []byte // a line whose end is not there yet
	failed     string
}

func (t *tail) read(yield func(*Event, error) bool) (grown, goOn bool) {
	if t.beside != nil && t.beside.offset == 0 {
		return false, true // its version is not known yet
	}
	file, err := os.Open(t.path)
	if err != nil {
		return false, t.fail(err, yield)
	}
	defer file.Close()
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return false, t.fail(err, yield)
	}
	have := t.offset + int64(len(t.part))
	if size < have {
		*t = tail{path: t.path, name: t.name, beside: t.beside}
		return true, yield(nil, fmt.Errorf("%s: %w", t.path, ErrTruncated))
	}
	const most = 4 << 20
	more := make([]byte, min(size-have, most))
	n, err := file.ReadAt(more, have)
	t.part = append(t.part, more[:n]...)
	if err != nil && err != io.EOF {
		return false, t.fail(err, yield)
	}
	return n > 0, t.lines(yield)
}

// fail yields an error once, however often it comes back.
func (t *tail) fail(err error, yield func(*Event, error) bool) bool {
	if err.Error() == t.failed {
		return true
	}
	t.failed = err.Error()
	return yield(nil, err)
}

func (t *tail) lines(yield func(*Event, error) bool) bool {
	if t.decoder == nil {
		t.decoder = NewDecoder(t.name)
		if t.beside != nil && t.beside.decoder != nil {
			t.decoder = t.beside.decoder.Beside(t.name)
		}
	}
	rest := t.part
	for {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		if !whole {
			break
		}
		t.line++
		p := Position{File: t.name, Line: t.line, Offset: t.offset, Length: len(line)}
		t.offset += int64(len(line)) + 1
		rest = after
		if len(line) > 0 && !t.yieldLine(line, p, yield) {
			return false
		}
	}
	t.part = append([]byte(nil), rest...)
	if len(t.part) > DefaultMaxLine {
		t.part = nil
		return yield(nil, newSyntaxError(nil, Position{File: t.name, Line: t.line + 1}, ErrLineTooLong))
	}
	return true
}

func (t *tail) yieldLine(line []byte, p Position, yield func(*Event, error) bool) bool {
	events, err := t.decoder.Line(line, p)
	if err != nil {
		return yield(nil, err)
	}
	for _, e := range events {
		if !yield(e, nil) {
			return false
		}
	}
	return true
}
