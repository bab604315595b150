package run

import (
	"fmt"
	"path"

	"github.com/tracedeck/tracedeck/diff/baseline"
)

// Choice says which pictures of a run are meant. Empty fields mean all.
type Choice struct {
	Session string // path.Match pattern
	Key     string // path.Match pattern
}

// Has is whether the picture is meant.
func (c Choice) Has(session, key string) bool {
	return matches(c.Session, session) && matches(c.Key, key)
}

// Validate says whether the patterns can be read.
func (c Choice) Validate() error {
	for _, pattern := range []string{c.Session, c.Key} {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("pattern %q: %w", pattern, err)
		}
	}
	return nil
}

// Approved is what Approve did with one picture.
type Approved struct {
	Session string `json:"session"`
	Key     string `json:"key"`
	// What is "new", "changed" or "removed"; empty if it was refused.
	What string `json:"what,omitempty"`
	// Refused says why nothing was done.
	Refused string `json:"refused,omitempty"`
}

// Approve makes the pictures of a run that c means the baselines. Pictures
// that two replays did not agree on are refused, and those of a session that
// went wrong, which may show an error page or be missing for it, unless force
// is set; the bytes are in the store already.
func Approve(m *baseline.Manifest, s *Summary, c Choice, force bool) []Approved {
	var list []Approved
	for _, session := range s.Sessions {
		for _, p := range session.Pictures {
			if c.Has(session.ID, p.Key) {
				if len(session.Errors) > 0 && !force {
					if a := (Approved{Session: session.ID, Key: p.Key, Refused: "the session went wrong: " + session.Errors[0].Message}); p.Status != Pass && p.Status != Skipped {
						list = append(list, a)
					}
					continue
				}
				if a := approve(m, s, session.ID, &p, force); a.What+a.Refused != "" {
					list = append(list, a)
				}
			}
		}
	}
	return list
}

func approve(m *baseline.Manifest, s *Summary, session string, p *Picture, force bool) Approved {
	a := Approved{Session: session, Key: p.Key}
	switch p.Status {
	case Pass, Skipped:
		return a
	case Flaky:
		a.Refused = "it is flaky: not every replay gave the same picture"
	case Missing:
		m.Remove(session, p.Key, p.Baseline)
		a.What = "removed"
		return a
	default:
		if !p.Agreed && len(p.Seen) > 1 {
			a.Refused = fmt.Sprintf("no two of %d replays gave the same picture", len(p.Seen))
		}
	}
	if p.Actual == nil {
		a.Refused = "there is no picture of it"
		return a
	}
	if a.Refused != "" && !force {
		return a
	}
	a.Refused = ""
	a.What = "changed"
	if p.Expected == nil {
		a.What = "new"
	}
	if !m.Approve(session, p.Key, s.Renderers[p.Renderer], *p.Actual) {
		a.What = ""
	}
	return a
}
