package visual

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const corpus = "../../testdata/corpus/pixelmatch"

func fixture(name string) string { return filepath.Join(corpus, "fixtures", name+".png") }

// published are the rows of expected.json: counts that three states of pixelmatch gave.
type published struct {
	A, B    string
	Options struct {
		Threshold    float64
		IncludeAA    bool
		Checkerboard *bool
	}
	Counts map[string]int
}

func readPublished(t testing.TB) []published {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(corpus, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []published
	if err := json.Unmarshal(raw, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

var releases = map[Metric]string{Pixelmatch5: "5.2.0", Pixelmatch7: "7.2.0", OKLab: "main"}

func TestCountsArePixelmatchs(t *testing.T) {
	var c Comparer
	rows := readPublished(t)
	if len(rows) < 60 {
		t.Fatalf("only %d rows", len(rows))
	}
	for _, r := range rows {
		for metric, release := range releases {
			opt := DefaultOptions()
			opt.Metric, opt.Threshold, opt.IncludeAA = metric, r.Options.Threshold, r.Options.IncludeAA
			opt.White = r.Options.Checkerboard != nil && !*r.Options.Checkerboard
			got, err := c.Compare(context.Background(), File(fixture(r.A)), File(fixture(r.B)), opt)
			if err != nil {
				t.Fatalf("%s %s: %v", r.A, r.B, err)
			}
			if got.DiffPixels != r.Counts[release] {
				t.Errorf("%s: %s %s %+v: %d pixels, published are %d", metric, r.A, r.B, r.Options, got.DiffPixels, r.Counts[release])
			}
		}
	}
}

func TestWindowCountIsPixelmatchs(t *testing.T) {
	for n, want := range map[int]int{8: 6, 32: 29, 10_000: 51} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			opt := DefaultOptions()
			opt.Metric, opt.Threshold, opt.Window = OKLab, 0.05, n
			got, err := Files(context.Background(), fixture("6a"), fixture("6b"), opt)
			if err != nil {
				t.Fatal(err)
			}
			if got.WindowPixels != want || got.DiffPixels != 51 || got.Counted != want {
				t.Errorf("%d pixels in the window of %d in all, want %d of 51", got.WindowPixels, got.DiffPixels, want)
			}
		})
	}
}
