package diff

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/diff/dom"
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace"
)

// maxImage is the longest encoded picture that is read from a trace, in bytes.
const maxImage = 64 << 20

// Image is a picture that a trace holds. Its archive must be open when it is
// read.
type Image struct {
	digest string // of the bytes, if it is known
	name   string
	size   int64
	open   func(context.Context) (io.ReadCloser, error)
}

// Data returns the encoded bytes: PNG, JPEG or WebP, as they were recorded.
func (i *Image) Data(ctx context.Context) ([]byte, error) {
	r, err := i.open(ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxImage+1))
	if err == nil && len(data) > maxImage {
		err = fmt.Errorf("picture %s is longer than %d MiB", i.name, maxImage>>20)
	}
	return data, err
}

// picture is what the comparison reads.
func (i *Image) picture(ctx context.Context) visual.Picture {
	p := visual.Reader(i.name, i.size, func() (io.ReadCloser, error) { return i.open(ctx) })
	p.Digest = i.digest
	return p
}

// StepPicture is a picture that goes with a step, in one trace or in both.
type StepPicture struct {
	// Name is that of the attachment, and empty for the picture of the page after the step.
	Name string
	// A and B are nil where the trace has no such picture.
	A, B *Image
	// Result is how they differ: nil if they are as equal as the options ask for, or were not compared.
	Result *visual.Result
	// Film is whether they are frames of the screencast: of about that moment, and so not compared.
	Film bool
	// Problem says why they cannot be compared.
	Problem string
}

// Pictures returns the pictures of pair n: those that the recorder took after
// the step and those that are attached to it, compared, or else a frame of the
// screencast.
func (c *Comparer) Pictures(ctx context.Context, n int) ([]StepPicture, error) {
	p := c.align.Pairs[n]
	list, err := c.compared(ctx, p)
	if err != nil || len(list) > 0 {
		return list, err
	}
	film := StepPicture{A: c.film(0, p.A), B: c.film(1, p.B), Film: true}
	if film.A == nil && film.B == nil {
		return nil, nil
	}
	return []StepPicture{film}, nil
}

// compared are the pictures of a pair, by name.
func (c *Comparer) compared(ctx context.Context, p Pair) ([]StepPicture, error) {
	var list []StepPicture
	for side, s := range []*Step{p.A, p.B} {
		for _, image := range c.images(ctx, side, s) {
			i := slices.IndexFunc(list, func(x StepPicture) bool { return x.Name == image.name })
			if i < 0 {
				list, i = append(list, StepPicture{Name: image.name}), len(list)
			}
			if side == 0 {
				list[i].A = image
			} else {
				list[i].B = image
			}
		}
	}
	for i := range list {
		if err := c.judge(ctx, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (c *Comparer) judge(ctx context.Context, s *StepPicture) error {
	if s.A == nil || s.B == nil {
		return nil
	}
	if a, b := c.stamps[0], c.stamps[1]; a != b && a != "" && b != "" {
		s.Problem = fmt.Sprintf("not compared: taken by %s and by %s", a, b)
		return nil
	}
	c.visualMu.Lock()
	r, err := c.visual.Compare(ctx, s.A.picture(ctx), s.B.picture(ctx), c.o.pixels())
	c.visualMu.Unlock()
	var sizes *visual.SizeError
	var broken *visual.PictureError
	switch {
	case errors.As(err, &sizes):
		s.Result = &sizes.Result
	case errors.As(err, &broken):
		s.Problem = broken.Error()
	case err != nil:
		return err
	case !r.Pass:
		s.Result = &r
	}
	return nil
}

// pairPicture compares the pictures of the moment after a step.
func (c *Comparer) pairPicture(ctx context.Context, p Pair) (Section, error) {
	if !c.wants(Screenshots) {
		return unrecorded(Screenshots, false, false), nil
	}
	list, err := c.compared(ctx, p)
	if err != nil {
		return Section{}, err
	}
	inA := slices.ContainsFunc(list, func(s StepPicture) bool { return s.A != nil })
	inB := slices.ContainsFunc(list, func(s StepPicture) bool { return s.B != nil })
	if !inA || !inB {
		return unrecorded(Screenshots, inA, inB), nil
	}
	var changes []Change
	var first *visual.Result
	note := ""
	for _, s := range list {
		if s.Problem != "" {
			note = s.Problem
			changes = append(changes, Change{Kind: ChangeValue, Effect: unclear, What: "picture", Path: s.Name, Note: s.Problem})
		} else if ch, ok := s.change(); ok {
			changes = append(changes, ch)
		}
		if first == nil {
			first = s.Result
		}
	}
	section := section(Screenshots, changes)
	section.Picture, section.Note = first, note
	return section, nil
}

// change is what differs; ok is false for nothing.
func (s *StepPicture) change() (ch Change, ok bool) {
	ch = Change{Kind: kindOf(s.A != nil, s.B != nil), Effect: neutral, What: "picture", Path: s.Name}
	if s.A == nil || s.B == nil {
		return ch, true
	}
	if s.Result == nil {
		return ch, false
	}
	ch.What, ch.CountA, ch.CountB, ch.Note = "pixels", s.Result.Limit, s.Result.Counted, s.Result.Explain()
	if ch.Note == "" {
		ch.Note = string(s.Result.Class)
	}
	return ch, true
}

// images are a step's own pictures: the recorder's of the moment after it, and
// those that are attached.
func (c *Comparer) images(ctx context.Context, side int, s *Step) []*Image {
	if s == nil {
		return nil
	}
	var list []*Image
	if i := c.after(ctx, side, s); i != nil {
		list = append(list, i)
	}
	count := map[string]int{}
	for _, at := range s.action.Attachments {
		name, ok := PictureName(at)
		if !ok {
			continue
		}
		if count[name]++; count[name] > 1 {
			name = fmt.Sprintf("%s#%d", name, count[name])
		}
		if i := c.attached(side, name, at); i != nil {
			list = append(list, i)
		}
	}
	return list
}

// PictureName returns by which name an attachment is compared; ok is false if
// it is not a picture of the page. Of what a failed toHaveScreenshot attaches
// it is only the actual one.
func PictureName(at trace.Attachment) (name string, ok bool) {
	if !strings.HasPrefix(at.ContentType, "image/") {
		return "", false
	}
	name = at.Name
	for _, ext := range []string{".png", ".jpg", ".jpeg", ".webp"} {
		name = strings.TrimSuffix(name, ext)
	}
	if strings.HasSuffix(name, "-expected") || strings.HasSuffix(name, "-diff") || strings.HasSuffix(name, "-previous") {
		return "", false
	}
	return strings.TrimSuffix(name, "-actual"), true
}

func (c *Comparer) attached(side int, name string, at trace.Attachment) *Image {
	if at.File != "" {
		return c.imageIn(side, name, at.File)
	}
	if at.Base64 == "" {
		return nil
	}
	return &Image{name: name, open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(base64.NewDecoder(base64.StdEncoding, strings.NewReader(at.Base64))), nil
	}}
}

// imageIn is a picture among the resources of a trace, and nil if it is not
// there.
func (c *Comparer) imageIn(side int, name, file string) *Image {
	archive := c.sides[side].Archive
	e, ok := archive.Resolve(file)
	if !ok {
		return nil
	}
	i := &Image{name: name, size: e.Size, open: func(ctx context.Context) (io.ReadCloser, error) { return archive.Resource(ctx, file) }}
	if path.Dir(file) == "resources" {
		i.digest = path.Base(file) // the name is a hash of the bytes
	}
	return i
}

// after is the picture that was taken when the step had ended.
func (c *Comparer) after(ctx context.Context, side int, s *Step) *Image {
	for _, shot := range s.action.Screenshots {
		if shot.Phase != trace.PhaseAfter {
			continue
		}
		if i := c.imageIn(side, "", shot.File); i != nil {
			return i
		}
	}
	return c.snapshotImage(ctx, side, s)
}

// snapshotImage is the picture of a step whose recorder writes pictures in
// place of pages.
func (c *Comparer) snapshotImage(ctx context.Context, side int, s *Step) *Image {
	list := after(s)
	if len(list) == 0 {
		return nil
	}
	pages, err := c.snapshots(ctx, side)
	if err != nil || !pages.Picture(list[0].Position) {
		return nil
	}
	snap, err := c.sides[side].Archive.SnapshotAt(ctx, list[0].Position)
	if err != nil {
		return nil
	}
	data := dom.PictureData(snap.HTML)
	if data == nil {
		return nil
	}
	return &Image{size: int64(len(data)), open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// film is the frame of the screencast that was shown when a step had ended.
func (c *Comparer) film(side int, s *Step) *Image {
	if s == nil {
		return nil
	}
	var best *trace.Picture
	for _, f := range c.sides[side].Trace.Frames {
		if s.action.PageID != "" && f.PageID != "" && trace.PageKey(f.PageID) != trace.PageKey(s.action.PageID) {
			continue
		}
		if best != nil && f.Time > s.End {
			break
		}
		best = f
	}
	if best == nil {
		return nil
	}
	return c.imageIn(side, "", best.File)
}

// pictured reports whether a step has a picture that can be compared.
func pictured(s *Step) bool {
	return slices.ContainsFunc(s.action.Screenshots, func(shot *trace.Screenshot) bool { return shot.Phase == trace.PhaseAfter }) ||
		slices.ContainsFunc(s.action.Attachments, func(at trace.Attachment) bool { _, ok := PictureName(at); return ok })
}
