package trace

import (
	"errors"
	"fmt"
	"io"
)

// lines copies one entry of lines.
func (c *copying) lines(t *target, f File, name string) error {
	if c.o.Line != nil {
		return c.rawLines(t, name)
	}
	r, err := c.src.ReadFile(c.ctx, f, name)
	if err != nil {
		c.report.warn("W_CUT_OFF", name, "not read: %v", err)
		return nil
	}
	defer r.Close()
	var line copiedLine
	for n := 0; ; n++ {
		if n%256 == 0 && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		e, err := r.Next()
		if err == nil && (passing(e) || line.add(e)) {
			continue
		}
		if werr := c.write(t, &line); werr != nil {
			return c.fail(werr)
		}
		var bad *SyntaxError
		switch {
		case err == nil:
			line.begin(e)
		case err == io.EOF:
			return c.end(t)
		case errors.As(err, &bad):
			if err := c.bad(t, bad); err != nil {
				return err
			}
		default:
			if c.ctx.Err() != nil {
				return c.ctx.Err()
			}
			c.report.warn("W_CUT_OFF", name, "%v", err)
			return c.end(t)
		}
	}
}

// rawLines copies one entry of lines without looking into them.
func (c *copying) rawLines(t *target, name string) error {
	return c.src.Lines(c.ctx, name, func(number int, line []byte, err error) error {
		if err != nil {
			c.report.warn("W_CUT_OFF", name, "%v", err)
			return nil
		}
		out := c.o.Line(name, number, line)
		if out == nil {
			c.report.Dropped++
			return nil
		}
		c.report.Events++
		return c.fail(putLine(t.out, out, false))
	})
}

// passing holds for what a reader adds of its own, and for what counts only
// while it is recorded.
func passing(e *Event) bool {
	switch e.Body.(type) {
	case *ClockAnchor, *Begun:
		return true
	}
	return false
}

func (c *copying) end(t *target) error {
	if t.filter != nil {
		if err := t.filter.End(&FilterOutput{c, t}); err != nil {
			return err
		}
	}
	if t.convert == nil {
		return nil
	}
	return t.convert.release(true, func(b Body) error { return t.putTo(t.out, b) })
}

// copiedLine is a line and the events it became.
type copiedLine struct {
	raw    []byte
	events []*Event
}

// add takes another event of the same line.
func (l *copiedLine) add(e *Event) bool {
	if len(l.events) == 0 || e.Raw != nil || e.Position.Line == 0 || e.Position.Line != l.events[0].Position.Line {
		return false
	}
	l.events = append(l.events, e)
	return true
}

func (l *copiedLine) begin(e *Event) {
	l.raw = append(l.raw[:0], e.Raw...)
	if e.Raw != nil {
		e.Raw = l.raw
	}
	l.events = append(l.events[:0], e)
}

// write writes a line: as it was where nothing of it is changed.
func (c *copying) write(t *target, l *copiedLine) error {
	if len(l.events) == 0 {
		return nil
	}
	events := l.events
	l.events = l.events[:0]
	if t.filter != nil {
		return c.throughFilter(t, events)
	}
	changes := make([]Change, len(events))
	plain := t.convert == nil
	for i, e := range events {
		if c.o.Edit != nil {
			changes[i] = c.o.Edit(e)
		}
		plain = plain && changes[i] == Keep
	}
	if plain {
		if events[0].Position.Line == 0 {
			return nil // an opening line that the file does without
		}
		c.report.Events += len(events)
		for _, e := range events {
			t.note(e.Body)
		}
		return putLine(t.out, l.raw, false)
	}
	for i, e := range events {
		if err := c.writeEvent(t, e, changes[i]); err != nil {
			return err
		}
	}
	return nil
}

// throughFilter passes on the events of one line. One that became several is
// written in the form of several, since parts of it may change.
func (c *copying) throughFilter(t *target, events []*Event) error {
	out := &FilterOutput{c, t}
	for _, e := range events {
		if len(events) > 1 {
			e.Raw = nil
		}
		if err := t.filter.Event(e, out); err != nil {
			return err
		}
	}
	return nil
}

// pass writes what a filter passes on: as it was, where that can be.
func (c *copying) pass(t *target, e *Event, change Change) error {
	if change != Keep || t.convert != nil || e.Raw == nil {
		return c.writeEvent(t, e, change)
	}
	c.report.Events++
	t.note(e.Body)
	return putLine(t.out, e.Raw, false)
}

func (c *copying) writeEvent(t *target, e *Event, change Change) error {
	if _, ok := e.Body.(*Dropped); ok && (change != Keep || t.convert != nil) {
		return nil
	}
	if change == Drop {
		c.report.Dropped++
		return nil
	}
	if change == Changed {
		c.report.Changed++
	}
	c.report.Events++
	body := e.Body
	if t.convert != nil {
		body = t.convert.body(body)
		EachFile(body, func(file *string) { c.rename(*file, t.low.fileName(*file)) })
		return t.convert.order(body, func(b Body) error { return t.putTo(t.out, b) })
	}
	return t.putTo(t.out, body)
}

// rename remembers that an entry gets another name.
func (c *copying) rename(from, to string) {
	if from == to {
		return
	}
	if e, ok := c.src.Resolve(from); ok {
		c.renamed[e.Name] = to
	}
}

// bad copies a line that is no event.
func (c *copying) bad(t *target, bad *SyntaxError) error {
	place := fmt.Sprintf("%s:%d", bad.File, bad.Line)
	if c.o.DropBadLines || t.convert != nil {
		c.report.warn("W_BAD_LINE", place, "left out: %v", bad.Err)
		return nil
	}
	line, err := c.src.Line(c.ctx, bad.Position)
	if err != nil {
		c.report.warn("W_BAD_LINE", place, "left out: %v", bad.Err)
		return nil
	}
	return c.fail(putLine(t.out, line, false))
}
