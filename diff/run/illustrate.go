package run

import (
	"bytes"
	"context"
	"os"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace"
)

// Illustrate writes into a session's new trace, the zip at path, what its
// pictures were compared with: beside each that differs the approved one and
// the differing pixels, named as toHaveScreenshot names them, so that
// Playwright's viewer shows them as comparisons. A trace without such pictures
// stays as it is. Its picture keeps its key for [Shots].
func (c *Comparer) Illustrate(ctx context.Context, path string, s *Session) error {
	plates, err := c.plates(ctx, s)
	if err != nil || len(plates) == 0 {
		return err
	}
	a, err := trace.Open(ctx, path, trace.Options{})
	if err != nil {
		return err
	}
	defer a.Close()
	temp := path + ".illustrated"
	w, err := trace.CreateZip(temp, trace.WriterOptions{})
	if err != nil {
		return err
	}
	defer w.Discard()
	for _, p := range plates {
		if err := p.store(w); err != nil {
			return err
		}
	}
	edit := func(e *trace.Event) trace.Change {
		if after, ok := e.Body.(*trace.After); ok {
			if list := attach(after.Attachments, plates); len(list) > len(after.Attachments) {
				after.Attachments = list
				return trace.Changed
			}
		}
		return trace.Keep
	}
	if _, err := trace.Copy(ctx, w, a, trace.CopyOptions{Edit: edit}); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

// plate is what goes beside a picture.
type plate struct {
	expected, diff         []byte // diff is empty where none can be drawn
	expectedFile, diffFile string // in the archive
}

// plates are those of the pictures that differ, by key.
func (c *Comparer) plates(ctx context.Context, s *Session) (map[string]*plate, error) {
	all := map[string]*plate{}
	for i := range s.Pictures {
		p := &s.Pictures[i]
		if p.Status != Diff && p.Status != Flaky && p.Status != Error || p.Expected == nil || p.Actual == nil {
			continue
		}
		data, err := c.baseline(ctx, p.Expected.Digest)
		if err != nil {
			continue // that it cannot be had is told already
		}
		var drawn bytes.Buffer
		if err := c.Draw(ctx, &drawn, s.ID, p); err != nil {
			drawn.Reset()
		}
		all[p.Key] = &plate{expected: data, diff: drawn.Bytes()}
	}
	return all, ctx.Err()
}

func (p *plate) store(w *trace.Writer) (err error) {
	if p.expectedFile, err = w.AddResource(p.expected, ".png"); err != nil || len(p.diff) == 0 {
		return err
	}
	p.diffFile, err = w.AddResource(p.diff, ".png")
	return err
}

// attach adds plates behind the pictures that they belong to.
func attach(list []trace.Attachment, plates map[string]*plate) []trace.Attachment {
	var out []trace.Attachment
	for _, at := range list {
		key, ok := diff.PictureName(at)
		p := plates[key]
		if !ok || p == nil {
			out = append(out, at)
			continue
		}
		at.Name = key + actual + ".png"
		out = append(out, at, trace.Attachment{Name: key + expected + ".png", ContentType: "image/png", File: p.expectedFile})
		if p.diffFile != "" {
			out = append(out, trace.Attachment{Name: key + diffed + ".png", ContentType: "image/png", File: p.diffFile})
		}
	}
	return out
}
