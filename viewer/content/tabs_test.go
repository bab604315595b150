package content_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
	"github.com/tracedeck/tracedeck/viewer/content"
)

// TestTabsShowWhatPlaywrightsDo compares which snapshot each tab of each
// action shows with what Playwright's viewer shows there.
func TestTabsShowWhatPlaywrightsDo(t *testing.T) {
	compared, same := 0, 0
	zips, _ := filepath.Glob(corpus("playwright", "*.zip"))
	for _, zip := range zips {
		name := strings.TrimSuffix(filepath.Base(zip), ".zip")
		s := serve(t, zip, content.Options{})
		text, err := os.ReadFile(corpus("playwright", "expected", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var want expectedFile
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		shown := map[*trace.Action]snapshot.Shown{}
		for i, one := range snapshot.Tabs(s.store.StepsOf(s.t)) {
			shown[s.t.Actions[i]] = one
		}
		var visible []*trace.Action
		for _, a := range s.t.Tree() {
			if a.Title().Group == "" {
				visible = append(visible, a)
			}
		}
		if len(want.Snapshots) != len(visible) {
			t.Logf("%s: %d actions, %d in the viewer", name, len(visible), len(want.Snapshots))
			continue
		}
		// The viewer draws late: what was read may be of a tab read before.
		var before []page
		for i, a := range visible {
			if a.Unfinished {
				continue // the viewer shows nothing of these
			}
			for _, c := range []struct {
				n    int
				want page
			}{{shown[a].Action, want.Snapshots[i].Action}, {shown[a].Before, want.Snapshots[i].Before}, {shown[a].After, want.Snapshots[i].After}} {
				var got page
				if p, ok := s.store.Place(c.n); ok {
					got.Snapshot.Call, got.Snapshot.Phase = p.CallID, p.Phase
				}
				before = append(before, got)
				compared++
				if got.Snapshot == c.want.Snapshot {
					same++
					continue
				}
				late := false
				for _, one := range before[max(0, len(before)-4):] {
					late = late || one.Snapshot == c.want.Snapshot
				}
				if !late {
					t.Errorf("%s: %s: %+v, want %+v", name, a.ID(), got.Snapshot, c.want.Snapshot)
				}
			}
		}
	}
	if compared < 500 || same < compared*85/100 {
		t.Errorf("%d of %d tabs are the same", same, compared)
	}
}

type page = shown
