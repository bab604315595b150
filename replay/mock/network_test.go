package mock

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace/har"
)

// talk is a page that asks in all ways and writes down when it was answered, by
// its own clock.
const talk = `<title>app</title><pre id=log></pre><script>
const t0 = performance.now(), log = (...a) => document.querySelector("#log").textContent += a.join(" ") + " @" + Math.round(performance.now() - t0) + "\n";
const ws = new WebSocket("ws://" + location.host + "/ws"); ws.onmessage = e => { log("ws", e.data); if (e.data === "hello") setTimeout(() => ws.send("ask"), 500) };
const es = new EventSource("/events"); es.onmessage = e => log("es", e.data);
fetch("/slow").then(async r => { const d = r.body.getReader(), t = new TextDecoder; for (;;) { const x = await d.read(); if (x.done) break; log("chunk", t.decode(x.value)) } log("end") });
fetch("/slow?text").then(r => r.clone().text()).then(t => log("text", t));
fetch("/slow?wrapped").then(r => new Response(r.body.pipeThrough(new TransformStream())).json()).catch(e => log("wrapped", e.name));
WebAssembly.instantiateStreaming(fetch("/slow?wasm")).then(m => log("wasm", m.instance.exports.add(2, 3)), e => log("wasm", e));
fetch("/slow?kept").then(async r => { const c = await caches.open("a"); await c.put("/kept", r); log("kept", await (await c.match("/kept")).text()) });
fetch("/never").then(() => log("never"), () => log("never failed"));
const x = new XMLHttpRequest; x.open("GET", "/never"); x.onload = x.onerror = x.onloadend = () => log("never by xhr"); x.send();
fetch("/api").then(r => r.text()).then(t => log("api", t));
fetch("http://127.0.0.2:9/out").catch(() => log("blocked"));
</script>`

func TestDeterministicSessionHearsTheRecordingOnItsOwnClock(t *testing.T) {
	address, asked := serve(t, map[string]string{"/": talk})
	never := get("/never", "")
	never.status, never.edit = -1, func(e *har.Entry) { e.Time, e.Response.Content.Size = -1, -1 }
	slow := get("/slow", "onetwothree")
	slow.edit = func(e *har.Entry) { e.SetExtra("_chunks", []byte(`[[5,3],[3005,3],[20005,5]]`)) }
	text, wrapped := get("/slow?text", "onetwothree"), get("/slow?wrapped", "onetwothree")
	text.edit, wrapped.edit = slow.edit, slow.edit
	wasm, kept := get("/slow?wasm", "\x00asm\x01\x00\x00\x00\x01\x07\x01\x60\x02\x7f\x7f\x01\x7f\x03\x02\x01\x00\x07\x07\x01\x03add\x00\x00\x0a\x09\x01\x07\x00\x20\x00\x20\x01\x6a\x0b"), get("/slow?kept", "onetwothree")
	kept.edit, wasm.edit = slow.edit, func(e *har.Entry) {
		slow.edit(e)
		e.Response.Headers = []har.NameValue{{Name: "Content-Type", Value: "application/wasm"}}
	}
	ws := exchange{method: "GET", url: "ws://app.test:3000/ws", kind: "websocket", status: 101, edit: func(e *har.Entry) { e.Time = -1 },
		body: lines(said("receive", 1, 1000, 1, "hello"), said("send", 1, 1500, 1, "ask"), said("receive", 1, 10500, 1, "answer"))}
	es := exchange{method: "GET", url: app + "/events", kind: "eventsource", status: 200, edit: func(e *har.Entry) { e.Time = -1 }, body: lines(said("receive", 2, 5000, 1, "first"), said("receive", 2, 15000, 1, "second"))}
	ctx := context.Background()
	b, err := determinism.Start(ctx, determinism.Options{})
	check(t, err)
	defer b.Close()
	replay := func() string {
		r := router(t, Options{Target: address}, page(), ws, es, slow, text, wrapped, wasm, kept, never, never, get("/api", "answer"))
		o := determinism.DefaultSession()
		o.Network, o.Scripts = r.Network(), []string{r.Script()}
		s, err := b.NewSession(ctx, o)
		check(t, err)
		defer s.Close()
		check(t, s.Page().Navigate(ctx, address))
		check(t, s.Advance(ctx, 25*time.Second))
		log, err := s.Page().Evaluate(ctx, `document.querySelector("#log").textContent`)
		check(t, err)
		if c := codes(r); c != CodeBlocked {
			t.Errorf("codes %s: %v", c, r.Report().Misses)
		}
		list := strings.Split(strings.Trim(string(log), `"`), `\n`)
		slices.Sort(list) // which of two moments that are one comes first is not what this is about
		return strings.Join(list, "\n")
	}
	first := replay()
	t.Logf("\n%s", first)
	for _, want := range []string{"blocked", "api answer", "chunk one", "chunk two @30", "chunk three @200", "end @200", "text onetwothree @200", "wrapped SyntaxError @200", "wasm 5 @200", "kept onetwothree @200", "ws hello @10", "ws answer @105", "es first @50", "es second @150"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(first, "never") {
		t.Error("what was never answered is")
	}
	if again := replay(); again != first {
		t.Errorf("another time:\n%s", again)
	}
	if list := asked(); len(list) > 0 {
		t.Errorf("the server was asked for %v", list)
	}
}
