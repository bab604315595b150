package trace

import (
	"bufio"
	"bytes"
	"io"
	"slices"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

var (
	begunLine  = []byte(`{"type":"begun",`)
	beforeLine = []byte(`{"type":"before",`)
)

const (
	longestBegun = 1 << 20 // bytes; a longer one is no announcement of ours
	mostBegun    = 1000    // announcements that wait for their before line
)

// announcement is a begun line whose before line has not been met yet.
type announcement struct {
	id   []byte // how a line of the call goes on after its type
	line []byte
}

// announcements are left out of what is copied, but for those of which no
// before line came.
type announcements struct {
	out  io.Writer
	open []announcement
}

// copy copies lines.
func (a *announcements) copy(r io.Reader) error {
	br := bufio.NewReaderSize(r, 256<<10)
	for {
		part, err := br.ReadSlice('\n')
		if bytes.HasPrefix(part, begunLine) {
			if err = a.announced(br, part, err); err != nil && err != io.EOF {
				return err
			}
		} else {
			a.met(part)
			if werr := a.pass(br, part, &err); werr != nil {
				return werr
			}
		}
		if err == io.EOF {
			return a.rest()
		}
		if err != nil {
			return err
		}
	}
}

// pass copies a line of which part is the beginning, to its end.
func (a *announcements) pass(br *bufio.Reader, part []byte, err *error) error {
	for {
		if _, werr := a.out.Write(part); werr != nil {
			return werr
		}
		if *err != bufio.ErrBufferFull {
			return nil
		}
		part, *err = br.ReadSlice('\n')
	}
}

// announced takes a begun line of which part is the beginning.
func (a *announcements) announced(br *bufio.Reader, part []byte, err error) error {
	line := slices.Clone(part)
	for err == bufio.ErrBufferFull && len(line) < longestBegun {
		part, err = br.ReadSlice('\n')
		line = append(line, part...)
	}
	obj, bad := rawjson.Parse(bytes.TrimSuffix(line, lineEnd))
	if err == bufio.ErrBufferFull || bad != nil {
		return a.pass(br, line, &err)
	}
	id := append([]byte(`"callId":`), rawjson.Quote(obj.Text("callId"))...)
	a.forget(id)
	if len(a.open) == mostBegun {
		a.open = a.open[1:]
	}
	a.open = append(a.open, announcement{id, line})
	return err
}

// met notes the before line of a call that was announced.
func (a *announcements) met(part []byte) {
	if len(a.open) > 0 && bytes.HasPrefix(part, beforeLine) {
		a.forget(part[len(beforeLine):])
	}
}

func (a *announcements) forget(id []byte) {
	a.open = slices.DeleteFunc(a.open, func(o announcement) bool { return bytes.HasPrefix(id, o.id) })
}

// rest writes what was announced and did not come as if it had.
func (a *announcements) rest() error {
	for _, o := range a.open {
		line := append(slices.Clone(beforeLine), bytes.TrimSuffix(o.line[len(begunLine):], lineEnd)...)
		if err := writeAll(a.out, line, lineEnd); err != nil {
			return err
		}
	}
	a.open = nil
	return nil
}

func writeAll(w io.Writer, parts ...[]byte) error {
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}
