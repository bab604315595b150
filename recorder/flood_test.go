package recorder

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A page that writes more than anybody can read is recorded in part, which the
// recording says, and what else it does is all there.
func TestFloodIsThrottledAndSaid(t *testing.T) {
	site, browser := serveSite(t), launchBrowser(t)
	ctx := context.Background()
	out := filepath.Join(t.TempDir(), "t.zip")
	s, err := Start(ctx, browser, DefaultOptions(out))
	if err != nil {
		t.Fatal(err)
	}
	page := browser.MustPage(site.URL + "/second.html").MustWaitLoad()
	page.MustEval(`() => { for (let i = 0; i < 60000; i++) console.log('line', i); }`)
	if sum := page.MustEval(`() => 1 + 1`).Int(); sum != 2 {
		t.Errorf("the page is not usable: %d", sum)
	}
	page.MustEval(`() => fetch('/target').then(r => r.text())`)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > 500<<20 {
		t.Errorf("%d MB in use", m.HeapAlloc>>20)
	}
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	dropped := happening(tr, "throttled")
	if dropped == nil || !strings.Contains(string(dropped.Params), `"what":"console"`) {
		t.Fatal("nothing says that messages were dropped")
	}
	if n := len(tr.Console); n < 2000 || n >= 60000 {
		t.Errorf("%d messages", n)
	}
	if requestTo(tr, "/target") == nil {
		t.Error("the request after the flood is missing")
	}
}
