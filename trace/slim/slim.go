// Package slim makes a small trace out of a large one: a part of its time, or
// the steps around what failed, without the pictures and bodies that nobody
// will look at. What is left is a whole trace: its snapshots show what they
// showed.
package slim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// Options say what is left out. The zero value leaves out nothing but
// resources that no line names.
type Options struct {
	// From and To bound the time that is kept, counted from the trace's start.
	// To 0 means the end.
	From, To time.Duration
	// Failures keeps only the steps around what failed: Steps actions before
	// each failure and as many behind it, 0 meaning 5.
	Failures bool
	Steps    int
	// DuplicateFrames leaves out screencast pictures that are the same, byte
	// for byte, as the one before of their page.
	DuplicateFrames bool
	// NoFrames leaves out the screencast.
	NoFrames bool
	// FailedSnapshots keeps snapshots of failed actions only.
	FailedSnapshots bool
	// NoSnapshots leaves out all snapshots of pages.
	NoSnapshots bool
	// BodyTypes are the media types of bodies that are left out: "image/png",
	// "image/*", "*/*" for all.
	BodyTypes []string
	// MaxBody is the size in bytes above which a body is left out; 0 means no
	// limit.
	MaxBody int64
	// NoLogs leaves out the log lines of actions that did not fail.
	NoLogs bool
}

// ErrNothingFailed is answered when the steps around failures are wanted of a
// trace in which nothing failed.
var ErrNothingFailed = errors.New("nothing failed in this trace")

// Report says what was left out.
type Report struct {
	Kept     Counts          `json:"kept"`
	Dropped  Counts          `json:"dropped"`
	Inlined  int             `json:"inlined"` // page nodes that were written out because their snapshot is gone
	From     time.Duration   `json:"from"`    // of the first moment kept, from the trace's start
	To       time.Duration   `json:"to"`
	Warnings []trace.Warning `json:"warnings"`
}

// Counts are numbers of things in a trace. Bytes are those of entries other
// than events, before compression.
type Counts struct {
	Actions   int   `json:"actions"`
	Snapshots int   `json:"snapshots"`
	Frames    int   `json:"frames"`
	Requests  int   `json:"requests"`
	Bodies    int   `json:"bodies"`
	Messages  int   `json:"messages"` // of the console
	Entries   int   `json:"entries"`
	Bytes     int64 `json:"bytes"`
}

// Run writes the part of src that the options keep to dst, which the caller
// closes.
func Run(ctx context.Context, dst *trace.Writer, src *trace.Archive, o Options) (*Report, error) {
	t, err := trace.Load(ctx, src, trace.LoadOptions{})
	if err != nil {
		return nil, err
	}
	p, err := newPlan(ctx, src, t, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name(), err)
	}
	defer p.aside.close()
	copied, err := trace.Copy(ctx, dst, src, trace.CopyOptions{
		Filter: func(f trace.File) trace.Filter { return p.filter(f) },
		Entry:  p.entry,
	})
	if copied != nil {
		p.report.Warnings = append(p.report.Warnings, copied.Warnings...)
	}
	return &p.report, err
}
