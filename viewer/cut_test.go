package viewer_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestAHundredCutsLoseNothing cuts the connection at 100 moments and goes on
// each time with what the page has: no row comes twice, and none is missing.
func TestAHundredCutsLoseNothing(t *testing.T) {
	srv := serve(t, corpusTrace("playwright/runner-failing-assertion.zip"))
	whole, w := srv.enter(t)
	id := firstID(w)
	want, _ := whole.readAll(1, id, "", nil)
	random := rand.New(rand.NewPCG(7, 11))
	has, epoch := tables{}, ""
	for cut := range 100 {
		if cut%10 == 0 {
			has, epoch = tables{}, "" // a page that was loaded anew
		}
		p, _ := srv.enter(t)
		p.say("open", 1, id, epoch, map[string]int(has), 0)
		var rows map[string]any
		for range random.IntN(14) {
			m, ok := p.hear()
			if !ok {
				t.Fatal("the server hung up")
			}
			switch m[0] {
			case "reset":
				has, epoch = tables{}, m[2].(string)
			case "rows":
				if name := m[2].(string); number(m[3]) != has[name] {
					t.Fatalf("cut %d: %s: rows from %d came after %d", cut, name, number(m[3]), has[name])
				}
				has[m[2].(string)] += number(m[4])
				p.say("credit", 0, 1)
			case "strs", "patch":
				p.say("credit", 0, 1)
			}
			if s, ok := m[len(m)-1].(map[string]any); ok && m[0] == "state" && s["done"] == true {
				rows = s["rows"].(map[string]any)
			}
			if rows != nil && complete(has, rows) {
				break // nothing more comes
			}
		}
		p.ws.Close()
	}
	p, _ := srv.enter(t)
	got, _ := p.readAll(1, id, epoch, has)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("after 100 cuts the page has %v, want %v", got, want)
	}
}
