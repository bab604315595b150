package trace

import (
	"errors"
	"fmt"
	"io"

	"github.com/tracedeck/tracedeck/trace/internal/modernize"
)

// DefaultMaxLine is how long a line may be, in bytes.
const DefaultMaxLine = 192 << 20

// SyntaxError is a line that is not an event. Reading goes on behind it.
type SyntaxError struct {
	Position
	Text string // the beginning of the line
	Err  error
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns what is wrong with the line.
func (e *SyntaxError) Unwrap() error { return e.Err }

// ErrLineTooLong is the cause of a *SyntaxError for a line above the limit.
var ErrLineTooLong = errors.New("the line is longer than the limit")

// Reader reads the events of one file: a .trace or a .network entry.
type Reader struct {
	*Decoder
	lines lineReader
	queue []*Event
	err   error
}

// NewReader returns a Reader of r, which holds lines as they are in the file
// called name. The first line tells the version, as it does in .trace files;
// for a .network file use [Archive.Events] or [Archive.ReadFile], which know it from elsewhere.
func NewReader(r io.Reader, name string) *Reader {
	return &Reader{Decoder: NewDecoder(name), lines: newLineReader(r, DefaultMaxLine)}
}

func newReader(r io.Reader, name string, h modernize.Header) *Reader {
	rd := NewReader(r, name)
	rd.up = modernize.New(h, name)
	return rd
}

// LimitLines sets how long a line may be, in bytes, instead of
// [DefaultMaxLine]. It must be called before Next.
func (r *Reader) LimitLines(bytes int) { r.lines.max = bytes }

// Next returns the next event, and io.EOF after the last. After a
// *[SyntaxError] the caller may go on; any other error is final. The event's
// Raw is valid until the next call, its Body for good.
func (r *Reader) Next() (*Event, error) {
	for len(r.queue) == 0 {
		if r.err != nil {
			return nil, r.err
		}
		if err := r.fill(); err != nil {
			return nil, err
		}
	}
	e := r.queue[0]
	r.queue = r.queue[1:]
	return e, nil
}

func (r *Reader) fill() error {
	line, err := r.lines.next()
	if err == ErrLineTooLong {
		return r.syntax(line, err)
	}
	if err != nil {
		r.err = err
		if err != io.EOF {
			r.err = fmt.Errorf("%s: after line %d: %w", r.file, r.lines.line, err)
		}
		return r.err
	}
	if len(line) == 0 {
		return nil
	}
	r.queue, err = r.Line(line, r.position(line))
	return err
}

func (r *Reader) position(line []byte) Position {
	return Position{File: r.file, Line: r.lines.line, Offset: r.lines.offset, Length: len(line)}
}

func (r *Reader) syntax(line []byte, err error) error {
	return newSyntaxError(line, r.position(line), err)
}
