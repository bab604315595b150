package determinism

import (
	"testing"
	"time"
)

const popupPage = `<!doctype html><body style="margin:0"><select id="s" style="position:absolute;left:0;top:0;width:100px;height:30px"><option>one<option>two</select>
<input id="d" type="date" style="position:absolute;left:0;top:50px;width:150px;height:30px"><input id="c" type="color" style="position:absolute;left:0;top:100px;width:100px;height:30px"><script>
const log = []; for (const id of ['s', 'd', 'c']) for (const e of ['mousedown', 'focus', 'click']) document.getElementById(id).addEventListener(e, e => log.push(id + ' ' + e.type + ' ' + e.defaultPrevented));
</script>`

// A list that is open holds all frames, and nobody would close it.
func TestPopupsOfTheBrowserStayShut(t *testing.T) {
	site, b := page(t, popupPage), start(t, Frames)
	s, p := visit(t, b, site.URL)
	click(t, p, 50, 15)
	after[int](t, s, 200*time.Millisecond, "0")
	click(t, p, 140, 65) // on the calendar's sign
	after[int](t, s, 200*time.Millisecond, "0")
	click(t, p, 50, 115)
	log := after[[]string](t, s, 200*time.Millisecond, "log")
	want := []string{"s mousedown false", "s focus false", "s click false", "d mousedown false", "d focus false", "d click false", "c mousedown false", "c focus false", "c click false"}
	if len(log) != len(want) {
		t.Fatalf("%q, want %q", log, want)
	}
	for i := range want {
		if log[i] != want[i] {
			t.Errorf("%d: %q, want %q", i, log[i], want[i])
		}
	}
	if _, err := p.Picture(t.Context()); err != nil {
		t.Error(err)
	}
}
