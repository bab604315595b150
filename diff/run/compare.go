package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/tracedeck/tracedeck/diff/baseline"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/visual"
)

// Policy is what is done about something that keeps a comparison from meaning
// what it should.
type Policy string

const (
	Warn Policy = "warn" // say so and go on
	Fail Policy = "fail" // it is an error
)

// Mask leaves a part of pictures out of the comparison.
type Mask struct {
	// Session and Key say which pictures: path.Match patterns, all if empty.
	Session string `json:"session,omitempty"`
	Key     string `json:"key,omitempty"`
	// Rect is an area of both pictures. Selector is an element, whose box is taken where it lay in each.
	Rect     *visual.Rect `json:"rect,omitempty"`
	Selector string       `json:"selector,omitempty"`
}

func (m *Mask) covers(session, key string) bool {
	return matches(m.Session, session) && matches(m.Key, key)
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return pattern == "" || ok && err == nil
}

// Options say how pictures are compared with their baselines.
type Options struct {
	Visual visual.Options
	Masks  []Mask
	// MissingBaseline is about approved pictures whose bytes cannot be had, OtherRenderer about ones that another
	// renderer made. Both are Warn if empty.
	MissingBaseline Policy
	OtherRenderer   Policy
}

// Comparer compares the pictures of sessions with what was approved. It is for
// one goroutine at a time.
type Comparer struct {
	Manifest *baseline.Manifest
	// Blobs keeps the pictures. What is compared is put into it, so that it can be approved and shown.
	Blobs blob.Store
	// Remote, if not nil, is where blobs are fetched from that Blobs lacks.
	Remote blob.Store
	Options

	visual visual.Comparer
}

// Session compares what was taken in one session. An error is about the
// stores; what is wrong with the pictures is in the answer.
func (c *Comparer) Session(ctx context.Context, id string, t *Taken) (*Session, error) {
	s := &Session{ID: id, Title: t.Title, Warnings: t.Warnings}
	taken := map[string]bool{}
	for _, shot := range t.Shots {
		taken[shot.Key] = true
		p, err := c.picture(ctx, id, t.Renderer, shot)
		if err != nil {
			return nil, err
		}
		s.Pictures = append(s.Pictures, *p)
	}
	for _, key := range c.Manifest.Keys(id) {
		if b, renderer, match := c.Manifest.Find(id, key, t.Renderer); !taken[key] && match >= baseline.Near {
			s.Pictures = append(s.Pictures, Picture{Key: key, Status: Missing, Expected: &b, Baseline: renderer, Agreed: true})
		}
	}
	s.Settle()
	return s, nil
}

// picture compares one picture with its baseline.
func (c *Comparer) picture(ctx context.Context, session string, r baseline.Renderer, shot Shot) (*Picture, error) {
	if _, err := blob.PutBytes(ctx, c.Blobs, shot.Data); err != nil {
		return nil, err
	}
	actual := shot.Baseline
	p := &Picture{Key: shot.Key, Actual: &actual, Seen: []blob.Ref{shot.Digest}, Renderer: r.ID(), Status: New}
	b, id, match := c.Manifest.Find(session, shot.Key, r)
	if match == baseline.None {
		p.warn("W_BASELINE_MISSING", "there is no baseline yet")
		return p, nil
	}
	p.Expected, p.Baseline = &b, id
	if match != baseline.Exact && !c.otherRenderer(p, match, c.Manifest.Renderers[id].Difference(r)) {
		return p, nil
	}
	if b.Digest == shot.Digest {
		p.Status, p.Agreed = Pass, true
		return p, nil
	}
	return p, c.judge(ctx, session, p, &shot)
}

// otherRenderer says what it means that the baseline was made by another
// renderer, and whether to compare all the same.
func (c *Comparer) otherRenderer(p *Picture, match baseline.Match, difference string) bool {
	text := "the baseline was made by another renderer: " + difference
	if c.OtherRenderer == Fail {
		p.Status = Error
		p.fail("E_RENDERER_MISMATCH", text)
		return false
	}
	if match == baseline.Other {
		// Such pictures say nothing about each other.
		p.Status, p.Expected = New, nil
		p.warn("W_RENDERER_MISMATCH", text+"; they are not comparable")
		return false
	}
	p.warn("W_RENDERER_MISMATCH", text)
	return true
}

// judge compares bytes that differ.
func (c *Comparer) judge(ctx context.Context, session string, p *Picture, shot *Shot) error {
	data, err := c.baseline(ctx, p.Expected.Digest)
	var missing *blob.MissingError
	switch {
	case errors.As(err, &missing):
		c.noBytes(p, err)
		return nil
	case err != nil:
		p.Status = Error
		p.fail(codeOf(err), err.Error())
		return ctx.Err()
	}
	result, err := c.compare(ctx, session, data, p, shot)
	p.take(result, err)
	return ctx.Err()
}

func (c *Comparer) noBytes(p *Picture, err error) {
	text := fmt.Sprintf("the approved picture cannot be had: %v", err)
	if c.MissingBaseline == Fail {
		p.Status = Error
		p.fail("E_BASELINE_MISSING", text)
		return
	}
	p.Status = New
	p.warn("W_BASELINE_MISSING", text)
}

// baseline is the bytes of an approved picture, fetched if need be.
func (c *Comparer) baseline(ctx context.Context, ref blob.Ref) ([]byte, error) {
	data, err := blob.ReadAll(ctx, c.Blobs, ref)
	var altered *blob.AlteredError
	if err == nil || c.Remote == nil || !errors.Is(err, blob.ErrMissing) && !errors.As(err, &altered) {
		return data, err
	}
	if _, err := blob.Mend(ctx, c.Blobs, c.Remote, ref); err != nil {
		return nil, err
	}
	return blob.ReadAll(ctx, c.Blobs, ref)
}

func (c *Comparer) compare(ctx context.Context, session string, expected []byte, p *Picture, shot *Shot) (visual.Result, error) {
	a, b := visual.Bytes(expected), visual.Bytes(shot.Data)
	a.Name, b.Name = "baseline of "+shot.Key, shot.Key
	return c.visual.Compare(ctx, a, b, c.options(session, p, shot))
}

// options are those for one picture, with the masks that lie on it.
func (c *Comparer) options(session string, p *Picture, shot *Shot) visual.Options {
	o := c.Visual
	o.Masks = slices.Clone(o.Masks)
	for _, m := range c.Masks {
		if !m.covers(session, shot.Key) {
			continue
		}
		if m.Rect != nil {
			o.Masks = append(o.Masks, visual.SameMask(*m.Rect))
		}
		if m.Selector != "" {
			if _, ok := shot.Boxes[m.Selector]; !ok && len(p.Warnings) == 0 {
				p.warn("W_MASK_UNPLACED", fmt.Sprintf("mask %q was left out: the trace does not say where the element lay", m.Selector))
			}
			o.Masks = append(o.Masks, follow(m.Selector, p.Expected, &shot.Baseline)...)
		}
	}
	return o
}

// follow is where an element lay in both pictures.
func follow(selector string, expected, actual *baseline.Baseline) []visual.Mask {
	var masks []visual.Mask
	for _, r := range expected.Boxes[selector] {
		masks = append(masks, visual.Mask{A: r})
	}
	for _, r := range actual.Boxes[selector] {
		masks = append(masks, visual.Mask{B: r})
	}
	return masks
}

// take fills in the outcome of a comparison.
func (p *Picture) take(r visual.Result, err error) {
	var sizes *visual.SizeError
	switch {
	case errors.As(err, &sizes):
		p.Status, p.Result = Error, &sizes.Result
		text := err.Error()
		if why := sizes.Result.Explain(); why != "" {
			text += "; aligned: " + why
		}
		p.fail(sizes.Code(), text)
	case err != nil:
		p.Status = Error
		p.fail(codeOf(err), err.Error())
	default:
		p.Result = &r
		p.Status, p.Agreed = Diff, r.Pass
		if r.Pass {
			p.Status = Pass
		} else {
			p.Exceeded = 1
		}
	}
}

func codeOf(err error) string {
	var coded interface{ Code() string }
	if errors.As(err, &coded) && coded.Code() != "" {
		return coded.Code()
	}
	return "E_COMPARE"
}

func (p *Picture) warn(code, text string) {
	p.Warnings = append(p.Warnings, Remark{Code: code, Message: text})
}

func (p *Picture) fail(code, text string) {
	p.Errors = append(p.Errors, Remark{Code: code, Message: text})
}

// Draw writes the picture of the differences of one picture of a run.
func (c *Comparer) Draw(ctx context.Context, w io.Writer, session string, p *Picture) error {
	a, err := c.baseline(ctx, p.Expected.Digest)
	if err != nil {
		return err
	}
	b, err := blob.ReadAll(ctx, c.Blobs, p.Actual.Digest)
	if err != nil {
		return err
	}
	o := c.options(session, p, &Shot{Key: p.Key, Baseline: *p.Actual})
	o.Sizes = visual.SizesDiffer
	var buf bytes.Buffer
	if _, err := visual.Draw(ctx, &buf, visual.Bytes(a), visual.Bytes(b), o, visual.DefaultDrawOptions()); err != nil {
		return err
	}
	_, err = w.Write(buf.Bytes())
	return err
}
