package run

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Shard is one of several parts into which all sessions were divided.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"`
	// Plan is a digest of all sessions, which all parts of one run share.
	Plan string `json:"plan"`
}

// Cost is a session and how long it takes.
type Cost struct {
	ID       string
	Duration time.Duration // of the recording
}

// Divide returns the sessions of one shard. All shards together have each
// session once and take about equally long; the same sessions are divided in
// the same way wherever it is done.
func Divide(all []Cost, index, count int) ([]string, Shard, error) {
	if count < 1 || index < 1 || index > count {
		return nil, Shard{}, fmt.Errorf("shard %d/%d: it is written i/n with i from 1 to n", index, count)
	}
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Cost) int {
		return cmp.Or(cmp.Compare(b.Duration, a.Duration), cmp.Compare(a.ID, b.ID))
	})
	loads := make([]time.Duration, count)
	var mine []string
	for _, c := range all {
		lightest := 0
		for i, l := range loads {
			if l < loads[lightest] {
				lightest = i
			}
		}
		loads[lightest] += max(c.Duration, time.Second)
		if lightest == index-1 {
			mine = append(mine, c.ID)
		}
	}
	slices.Sort(mine)
	return mine, Shard{Index: index, Count: count, Plan: plan(all)}, nil
}

func plan(all []Cost) string {
	ids := make([]string, len(all))
	for i, c := range all {
		ids[i] = c.ID
	}
	slices.Sort(ids)
	sum := sha256.Sum256([]byte(strings.Join(ids, "\x00")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// A MergeError says why the parts do not make a whole.
type MergeError struct{ text string }

func (e *MergeError) Error() string { return e.text }

// Code is E_SHARDS.
func (e *MergeError) Code() string { return "E_SHARDS" }

// Merge makes one summary of those of all shards of a run. It fails if one is
// missing, there twice, or of another run.
func Merge(id string, parts []*Summary) (*Summary, error) {
	if len(parts) == 0 {
		return nil, &MergeError{"no shards are given"}
	}
	if err := fits(parts); err != nil {
		return nil, err
	}
	all := &Summary{RunID: id, Timestamp: parts[0].Timestamp, Program: parts[0].Program, Target: parts[0].Target}
	for _, p := range parts {
		if p.Timestamp.Before(all.Timestamp) {
			all.Timestamp = p.Timestamp
		}
		all.Sessions = append(all.Sessions, p.Sessions...)
		all.Errors = append(all.Errors, p.Errors...)
		all.Warnings = append(all.Warnings, p.Warnings...)
		for id, r := range p.Renderers {
			all.note(id, r)
		}
	}
	all.Settle()
	return all, nil
}

func fits(parts []*Summary) error {
	var faults []error
	seen := map[int]string{}
	first := parts[0].Shard
	for _, p := range parts {
		if p.Shard == nil {
			return &MergeError{fmt.Sprintf("run %s is no shard: it has all sessions", p.RunID)}
		}
		if first == nil || p.Shard.Count != first.Count || p.Shard.Plan != first.Plan {
			return &MergeError{fmt.Sprintf("runs %s and %s divide different sessions: they are not of one run", parts[0].RunID, p.RunID)}
		}
		if other, ok := seen[p.Shard.Index]; ok {
			faults = append(faults, fmt.Errorf("shard %d/%d is there twice: %s and %s", p.Shard.Index, p.Shard.Count, other, p.RunID))
		}
		seen[p.Shard.Index] = p.RunID
	}
	for i := 1; i <= first.Count; i++ {
		if _, ok := seen[i]; !ok {
			faults = append(faults, fmt.Errorf("shard %d/%d is missing", i, first.Count))
		}
	}
	if len(faults) > 0 {
		return &MergeError{errors.Join(faults...).Error()}
	}
	return nil
}
