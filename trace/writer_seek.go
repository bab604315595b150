package trace

import "encoding/json"

// seekEntry is the entry that says where inflating can begin. Readers that do
// not know it do without.
const seekEntry = "tracedeck/seek.json"

// seekIndex collects the restart points of a zip's entries.
type seekIndex struct{ entries map[string][][2]int64 }

func (s *seekIndex) add(e packedEntry) {
	if len(e.restarts) == 0 {
		return
	}
	if s.entries == nil {
		s.entries = map[string][][2]int64{}
	}
	for _, r := range e.restarts {
		s.entries[e.name] = append(s.entries[e.name], [2]int64{r.packed, r.plain})
	}
}

// text is the entry's content, and nil where there is nothing to say.
func (s *seekIndex) text() []byte {
	if s.entries == nil {
		return nil
	}
	text, _ := json.Marshal(map[string]any{"version": 1, "entries": s.entries})
	return text
}
