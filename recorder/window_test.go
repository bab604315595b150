package recorder

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/google/go-cmp/cmp"
)

const openerPage = `<!doctype html><title>Opener</title><button>Blank window</button> <a href=/other target=_blank>New tab</a> <a href=#part>Part</a><p id=part>Part</p>
<script>document.querySelector('button').onclick = () => { const w = open('about:blank'); w.document.write('<title>Blank</title><button>In the blank</button>'); w.document.close(); };</script>`

// An address is told as it was asked for, not as where it led; windows that pages open are no addresses that somebody typed, and what is done
// in them is told, also where they have no address and their document is written.
func TestWindowsThatPagesOpen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/start" {
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		page := openerPage
		if r.URL.Path == "/other" {
			page = "<!doctype html><title>Other</title><button>In the other</button>"
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(server.Close)
	browser := launchBrowser(t)
	page := browser.MustPage("about:blank").Timeout(time.Minute)
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(server.URL + "/start#top").MustWaitLoad()
	for _, of := range []struct{ css, inside string }{{"button", "In the blank"}, {"[target=_blank]", "In the other"}} {
		page.MustElement(of.css).MustClick()
		var opened *rod.Page
		eventually(t, of.inside, func() bool {
			for _, p := range browser.MustPages() {
				if found, _, err := p.HasR("button", of.inside); err == nil && found {
					opened = p.Timeout(time.Minute)
				}
			}
			return opened != nil
		})
		time.Sleep(500 * time.Millisecond) // a person looks at it first
		opened.MustElementR("button", of.inside).MustClick()
		time.Sleep(500 * time.Millisecond)
		opened.MustClose()
	}
	page.MustActivate().MustElementR("a", "Part").MustClick()
	time.Sleep(300 * time.Millisecond)
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	got := told(t, tr)
	want := []string{"goto /start#top", `click internal:role=button[name="Blank window"i]`, `click internal:role=button[name="In the blank"i]`,
		`click internal:role=link[name="New tab"i]`, `click internal:role=button[name="In the other"i]`, `click internal:role=link[name="Part"i]`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, q := range tr.Network {
		if strings.Contains(q.Request.URL, "#") {
			t.Error("an address of HTTP has a fragment")
		}
	}
}
