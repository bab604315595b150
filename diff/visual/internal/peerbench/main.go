// Command peerbench measures tracedeck diff on pictures beside its peers: whole processes on the same pairs, interleaved,
// medians of user plus system time, peak memory, the medians of the ratios within a round, and whether the counts agree.
//
//	peerbench -pairs DIR -tracedeck FILE -odiff FILE [-node FILE] -pixelmatch SCRIPT [-rounds 21]
package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/diff/internal/peak"
)

// pair is two screenshots and what the comparison may take.
type pair struct {
	name, a, b string
	odiff      float64 // the largest share of odiff's time
	pixelmatch float64 // and of pixelmatch's, 0 for any
	memory     float64 // MiB, 0 for any
}

var pairs = []pair{
	{"1280x720 identical", "view", "view-same", 0.55, 0.1, 0},
	{"1280x720 other encoding", "view", "view-fast", 1, 0, 0},
	{"1280x720 small change", "view", "view-small", 0.55, 0.1, 0},
	{"1280x720 shifted one row", "view", "view-shift", 0.55, 0, 0},
	{"1280x720 sub-pixel text", "view", "view-fraction", 0.55, 0, 0},
	{"1280x8000 small change", "full", "full-small", 0.35, 0.1, 0},
	{"1280x8000 40 rows inserted", "full", "full-insert", 0.5, 0, 0},
	{"3840x2160 small change", "4k", "4k-small", 0.25, 0.1, 20},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("peerbench: ")
	dir := flag.String("pairs", "pairs", "folder of the screenshots")
	program := flag.String("tracedeck", "bin/tracedeck", "the program that is measured")
	odiff := flag.String("odiff", "odiff", "odiff's native program")
	node := flag.String("node", "node", "node")
	script := flag.String("pixelmatch", "", "script that runs pixelmatch on two files and prints the count")
	rounds := flag.Int("rounds", 21, "how often each is run")
	flag.Parse()
	programs := []peer{
		{"tracedeck diff", []string{*program, "diff", "{a}", "{b}", "--json"}},
		{"odiff --antialiasing", []string{*odiff, "{a}", "{b}", "--antialiasing", "--parsable-stdout"}},
		{"pixelmatch", []string{*node, *script, "{a}", "{b}"}},
		{"(tracedeck version)", []string{*program, "version"}}, // what of it is the program's start
	}
	missed := 0
	for _, p := range pairs {
		n, err := report(p, programs, filepath.Join(*dir, p.a+".png"), filepath.Join(*dir, p.b+".png"), *rounds)
		if err != nil {
			log.Fatal(err)
		}
		missed += n
	}
	fmt.Printf("%d bars missed\n", missed)
}

type peer struct {
	name    string
	command []string
}

// cost is what one process took: user plus system time in milliseconds, and peak memory in MiB.
type cost struct{ cpu, memory float64 }

func (p peer) run(a, b string) (cost, []byte, error) {
	args := slices.Clone(p.command)
	for i, s := range args {
		args[i] = strings.NewReplacer("{a}", a, "{b}", b).Replace(s)
	}
	cmd := exec.Command(args[0], args[1:]...)
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return cost{}, nil, err
	}
	s := cmd.ProcessState
	return cost{float64(s.UserTime()+s.SystemTime()) / 1e6, peak.Memory(s)}, out.Bytes(), nil
}

// report prints a pair's figures and returns how many bars were missed.
func report(p pair, programs []peer, a, b string, rounds int) (missed int, err error) {
	all := make([][]cost, len(programs))
	said := make([][]byte, len(programs))
	for r := range rounds + 1 {
		for i, program := range programs {
			c, out, err := program.run(a, b)
			if err != nil {
				return 0, fmt.Errorf("%s: %w", program.name, err)
			}
			if said[i] = out; r > 0 { // the first fills caches
				all[i] = append(all[i], c)
			}
		}
	}
	fmt.Println(p.name)
	for i, program := range programs {
		fmt.Printf("  %-22s %8.1f ms user+sys  %7.1f MiB\n", program.name, median(all[i], cost.time), median(all[i], cost.peak))
	}
	holds := func(what string, is, bar float64) {
		verdict := "held"
		if is > bar {
			verdict = "missed"
			missed++
		}
		fmt.Printf("    %-40s %6.2f  bar %5.2f  %s\n", what, is, bar, verdict)
	}
	holds("of odiff's time", ratio(all[0], all[1]), p.odiff)
	if p.pixelmatch > 0 {
		holds("of pixelmatch's time", ratio(all[0], all[2]), p.pixelmatch)
	}
	if p.memory > 0 {
		holds("MiB at the peak", median(all[0], cost.peak), p.memory)
	}
	own, published, err := counts(said[0], said[2])
	if err != nil {
		return missed, err
	}
	holds(fmt.Sprintf("pixels off (%d, pixelmatch %d)", own, published), float64(max(own-published, published-own)), 0)
	return missed, nil
}

// counts are the differing pixels of both answers.
func counts(ours, theirs []byte) (own, published int, err error) {
	var answer struct{ DiffPixels int }
	if err := json.Unmarshal(ours, &answer); err != nil {
		return 0, 0, fmt.Errorf("tracedeck's answer: %w", err)
	}
	published, err = strconv.Atoi(strings.TrimSpace(string(theirs)))
	if err != nil {
		return 0, 0, fmt.Errorf("pixelmatch's answer: %w", err)
	}
	return answer.DiffPixels, published, nil
}

func (c cost) time() float64 { return c.cpu }
func (c cost) peak() float64 { return c.memory }

func median(list []cost, value func(cost) float64) float64 {
	v := make([]float64, len(list))
	for i := range v {
		v[i] = value(list[i])
	}
	slices.SortFunc(v, cmp.Compare)
	return v[len(v)/2]
}

// ratio is the median over the rounds of what a took of what b took.
func ratio(a, b []cost) float64 {
	v := make([]float64, len(a))
	for i := range v {
		v[i] = a[i].cpu / b[i].cpu
	}
	slices.Sort(v)
	return v[len(v)/2]
}
