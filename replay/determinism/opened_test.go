package determinism

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// opened is a window that was opened with an address, and what is closed when time
// may pass again.
func opened(t *testing.T, addresses ...string) (p *Page, over chan struct{}) {
	t.Helper()
	s := &Session{b: &Browser{o: Options{Log: t.Logf}}, done: make(chan struct{})}
	s.net.init(s)
	for _, url := range addresses {
		s.windowed(url)
	}
	p, over = newPage(s, "session", "target", "opener"), make(chan struct{})
	go func() { p.asks(t.Context()); close(over) }()
	return p, over
}

func TestWindowsAreWaitedForUntilTheyAskForTheirDocument(t *testing.T) {
	p, over := opened(t, "http://app.test/opened")
	p.s.net.announced(&proto.NetworkRequestWillBeSent{RequestID: "1", FrameID: "another", Type: proto.NetworkResourceTypeDocument, Request: &proto.NetworkRequest{}})
	select {
	case <-over:
		t.Error("the document of another frame was enough")
	case <-time.After(50 * time.Millisecond):
	}
	p.s.net.announced(&proto.NetworkRequestWillBeSent{RequestID: "2", FrameID: "target", Type: proto.NetworkResourceTypeDocument, Request: &proto.NetworkRequest{}})
	<-over
	for _, url := range []string{"", "about:blank", "javascript:1"} {
		p, over := opened(t, url)
		<-over
		if got, told := p.window(); !told || got != url {
			t.Errorf("the window was opened with %q, told %v, want %q", got, told, url)
		}
	}
	p, over = opened(t) // without a word of it
	close(p.left)
	<-over
}

const openerPage = `<!doctype html><a id=a target=_blank rel=noopener style="position:absolute;left:0;top:100px;width:80px;height:30px">link</a><form id=f target=_blank action="/opened" style="position:absolute;left:0;top:200px"><button style="width:80px;height:30px">form</button></form><script>
const log = []; let began = 0; a.href = '/opened';
const heard = new BroadcastChannel('opened'); heard.onmessage = e => log.push(e.data - began);
addEventListener('mousedown', () => { began = Date.now(); });
document.onclick = e => { if (e.clientY < 50) open('/opened'); if (e.clientY > 300 && e.clientY < 350) open(); if (e.clientY > 350 && e.clientY < 400) open('about:blank'); if (e.clientY > 400) { const w = open(''); w.location = '/opened'; } };
</script>`

// A window asks for its document some time after it was opened.
func TestTimeWaitsForTheDocumentsOfWindows(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/opened" {
			fmt.Fprint(w, `<!doctype html><script>new BroadcastChannel('opened').postMessage(Date.now())</script>`)
			return
		}
		fmt.Fprint(w, openerPage)
	}))
	defer site.Close()
	s, p := visit(t, start(t, Frames), site.URL)
	pages := 1
	for _, y := range []float64{20, 120, 210, 320, 370, 420, 20, 120, 210} {
		click(t, p, 20, y)
		if err := s.Advance(t.Context(), 300*time.Millisecond); err != nil {
			t.Fatal(err)
		}
		if pages++; len(s.Pages()) != pages {
			t.Fatalf("%d pages after a click at %v, want %d", len(s.Pages()), y, pages)
		}
	}
	got := after[[]float64](t, s, 0, "log")
	if text := fmt.Sprint(got); len(got) != 7 || strings.Count(text, fmt.Sprint(got[0])) < 6 {
		t.Errorf("documents of windows began %s ms after the click", text)
	}
}
