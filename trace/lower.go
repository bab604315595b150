package trace

import (
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// lowering turns events, which have the shape of [CurrentVersion], into lines
// of the version that is written, one version step at a time.
type lowering struct {
	version int
	all     bool // a snapshot follows every line that can name one
	quiet   bool // but not the one at hand
	runner  bool // the file is a test runner's
	joined  bool // the archive holds a test runner's file beside this one
	// named, where it is set, knows which snapshots there are.
	named func(callID string, phase Phase) bool
	// inputs tells whether a call has an input line.
	inputs func(callID string) bool
}

// append appends the event's line to b.
func (l *lowering) append(b []byte, body Body) ([]byte, error) {
	if l.version >= 9 {
		body = unnamed(body)
	}
	if l.version == 9 {
		body = l.to9(body)
	}
	if l.version < 9 {
		body = l.to9(body)
		return l.to8(b, body)
	}
	return AppendBody(b, body)
}

// unnamed takes the names of snapshots off a line: from version 9 on a
// snapshot itself says which call and phase it is of.
func unnamed(body Body) Body {
	x := body.extra()
	if x.Get("beforeSnapshot") == nil && x.Get("inputSnapshot") == nil && x.Get("afterSnapshot") == nil {
		return body
	}
	drop := func(x *Extra) {
		x.obj = slices.Clone(x.obj)
		for _, name := range snapshotMembers {
			x.obj.Delete(name)
		}
	}
	switch b := body.(type) {
	case *Before:
		c := *b
		drop(&c.Extra)
		return &c
	case *Input:
		c := *b
		drop(&c.Extra)
		return &c
	case *After:
		c := *b
		drop(&c.Extra)
		return &c
	}
	return body
}

var snapshotMembers = []string{"beforeSnapshot", "inputSnapshot", "afterSnapshot"}

// to9 gives a call that the library and the test runner share the id that
// joins them: version 10 joins by the call id itself.
func (l *lowering) to9(body Body) Body {
	b, ok := body.(*Before)
	if !ok || !l.joined || l.runner || b.StepID != "" {
		return body
	}
	c := *b
	c.StepID = b.CallID
	return &c
}

// ExpectSnapshot says that a snapshot of the moment before the call follows.
// It matters to versions before 9 only, which name it on this line.
func (e *Before) ExpectSnapshot() {
	e.Extra.Set("beforeSnapshot", rawjson.Quote(snapshotName(PhaseBefore, e.CallID)))
}

// ExpectSnapshot says that a snapshot of the moment of this input follows.
func (e *Input) ExpectSnapshot() {
	e.Extra.Set("inputSnapshot", rawjson.Quote(snapshotName(PhaseAction, e.CallID)))
}

// ExpectSnapshot says that a snapshot of the moment after the call follows.
func (e *After) ExpectSnapshot() {
	e.Extra.Set("afterSnapshot", rawjson.Quote(snapshotName(PhaseAfter, e.CallID)))
}

// snapshotName is how versions before 9 call a snapshot.
func snapshotName(phase Phase, callID string) string {
	if phase == PhaseAction {
		return "input@" + callID
	}
	return string(phase) + "@" + callID
}

// EachFile calls do with each place in which the event names an entry of the
// archive, which do may change.
func EachFile(body Body, do func(file *string)) {
	some := func(file *string) {
		if *file != "" {
			do(file)
		}
	}
	switch b := body.(type) {
	case *ScreencastFrame:
		some(&b.File)
	case *Screenshot:
		some(&b.File)
	case *AriaSnapshot:
		some(&b.File)
	case *After:
		for i := range b.Attachments {
			some(&b.Attachments[i].File)
		}
	case *FrameSnapshot:
		for i := range b.ResourceOverrides {
			some(&b.ResourceOverrides[i].File)
		}
	case *ResourceSnapshot:
		if p := b.Entry.Request.PostData; p != nil {
			some(&p.File)
		}
		some(&b.Entry.Response.Content.File)
	}
}

// fileName is the name that an entry has in the version that is written:
// versions before 9 have all blobs in one folder.
func (l *lowering) fileName(file string) string {
	if l.version >= 9 || strings.HasPrefix(file, "resources/") {
		return file
	}
	for _, dir := range []string{"screencast/", "attachments/"} {
		if rest, ok := strings.CutPrefix(file, dir); ok {
			return "resources/" + strings.ReplaceAll(rest, "/", "-")
		}
	}
	return "resources/" + strings.ReplaceAll(file, "/", "-")
}
