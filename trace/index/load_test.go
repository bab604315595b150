package index_test

import (
	"fmt"
	"path/filepath"
	"sort"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// The index says the same as the joined view of the whole trace, which is
// made by parsing every line in full.
func TestIndexAgreesWithLoad(t *testing.T) {
	for _, path := range tracetest.Traces(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			whole, err := trace.Load(t.Context(), open(t, path), trace.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			x := build(t, path)
			for what, pair := range map[string][2][]string{
				"actions": {loadedActions(whole), indexedActions(x)}, "network": {loadedNetwork(whole), indexedNetwork(x)},
				"console": {loadedConsole(whole), indexedConsole(x)}, "errors": {loadedErrors(whole), indexedErrors(x)},
				"snapshots": {loadedSnapshots(whole), indexedSnapshots(x)}, "frames": {loadedFrames(whole), indexedFrames(x)},
			} {
				sort.Strings(pair[0])
				sort.Strings(pair[1])
				if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
					t.Errorf("%s (-Load +Index):\n%s", what, diff)
				}
			}
		})
	}
}

// since makes times comparable whatever moment they count from.
func since(t, zero time.Duration) string {
	if t == index.NoTime {
		return "-"
	}
	return (t - zero).Round(time.Microsecond).String()
}

func loadedZero(tr *trace.Trace) time.Duration {
	if len(tr.Actions) == 0 {
		return -time.Duration(tr.Start.UnixNano())
	}
	return time.Duration(tr.Actions[0].Start)
}

func indexedZero(x *index.Index) time.Duration {
	zero := time.Duration(1 << 62)
	for r := range x.Len(index.Actions) {
		zero = min(zero, x.Action(index.Row(r)).Start)
	}
	if x.Len(index.Actions) == 0 {
		return -time.Duration(x.Clock().Start.UnixNano())
	}
	return zero
}

func loadedActions(tr *trace.Trace) (list []string) {
	for _, a := range tr.Actions {
		parent := ""
		if a.Parent != nil && a.Kind != trace.KindProtocol {
			parent = a.Parent.ID()
		}
		end, _ := a.Duration()
		ended := since(time.Duration(a.Start)+end, loadedZero(tr))
		if a.Unfinished {
			ended = "-"
		}
		phases := map[trace.Phase]bool{}
		for _, s := range a.Snapshots {
			phases[s.Phase] = phases[s.Phase] || s.IsMainFrame
		}
		words := short(a.Title().Text)
		if detail := short(a.Title().Detail); detail != "" {
			words += " " + detail
		}
		message := ""
		if a.Error != nil {
			message = a.Error.Message
		}
		list = append(list, fmt.Sprint(a.ID(), " ", a.Kind, " ", words, " [", a.Title().Group, "] ", a.Before.Class, ".", a.Before.Method, " ",
			since(time.Duration(a.Start), loadedZero(tr)), " ", ended, " in ", parent, " page ", trace.PageKey(a.PageID), " logs ", len(a.Logs), " ",
			phases[trace.PhaseBefore], phases[trace.PhaseAction], phases[trace.PhaseAfter], " ", message, " ", len(a.Inputs) > 0, len(a.Attachments) > 0))
	}
	return list
}

func short(s string) string { return s[:min(len(s), index.MaxTitle)] }

func pageOf(x *index.Index, r index.Row) string {
	if r == index.NoRow {
		return ""
	}
	return trace.PageKey(x.Page(r).ID)
}

func indexedActions(x *index.Index) (list []string) {
	kinds := []trace.ActionKind{trace.KindCall, trace.KindGroup, trace.KindStep, trace.KindHook, trace.KindProtocol}
	for r := range x.Len(index.Actions) {
		a := x.Action(index.Row(r))
		parent, group, words := "", "", a.Title
		if a.Parent != index.NoRow && a.Kind != index.KindProtocol {
			parent = x.Action(a.Parent).CallID
		}
		for flag, name := range map[index.ActionFlags]string{index.Getter: "getter", index.Route: "route", index.Configuration: "configuration"} {
			if a.Flags&flag != 0 {
				group = name
			}
		}
		if a.Detail != "" {
			words += " " + a.Detail
		}
		end := a.End
		if a.Flags&index.Unfinished != 0 {
			end = index.NoTime
		} else if end < a.Start {
			end = a.Start
		}
		has := func(f index.ActionFlags) bool { return a.Flags&f != 0 }
		list = append(list, fmt.Sprint(a.CallID, " ", kinds[a.Kind], " ", words, " [", group, "] ", a.Class, ".", a.Method, " ",
			since(a.Start, indexedZero(x)), " ", since(end, indexedZero(x)), " in ", parent, " page ", pageOf(x, a.Page), " logs ", a.Logs, " ",
			has(index.HasBefore), has(index.HasAction), has(index.HasAfter), " ", a.Message, " ", has(index.HasInput), has(index.HasAttachment)))
	}
	return list
}

func loadedNetwork(tr *trace.Trace) (list []string) {
	for _, r := range tr.Network {
		list = append(list, fmt.Sprint(r.Request.Method, " ", r.Request.URL[:min(len(r.Request.URL), index.MaxText)], " ", max(r.Response.Status, 0), " ", r.Response.Content.MimeType, " ", r.ResourceType,
			" ", since(time.Duration(r.Start), loadedZero(tr)), " ", r.Response.Content.File, " ", r.Failed(), r.Pending(), r.WasAborted, r.WasFulfilled,
			r.APIRequestRef != "", r.ServiceWorkerRef != "", " ", r.Response.FailureText, " ", r.Position.Line, " ", r.Position.Offset, " ", r.Position.Length))
	}
	return list
}

func indexedNetwork(x *index.Index) (list []string) {
	for n := range x.Len(index.Network) {
		r := x.Request(index.Row(n))
		has := func(f index.RequestFlags) bool { return r.Flags&f != 0 }
		list = append(list, fmt.Sprint(r.Method, " ", r.URL, " ", r.Status, " ", r.MIME, " ", r.Type,
			" ", since(r.Start, indexedZero(x)), " ", r.Body, " ", has(index.RequestFailed), has(index.RequestPending), has(index.RequestAborted), has(index.RequestFulfilled),
			has(index.RequestAPI), has(index.RequestWorker), " ", r.Failure, " ", r.Position.Line, " ", r.Position.Offset, " ", r.Position.Length))
	}
	return list
}

func loadedConsole(tr *trace.Trace) (list []string) {
	for _, m := range tr.Console {
		list = append(list, fmt.Sprint(m.Kind, " ", m.Text, " ", m.Location, " ", since(time.Duration(m.Time), loadedZero(tr)), " ", trace.PageKey(m.PageID), " ", m.Position.Line))
	}
	return list
}

func indexedConsole(x *index.Index) (list []string) {
	for n := range x.Len(index.Console) {
		m := x.Message(index.Row(n))
		if m.Source == index.FromPage {
			list = append(list, fmt.Sprint(m.Level, " ", m.Text, " ", trace.Location{URL: m.URL, Line: m.Line, Column: m.Column}, " ", since(m.Time, indexedZero(x)), " ", pageOf(x, m.Page), " ", m.Position.Line))
		}
	}
	return list
}

func loadedErrors(tr *trace.Trace) (list []string) {
	for _, f := range tr.Errors {
		message := f.Message
		if f.Kind == trace.FailedPage && f.Name != "" {
			message = f.Name + ": " + message
		}
		list = append(list, fmt.Sprint(f.Kind, " ", message))
	}
	return list
}

func indexedErrors(x *index.Index) (list []string) {
	for n := range x.Len(index.Errors) {
		e := x.Error(index.Row(n))
		list = append(list, fmt.Sprint([]trace.FailureKind{trace.FailedAction, trace.FailedPage, trace.FailedTest}[e.Source], " ", e.Message))
	}
	return list
}

func loadedSnapshots(tr *trace.Trace) (list []string) {
	for _, s := range tr.Snapshots {
		list = append(list, fmt.Sprint(s.CallID, " ", s.Phase, " ", s.FrameID, " ", s.FrameURL, " ", s.IsMainFrame, " ", trace.PageKey(s.PageID), " ",
			since(time.Duration(s.Time), loadedZero(tr)), " ", s.Viewport, " ", s.Ordinal, " ", s.Position))
	}
	return list
}

func indexedSnapshots(x *index.Index) (list []string) {
	for n := range x.Len(index.Snapshots) {
		s := x.Snapshot(index.Row(n))
		call := ""
		if s.Action != index.NoRow {
			call = x.Action(s.Action).CallID
		}
		list = append(list, fmt.Sprint(call, " ", s.Phase.Trace(), " ", s.Frame, " ", s.URL, " ", s.Flags&index.MainFrame != 0, " ", pageOf(x, s.Page), " ",
			since(s.Time, indexedZero(x)), " ", trace.Size{Width: float64(s.Width), Height: float64(s.Height)}, " ", s.Ordinal, " ", s.Position))
	}
	return list
}

func loadedFrames(tr *trace.Trace) (list []string) {
	for _, f := range tr.Frames {
		list = append(list, fmt.Sprint(trace.PageKey(f.PageID), " ", f.File, " ", f.Width, " ", f.Height, " ", since(time.Duration(f.Time), loadedZero(tr))))
	}
	return list
}

func indexedFrames(x *index.Index) (list []string) {
	for n := range x.Len(index.Frames) {
		f := x.Frame(index.Row(n))
		list = append(list, fmt.Sprint(pageOf(x, f.Page), " ", f.Entry, " ", f.Width, " ", f.Height, " ", since(f.Time, indexedZero(x))))
	}
	return list
}

func TestInputs(t *testing.T) {
	compared := 0
	for _, path := range tracetest.Traces(t) {
		whole, err := trace.Load(t.Context(), open(t, path), trace.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, a := range whole.Actions {
			for _, in := range a.Inputs {
				text := a.ID()
				if in.Point != nil {
					text += fmt.Sprintf(" %.3f,%.3f", in.Point.X, in.Point.Y)
				}
				if in.Box != nil {
					text += fmt.Sprintf(" %.2f %.2f %.2f %.2f", in.Box.X, in.Box.Y, in.Box.Width, in.Box.Height)
				}
				want = append(want, text)
			}
		}
		x := build(t, path)
		for r := range x.Len(index.Inputs) {
			in := x.Input(index.Row(r))
			text := x.Action(in.Action).CallID
			if in.Flags&index.HasPoint != 0 {
				text += fmt.Sprintf(" %.3f,%.3f", in.Point.X, in.Point.Y)
			}
			if in.Flags&index.HasBox != 0 {
				text += fmt.Sprintf(" %.2f %.2f %.2f %.2f", in.Box.X, in.Box.Y, in.Box.Width, in.Box.Height)
			}
			got = append(got, text)
		}
		sort.Strings(want)
		sort.Strings(got)
		compared += len(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-Load +Index):\n%s", path, diff)
		}
	}
	if compared < 200 {
		t.Errorf("only %d inputs", compared)
	}
}
