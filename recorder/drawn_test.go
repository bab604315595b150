package recorder

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// Editors that draw their text themselves have what is written handed to them,
// and no field changes.
func TestTextThatAPageDrawsItselfIsRecorded(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><div id=editor role=textbox aria-label=Code tabindex=0 style="width:300px;height:60px"></div><script>
const c = new EditContext(); editor.editContext = c; c.addEventListener('textupdate', () => { editor.textContent = c.text; });</script>`))
	}))
	defer site.Close()
	browser := launchBrowser(t)
	page := browser.MustPage("about:blank")
	out := filepath.Join(t.TempDir(), "t.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page.MustNavigate(site.URL).MustWaitLoad()
	page.MustElement("#editor").MustClick()
	page.Keyboard.MustType([]input.Key("a b;")...)
	page.Keyboard.MustType(input.ArrowLeft)
	eventually(t, "the text is drawn", func() bool { return page.MustElement("#editor").MustText() == "a b;" })
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	var got []string
	for _, x := range tr.Tree() {
		got = append(got, describe(t, x))
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{`type internal:role=textbox[name="Code"i] a b;`, `press internal:role=textbox[name="Code"i] ArrowLeft`} {
		if strings.Count(all, want) != 1 {
			t.Errorf("%q is not there once in\n%s", want, all)
		}
	}
}
