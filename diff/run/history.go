package run

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// HistoryLength is how many runs are remembered for each picture.
const HistoryLength = 20

// History is what the last runs made of each picture: session → key →
// statuses, the newest last.
type History map[string]map[string][]Status

// LoadHistory reads the file at path; one that is not there is empty, and one
// that cannot be read begins anew, since nothing but statistics is lost.
func LoadHistory(path string) (History, error) {
	h := History{}
	data, err := os.ReadFile(path)
	if missing(err) {
		return h, nil
	}
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(data, &h) != nil || h == nil {
		return History{}, nil
	}
	return h, nil
}

// Add notes a run.
func (h History) Add(s *Summary) {
	for _, session := range s.Sessions {
		for _, p := range session.Pictures {
			if h[session.ID] == nil {
				h[session.ID] = map[string][]Status{}
			}
			list := append(h[session.ID][p.Key], p.Status)
			h[session.ID][p.Key] = list[max(len(list)-HistoryLength, 0):]
		}
	}
}

// Rename gives what is remembered of a session to another name.
func (h History) Rename(from, to string) {
	if list, ok := h[from]; ok && from != to {
		h[to] = list
		delete(h, from)
	}
}

// Flakiness is in how many of the remembered runs a picture was flaky, and how
// many those are.
func (h History) Flakiness(session, key string) (flaky, runs int) {
	list := h[session][key]
	for _, s := range list {
		if s == Flaky {
			flaky++
		}
	}
	return flaky, len(list)
}

// Remind adds to each picture of a run that was flaky before how often it was.
func (h History) Remind(s *Summary) {
	for i := range s.Sessions {
		for j := range s.Sessions[i].Pictures {
			p := &s.Sessions[i].Pictures[j]
			if flaky, runs := h.Flakiness(s.Sessions[i].ID, p.Key); flaky > 0 {
				p.warn("W_FLAKY_BEFORE", fmt.Sprintf("was flaky in %d of the last %d runs", flaky, runs))
			}
		}
	}
}

// Forget drops the sessions that are not in keep.
func (h History) Forget(keep []string) {
	for id := range h {
		if !slices.Contains(keep, id) {
			delete(h, id)
		}
	}
}

// Save writes the history to path.
func (h History) Save(path string) error {
	data, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return err
	}
	return writeFile(path, append(data, '\n'))
}
