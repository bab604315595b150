package determinism

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// isolated serves a document that gets a process of its own.
func isolated(t *testing.T, document string) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
		fmt.Fprint(w, document)
	}))
	t.Cleanup(site.Close)
	return site
}

const isolatedPage = `<!doctype html><script>
const log = [], note = s => log.push([s, performance.now(), new Date().toISOString()].join(' '));
note(crossOriginIsolated); setTimeout(() => note('timer'), 350); requestAnimationFrame(() => requestAnimationFrame(() => note('frame')));
setTimeout(() => note(new SharedArrayBuffer(8).byteLength), 505);
</script>`

// The clock of another process begins at the real time, and runs until it is told not to.
func TestIsolatedPagesKeepTheSessionsTime(t *testing.T) {
	site, b := isolated(t, isolatedPage), start(t, Frames)
	var before runs
	for range 3 {
		s, p := visit(t, b, site.URL)
		log := after[[]string](t, s, time.Second, "note('end'), log")
		if err := p.Navigate(t.Context(), site.URL+"/next"); err != nil {
			t.Fatal(err)
		}
		log = append(log, after[[]string](t, s, time.Second, "note('end'), log")...)
		if len(log) != 10 || !strings.HasPrefix(log[0], "true 0 2026-01-01T00:00:00.") || !strings.Contains(strings.Join(log, "\n"), "timer 350 2026-01-01T00:00:00.35") {
			t.Errorf("%q", log)
		}
		before.same(t, log)
		s.Close()
	}
}

const measuredPage = `<!doctype html><p>text</p><script>
const log = []; performance.mark('a');
addEventListener('unhandledrejection', e => log.push(String(e.reason && e.reason.stack)));
setTimeout(async () => {
  performance.mark('b'); performance.measure('ab', 'a', 'b'); performance.measure('all');
  await (await fetch('/x')).text();
  const n = performance.getEntriesByType('navigation')[0], t = performance.timing;
  for (const e of performance.getEntries()) log.push([e.entryType, e.name.split(':').pop().replace(/\d+/, ''), e.startTime, e.duration].join(' '));
  log.push(JSON.stringify([n.domInteractive, n.responseEnd, t.loadEventEnd - t.navigationStart, Object.keys(n.toJSON()).length > 20, Temporal.Now.instant().epochMilliseconds - Date.now()]));
  const hex = b => [...new Uint8Array(b)].slice(0, 6).join();
  for (const a of [{ name: 'AES-GCM', length: 256 }, { name: 'HMAC', hash: 'SHA-256' }]) log.push(hex(await crypto.subtle.exportKey('raw', await crypto.subtle.generateKey(a, true, a.hash ? ['sign'] : ['encrypt']))));
  for (const a of [{ name: 'ECDSA', namedCurve: 'P-256' }, { name: 'ECDSA', namedCurve: 'P-384' }, { name: 'ECDSA', namedCurve: 'P-521' }, { name: 'Ed25519' }]) {
    const k = await crypto.subtle.generateKey(a, false, ['sign', 'verify']), how = { ...a, hash: 'SHA-256' }, data = new Uint8Array(9);
    const good = await crypto.subtle.verify(how, k.publicKey, await crypto.subtle.sign(how, k.privateKey, data), data);
    log.push([good, k.privateKey.extractable, k.publicKey.usages, (await crypto.subtle.exportKey('jwk', k.publicKey)).x].join(' '));
  }
  const [one, two] = [await crypto.subtle.generateKey({ name: 'X25519' }, true, ['deriveBits']), await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])];
  log.push([one.publicKey.usages.length, two.privateKey.usages, (await crypto.subtle.deriveBits({ name: 'X25519', public: one.publicKey }, one.privateKey, 128)).byteLength].join(' '), 'end');
}, 100);
</script>`

// What browsers measure, and the keys that they make, are the session's too.
func TestMeasuresAndKeysRepeat(t *testing.T) {
	site, b := page(t, measuredPage), start(t, Frames)
	var before runs
	for range 3 {
		s, _ := visit(t, b, site.URL)
		log := after[[]string](t, s, time.Second, "log")
		if len(log) < 10 || log[len(log)-1] != "end" {
			t.Fatalf("%q", log)
		}
		for _, line := range []string{"measure ab 0 100", "measure all 0 100", "mark b 100 0"} {
			if !slices.Contains(log, line) {
				t.Errorf("%q is not in %q", line, log)
			}
		}
		if n := len(slices.DeleteFunc(slices.Clone(log), func(l string) bool { return !strings.HasPrefix(l, "true false verify ") })); n != 4 {
			t.Errorf("%d of 4 signatures are good: %q", n, log)
		}
		before.same(t, log)
		s.Close()
	}
}

const turningIsolatedPage = `<!doctype html><style>@keyframes m{to{translate:900px}}div{width:50px;height:50px;background:red;animation:m 3s linear}</style><div id="d"></div><script>
const log = [], note = s => log.push([s, performance.now(), document.timeline.currentTime, d.getAnimations()[0].currentTime].join(' '));
requestAnimationFrame(() => requestAnimationFrame(() => { note('frame'); setTimeout(() => note('timer'), 350); }));
</script>`

// Seconds of the session's time pass in less than that, so that the clock of a
// process that begins then is behind that of the one before.
func TestPagesInLaterProcessesGoOn(t *testing.T) {
	plain, site, b := page(t, "<!doctype html><h1>here</h1>"), isolated(t, turningIsolatedPage), start(t, Frames)
	var before runs
	for range 2 {
		s, p := visit(t, b, plain.URL)
		var log []string
		for range 2 {
			after[int](t, s, 20*time.Second, "0")
			if err := p.Navigate(t.Context(), site.URL); err != nil {
				t.Fatal(err)
			}
			log = append(log, after[[]string](t, s, time.Second, "note('end'), log")...)
			picture, err := p.Picture(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			log = append(log, fmt.Sprintf("%x", sha256.Sum256(picture)))
			if err := p.Navigate(t.Context(), plain.URL); err != nil {
				t.Fatal(err)
			}
		}
		before.same(t, log)
		s.Close()
	}
}
