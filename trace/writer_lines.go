package trace

import (
	"context"
	"errors"
	"io"
)

// Lines calls do with each line of an entry, numbered from 1, without its end
// and as it is. The line is valid until do returns. Damage is passed to do as
// an error, without a line; what do answers ends the reading and is returned.
func (a *Archive) Lines(ctx context.Context, name string, do func(number int, line []byte, err error) error) error {
	rc, err := a.store.open(ctx, name)
	if err != nil {
		return do(0, nil, err)
	}
	defer rc.Close()
	lines := newLineReader(rc, a.options.MaxLine)
	for {
		if lines.line%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line, err := lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			line = nil
		}
		if derr := do(lines.line, line, err); derr != nil || err != nil && !errors.Is(err, ErrLineTooLong) {
			return derr
		}
	}
}
