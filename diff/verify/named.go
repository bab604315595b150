package verify

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Current is the name that no state can be kept under: it stands for how the
// session is now.
const Current = "current"

// Named is a state that is kept under a name.
type Named struct {
	Name      string    `json:"name"`
	ExpiresAt time.Time `json:"expires_at"`
	Snapshot  *State    `json:"snapshot"`
}

// Listed is a kept state in a list.
type Listed struct {
	Name       string    `json:"name"`
	CapturedAt time.Time `json:"captured_at"`
	ExpiresAt  time.Time `json:"expires_at"`
	Source     string    `json:"source"`
	PageURL    string    `json:"page_url,omitempty"`
	Errors     int       `json:"error_count"`
}

// Listed is what a list says of the state.
func (n *Named) Listed() Listed {
	return Listed{n.Name, n.Snapshot.CapturedAt, n.ExpiresAt, n.Snapshot.Source, n.Snapshot.PageURL, n.Snapshot.Counts().TotalIssues}
}

const namedPrefix = "snapshot-"

func shelved(name string) string { return namedPrefix + hex.EncodeToString([]byte(name)) }

// ValidName says what is wrong with a name: it is of 1 to 50 letters, cannot be
// [Current], and is told apart by case.
func ValidName(name string) error {
	switch {
	case name == Current:
		return &Error{"E_SNAPSHOT_NAME", `"current" stands for how the session is now`, "choose another name"}
	case name == "" || utf8.RuneCountInString(name) > mostName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return &Error{"E_SNAPSHOT_NAME", fmt.Sprintf("%.60q is no name", name), fmt.Sprintf("a name has 1 to %d letters", mostName)}
	}
	return nil
}

// Keep keeps a state under a name, in the place of the one of that name. A ttl
// of 0 means [SnapshotTTL]. Where there are too many the oldest is let go, and
// its name returned.
func (d *Desk) Keep(name string, s *State, ttl time.Duration) (n *Named, evicted string, err error) {
	if err := ValidName(name); err != nil {
		return nil, "", err
	}
	if ttl, err = ttlOr(ttl, SnapshotTTL); err != nil {
		return nil, "", err
	}
	all, err := d.Snapshots()
	if err != nil {
		return nil, "", err
	}
	all = slices.DeleteFunc(all, func(n *Named) bool { return n.Name == name })
	if len(all) >= MostSnapshots {
		evicted = all[0].Name
		if err := d.Shelf.Delete(shelved(evicted)); err != nil && !missing(err) {
			return nil, "", err
		}
	}
	n = &Named{Name: name, ExpiresAt: d.now().Add(ttl), Snapshot: s}
	return n, evicted, put(d.Shelf, shelved(name), n)
}

// Snapshots returns the states that are kept, the oldest first. Those that are
// expired are let go.
func (d *Desk) Snapshots() ([]*Named, error) {
	names, err := d.Shelf.Names()
	if err != nil {
		return nil, err
	}
	var list []*Named
	for _, name := range names {
		if !strings.HasPrefix(name, namedPrefix) {
			continue
		}
		n := &Named{}
		if err := get(d.Shelf, name, n); err != nil || shelved(n.Name) != name || n.Snapshot == nil {
			continue // a file of somebody else's, or gone since
		}
		if !d.now().Before(n.ExpiresAt) {
			_ = d.Shelf.Delete(name) // the next time will do
			continue
		}
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b *Named) int {
		return cmp.Or(a.Snapshot.CapturedAt.Compare(b.Snapshot.CapturedAt), cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

// Snapshot returns the state that is kept under a name.
func (d *Desk) Snapshot(name string) (*Named, error) {
	all, err := d.Snapshots()
	if err != nil {
		return nil, err
	}
	for _, n := range all {
		if n.Name == name {
			return n, nil
		}
	}
	return nil, &Error{"E_SNAPSHOT_UNKNOWN", fmt.Sprintf("there is no snapshot %q, or it is expired", name), "snapshot list names those that are kept"}
}

// Drop lets a state go.
func (d *Desk) Drop(name string) error {
	n, err := d.Snapshot(name)
	if err != nil {
		return err
	}
	return d.Shelf.Delete(shelved(n.Name))
}
