package determinism

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// workersPage makes workers of all kinds when a timer says so, talks with them,
// and ends one that is at work.
const workersPage = `<!doctype html><script>
const log = [], note = s => log.push(performance.now() + ' ' + s);
const blob = code => URL.createObjectURL(new Blob([code], { type: 'text/javascript' })), echo = 'postMessage("here " + self.name); onmessage = e => postMessage([e.data, performance.now()].join())';
setTimeout(() => {
  for (const [i, options] of [{}, { type: 'module' }, Object.freeze({ name: 'mine' }), {}].entries()) {
    const w = new Worker(blob(echo), options);
    w.onmessage = e => { note(i + ' ' + e.data); if (String(e.data).startsWith('here')) w.postMessage(i); };
  }
  const port = new SharedWorker(blob('onconnect = e => { e.ports[0].onmessage = m => e.ports[0].postMessage("shared " + m.data) }')).port;
  port.onmessage = e => note(e.data); port.postMessage(1);
  const busy = new Worker(blob('setInterval(() => postMessage(0), 5)'));
  busy.onmessage = () => { busy.terminate(); note('ended'); };
  const wrong = new Worker('/missing.js'); wrong.onerror = () => note('missing');
}, 1105);
</script>`

func TestWorkersRepeat(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, workersPage)
	}))
	defer site.Close()
	b, ctx := start(t, Frames), context.Background()
	before := ""
	for range 3 {
		s, err := b.NewSession(ctx, DefaultSession())
		if err != nil {
			t.Fatal(err)
		}
		p := s.Page()
		if err := p.Navigate(ctx, site.URL); err != nil {
			t.Fatal(err)
		}
		if err := s.Advance(ctx, time.Second); err != nil {
			t.Fatal(err)
		}
		v, err := p.Evaluate(ctx, "log")
		if err != nil {
			t.Fatal(err)
		}
		var log []string
		if err := json.Unmarshal(v, &log); err != nil {
			t.Fatal(err)
		}
		if len(log) != 11 {
			t.Errorf("%d of 11 messages came: %q", len(log), log)
		}
		if before != "" && string(v) != before {
			t.Errorf("once %s\nthen %s", before, v)
		}
		before = string(v)
		s.Close()
	}
}
