package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// PackReport says what a zip was made of.
type PackReport struct {
	Entries  int
	Warnings []Warning
}

// Pack makes the zip out of the folder dir: one that a [Writer] or Playwright
// recorded into, also one whose recorder died. A last line that is only half
// there is left out, with a warning. The folder stays as it is.
func Pack(ctx context.Context, dir, out string) (*PackReport, error) {
	names, err := folderFiles(dir, out)
	if err != nil {
		return nil, err
	}
	p := &packing{ctx: ctx, dir: dir}
	return &p.report, p.toFile(out, func() error { return p.all(names) })
}

// Pack stops the chunk, unless it is stopped already, and makes a zip of it:
// its events, the resources they name, and the sources. Only a folder's chunks
// can be packed.
func (c *Chunk) Pack(ctx context.Context, out string) (*PackReport, error) {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	s, ok := c.w.out.(*folderSink)
	if !ok {
		return nil, fmt.Errorf("%s: only chunks of a folder can be packed", c.prefix)
	}
	if err := c.w.keep(c.stop()); err != nil {
		return nil, err
	}
	p := &packing{ctx: ctx, dir: s.dir}
	return &p.report, p.toFile(out, func() error { return p.chunk(c) })
}

// packing is one run of making a zip of files.
type packing struct {
	ctx    context.Context
	dir    string
	out    *zipOut
	report PackReport
}

func (p *packing) toFile(out string, write func() error) error {
	f, err := createBeside(out)
	if err != nil {
		return err
	}
	p.out = newZipOut(f)
	err = write()
	if err == nil {
		err = p.out.finish()
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
		return fmt.Errorf("%s: %w", out, err)
	}
	return publish(f)
}

func (p *packing) all(names []string) error {
	for _, name := range names {
		if err := p.entry(name, name); err != nil {
			return err
		}
	}
	return nil
}

func (p *packing) chunk(c *Chunk) error {
	files := map[string]bool{}
	for name := range c.refs {
		files[name] = c.w.have[name]
	}
	networks := []*Chunk{c}
	if c.w.o.CumulativeNetwork {
		networks = c.w.chunksUpTo(c)
	}
	var parts []string
	for _, n := range networks {
		parts = append(parts, n.prefix+".network")
		for name := range n.netRefs {
			files[name] = c.w.have[name]
		}
	}
	for name := range c.w.have {
		if !strings.HasPrefix(name, "resources/") && path.Ext(name) != ".trace" && path.Ext(name) != ".network" {
			files[name] = path.Ext(name) != ".stacks" || name == c.prefix+".stacks"
		}
	}
	if err := p.entry(c.prefix+".trace", c.prefix+".trace"); err != nil {
		return err
	}
	if err := p.entry(c.prefix+".network", parts...); err != nil {
		return err
	}
	return p.all(sortedTrue(files))
}

func (w *Writer) chunksUpTo(c *Chunk) []*Chunk {
	for i, other := range w.chunks {
		if other == c {
			return w.chunks[:i+1]
		}
	}
	return nil
}

func sortedTrue(set map[string]bool) (names []string) {
	for name, in := range set {
		if in {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// entry writes an entry of one file or several, one after another.
func (p *packing) entry(name string, files ...string) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	p.report.Entries++
	if ext := path.Ext(name); ext == ".trace" || ext == ".network" {
		return p.lines(name, files)
	}
	f, err := os.Open(filepath.Join(p.dir, filepath.FromSlash(files[0])))
	if err != nil {
		return err
	}
	defer f.Close()
	return p.out.stream(name, f)
}

func (p *packing) lines(name string, files []string) error {
	d := newDeflater()
	for _, file := range files {
		if err := p.copyLines(d, file); err != nil {
			d.discard()
			return err
		}
	}
	return p.out.deflated(name, d)
}

// copyLines copies a file but for a last line that is not whole. A last line
// without an end is whole where it is JSON: test runners write none.
func (p *packing) copyLines(w io.Writer, file string) error {
	f, err := os.Open(filepath.Join(p.dir, filepath.FromSlash(file)))
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	last, err := lastLine(f, size)
	if err != nil {
		return err
	}
	whole := io.Reader(io.NewSectionReader(f, 0, size-int64(len(last))))
	if len(last) == 0 {
		return (&announcements{out: w}).copy(whole)
	}
	if _, bad := rawjson.Parse(last); bad == nil {
		return (&announcements{out: w}).copy(io.MultiReader(whole, bytes.NewReader(last), bytes.NewReader(lineEnd)))
	}
	if err := (&announcements{out: w}).copy(whole); err != nil {
		return err
	}
	p.report.Warnings = append(p.report.Warnings, Warning{Code: "W_HALF_LINE", Place: file,
		Text: fmt.Sprintf("the last line was not whole and is left out (%d bytes): the recorder was interrupted", len(last))})
	return nil
}

// lastLine returns what stands behind the last line end.
func lastLine(f io.ReaderAt, size int64) ([]byte, error) {
	for n := int64(64 << 10); ; n *= 4 {
		n = min(n, size)
		tail := make([]byte, n)
		if _, err := f.ReadAt(tail, size-n); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if i := bytes.LastIndexByte(tail, '\n'); i >= 0 {
			return tail[i+1:], nil
		}
		if n == size || n > DefaultMaxLine {
			return tail, nil
		}
	}
}

// folderFiles lists what a zip of the folder holds: events first, then the
// rest, by name. Files that are not whole yet are left out.
func folderFiles(dir, out string) ([]string, error) {
	var names []string
	events := 0
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.HasSuffix(name, ".partial") || sameFile(filepath.Join(dir, name), out) {
			return err
		}
		if path.Ext(name) == ".trace" {
			events++
		}
		names = append(names, name)
		return nil
	})
	if err == nil && events == 0 {
		err = hintedError{ErrNoTrace, "a folder that was recorded into holds a .trace file"}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	sort.SliceStable(names, func(i, j int) bool {
		ri, rj := entryRank(names[i]), entryRank(names[j])
		return ri < rj || ri == rj && names[i] < names[j]
	})
	return names, nil
}

func sameFile(a, b string) bool {
	x, err := filepath.Abs(a)
	y, err2 := filepath.Abs(b)
	return err == nil && err2 == nil && x == y
}

func entryRank(name string) int {
	switch path.Ext(name) {
	case ".trace":
		return 0
	case ".network":
		return 1
	case ".stacks":
		return 2
	}
	return 3
}
