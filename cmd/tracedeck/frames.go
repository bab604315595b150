package main

import (
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/contactsheet"
)

type framesFlags struct {
	out   string
	every bool
	most  int
	page  string
	sheet contactsheet.Options
}

func framesCommand() *command {
	return &command{name: "frames", args: "TRACE", short: "list the pictures of the screencast, or put them on one PNG",
		long: `Pictures that repeat the one before are left out unless --every asks for them.`,
		examples: []example{
			{"tracedeck frames trace.zip", "the list: time, page, entry"},
			{"tracedeck frames -o film.png trace.zip", "a contact sheet of the whole session"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			var o framesFlags
			fs.StringVarP(&o.out, "output", "o", "", "write a contact sheet to this PNG; - for standard output")
			fs.BoolVar(&o.every, "every", false, "pictures that repeat the one before, too")
			fs.IntVar(&o.most, "most", 60, "how many pictures the sheet has at the most, spread over the session")
			fs.StringVar(&o.page, "page", "", "only pictures of this page")
			fs.IntVar(&o.sheet.Columns, "columns", 0, "pictures in a row; 0 chooses")
			fs.IntVar(&o.sheet.Width, "width", 320, "of one picture, in pixels")
			fs.BoolVar(&o.sheet.Dark, "dark", false, "on a dark ground")
			return func(ctx context.Context, env *env, args []string) (int, error) { return frames(ctx, env, o, args) }
		}}
}

// frameRecord is one picture in the answer of "frames --json".
type frameRecord struct {
	Time    float64 `json:"time"` // milliseconds since the start of the trace
	Page    string  `json:"page"`
	File    string  `json:"file"`
	Width   float64 `json:"width"`
	Height  float64 `json:"height"`
	Repeats bool    `json:"repeats,omitempty"` // shows the same as the picture before
	Missing bool    `json:"missing,omitempty"`
}

func frames(ctx context.Context, env *env, o framesFlags, args []string) (int, error) {
	a, t, err := env.loadTrace(ctx, args)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	list := o.pictures(a, t)
	if o.out != "" {
		return exitOK, drawSheet(ctx, env, a, t, o, list)
	}
	if env.json {
		return exitOK, env.printJSON(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(env.err, "no pictures")
		return exitOK, nil
	}
	tb := table{head: []string{"time", "page", "size", "file"}, right: map[int]bool{0: true}, flex: 3}
	for _, f := range list {
		file := plain(f.File)
		switch {
		case f.Missing:
			file = colored(red, f.File+" (missing)")
		case f.Repeats:
			file = colored(dim, f.File+" (repeats)")
		}
		tb.add(plain(offset(time.Duration(f.Time*1e6))), plain(shortID(f.Page)), plain(fmt.Sprintf("%.0f×%.0f", f.Width, f.Height)), file)
	}
	return exitOK, tb.print(env)
}

func shortID(id string) string {
	const most = 13
	if len(id) <= most {
		return id
	}
	return id[:most] + "…"
}

// pictures lists the frames. Whether one repeats another is told by what the
// zip says of their bytes, without reading them.
func (o framesFlags) pictures(a *trace.Archive, t *trace.Trace) []frameRecord {
	list := []frameRecord{}
	last := map[string]trace.Entry{}
	for _, f := range t.Frames {
		if o.page != "" && trace.PageKey(o.page) != trace.PageKey(f.PageID) {
			continue
		}
		rec := frameRecord{Time: f.Time.Milliseconds(), Page: f.PageID, File: f.File, Width: f.Width, Height: f.Height}
		e, ok := a.Resolve(f.File)
		before, seen := last[f.PageID]
		rec.Missing = !ok
		rec.Repeats = ok && seen && sameBytes(before, e)
		if ok {
			last[f.PageID] = e
		}
		if !rec.Repeats || o.every {
			list = append(list, rec)
		}
	}
	return list
}

func sameBytes(a, b trace.Entry) bool {
	return a.Name == b.Name || a.CRC32 != 0 && a.CRC32 == b.CRC32 && a.Size == b.Size
}

func drawSheet(ctx context.Context, env *env, a *trace.Archive, t *trace.Trace, o framesFlags, list []frameRecord) error {
	if len(list) == 0 {
		return withHint(errors.New("the trace has no screencast"), "it was recorded without screenshots; tracedeck snapshot draws DOM snapshots")
	}
	var cells []contactsheet.Frame
	for _, f := range spread(list, o.most) {
		at := trace.Time(f.Time * 1e6)
		label, bad := during(t, at)
		cells = append(cells, contactsheet.Frame{Time: time.Duration(at), Label: label, Bad: bad,
			Open: func(ctx context.Context) (io.ReadCloser, error) { return a.Resource(ctx, f.File) }})
	}
	img, problems, err := contactsheet.Draw(ctx, cells, o.sheet)
	if err != nil {
		return err
	}
	for _, p := range problems {
		env.warn("%v", p.Err)
	}
	err = writeOutput(env, o.out, func(w io.Writer) error { return png.Encode(w, img) })
	if err == nil {
		env.report("%s: %d of %s", o.out, len(cells), plural(len(t.Frames), "picture"))
	}
	return err
}

// spread picks n of the list, evenly, the first and the last among them.
func spread(list []frameRecord, n int) []frameRecord {
	if n <= 0 || len(list) <= n {
		return list
	}
	if n == 1 {
		return list[len(list)-1:]
	}
	picked := make([]frameRecord, n)
	for i := range picked {
		picked[i] = list[i*(len(list)-1)/(n-1)]
	}
	return picked
}

// during returns what was being done at a moment, and whether it failed.
func during(t *trace.Trace, at trace.Time) (label string, failed bool) {
	for _, a := range t.Actions {
		if a.Kind == trace.KindCall && a.Start <= at && at <= a.End {
			label, failed = a.Title().String(), a.Error != nil
		}
	}
	return printable(label), failed
}
