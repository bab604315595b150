package determinism

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// outsidePage has others do something when it is clicked, and notes at which
// time each is done.
const outsidePage = `<!doctype html><canvas id="c"></canvas><script>
const done = {}, note = name => { done[name] = performance.now() - clicked; };
let clicked;
const a = new BroadcastChannel('x'), b = new BroadcastChannel('x'); b.onmessage = () => note('channel');
const asked = r => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = no; });
onclick = () => {
  clicked = performance.now();
  (async () => { let d = new Uint8Array(4); for (let i = 0; i < 20; i++) d = await crypto.subtle.digest('SHA-256', d); note('digest'); })();
  (async () => { const r = indexedDB.open('d', 1); r.onupgradeneeded = () => r.result.createObjectStore('s', { autoIncrement: true }); const db = await asked(r);
    for (let i = 0; i < 5; i++) await asked(db.transaction('s', 'readwrite').objectStore('s').add(i)); note('database'); })();
  c.toBlob(async blob => { const i = await createImageBitmap(blob); await new Response(blob).arrayBuffer(); await blob.text(); note('picture'); });
  navigator.locks.request('l', () => note('lock'));
  a.postMessage(1);
};
</script>`

func TestWhatPagesHaveOthersDoTakesNoTime(t *testing.T) {
	site, b := page(t, outsidePage), start(t, Frames)
	for range 3 {
		s, p := visit(t, b, site.URL)
		click(t, p, 600, 400)
		done := after[map[string]float64](t, s, 100*time.Millisecond, "done")
		for _, name := range []string{"digest", "database", "picture", "lock", "channel"} {
			if took, ok := done[name]; !ok || took != 0 {
				t.Errorf("%s took %v ms of the page's time, %v", name, took, ok)
			}
		}
		s.Close()
	}
}

// lateWork has others do something when timers say so, in the middle of steps,
// and notes what came when.
const lateWork = `<!doctype html><script>
const log = [], at = () => Math.round(performance.now() * 2) / 2, note = s => log.push(at() + ' ' + s);
const asked = r => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = no; });
const work = {
  async digest() { let d = new Uint8Array(4); for (let i = 0; i < 5; i++) d = await crypto.subtle.digest('SHA-256', d); },
  async module() { await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); },
  async database() { const r = indexedDB.open('d', 1); r.onupgradeneeded = () => r.result.createObjectStore('s', { autoIncrement: true }); const db = await asked(r); await asked(db.transaction('s', 'readwrite').objectStore('s').add(1)); },
  async locks() { await Promise.all([1, 2, 3].map(n => navigator.locks.request('l', () => crypto.subtle.digest('SHA-1', new Uint8Array(n))))); },
  async kept() { await Promise.all([1, 2, 3].map(n => navigator.locks.request('k', () => new Promise(done => setTimeout(done, 11))))); waited = 33; },
  async blob() { await (await fetch(URL.createObjectURL(new Blob(['x'])))).text(); },
  async answer() { await (await fetch('/answer')).text(); },
  channel() { return new Promise(done => { const a = new BroadcastChannel('x'), b = new BroadcastChannel('x'); b.onmessage = () => { a.close(); b.close(); done(); }; a.postMessage(1); }); },
};
let waited;
const begin = async name => { const began = at(); waited = 0; await work[name](); note(name + ' ' + (at() - began - waited)); waited = 0; };
onload = () => Object.keys(work).forEach((name, i) => { for (let n = 0; n < 3; n++) setTimeout(begin, 2003 + i * 7 + n * 150, name); });
</script>`

func TestWorkThatTimersBeginTakesNoTime(t *testing.T) {
	site, b := page(t, lateWork), start(t, Frames)
	var before runs
	for range 2 {
		s, _ := visit(t, b, site.URL)
		log := after[string](t, s, 2*time.Second, "log.join('; ')")
		if n := strings.Count(log, ";") + 1; n != 24 {
			t.Errorf("%d of 24 works are done: %s", n, log)
		}
		for _, one := range strings.Split(log, "; ") {
			if !strings.HasSuffix(one, " 0") {
				t.Errorf("took time: %s", one)
			}
		}
		before.same(t, strings.Split(log, "; "))
		s.Close()
	}
}

// askingPage asks for what the machine may have, all at once, and notes what it hears.
const askingPage = `<!doctype html><script>
const log = [], ask = {
  devices: () => navigator.mediaDevices.enumerateDevices(), display: () => navigator.mediaDevices.getDisplayMedia(), microphone: () => navigator.mediaDevices.getUserMedia({ audio: true }),
  midi: () => navigator.requestMIDIAccess(), awake: () => navigator.wakeLock.request('screen'), turned: () => screen.orientation.lock('landscape'), cookies: () => document.hasStorageAccess(),
  codec: () => VideoEncoder.isConfigSupported({ codec: 'vp8', width: 64, height: 64 }), room: () => navigator.xr.isSessionSupported('inline'), codecs: () => navigator.mediaCapabilities.decodingInfo({ type: 'file', audio: { contentType: 'audio/mpeg' } }),
};
onclick = () => { const began = performance.now(), note = name => log.push(name + ' ' + (performance.now() - began)); for (const name of Object.keys(ask)) ask[name]().then(() => note(name), () => note(name)); };
</script>`

func TestAnswersOfTheMachineComeInTheOrderOfTheQuestions(t *testing.T) {
	site, b := page(t, askingPage), start(t, Frames)
	for range 3 {
		s, p := visit(t, b, site.URL)
		click(t, p, 600, 400)
		got := after[string](t, s, 100*time.Millisecond, "log.join()")
		if want := after[string](t, s, 0, "Object.keys(ask).map(n => n + ' 0').join()"); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		s.Close()
	}
}

// turningPage notes the time of its animation in each frame.
const turningPage = `<!doctype html><style>@keyframes m{to{rotate:1turn}}div{width:50px;height:50px;background:red;animation:m 30s infinite}</style><div></div><script>
const log = [], frame = () => { log.push(document.getAnimations()[0].currentTime); requestAnimationFrame(frame); };
frame();
</script>`

func TestAnimationsOfLaterPagesKeepExactTime(t *testing.T) {
	site, b, ctx := page(t, turningPage), start(t, Frames), t.Context()
	s, err := b.NewSession(ctx, DefaultSession())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range 6 {
		// The clock is far ahead of the real one, so the document's time begins
		// at any microsecond.
		if err := s.Advance(ctx, 20*time.Second); err != nil {
			t.Fatal(err)
		}
		if err := s.Page().Navigate(ctx, fmt.Sprintf("%s/?%d", site.URL, i)); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			s.stirred()
			if err := s.Advance(ctx, 400*time.Millisecond); err != nil {
				t.Fatal(err)
			}
		}
		log := after[[]float64](t, s, time.Millisecond, "log")
		if len(log) < 100 {
			t.Errorf("load %d: %d frames", i, len(log))
		}
		for n, x := range log {
			if math.Abs(x*2-math.Round(x*2)) > 1e-6 {
				t.Errorf("load %d: the animation is at %v ms in frame %d", i, x, n)
			}
		}
	}
}

func TestPagesThatGoBackByThemselvesGoOn(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><p id=p></p><script>let n = 0; setInterval(() => n++, 10); onpopstate = e => { p.textContent = location.pathname }</script>`)
	}))
	defer site.Close()
	b, ctx := start(t, Frames), context.Background()
	s, err := b.NewSession(ctx, DefaultSession())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := s.Page()
	for _, path := range []string{"/one", "/two"} {
		if err := p.Navigate(ctx, site.URL+path); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct{ script, want string }{
		{"history.back()", `"/one||true"`},
		{"history.pushState(1, '', '/new'); history.back()", `"/one|/one|true"`},
		{"setTimeout(() => history.go(1), 5)", `"/new|/new|true"`},
		{"history.go(9)", `"/new|/new|true"`},
	} {
		if _, err := p.Evaluate(ctx, step.script+"; 0"); err != nil {
			t.Fatal(err)
		}
		if err := s.Advance(ctx, 500*time.Millisecond); err != nil {
			t.Fatal(step.script, err)
		}
		v, err := p.Evaluate(ctx, "[location.pathname, p.textContent, n > 20].join('|')")
		if err != nil || string(v) != step.want {
			t.Errorf("after %s: %s, want %s (%v)", step.script, v, step.want, err)
		}
	}
}

// A script that a debugger holds is about to begin something: a barrier is behind
// that, though the page answers meanwhile.
func TestBarriersAreNotInTheMiddleOfAScript(t *testing.T) {
	site, b := page(t, `<!doctype html><script>const c = new MessageChannel(); c.port1.onmessage = () => crypto.subtle.digest('SHA-1', new Uint8Array(1));</script>`), start(t, Frames)
	s, p := visit(t, b, site.URL)
	s.time.halting.Lock() // the script is not let go on
	halts := func() int { p.mu.Lock(); defer p.mu.Unlock(); return p.halts }
	before := halts()
	if _, err := p.Evaluate(t.Context(), "c.port2.postMessage(0)"); err != nil {
		t.Error(err)
	}
	for i := 0; halts() == before && i < 2000; i++ {
		time.Sleep(time.Millisecond)
	}
	begun := make(chan bool, 1)
	go func() {
		came := p.way(next).passed(t.Context(), 20*time.Second)
		p.mu.Lock()
		defer p.mu.Unlock()
		begun <- came && (p.ended || len(p.outside) > 0)
	}()
	held := false
	for range 20 { // the page answers, behind the barrier
		if err := p.call(t.Context(), "Runtime.evaluate", object{"expression": "0"}, nil); err != nil {
			t.Error(err)
		}
		held = halts() > before
	}
	s.time.halting.Unlock()
	if began := <-begun; !held || !began {
		t.Errorf("the script was held: %v, and had begun its work at the barrier: %v", held, began)
	}
}
