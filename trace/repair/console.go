package repair

import (
	"encoding/json"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// console gives a message the location without which viewers break.
func (x *filter) console(e *trace.Event, b *trace.Console) error {
	line, err := rawjson.Parse(e.Raw)
	if err != nil || line.Object("location") != nil || x.file.Version() < 5 {
		return x.out.Keep(e)
	}
	b.Extra.Set("location", nil)
	x.fix(e, "E_NO_LOCATION", "%.60q", b.Text)
	return x.out.Write(b)
}

// derived marks an event of the protocol of which a message or an error was
// made: who makes one of such events must not make it twice.
const derived = "_derived"

// happening makes what viewers know of a log event of the protocol.
func (x *filter) happening(e *trace.Event, b *trace.ContextEvent) error {
	message, failure := trace.ConsoleOf(b)
	if x.scan.console || message == nil && failure == nil {
		return x.out.Keep(e)
	}
	params, err := rawjson.Parse(b.Params)
	if err != nil || params.Has(derived) {
		return x.out.Keep(e)
	}
	params.Set(derived, []byte("true"))
	b.Params = params.AppendTo(nil)
	if err := x.out.Write(b); err != nil {
		return err
	}
	if message != nil {
		message.PageID = x.pageID(message.PageID)
		x.fix(e, "W_CONSOLE_DERIVED", "%.60q", message.Text)
		return x.out.Write(message)
	}
	x.fix(e, "W_PAGE_ERROR_DERIVED", "%.60q", failure.Message)
	return x.out.Write(x.pageError(failure))
}

// pageID is the id as other lines of the file write it.
func (x *filter) pageID(id string) string {
	if known, ok := x.pages[plainID(id)]; ok {
		return known
	}
	return id
}

func (x *filter) pageError(f *trace.Failure) *trace.ContextEvent {
	name := f.Name
	if name == "" {
		name = "Error"
	}
	params, _ := json.Marshal(map[string]any{
		"error":    map[string]any{"error": map[string]string{"name": name, "message": f.Message, "stack": f.Stack}},
		"location": map[string]any{"url": f.Location.URL, "line": f.Location.Line, "column": f.Location.Column},
	})
	return &trace.ContextEvent{Time: f.Time, Class: "BrowserContext", Method: "pageError", Params: params, PageID: x.pageID(f.PageID)}
}
