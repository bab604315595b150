// Multiply makes a large trace of a real one: the session again and again, with
// ids, clocks and pictures of their own, until the zip has the wanted size.
//
//	go run ./trace/internal/multiply -size 300 -o large.zip TRACE.zip
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tracedeck/tracedeck/trace"
)

func main() {
	size := flag.Int64("size", 50, "size of the zip in MB")
	out := flag.String("o", "large.zip", "the trace to write")
	lean := flag.Bool("no-screencast", false, "leave the pictures out: all text")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *out, *size<<20, *lean); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in, out string, size int64, lean bool) error {
	ctx := context.Background()
	a, err := trace.Open(ctx, in, trace.Options{})
	if err != nil {
		return err
	}
	defer a.Close()
	w, err := trace.CreateZip(out, trace.WriterOptions{Version: trace.CurrentVersion})
	if err != nil {
		return err
	}
	m := &multiplier{a: a, w: w, lean: lean, pictures: map[string][]byte{}}
	if err := m.read(ctx); err != nil {
		w.Discard()
		return err
	}
	copies := int64(1)
	for n := int64(0); n < copies; n++ {
		if err := m.copy(ctx, n); err != nil {
			w.Discard()
			return err
		}
		if n == 0 {
			copies = max(1, size/max(1, m.cost))
		}
	}
	return w.Close()
}

type multiplier struct {
	a        *trace.Archive
	w        *trace.Writer
	lean     bool
	chunk    *trace.Chunk
	events   []trace.Body
	span     trace.Time
	first    trace.Time
	pictures map[string][]byte
	cost     int64 // bytes that one copy adds, about
}

// read takes the first context of the trace in, and how long it is.
func (m *multiplier) read(ctx context.Context) error {
	last := trace.Time(0)
	for e, err := range m.a.FileEvents(ctx, m.a.Files()[0]) {
		if err != nil {
			return err
		}
		switch b := e.Body.(type) {
		case *trace.ContextOptions:
			m.first = b.MonotonicTime
			if m.chunk, err = m.w.StartChunk(b); err != nil {
				return err
			}
			continue
		case *trace.After:
			last = max(last, b.EndTime)
		case *trace.FrameSnapshot:
			m.cost += int64(len(e.Raw)) / 12 // as it deflates
		}
		m.events = append(m.events, e.Body)
	}
	m.span = last - m.first + trace.Milliseconds(500)
	return nil
}

func (m *multiplier) copy(ctx context.Context, n int64) error {
	for _, body := range m.events {
		line, err := trace.AppendBody(nil, body)
		if err != nil {
			return err
		}
		again, err := trace.DecodeBody(line)
		if err != nil {
			return err
		}
		keep, err := m.move(ctx, again, n)
		if err != nil {
			return err
		}
		if !keep {
			continue
		}
		if err := m.chunk.Write(again); err != nil {
			return err
		}
	}
	return nil
}

// move gives an event the ids and times of copy n.
func (m *multiplier) move(ctx context.Context, body trace.Body, n int64) (keep bool, err error) {
	dt := trace.Time(n) * m.span
	id := func(s *string) {
		if *s != "" {
			*s = fmt.Sprintf("%s.%d", *s, n)
		}
	}
	switch b := body.(type) {
	case *trace.Before:
		id(&b.CallID)
		id(&b.ParentID)
		b.StartTime += dt
	case *trace.Input:
		id(&b.CallID)
	case *trace.Log:
		id(&b.CallID)
		b.Time += dt
	case *trace.After:
		id(&b.CallID)
		b.EndTime += dt
	case *trace.Console:
		b.Time += dt
	case *trace.ContextEvent:
		b.Time += dt
	case *trace.FrameSnapshot:
		id(&b.CallID)
		b.Timestamp += dt
	case *trace.ResourceSnapshot:
		b.Entry.MonotonicTime += dt.Milliseconds()
	case *trace.ScreencastFrame:
		b.Timestamp += dt
		if m.lean {
			return false, nil
		}
		b.File, err = m.picture(ctx, b.File, n)
	}
	return true, err
}

// picture writes a picture with a few bytes behind its end, so that no two
// copies are the same file.
func (m *multiplier) picture(ctx context.Context, file string, n int64) (string, error) {
	data, ok := m.pictures[file]
	if !ok {
		rc, err := m.a.Resource(ctx, file)
		if err != nil {
			return file, nil
		}
		defer rc.Close()
		if data, err = io.ReadAll(rc); err != nil {
			return "", err
		}
		m.pictures[file] = data
	}
	if n == 0 {
		m.cost += int64(len(data))
	}
	return m.w.AddResource(binary.LittleEndian.AppendUint64(bytes.Clone(data), uint64(n)), ".jpeg")
}
