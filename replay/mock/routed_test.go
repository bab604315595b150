package mock

import (
	"testing"

	"github.com/tracedeck/tracedeck/trace/har"
)

func TestWhatTheRecordedProgramAnsweredIsAnsweredWhateverItIs(t *testing.T) {
	own := func(path, kind, mime, body string) exchange {
		return exchange{method: "GET", url: app + path, kind: kind, status: 200, body: body, edit: func(e *har.Entry) { e.WasFulfilled, e.Response.Content.MimeType = true, mime }}
	}
	refused := exchange{method: "GET", url: app + "/ad.png", kind: "image", edit: func(e *har.Entry) { e.WasAborted, e.Response.Status = true, -1 }}
	served := exchange{method: "GET", url: app + "/style.css", kind: "stylesheet", status: 200, body: "p{}"}
	lost := own("/own.js", "script", "text/javascript", "")
	lost.edit = func(e *har.Entry) {
		e.WasFulfilled, e.Response.Content.Size, e.Response.BodySize = true, -1, 20
	}
	list := []exchange{page(), own("/style.css", "stylesheet", "text/css", "h1{}"), served, own("/page", "document", "text/html", "<h1>"), refused, lost}

	r := router(t, Options{}, list...)
	wants(t, r.get("Stylesheet", app+"/style.css"), "h1{}")
	if a := r.get("Stylesheet", app+"/style.css"); a.Decision != Let { // by then the server's
		t.Errorf("the server's own: %+v", a)
	}
	wants(t, r.get("Document", app+"/page"), "<h1>")
	wants(t, r.get("Document", app+"/page"), "<h1>")
	if a := r.get("Image", app+"/ad.png"); a.Decision != Fail || a.Reason != "Aborted" {
		t.Errorf("%+v", a)
	}
	if a := r.get("Document", app+"/"); a.Decision != Let {
		t.Errorf("the app's page: %+v", a)
	}
	if a := r.get("Script", app+"/own.js"); a.Decision != Let || codes(r) != CodeMissPass {
		t.Errorf("%+v, misses %s", a, codes(r))
	}
	live := router(t, Options{Mode: Live}, list...)
	if a := live.get("Stylesheet", app+"/style.css"); a.Decision != Let {
		t.Errorf("live: %+v", a)
	}
}
