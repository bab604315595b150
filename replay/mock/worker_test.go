package mock

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace/har"
)

const busy = `<title>app</title><pre id=log></pre><script>
const log = (...a) => document.querySelector("#log").textContent += a.join(" ") + "\n";
new Worker("/w.js").onmessage = e => log("worker", e.data);
const again = new WebSocket("ws://" + location.host + "/again"); again.onmessage = e => log("socket", e.data); again.onclose = e => log("socket closed", e.code, e.reason, e.wasClean);
const x = new XMLHttpRequest, seen = []; x.open("GET", "/slow?x"); x.onprogress = () => seen.push(x.responseText); x.onload = () => log("xhr", seen.join("|"), x.readyState); x.send();
const y = new XMLHttpRequest; y.open("GET", "/gone"); y.timeout = 700; y.ontimeout = () => log("timeout", Math.round(performance.now() / 1000)); y.onload = () => log("no timeout"); y.send();
const c = new AbortController; setTimeout(() => c.abort(), 900);
fetch("/gone?2", { signal: c.signal }).catch(e => log("gone", e.name));
fetch("/part", { signal: c.signal }).then(async r => { const d = r.body.getReader(), x = await d.read(); log("part", new TextDecoder().decode(x.value)); await d.read() }).catch(e => log("part", e.name));
new WebSocket("ws://" + location.host + "/unknown").onclose = e => log("unknown", e.code);
const es = new EventSource("/closed"); es.onerror = () => log("closed stream", es.readyState);
const back = new EventSource("/back"); back.onmessage = e => { log("back", e.data); if (e.data === "two") back.close() };
</script>`

const busyWorker = `const s = new WebSocket("ws://" + location.host + "/ws"); s.onmessage = e => { postMessage("socket " + e.data); if (e.data === "hello") s.send("ask") };
new EventSource("/events").onmessage = e => postMessage("stream " + e.data);
fetch("/slow").then(async r => { const d = r.body.getReader(), t = new TextDecoder; for (;;) { const x = await d.read(); if (x.done) break; postMessage("chunk " + t.decode(x.value)) } });`

func TestWorkersAndLaterDocumentsGoOnWithTheRecording(t *testing.T) {
	address, asked := serve(t, map[string]string{"/": busy, "/w.js": busyWorker})
	aborted := func(path string, status int, body string) exchange {
		x := get(path, body)
		x.status, x.edit = status, func(e *har.Entry) { e.Time, e.WasAborted, e.Response.FailureText = 900, true, "net::ERR_ABORTED" }
		return x
	}
	slow := func(path string) exchange {
		x := get(path, "onetwothree")
		x.edit = func(e *har.Entry) { e.SetExtra("_chunks", []byte(`[[5,3],[1005,3],[2005,5]]`)) }
		return x
	}
	socket := func(path, says string, edit func(*har.Entry), more ...line) exchange {
		return exchange{method: "GET", url: "ws://app.test:3000" + path, kind: "websocket", status: 101, edit: edit, body: lines(append([]line{said("receive", 0, 20, 1, says)}, more...)...)}
	}
	stream := func(path string, at int, says string, status int, ms float64) exchange {
		return exchange{method: "GET", url: app + path, kind: "eventsource", status: status, body: says, edit: func(e *har.Entry) {
			e.Time = ms
			e.StartedDateTime = began.Add(time.Duration(at) * time.Millisecond).Format("2006-01-02T15:04:05.000Z")
			e.Response.Content.MimeType = "text/event-stream"
		}}
	}
	var list []exchange
	list = append(list, page(), socket("/ws", "hello", func(e *har.Entry) { e.Time = -1 }, said("send", 0, 60, 1, "ask"), said("receive", 0, 90, 1, "answer")),
		stream("/events", 0, "data: first\n\n", 200, -1), slow("/slow"), slow("/slow?x"), aborted("/gone", -1, ""), aborted("/gone?2", -1, ""), aborted("/part", 200, "half"),
		stream("/closed", 0, "", 500, 10), stream("/back", 0, "data: one\n\n", 200, 50), stream("/back", 450, "data: two\n\n", 200, 50),
		socket("/again", "first", func(e *har.Entry) { e.Time = 100; e.SetExtra("_close", []byte(`{"code":4002,"reason":"enough"}`)) }), socket("/again", "second", func(e *har.Entry) { e.Time = -1 }))
	ctx := context.Background()
	b, err := determinism.Start(ctx, determinism.Options{})
	check(t, err)
	defer b.Close()
	r := router(t, Options{Target: address, OnMiss: Warn}, list...)
	o := determinism.DefaultSession()
	o.Network, o.Scripts, o.Hear = r.Network(), []string{r.Script()}, r.Hear
	s, err := b.NewSession(ctx, o)
	check(t, err)
	defer s.Close()
	visit := func() string {
		check(t, s.Page().Navigate(ctx, address))
		check(t, s.Advance(ctx, 6*time.Second))
		log, err := s.Page().Evaluate(ctx, `document.querySelector("#log").textContent + typeof `+determinism.Teller)
		check(t, err)
		return strings.ReplaceAll(strings.Trim(string(log), `"`), `\n`, "\n")
	}
	first := visit()
	for _, want := range []string{"worker socket hello", "worker socket answer", "worker stream first", "worker chunk one\n", "worker chunk three", "xhr one|onetwo|onetwothree 4", "timeout 1", "gone AbortError",
		"part half", "part AbortError", "closed stream 2", "back one", "back two", "socket first", "socket closed 4002 enough true", "undefined"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(first, "no timeout") {
		t.Error("what was never answered is")
	}
	if second := visit(); !strings.Contains(second, "socket second") || strings.Contains(second, "socket first") {
		t.Errorf("the next document did not go on with the next socket:\n%s", second)
	}
	t.Logf("\n%s", first)
	told := false
	for _, m := range r.Report().Misses {
		told = told || m.Code == CodeMissWarn && strings.HasSuffix(m.URL, "/unknown") && m.Count == 2
	}
	if !told {
		t.Errorf("what the script could not answer is not in the report: %v", r.Report().Misses)
	}
	if list := asked(); len(list) > 1 { // the worker's script
		t.Errorf("the server was asked for %v", list)
	}
}
