package determinism

import (
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
	site, b := page(t, workersPage), start(t, Frames)
	var before runs
	for range 3 {
		s, _ := visit(t, b, site.URL)
		log := after[[]string](t, s, time.Second, "log")
		if len(log) != 11 {
			t.Errorf("%d of 11 messages came: %q", len(log), log)
		}
		before.same(t, log)
		s.Close()
	}
}

const impatientPage = `<!doctype html><script>const log = [];
const impatient = ` + "`const t = performance.now(); while (performance.now() - t < 20); const d = Date.now(); while (Date.now() - d < 5); postMessage([performance.now() - t, Date.now() - d].join());`" + `;
new Worker(URL.createObjectURL(new Blob([impatient]))).onmessage = e => log.push(e.data);</script>`

// Time passes between the tasks of a worker only.
func TestWorkersMayWaitForTheClock(t *testing.T) {
	site, b := page(t, impatientPage), start(t, Frames)
	for range 2 {
		s, _ := visit(t, b, site.URL)
		if got := after[[]string](t, s, time.Second, "log"); len(got) != 1 || got[0] != "25,5" {
			t.Errorf("%q, want one that is 25,5", got)
		}
		s.Close()
	}
}

// Nothing tells the page that the script of a shared worker has come: it is over
// where the worker begins, and messages are waited for again.
func TestScriptsOfSharedWorkersAreOver(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/shared.js" {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, echoing)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><script>const log = [];
for (const address of ['/shared.js', URL.createObjectURL(new Blob([%q]))]) { const { port } = new SharedWorker(address); port.onmessage = e => log.push(e.data); port.postMessage(1); }
</script>`, echoing)
	}))
	defer site.Close()
	s, _ := visit(t, start(t, Frames), site.URL)
	if log := after[[]int](t, s, time.Second, "log"); len(log) != 2 || !s.net.none() {
		t.Errorf("%d of 2 workers have answered, and of requests %q are open", len(log), s.Pending())
	}
}

const echoing = "onconnect = e => { e.ports[0].onmessage = m => e.ports[0].postMessage(m.data) }"
