package visual

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestCountsArePeers compares with what the npm packages counted on generated pairs. The folder is made by
// peer/pairs.mjs; without it there is nothing to compare with.
func TestCountsArePeers(t *testing.T) {
	dir := os.Getenv("TRACEDECK_PEER_PAIRS")
	if dir == "" {
		t.Skip("TRACEDECK_PEER_PAIRS names no folder of generated pairs")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		A, B         string
		Threshold    float64
		IncludeAA    bool
		Checkerboard bool
		Counts       map[Metric]int
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	var c Comparer
	checks, off, sum := 0, 0, 0
	for _, k := range cases {
		for metric, want := range k.Counts {
			opt := DefaultOptions()
			opt.Metric, opt.Threshold, opt.IncludeAA, opt.White = metric, k.Threshold, k.IncludeAA, !k.Checkerboard
			r, err := c.Compare(context.Background(), File(filepath.Join(dir, k.A)), File(filepath.Join(dir, k.B)), opt)
			if err != nil {
				t.Fatalf("%s: %v", k.A, err)
			}
			checks++
			sum += want
			if r.DiffPixels != want {
				off++
				t.Errorf("%s %s %+v: %d, the package says %d", metric, k.A, opt, r.DiffPixels, want)
			}
		}
	}
	t.Logf("%d checks on %d cases, %d pixels in all, %d off", checks, len(cases), sum, off)
	if checks == 0 || sum == 0 {
		t.Error("nothing was compared")
	}
}
