package modernize

import (
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// stateV3 remembers the objects that lines of versions 3 and 4 refer to.
type stateV3 struct {
	consoles map[string]rawjson.Object // guid of a ConsoleMessage
	handles  map[string][]byte         // guid of a JSHandle to its preview
}

// from0: an action's error was a bare string.
func from0(_ *File, obj rawjson.Object) []rawjson.Object {
	if obj.Text("type") != "action" {
		return one(obj)
	}
	change(&obj, "metadata", func(m *rawjson.Object) {
		if text, ok := rawjson.Unquote(m.Get("error")); ok {
			m.Set("error", []byte(`{"error":{"name":"Error","message":`+string(rawjson.Quote(text))+`}}`))
		}
	})
	return one(obj)
}

// from1: snapshots of main frames had no viewport.
func from1(f *File, obj rawjson.Object) []rawjson.Object {
	if obj.Text("type") != "frame-snapshot" {
		return one(obj)
	}
	change(&obj, "snapshot", func(s *rawjson.Object) {
		if string(s.Get("isMainFrame")) != "true" {
			return
		}
		w, h := "1280", "720"
		if f.header.Width != "" && f.header.Height != "" {
			w, h = f.header.Width, f.header.Height
		}
		s.Set("viewport", []byte(`{"width":`+w+`,"height":`+h+`}`))
	})
	return one(obj)
}

// from2: requests were flat.
func from2(_ *File, obj rawjson.Object) []rawjson.Object {
	if obj.Text("type") != "resource-snapshot" {
		return one(obj)
	}
	change(&obj, "snapshot", func(s *rawjson.Object) {
		if s.Has("request") {
			return
		}
		req := rawjson.Object{{Key: "method", Value: s.Get("method")}, {Key: "url", Value: s.Get("url")}}
		appendIf(&req, "headers", s.Get("requestHeaders"))
		if sha := s.Get("requestSha1"); sha != nil && s.Text("requestSha1") != "" {
			req.Set("postData", rawjson.Object{{Key: "_sha1", Value: sha}}.AppendTo(nil))
		}
		content := rawjson.Object{}
		appendIf(&content, "mimeType", s.Get("contentType"))
		if s.Text("responseSha1") != "" {
			appendIf(&content, "_sha1", s.Get("responseSha1"))
		}
		resp := rawjson.Object{}
		appendIf(&resp, "status", s.Get("status"))
		appendIf(&resp, "headers", s.Get("responseHeaders"))
		resp.Set("content", content.AppendTo(nil))
		s.Rename("frameId", "_frameref")
		s.Rename("timestamp", "_monotonicTime")
		for _, key := range []string{"method", "url", "requestHeaders", "requestSha1", "status", "responseHeaders", "contentType", "responseSha1"} {
			s.Delete(key)
		}
		s.Set("request", req.AppendTo(nil))
		s.Set("response", resp.AppendTo(nil))
	})
	return one(obj)
}

func appendIf(obj *rawjson.Object, key string, v []byte) {
	if v != nil {
		obj.Set(key, v)
	}
}

// from3: actions and events had everything under "metadata".
func from3(_ *File, obj rawjson.Object) []rawjson.Object {
	typ := obj.Text("type")
	if typ != "action" && typ != "event" {
		return one(obj)
	}
	m := obj.Object("metadata")
	if m == nil {
		return one(obj)
	}
	if string(m.Get("internal")) == "true" || strings.HasPrefix(m.Text("method"), "tracing") {
		return nil
	}
	if typ == "event" {
		return one(eventFrom3(m))
	}
	return one(actionFrom3(m))
}

func eventFrom3(m rawjson.Object) rawjson.Object {
	params := m.Object("params")
	if m.Text("method") == "__create__" && m.Text("type") == "ConsoleMessage" {
		return rawjson.Object{{Key: "type", Value: []byte(`"object"`)}, {Key: "class", Value: m.Get("type")},
			{Key: "guid", Value: params.Get("guid")}, {Key: "initializer", Value: params.Get("initializer")}}
	}
	e := rawjson.Object{{Key: "type", Value: []byte(`"event"`)}}
	for _, p := range [][2]string{{"startTime", "time"}, {"type", "class"}, {"method", "method"}, {"params", "params"}, {"pageId", "pageId"}} {
		appendIf(&e, p[1], m.Get(p[0]))
	}
	return e
}

func actionFrom3(m rawjson.Object) rawjson.Object {
	a := rawjson.Object{{Key: "type", Value: []byte(`"action"`)}}
	for _, p := range [][2]string{{"id", "callId"}, {"startTime", "startTime"}, {"endTime", "endTime"}, {"apiName", "apiName"},
		{"type", "class"}, {"method", "method"}, {"params", "params"}, {"wallTime", "wallTime"}, {"log", "log"},
		{"result", "result"}, {"point", "point"}, {"pageId", "pageId"}, {"stack", "stack"}} {
		appendIf(&a, p[1], m.Get(p[0]))
	}
	if m.Text("apiName") == "" {
		a.SetText("apiName", m.Text("type")+"."+m.Text("method"))
	}
	if e := m.Object("error"); e != nil {
		if inner := e.Get("error"); inner != nil {
			a.Set("error", inner)
		} else {
			a.Set("error", m.Get("error"))
		}
	}
	snapshotNames(m.Get("snapshots"), &a)
	return a
}

// snapshotNames keeps the names of an action's snapshots. The middle one was
// titled "action" by the recorders and "input" by the readers of that time.
func snapshotNames(list []byte, a *rawjson.Object) {
	elements, _ := rawjson.Elements(list)
	for _, e := range elements {
		s, err := rawjson.Parse(e)
		if err != nil {
			continue
		}
		switch s.Text("title") {
		case "before":
			a.Set("beforeSnapshot", s.Get("snapshotName"))
		case "input", "action":
			a.Set("inputSnapshot", s.Get("snapshotName"))
		case "after":
			a.Set("afterSnapshot", s.Get("snapshotName"))
		}
	}
}

// from4: console messages were objects that events pointed to.
func from4(f *File, obj rawjson.Object) []rawjson.Object {
	switch obj.Text("type") {
	case "object":
		if obj.Text("class") == "ConsoleMessage" {
			f.v3.consoles[obj.Text("guid")] = obj.Object("initializer").Clone()
		}
		return nil
	case "event":
		return f.eventFrom4(obj)
	}
	return one(obj)
}

func (f *File) eventFrom4(obj rawjson.Object) []rawjson.Object {
	params := obj.Object("params")
	switch obj.Text("method") {
	case "__create__":
		if params.Text("type") == "JSHandle" {
			f.v3.handles[params.Text("guid")] = append([]byte(nil), params.Object("initializer").Get("preview")...)
		}
	case "console":
		return f.consoleFrom4(obj, params)
	}
	return one(obj)
}

func (f *File) consoleFrom4(obj, params rawjson.Object) []rawjson.Object {
	init, ok := f.v3.consoles[params.Object("message").Text("guid")]
	if !ok {
		return nil
	}
	c := rawjson.Object{{Key: "type", Value: []byte(`"console"`)}}
	appendIf(&c, "time", obj.Get("time"))
	appendIf(&c, "pageId", obj.Get("pageId"))
	appendIf(&c, "messageType", init.Get("type"))
	appendIf(&c, "text", init.Get("text"))
	c.Set("args", f.consoleArgs(init.Get("args")))
	appendIf(&c, "location", init.Get("location"))
	return one(c)
}

// consoleArgs replaces references to handles by their previews.
func (f *File) consoleArgs(list []byte) []byte {
	elements, err := rawjson.Elements(list)
	if err != nil {
		return []byte("[]")
	}
	out := []byte{'['}
	for i, e := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		arg, err := rawjson.Parse(e)
		preview, known := f.v3.handles[arg.Text("guid")]
		if err == nil && known && arg.Get("preview") == nil {
			e = rawjson.Object{{Key: "preview", Value: preview}}.AppendTo(nil)
		}
		out = append(out, e...)
	}
	return append(out, ']')
}

// from5: log lines were a list in "after".
func from5(_ *File, obj rawjson.Object) []rawjson.Object {
	if obj.Text("type") != "after" || !obj.Has("log") {
		return one(obj)
	}
	logs := logLines(obj.Get("callId"), obj.Get("log"))
	obj.Delete("log")
	return append(one(obj), logs...)
}

// from6: there was no origin, no monotonic clock in the first line, and a
// step was told from another by its name and wall time.
func from6(f *File, obj rawjson.Object) []rawjson.Object {
	switch obj.Text("type") {
	case "context-options":
		if !obj.Has("origin") {
			obj.SetText("origin", "library")
		}
		if !obj.Has("monotonicTime") {
			obj.Set("monotonicTime", []byte("0"))
		}
	case "before", "action":
		f.stepFrom6(&obj)
		if f.anchor {
			f.anchor = false
			return append(one(anchorLine(obj)), obj)
		}
	}
	return one(obj)
}

func (f *File) stepFrom6(obj *rawjson.Object) {
	if !obj.Has("stepId") && obj.Text("apiName") != "" && obj.Has("wallTime") {
		obj.SetText("stepId", obj.Text("apiName")+"@"+string(obj.Get("wallTime")))
	}
}

// anchorLine tells which wall time belongs to which monotonic time, which the
// first line of these versions does not.
func anchorLine(action rawjson.Object) rawjson.Object {
	a := rawjson.Object{{Key: "type", Value: []byte(`"` + AnchorType + `"`)}}
	appendIf(&a, "monotonicTime", action.Get("startTime"))
	appendIf(&a, "wallTime", action.Get("wallTime"))
	return a
}

// AnchorType is the type of a line that ties the clocks of a file of version
// 6 or older: "monotonicTime" and "wallTime" are of one moment.
const AnchorType = "clock-anchor"

// from7: titles were called apiName.
func from7(_ *File, obj rawjson.Object) []rawjson.Object {
	switch obj.Text("type") {
	case "before", "action":
		obj.Rename("apiName", "title")
		if !obj.Has("stepId") && obj.Has("callId") {
			obj.Set("stepId", obj.Get("callId"))
		}
	}
	return one(obj)
}

// from8: blobs were named by hash, snapshots by a name.
func from8(f *File, obj rawjson.Object) []rawjson.Object {
	switch obj.Text("type") {
	case "screencast-frame":
		hashToFile(&obj, "sha1", "file")
	case "before", "input", "after", "action":
		f.rememberNames(&obj)
	case "frame-snapshot":
		change(&obj, "snapshot", func(s *rawjson.Object) {
			if list := s.Get("resourceOverrides"); list != nil {
				s.Set("resourceOverrides", hashesToFiles(list))
			}
		})
	case "resource-snapshot":
		change(&obj, "snapshot", func(s *rawjson.Object) { f.entryFrom8(s) })
	}
	return one(obj)
}

func (f *File) entryFrom8(s *rawjson.Object) {
	change(s, "request", func(r *rawjson.Object) {
		change(r, "postData", func(p *rawjson.Object) { hashToFile(p, "_sha1", "_file") })
	})
	change(s, "response", func(r *rawjson.Object) {
		change(r, "content", func(c *rawjson.Object) { hashToFile(c, "_sha1", "_file") })
	})
	if string(s.Get("_apiRequest")) == "true" {
		s.Delete("_apiRequest")
		if !s.Has("_apiRequestRef") {
			s.SetText("_apiRequestRef", "api@"+f.apiRef)
		}
	}
}

func (f *File) rememberNames(obj *rawjson.Object) {
	for _, p := range [][2]string{{"beforeSnapshot", "before"}, {"inputSnapshot", "action"}, {"afterSnapshot", "after"}} {
		if name := obj.Text(p[0]); name != "" {
			f.phases[name] = p[1]
		}
	}
	if list := obj.Get("attachments"); list != nil {
		obj.Set("attachments", hashesToFiles(list))
	}
}

func hashToFile(obj *rawjson.Object, hash, file string) {
	if name := obj.Text(hash); name != "" && !obj.Has(file) {
		for i := range *obj {
			if (*obj)[i].Key == hash {
				(*obj)[i] = rawjson.Member{Key: file, Value: rawjson.Quote("resources/" + name)}
			}
		}
	}
}

func hashesToFiles(list []byte) []byte {
	elements, err := rawjson.Elements(list)
	if err != nil {
		return list
	}
	out := []byte{'['}
	for i, e := range elements {
		if i > 0 {
			out = append(out, ',')
		}
		if o, err := rawjson.Parse(e); err == nil {
			hashToFile(&o, "sha1", "file")
			e = o.AppendTo(nil)
		}
		out = append(out, e...)
	}
	return append(out, ']')
}

// from9: a call that is also a step of the runner had an id for each. The ids
// are left as they are, with the step's beside the call's: [trace.Load] joins
// by it, where renaming would make one of two calls with the same id vanish.
func from9(_ *File, obj rawjson.Object) []rawjson.Object {
	if obj.Text("type") == "before" && obj.Text("stepId") == obj.Text("callId") {
		obj.Delete("stepId")
	}
	return one(obj)
}

// CallNumber returns the call id that a .stacks file of version 9 or older
// means by a bare number.
func CallNumber(n int) string { return "call@" + strconv.Itoa(n) }
