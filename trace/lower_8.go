package trace

import (
	"slices"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// to8 appends the line of version 8: blobs are named by hash, and snapshots
// by a name that a line of their call says.
func (l *lowering) to8(b []byte, body Body) ([]byte, error) {
	switch e := body.(type) {
	case *Before:
		return AppendBody(b, l.before8(e))
	case *Input:
		c := *e
		l.name(&c.Extra, "inputSnapshot", PhaseAction, e.CallID)
		return AppendBody(b, &c)
	case *After:
		return AppendBody(b, l.after8(e))
	case *FrameSnapshot:
		return AppendBody(b, l.snapshot8(e))
	case *ScreencastFrame:
		return l.viaObject(b, body, func(o *rawjson.Object) { l.hash(o, "file", "sha1") })
	case *ResourceSnapshot:
		return AppendBody(b, l.request8(e))
	}
	return AppendBody(b, body)
}

func (l *lowering) before8(e *Before) *Before {
	c := *e
	if l.named == nil && KindOf(e.Class, e.Method) != KindCall {
		return &c
	}
	l.name(&c.Extra, "beforeSnapshot", PhaseBefore, e.CallID)
	if l.named != nil && !l.inputs(e.CallID) {
		l.name(&c.Extra, "inputSnapshot", PhaseAction, e.CallID)
	}
	return &c
}

// name sets the member that names a snapshot, if there is one to come.
func (l *lowering) name(x *Extra, member string, phase Phase, callID string) {
	if x.Get(member) != nil || !l.expects(callID, phase) {
		return
	}
	x.obj = slices.Clone(x.obj)
	x.obj.SetText(member, snapshotName(phase, callID))
}

func (l *lowering) expects(callID string, phase Phase) bool {
	if l.named != nil {
		return l.named(callID, phase)
	}
	return l.all && !l.quiet
}

func (l *lowering) after8(e *After) *After {
	c := *e
	l.name(&c.Extra, "afterSnapshot", PhaseAfter, e.CallID)
	c.Attachments = slices.Clone(e.Attachments)
	for i := range c.Attachments {
		l.hashField(&c.Attachments[i].File, &c.Attachments[i].rest)
	}
	return &c
}

func (l *lowering) snapshot8(e *FrameSnapshot) *FrameSnapshot {
	c := *e
	if c.Name == "" && c.Phase != "" {
		c.Name = snapshotName(c.Phase, c.CallID)
	}
	if c.Name != "" {
		c.Phase = ""
	}
	c.ResourceOverrides = slices.Clone(e.ResourceOverrides)
	for i := range c.ResourceOverrides {
		l.hashField(&c.ResourceOverrides[i].File, &c.ResourceOverrides[i].rest)
	}
	return &c
}

// blob is how a line names an entry, as JSON text.
func (l *lowering) blob(file string) []byte {
	return rawjson.Quote(l.fileName(file)[len("resources/"):])
}

func (l *lowering) hashField(file *string, rest *extraMembers) {
	if *file == "" {
		return
	}
	*rest = slices.Clone(*rest)
	rest.Set("sha1", l.blob(*file))
	*file = ""
}

// hash renames the member that names an entry.
func (l *lowering) hash(o *rawjson.Object, file, hash string) {
	name := o.Text(file)
	if name == "" {
		return
	}
	for i := range *o {
		if (*o)[i].Key == file {
			(*o)[i] = rawjson.Member{Key: hash, Value: l.blob(name)}
		}
	}
}

func (l *lowering) request8(e *ResourceSnapshot) *ResourceSnapshot {
	c := *e
	hash := func(file *string, set func(name string, value []byte)) {
		if *file != "" {
			set("_sha1", l.blob(*file))
			*file = ""
		}
	}
	hash(&c.Entry.Response.Content.File, c.Entry.Response.Content.SetExtra)
	if p := e.Entry.Request.PostData; p != nil {
		post := *p
		hash(&post.File, post.SetExtra)
		c.Entry.Request.PostData = &post
	}
	if c.Entry.APIRequestRef != "" {
		c.Entry.SetExtra("_apiRequest", []byte("true"))
	}
	return &c
}

// viaObject is for short lines whose members are renamed in place.
func (l *lowering) viaObject(b []byte, body Body, edit func(*rawjson.Object)) ([]byte, error) {
	line, err := AppendBody(nil, body)
	if err != nil {
		return b, err
	}
	o, err := rawjson.Parse(line)
	if err != nil {
		return b, err
	}
	edit(&o)
	return o.AppendTo(b), nil
}
