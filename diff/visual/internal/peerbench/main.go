// Command peerbench measures the picture comparison beside its peers: whole processes on the same pairs, interleaved,
// medians of user plus system time, peak memory, and the medians of the ratios within a round.
//
//	peerbench -pairs DIR [-odiff FILE] [-node FILE -pixelmatch SCRIPT] [-rounds 9]
//	peerbench one A.png B.png
//
// The second form is what is measured: one comparison, its result as JSON, exit status 1 if the pictures differ.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/tracedeck/tracedeck/diff/visual"
)

// pair is two screenshots, and the largest share of odiff's time that the comparison may take.
type pair struct {
	name, a, b string
	bar        float64
}

var pairs = []pair{
	{"1280x720 identical", "vp-base", "vp-same", 0.55},
	{"1280x720 other encoding", "vp-base", "vp-fast", 1},
	{"1280x720 small change", "vp-base", "vp-small", 0.55},
	{"1280x720 shifted one row", "vp-base", "vp-shift", 0.55},
	{"1280x720 sub-pixel text", "vp-base", "vp-aa", 0.6},
	{"1280x8000 small change", "full-base", "full-small", 0.35},
	{"1280x8000 40 rows inserted", "full-base", "full-insert", 0.5},
	{"3840x2160 small change", "k4-base", "k4-small", 0.25},
}

func main() {
	if len(os.Args) == 4 && os.Args[1] == "one" {
		os.Exit(one(os.Args[2], os.Args[3]))
	}
	dir := flag.String("pairs", "pairs", "folder of the screenshots")
	odiff := flag.String("odiff", "odiff", "odiff's native program")
	node := flag.String("node", "node", "node")
	script := flag.String("pixelmatch", "", "script that runs pixelmatch on two files; none to leave it out")
	rounds := flag.Int("rounds", 9, "how often each is run")
	flag.Parse()
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(os.Stderr, "peerbench:", err)
		os.Exit(2)
	}
	peers := []peer{
		{"odiff --antialiasing", []string{*odiff, "{a}", "{b}", "--antialiasing", "--parsable-stdout"}},
		{"tracedeck", []string{self, "one", "{a}", "{b}"}},
	}
	if *script != "" {
		peers = append(peers, peer{"pixelmatch", []string{*node, *script, "{a}", "{b}"}})
	}
	for _, p := range pairs {
		a, b := filepath.Join(*dir, p.a+".png"), filepath.Join(*dir, p.b+".png")
		if _, err := os.Stat(b); err != nil {
			continue
		}
		if err := report(p, peers, a, b, *rounds); err != nil {
			fmt.Fprintln(os.Stderr, "peerbench:", err)
			os.Exit(2)
		}
	}
}

func one(a, b string) int {
	r, err := visual.Files(context.Background(), a, b, visual.DefaultOptions())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	json.NewEncoder(os.Stdout).Encode(r)
	if !r.Pass {
		return 1
	}
	return 0
}

type peer struct {
	name    string
	command []string
}

// cost is what one process took: user plus system time in milliseconds, and peak memory in MiB.
type cost struct{ cpu, memory float64 }

func (p peer) run(a, b string) (cost, error) {
	var args []string
	for _, s := range p.command {
		switch s {
		case "{a}":
			s = a
		case "{b}":
			s = b
		}
		args = append(args, s)
	}
	cmd := exec.Command(args[0], args[1:]...)
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return cost{}, err
	}
	s := cmd.ProcessState
	return cost{float64(s.UserTime()+s.SystemTime()) / 1e6, peakMemory(s)}, nil
}

func report(p pair, peers []peer, a, b string, rounds int) error {
	all := make([][]cost, len(peers))
	for r := range rounds + 1 {
		for i, peer := range peers {
			c, err := peer.run(a, b)
			if err != nil {
				return fmt.Errorf("%s: %w", peer.name, err)
			}
			if r > 0 { // the first fills caches
				all[i] = append(all[i], c)
			}
		}
	}
	fmt.Printf("%s (bar: %.2f of odiff)\n", p.name, p.bar)
	for i, peer := range peers {
		cpu := median(all[i], func(k int) float64 { return all[i][k].cpu })
		memory := median(all[i], func(k int) float64 { return all[i][k].memory })
		ratio := median(all[i], func(k int) float64 { return all[i][k].cpu / all[0][k].cpu })
		fmt.Printf("  %-22s %8.1f ms user+sys  %7.1f MiB  %5.2f of odiff\n", peer.name, cpu, memory, ratio)
	}
	return nil
}

func median[T any](list []T, value func(int) float64) float64 {
	v := make([]float64, len(list))
	for i := range v {
		v[i] = value(i)
	}
	slices.SortFunc(v, cmp.Compare)
	return v[len(v)/2]
}
