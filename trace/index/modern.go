package index

import (
	"encoding/json"

	"github.com/tracedeck/tracedeck/trace"
)

// fill takes from an event of an old version, brought up to date by package
// trace, what scan takes from a line.
func (r *record) fill(body trace.Body) {
	r.reset()
	switch b := body.(type) {
	case *trace.ContextOptions:
		r.kind = recordContext
	case *trace.Before:
		r.fillBefore(recordBefore, b)
	case *trace.Begun:
		r.fillBefore(recordBegun, &b.Before)
	case *trace.Input:
		r.kind, r.callID = recordInput, []byte(b.CallID)
		r.point, r.box = marshal(b.Point), marshal(b.Box)
	case *trace.Log:
		r.kind, r.callID, r.time, r.message = recordLog, []byte(b.CallID), b.Time, []byte(b.Message)
	case *trace.After:
		r.kind, r.callID, r.end = recordAfter, []byte(b.CallID), b.EndTime
		if b.Error != nil {
			r.failed, r.message = true, []byte(b.Error.Message)
		}
		r.attachments = marshal(b.Attachments)
	case *trace.ContextEvent:
		r.kind, r.time, r.class, r.method = recordEvent, b.Time, []byte(b.Class), []byte(b.Method)
		r.params, r.pageID = b.Params, []byte(b.PageID)
	case *trace.Console:
		r.kind, r.time, r.level, r.message = recordConsole, b.Time, []byte(b.Kind), []byte(b.Text)
		r.pageID, r.url = []byte(b.PageID), []byte(b.Location.URL)
		r.line, r.column = int64(b.Location.Line), int64(b.Location.Column)
	case *trace.Stdio:
		r.fillStdio(b)
	case *trace.TestError:
		r.kind, r.message = recordError, []byte(b.Message)
	case *trace.ScreencastFrame:
		r.kind, r.time, r.pageID, r.entry = recordFrame, b.Timestamp, []byte(b.PageID), []byte(b.File)
		r.width, r.height = b.Width, b.Height
	case *trace.FrameSnapshot:
		r.fillSnapshot(b)
	case *trace.ResourceSnapshot:
		r.fillRequest(b)
	}
}

func (r *record) fillBefore(kind recordKind, b *trace.Before) {
	r.kind = kind
	r.callID, r.stepID, r.parentID, r.time = []byte(b.CallID), []byte(b.StepID), []byte(b.ParentID), b.StartTime
	r.title, r.subtitle, r.class, r.method = []byte(b.Title), []byte(b.Subtitle), []byte(b.Class), []byte(b.Method)
	r.group, r.pageID, r.params = []byte(b.Group), []byte(b.PageID), b.Params
}

func (r *record) fillStdio(b *trace.Stdio) {
	r.kind, r.time, r.message = recordStdout, b.Time, []byte(b.Text)
	if b.Stream == "stderr" {
		r.kind = recordStderr
	}
	if b.Text == "" {
		r.message = decoded([]byte(b.Base64))
	}
}

func (r *record) fillSnapshot(b *trace.FrameSnapshot) {
	r.kind, r.time, r.callID, r.phase = recordSnapshot, b.Timestamp, []byte(b.CallID), phaseOf([]byte(b.Phase))
	r.pageID, r.frame, r.url, r.main = []byte(b.PageID), []byte(b.FrameID), []byte(b.FrameURL), b.IsMainFrame
	r.named([]byte(b.Name))
	if b.Viewport != nil {
		r.width, r.height = b.Viewport.Width, b.Viewport.Height
	}
}

func (r *record) fillRequest(b *trace.ResourceSnapshot) {
	e := &b.Entry
	r.kind = recordRequest
	if e.HasMonotonicTime {
		r.time = trace.Milliseconds(e.MonotonicTime)
	}
	r.duration, r.open = trace.Milliseconds(e.Time), e.Time < 0
	r.requestMethod, r.url, r.mime, r.sort = []byte(e.Request.Method), []byte(e.Request.URL), []byte(e.Response.Content.MimeType), []byte(e.ResourceType)
	r.status, r.message, r.frame = int64(e.Response.Status), []byte(e.Response.FailureText), []byte(e.FrameRef)
	r.pageID, r.started = []byte(e.PageRef), []byte(e.StartedDateTime)
	r.entry = []byte(e.Response.Content.File)
	if e.Request.PostData != nil {
		r.sent = []byte(e.Request.PostData.File)
	}
	for _, n := range []float64{float64(e.Response.Content.Size), float64(e.Response.BodySize)} {
		if r.size < 0 && n >= 0 {
			r.size = int64(n)
		}
	}
	for flag, set := range map[RequestFlags]bool{RequestAborted: e.WasAborted, RequestFulfilled: e.WasFulfilled,
		RequestContinued: e.WasContinued, RequestAPI: e.APIRequestRef != "", RequestWorker: e.ServiceWorkerRef != ""} {
		if set {
			r.flags |= flag
		}
	}
	r.settle()
}

// marshal returns JSON, and nil for nothing.
func marshal(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil || string(b) == "null" {
		return nil
	}
	return b
}
