package recorder

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/tracedeck/tracedeck/trace"
)

// An act is in the folder while it goes on, and in the zip once, as it ended.
func TestActsAreSeenWhileTheyGoOn(t *testing.T) {
	address, browser := serveForms(t), launchBrowser(t)
	ctx := context.Background()
	out := filepath.Join(t.TempDir(), "watched.zip")
	s := attachTo(t, browser, DefaultOptions(out))
	page := browser.MustPage(address).MustWaitLoad()
	page.MustElement("[name=first]").MustFocus()
	typed := 0
	fills := func(tr *trace.Trace) (list []*trace.Action) {
		for _, act := range tr.Actions {
			if act.Before.Method == "fill" {
				list = append(list, act)
			}
		}
		return list
	}
	eventually(t, "the text that is being typed is seen", func() bool {
		page.Keyboard.MustType(input.KeyA)
		typed++
		_, tr := loadTrace(t, s.Dir())
		list := fills(tr) // several, if the machine stood still between two letters
		last := len(list) - 1
		return last >= 0 && list[last].Unfinished && strings.Contains(string(list[last].Before.Params), "aaaa")
	})
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	list := fills(tr)
	calls := map[string]bool{}
	for _, act := range list {
		if act.Unfinished || calls[act.Before.CallID] {
			t.Errorf("%s goes on or is there twice", act.Before.CallID)
		}
		calls[act.Before.CallID] = true
	}
	if n := len(list); n == 0 || !strings.Contains(string(list[n-1].Before.Params), `"`+strings.Repeat("a", typed)+`"`) {
		t.Errorf("%d fills, the last is not of %d letters", n, typed)
	}
}
