package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/diff/visual"
)

type diffFlags struct {
	visual.Options
	metric   string
	out      string
	masks    []string
	allow    []string
	maxRatio string
	sizes    bool
	traces   traceDiffFlags
}

func diffCommand() *command {
	return &command{name: "diff", brief: true, args: "A [B]", short: "compare two traces, two folders of traces, or two pictures",
		long: `Traces: steps are aligned and marked = the same, ~ changed, − only in A, + only
in B; each section (errors, console, network, pages, pictures, times …) gets a
verdict. Ids, times, tokens and hashes are masked by rules, which are listed with
what they hid; --rules adds some, replaces them or switches them off. The traces
of two folders are paired by path, then by title. The exit code is 0 when all is
the same, 1 when not, 2 when they cannot be compared.

One trace: its pictures are compared with those that the project approved for
the session of the same file name; see tracedeck ci.

Pictures: PNG, JPEG and WebP are read. The count is that of pixelmatch, at equal
places; the class says whether rows only moved. The exit code is 0 when no more
differs than is allowed, 1 when more does, 2 when they cannot be compared, such
as when their sizes differ and --sizes-differ is not set.`,
		examples: []example{
			{"tracedeck diff before.zip after.zip", "what changed between two runs, step by step"},
			{"tracedeck diff --markdown main-results/ pr-results/ > comment.md", "every test of two runs, as a comment for a pull request"},
			{"tracedeck diff --html -o diff.html before.zip after.zip", "a page to look at, with the pictures of the steps"},
			{"tracedeck diff --rules rules.json --skip performance a.zip b.zip", "with rules of your own, and without times"},
			{"tracedeck diff replay/login.zip", "its pictures against the approved ones"},
			{"tracedeck diff before.png after.png", "what is different, in words and numbers"},
			{"tracedeck diff before.png after.png -o diff.png", "a picture of the differences too"},
			{"tracedeck diff --max-pixels 50 --mask 0,0,200x40 a.png b.png", "allow a little, and leave the clock out"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			o := diffFlags{Options: visual.DefaultOptions()}
			o.traces.bind(fs)
			fs.StringVar(&o.metric, "metric", string(o.Metric), "of pictures: pixelmatch7, pixelmatch5 or oklab")
			fs.Float64Var(&o.Threshold, "threshold", o.Threshold, "how far two colours may be apart to count as equal, 0 to 1")
			fs.BoolVar(&o.IncludeAA, "include-aa", false, "count pixels that look like anti-aliasing too")
			fs.IntVar(&o.MaxPixels, "max-pixels", visual.Unlimited, "pixels that may differ; -1 is no limit of this kind")
			fs.StringVar(&o.maxRatio, "max-ratio", "", "share of all pixels that may differ, such as 0.01 or 1%")
			fs.IntVar(&o.Window, "window", 0, "hold the limits against the largest count in any square of so many pixels a side")
			fs.StringSliceVar(&o.allow, "allow", nil, "classes that pass: anti-aliasing, moved, changed")
			fs.StringArrayVar(&o.masks, "mask", nil, "area whose content does not matter: x,y,WIDTHxHEIGHT")
			fs.BoolVar(&o.sizes, "sizes-differ", false, "take different sizes for a difference instead of an error; of traces always")
			fs.StringVarP(&o.out, "output", "o", "", "write a picture of the differences, or the answer of traces, to a file; - for standard output")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				args = o.traces.takeJUnit(args)
				if slices.ContainsFunc(args, isPicture) {
					return diffPictures(ctx, env, o, args)
				}
				holdSignals(ctx)
				if len(args) == 1 {
					return diffApproved(ctx, env, o, args[0])
				}
				return diffTraces(ctx, env, o, args)
			}
		}}
}

// pictureDiff is the answer of "diff --json" for two pictures.
type pictureDiff struct {
	First  string `json:"first"`
	Second string `json:"second"`
	visual.Result
}

func diffPictures(ctx context.Context, env *env, o diffFlags, args []string) (int, error) {
	if len(args) != 2 {
		return 0, usageError("which two pictures?")
	}
	if o.traces.markdown || o.traces.html || o.traces.junit != "" {
		return 0, usageError("--markdown, --junit and --html are for traces; of two pictures there are text, --json, and a picture with -o")
	}
	if err := o.settle(); err != nil {
		return 0, err
	}
	if o.out == "" {
		ctx = context.Background() // leaves nothing behind, so that signals need not be held
	}
	r, err := o.compare(ctx, env, args[0], args[1])
	switch {
	case errors.Is(err, os.ErrNotExist), errors.Is(err, syscall.EISDIR):
		return 0, withHint(err, "check the path; pictures are PNG, JPEG or WebP files")
	case err != nil:
		return 0, explainSizes(err)
	}
	code := exitOK
	if !r.Pass {
		code = exitFound
	}
	if env.json {
		return code, env.printJSON(pictureDiff{args[0], args[1], r})
	}
	printDiff(env, o.out, r)
	return code, nil
}

func (o *diffFlags) settle() error {
	o.Metric = visual.Metric(o.metric)
	if o.sizes {
		o.Sizes = visual.SizesDiffer
	}
	for _, c := range o.allow {
		o.Allow = append(o.Allow, visual.Class(c))
	}
	for _, text := range o.masks {
		var r visual.Rect
		if n, _ := fmt.Sscanf(text, "%d,%d,%dx%d", &r.X, &r.Y, &r.Width, &r.Height); n != 4 {
			return usageError("--mask %q: it is written x,y,WIDTHxHEIGHT, such as 0,0,200x40", text)
		}
		o.Masks = append(o.Masks, visual.SameMask(r))
	}
	if o.maxRatio == "" {
		return o.Validate()
	}
	number, percent := strings.CutSuffix(o.maxRatio, "%")
	ratio, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return usageError("--max-ratio %q: such as 0.01 or 1%%", o.maxRatio)
	}
	if percent {
		ratio /= 100
	}
	o.MaxRatio = ratio
	return o.Validate()
}

func (o *diffFlags) compare(ctx context.Context, env *env, a, b string) (visual.Result, error) {
	if o.out != "" && (same(a, o.out) || same(b, o.out)) {
		return visual.Result{}, withHint(fmt.Errorf("%s is a picture that is compared", o.out), "give the new picture another name")
	}
	// A comparison lives for milliseconds and keeps little: collecting more
	// rarely is a tenth of its time.
	debug.SetGCPercent(1600)
	if large(a, b) {
		leaveStart()
	}
	r, err := visual.Files(ctx, a, b, o.Options)
	if err != nil || o.out == "" {
		return r, err
	}
	return r, writeOutput(env, o.out, func(w io.Writer) error {
		_, err := visual.Draw(ctx, w, visual.File(a), visual.File(b), o.Options, visual.DefaultDrawOptions())
		return err
	})
}

// large says that comparing pictures of these files takes memory worth saving.
func large(paths ...string) bool {
	bytes := int64(0)
	for _, path := range paths {
		if file, err := os.Stat(path); err == nil {
			bytes += file.Size()
		}
	}
	return bytes >= 512<<10
}

// explainSizes adds what can be done about pictures of different sizes.
func explainSizes(err error) error {
	var sizes *visual.SizeError
	if errors.As(err, &sizes) {
		hint := "--sizes-differ takes it for a difference"
		if why := sizes.Result.Explain(); why != "" {
			hint += "; aligned: " + why
		}
		return withHint(fmt.Errorf("%s: %w", sizes.Code(), err), hint)
	}
	return err
}

func printDiff(env *env, out string, r visual.Result) {
	w := bufio.NewWriter(env.out)
	defer w.Flush()
	color := green
	if !r.Pass {
		color = red
	}
	fmt.Fprintln(w, strings.TrimSpace(env.paint(color, string(r.Class))+"  "+r.Explain()))
	allowed := fmt.Sprintf("%d allowed", r.Limit)
	if r.Window > 0 {
		allowed = fmt.Sprintf("at most %d of them in %d×%d, %s", r.Counted, r.Window, r.Window, allowed)
	}
	fmt.Fprintf(w, "%d of %d pixels differ (%.4g %%), %s; %d look like anti-aliasing\n", r.DiffPixels, r.TotalPixels, r.Ratio*100, allowed, r.AAPixels)
	for _, m := range r.Moves {
		fmt.Fprintln(w, "  "+m.String())
	}
	for _, b := range r.Boxes {
		fmt.Fprintf(w, "  %d pixels in %d×%d at %d,%d\n", b.Pixels, b.Width, b.Height, b.X, b.Y)
	}
	if r.MoreBoxes+r.MoreMoves > 0 {
		fmt.Fprintf(w, "  and %d smaller ones\n", r.MoreBoxes+r.MoreMoves)
	}
	if out != "" {
		w.Flush()
		env.report("differences: %s", out)
	}
}
