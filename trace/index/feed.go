package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// readLines reads the rest of an entry: one goroutine inflates, this one cuts
// lines and scans them.
func (b *Builder) readLines(ctx context.Context, e *entry) error {
	rc, err := b.archive.Resource(ctx, e.name)
	if err != nil {
		return err
	}
	defer rc.Close()
	pump := startPump(rc)
	defer pump.stop()
	s := b.splitter(e)
	begun := b.bytes
	for block := range pump.blocks {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		offset := b.bytes - begun
		lines := e.lines.next
		s.feed(block)
		b.bytes += int64(len(block))
		give := func() { pump.free <- block[:cap(block)] }
		if e.large && b.side != nil && len(block) > longLines*(e.lines.next-lines) {
			b.side.add(e.name, offset, block, give)
		} else {
			give()
		}
		b.pulse()
	}
	s.end()
	return noEOF(pump.err)
}

func noEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func isSyntax(err error) bool {
	var bad *trace.SyntaxError
	return errors.As(err, &bad)
}

func (b *Builder) splitter(e *entry) *splitter {
	return &splitter{limit: trace.DefaultMaxLine, line: func(line []byte, offset int64, eol int) { b.line(e, line, offset, eol) },
		long: func(_ []byte, offset, size int64) { b.longLine(e, offset, size) }}
}

// line takes one line of an entry.
func (b *Builder) line(e *entry, line []byte, offset int64, eol int) {
	e.lines.add(offset, len(line), eol)
	if len(line) == 0 {
		return
	}
	p := trace.Position{File: e.name, Line: e.lines.next, Offset: offset, Length: len(line)}
	switch {
	case e.decoder != nil:
		b.oldLine(e, line, p)
	case scan(line, &b.record):
		b.join(e, &b.record)
	default:
		b.bad(p, "not a JSON object")
	}
	b.pulse()
}

// oldLine takes a line of an old version: none, one or several events.
func (b *Builder) oldLine(e *entry, line []byte, p trace.Position) {
	if e.beside != nil {
		e.decoder, e.beside = e.beside.decoder.Beside(e.name), nil
	}
	events, err := e.decoder.Line(line, p)
	if err != nil {
		reason := err.Error()
		var bad *trace.SyntaxError
		if errors.As(err, &bad) {
			reason = bad.Err.Error()
		}
		b.bad(p, reason)
		return
	}
	for _, ev := range events {
		b.record.fill(ev.Body)
		b.join(e, &b.record)
	}
}

func (b *Builder) longLine(e *entry, offset, size int64) {
	e.lines.add(offset, int(size), 0)
	b.bad(trace.Position{File: e.name, Line: e.lines.next, Offset: offset}, fmt.Sprintf("%v: %d bytes", trace.ErrLineTooLong, size))
	b.pulse()
}

// pump inflates ahead of the scanner, in blocks that go round.
type pump struct {
	blocks chan []byte
	free   chan []byte
	quit   chan struct{}
	done   chan struct{}
	err    error // valid once blocks is closed
}

const (
	pumpBlocks = 4
	pumpBlock  = 256 << 10
	pumpFirst  = 16 << 10 // so that the first rows need not wait for a large block
)

func startPump(r io.Reader) *pump {
	p := &pump{blocks: make(chan []byte, pumpBlocks), free: make(chan []byte, pumpBlocks),
		quit: make(chan struct{}), done: make(chan struct{})}
	for range pumpBlocks {
		p.free <- nil
	}
	go p.run(r)
	return p
}

func (p *pump) run(r io.Reader) {
	defer close(p.done)
	defer close(p.blocks)
	size := pumpFirst
	for p.err == nil {
		var block []byte
		select {
		case block = <-p.free:
		case <-p.quit:
			return
		}
		if cap(block) < size {
			block = make([]byte, size)
		}
		n, err := io.ReadFull(r, block[:size])
		if err == io.ErrUnexpectedEOF {
			err = unexpected(r)
		}
		p.err = err
		size = min(size*2, pumpBlock)
		if n == 0 {
			continue
		}
		select {
		case p.blocks <- block[:n]:
		case <-p.quit:
			return
		}
	}
}

// unexpected tells the end of the entry from an entry that breaks off:
// io.ReadFull says the same for both.
func unexpected(r io.Reader) error {
	var one [1]byte
	for range 100 {
		if n, err := r.Read(one[:]); err != nil || n > 0 {
			return err
		}
	}
	return io.ErrNoProgress
}

// stop ends the goroutine and waits for it.
func (p *pump) stop() {
	close(p.quit)
	<-p.done
}

// splitter cuts blocks into lines. Only a line that lies across blocks is
// copied.
type splitter struct {
	limit  int
	carry  []byte
	offset int64 // of the line that is being read
	size   int64 // bytes of it so far
	line   func(line []byte, offset int64, eol int)
	long   func(head []byte, offset, size int64)
	early  bool // the last line was taken before its end was there
}

var byteOrderMark = []byte("\xef\xbb\xbf")

func (s *splitter) feed(block []byte) {
	if s.early && len(block) > 0 {
		s.early = false
		if block[0] == '\n' {
			block = block[1:]
			s.offset++
		}
	}
	for len(block) > 0 {
		n := bytes.IndexByte(block, '\n')
		if n < 0 {
			s.keep(block)
			return
		}
		part := block[:n]
		block = block[n+1:]
		if s.size > 0 {
			s.keep(part)
			part = s.carry
		} else {
			s.size = int64(n)
		}
		s.emit(part, 1)
	}
}

// keep copies part of a line for later, unless the line is too long already.
func (s *splitter) keep(part []byte) {
	s.size += int64(len(part))
	if s.size <= int64(s.limit) {
		s.carry = append(s.carry, part...)
	}
}

func (s *splitter) emit(line []byte, eol int) {
	offset, size := s.offset, s.size
	s.offset += size + int64(eol)
	s.size = 0
	if size > int64(s.limit) {
		s.long(line[:min(len(line), 1<<10)], offset, size+int64(eol))
		s.shrink()
		return
	}
	if offset == 0 && bytes.HasPrefix(line, byteOrderMark) {
		line, offset = line[3:], 3
	}
	if len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
		eol++
	}
	s.line(line, offset, eol)
	s.shrink()
}

// shrink gives a very large line's memory back.
func (s *splitter) shrink() {
	const keep = 4 << 20
	if cap(s.carry) > keep {
		s.carry = nil
	}
	s.carry = s.carry[:0]
}

// takeEarly takes a line that only lacks its end, and reports whether there
// was one. Nothing but its end can follow: it is a whole object.
func (s *splitter) takeEarly() bool {
	if s.size == 0 || s.size > int64(s.limit) || s.carry[len(s.carry)-1] != '}' || !rawjson.Valid(s.carry) {
		return false
	}
	s.emit(s.carry, 0)
	s.early = true
	return true
}

// end takes the last line, which may lack its end.
func (s *splitter) end() {
	if s.size > 0 {
		s.emit(s.carry, 0)
	}
}
