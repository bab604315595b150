package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"text/tabwriter"
	"time"

	"github.com/tracedeck/tracedeck/replay"
	"github.com/tracedeck/tracedeck/replay/determinism"
)

// What a minute of think time may take on two cores, and that of the session
// that takes longest, in seconds, and how many sessions are replayed two at a
// time.
const (
	bar      = 8.0
	heaviest = 12.0
	many     = 20
)

// speed measures how long sessions of a minute take, and whether two lanes are
// faster than one, and reports whether the bars are held.
func speed(ctx context.Context, traces []string, dir, url string, n int) (bool, error) {
	traces = slices.DeleteFunc(traces, func(name string) bool { return filepath.Base(name) == "timers.zip" }) // which is short
	wall := map[string][]float64{}
	_, err := timed(ctx, times(traces, dir, n), 1, url, func(r replay.Result) { wall[r.Trace] = append(wall[r.Trace], r.Report.Wall/1000) })
	if err != nil {
		return false, err
	}
	rows := medians(wall)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "measured\tseconds\tbar\t")
	all := true
	for i, row := range rows {
		most := bar
		if i == 0 {
			most = heaviest
		}
		all = verdict(w, "a minute of think time: "+row.name, row.seconds, most) && all
	}
	list := times(traces, dir, (many+len(traces)-1)/len(traces))[:many]
	one, err := timed(ctx, list, 1, url, nil)
	if err != nil {
		return false, err
	}
	two, err := timed(ctx, list, 2, url, nil)
	if err != nil {
		return false, err
	}
	all = verdict(w, fmt.Sprintf("%d sessions, two at a time; the bar is one after another", many), two, one) && all
	return all, w.Flush()
}

func verdict(w *tabwriter.Writer, what string, seconds, most float64) bool {
	word := "held"
	if seconds > most {
		word = "missed"
	}
	fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%s\n", what, seconds, most, word)
	return seconds <= most
}

// times are the sessions, each n times, one after the other.
func times(traces []string, dir string, n int) []replay.Session {
	var list []replay.Session
	for i := range n {
		for _, name := range traces {
			list = append(list, replay.Session{Trace: name, Output: filepath.Join(dir, fmt.Sprintf("speed-%d-%s", i, filepath.Base(name)))})
		}
	}
	return list
}

// timed replays sessions and returns how many seconds all of them took, with the
// start of the browsers. A session that fails is an error.
func timed(ctx context.Context, list []replay.Session, lanes int, url string, done func(replay.Result)) (float64, error) {
	options := func(replay.Session) replay.Options {
		o := replay.DefaultOptions("")
		o.URL = url
		return o
	}
	var failed error
	began := time.Now()
	err := replay.Many(ctx, list, lanes, determinism.Options{}, options, func(r replay.Result) {
		_ = os.Remove(r.Output)
		if r.Err != nil || !r.Report.OK() {
			failed = fmt.Errorf("%s: %s", filepath.Base(r.Trace), why(r))
		} else if done != nil {
			done(r)
		}
	})
	if err == nil {
		err = failed
	}
	return time.Since(began).Seconds(), err
}

type median struct {
	name    string
	seconds float64
}

// medians are those of each trace, the longest first.
func medians(wall map[string][]float64) []median {
	var rows []median
	for name, list := range wall {
		sort.Float64s(list)
		base := filepath.Base(name)
		rows = append(rows, median{base[:len(base)-len(filepath.Ext(base))], list[len(list)/2]})
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].seconds > rows[j].seconds })
	return rows
}
