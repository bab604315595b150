package diff

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path"

	"github.com/tracedeck/tracedeck/diff/dom"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// pairPicture compares the pictures after a step: full ones where both traces
// have them. Pictures of a screencast are not of a certain moment, and are not
// compared.
func (c *Comparer) pairPicture(ctx context.Context, p Pair) (Section, error) {
	if !c.wants(Screenshots) {
		return unrecorded(Screenshots, false, false), nil
	}
	a, inA := c.picture(ctx, 0, p.A)
	b, inB := c.picture(ctx, 1, p.B)
	if !inA || !inB {
		return unrecorded(Screenshots, inA, inB), nil
	}
	c.visualMu.Lock()
	r, err := c.visual.Compare(ctx, a, b, c.o.pixels())
	c.visualMu.Unlock()
	var sizes *visual.SizeError
	var broken *visual.PictureError
	switch {
	case errors.As(err, &sizes):
		r = sizes.Result
	case errors.As(err, &broken):
		s := unrecorded(Screenshots, true, true)
		s.Note = broken.Error()
		return s, nil
	case err != nil:
		return Section{}, err
	}
	return pictureSection(r), nil
}

func pictureSection(r visual.Result) Section {
	s := section(Screenshots, nil)
	if r.Pass && r.Class != visual.Changed {
		return s
	}
	if r.Pass {
		return s
	}
	s.Picture = &r
	s.Verdict = verdict.Changed
	note := r.Explain()
	if note == "" {
		note = string(r.Class)
	}
	s.Changes = []Change{{Kind: ChangeValue, Effect: neutral, What: "pixels", CountA: r.Limit, CountB: r.Counted, Note: note}}
	return s
}

// picture returns the full picture of the page after a step.
func (c *Comparer) picture(ctx context.Context, side int, s *Step) (visual.Picture, bool) {
	archive := c.sides[side].Archive
	for _, shot := range s.action.Screenshots {
		if shot.Phase != trace.PhaseAfter {
			continue
		}
		e, ok := archive.Resolve(shot.File)
		if !ok {
			continue
		}
		p := visual.Reader(s.Title, e.Size, func() (io.ReadCloser, error) { return archive.Resource(ctx, shot.File) })
		if path.Dir(shot.File) == "resources" {
			p.Digest = path.Base(shot.File) // the name is a hash of the bytes
		}
		return p, true
	}
	return c.snapshotPicture(ctx, side, s)
}

// snapshotPicture returns the picture that Vibium keeps in the place of a
// snapshot.
func (c *Comparer) snapshotPicture(ctx context.Context, side int, s *Step) (none visual.Picture, ok bool) {
	list := after(s)
	if len(list) == 0 {
		return none, false
	}
	pages, err := c.snapshots(ctx, side)
	if err != nil || !pages.Picture(list[0].Position) {
		return none, false
	}
	snap, err := c.sides[side].Archive.SnapshotAt(ctx, list[0].Position)
	if err != nil {
		return none, false
	}
	data := dom.PictureData(snap.HTML)
	if data == nil {
		return none, false
	}
	return visual.Reader(s.Title, int64(len(data)), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }), true
}
