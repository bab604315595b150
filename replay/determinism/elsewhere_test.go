package determinism

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const leavingPage = `<!doctype html><title>left</title><style>@keyframes m{to{transform:translateX(300px)}}i{display:block;width:40px;height:40px;background:red;animation:m 3s infinite}</style>
<a href="%s" style="position:absolute;left:0;top:0;width:50px;height:30px">go</a><i></i>`

const apartPage = `<!doctype html><title>apart</title><style>@keyframes m{to{transform:translateX(300px)}}i{display:block;width:40px;height:40px;background:red;animation:m 3s infinite}</style><i></i><script>
const log = [crossOriginIsolated]; let n = 0;
const frame = () => { const now = Math.round(performance.now() * 2) / 2; log.push(Math.round(Math.abs(document.timeline.currentTime - now))); if (++n < 5) requestAnimationFrame(frame); };
requestAnimationFrame(frame);
new IntersectionObserver(([e]) => log.push(e.time <= performance.now())).observe(document.querySelector('i'));
setTimeout(() => { const [a] = document.getAnimations(); log.push('began ' + (a.startTime < 20), 'at ' + (Math.abs(document.timeline.currentTime - a.startTime - a.currentTime) < 1)); }, 300);
</script>`

// elsewhere serves a document that leads to a server that is down, to one in a
// process of its own, and to what is no document.
func elsewhere(t *testing.T) *httptest.Server {
	t.Helper()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/apart":
			w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
			w.Header().Set("Cross-Origin-Embedder-Policy", "require-corp")
			fmt.Fprint(w, apartPage)
		case "/nothing":
			w.WriteHeader(http.StatusNoContent)
		case "/file":
			w.Header().Set("Content-Disposition", "attachment")
		case "/down":
			fmt.Fprintf(w, leavingPage, down.URL)
		default:
			fmt.Fprintf(w, leavingPage, strings.TrimPrefix(r.URL.RawQuery, "to="))
		}
	}))
	t.Cleanup(site.Close)
	return site
}

// left is what is seen of a session that follows a link while it is far ahead of
// the real clock, then goes back, and then elsewhere.
func left(t *testing.T, b *Browser, address string) (log []string) {
	s, p := visit(t, b, address)
	defer s.Close()
	see := func() {
		if _, err := p.Picture(t.Context()); err != nil {
			t.Fatalf("%s: %v", p.URL(), err)
		}
		v, err := p.Evaluate(t.Context(), "[document.title, typeof log === 'undefined' ? '' : log].join()")
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, string(v))
	}
	pass := func(d time.Duration) {
		if err := s.Advance(t.Context(), d); err != nil {
			t.Fatalf("%s: %v", p.URL(), err)
		}
	}
	pass(5 * time.Second)
	click(t, p, 5, 5)
	see()
	pass(500 * time.Millisecond)
	see()
	if err := p.Travel(t.Context(), -1); err != nil {
		t.Fatal(err)
	}
	pass(500 * time.Millisecond)
	see()
	if err := p.Navigate(t.Context(), address); err != nil {
		t.Fatal(err)
	}
	see()
	return log
}

// Another process begins with a clock that is behind, and frames that are not later
// than the last one are never made.
func TestFramesGoOnInAnotherProcess(t *testing.T) {
	site, b := elsewhere(t), start(t, Frames)
	for _, to := range []string{"/down", "/?to=/nothing", "/?to=/file", "/?to=/apart"} {
		log := left(t, b, site.URL+to)
		if want := `"apart,true,0,true,0,0,0,0,began true,at true"`; to == "/?to=/apart" && log[1] != want {
			t.Errorf("%s, want %s", log[1], want)
		}
	}
}
