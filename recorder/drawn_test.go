package recorder

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// Editors that draw their text themselves have what is written handed to them,
// and no field changes.
func TestTextThatAPageDrawsItselfIsRecorded(t *testing.T) {
	page, finish := recordPage(t, `<!doctype html><div id=editor role=textbox aria-label=Code tabindex=0 style="width:300px;height:60px"></div><script>
const c = new EditContext(); editor.editContext = c; c.addEventListener('textupdate', () => { editor.textContent = c.text; });</script>`)
	page.MustElement("#editor").MustClick()
	page.Keyboard.MustType([]input.Key("a b;")...)
	page.Keyboard.MustType(input.ArrowLeft)
	eventually(t, "the text is drawn", func() bool { return page.MustElement("#editor").MustText() == "a b;" })
	all := strings.Join(finish(), "\n")
	for _, want := range []string{`type internal:role=textbox[name="Code"i] a b;`, `press internal:role=textbox[name="Code"i] ArrowLeft`} {
		if strings.Count(all, want) != 1 {
			t.Errorf("%q is not there once in\n%s", want, all)
		}
	}
}
