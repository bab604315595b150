package verify

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// Limits of a desk.
const (
	MostSessions   = 3
	SessionTTL     = 30 * time.Minute // since start
	MostSnapshots  = 10
	SnapshotTTL    = 2 * time.Hour // since capture
	MostTTL        = 7 * 24 * time.Hour
	mostName       = 50 // runes
	tombstonesKept = 24 * time.Hour
)

// Error is why a verification or a named state is not to be had.
type Error struct {
	Code    string // stable
	Message string
	Next    string // what to do
}

func (e *Error) Error() string { return e.Message + " (" + e.Code + ")" }

// Hint says what to do next.
func (e *Error) Hint() string { return e.Next }

// Status says how far a verification is.
type Status string

// The statuses.
const (
	Captured  Status = "baseline_captured"
	Watching  Status = "watching"
	Compared  Status = "compared"
	Cancelled Status = "cancelled"
	Expired   Status = "expired"
	Evicted   Status = "evicted" // by newer ones
)

// Session is a verification: what was before a change, and where what comes
// after it is awaited.
type Session struct {
	ID             string     `json:"session_id"`
	Label          string     `json:"label,omitempty"`
	Status         Status     `json:"status"`
	CreatedAt      time.Time  `json:"created_at"`
	ExpiresAt      time.Time  `json:"expires_at"`
	URLFilter      string     `json:"url_filter,omitempty"`
	Baseline       *State     `json:"baseline,omitempty"` // gone once it is over
	WatchStartedAt *time.Time `json:"watch_started_at,omitempty"`
	Watch          *Bound     `json:"watch,omitempty"`
	ComparedAt     *time.Time `json:"compared_at,omitempty"`
	Comparisons    int        `json:"comparisons"`
	Verdict        Verdict    `json:"verdict,omitempty"` // of the last comparison
}

func (s *Session) over() bool { return s.Baseline == nil }

// Desk keeps verifications and named states. It is not safe for concurrent use
// by more than one caller; programs that share a folder may write over each
// other's latest change of the same one.
type Desk struct {
	Shelf Shelf
	Now   func() time.Time // nil means [time.Now]
}

func (d *Desk) now() time.Time {
	if d.Now != nil {
		return d.Now().UTC()
	}
	return time.Now().UTC()
}

const sessionPrefix = "verify-"

// Start keeps a state as what was before a change. A ttl of 0 means
// [SessionTTL]. Where there are too many, the one that was not compared for the
// longest time is let go, and its id returned.
func (d *Desk) Start(baseline *State, label string, ttl time.Duration) (s *Session, evicted string, err error) {
	ttl, err = ttlOr(ttl, SessionTTL)
	if err != nil {
		return nil, "", err
	}
	all, err := d.Sessions()
	if err != nil {
		return nil, "", err
	}
	active := slices.DeleteFunc(all, func(s *Session) bool { return s.over() })
	if len(active) >= MostSessions {
		old := slices.MinFunc(active, func(a, b *Session) int { return lastUse(a).Compare(lastUse(b)) })
		evicted = old.ID
		if err := d.end(old, Evicted); err != nil {
			return nil, "", err
		}
	}
	id := make([]byte, 6)
	if _, err := rand.Read(id); err != nil {
		return nil, evicted, err
	}
	now := d.now()
	s = &Session{ID: sessionPrefix + hex.EncodeToString(id), Label: cutName(label), Status: Captured, CreatedAt: now, ExpiresAt: now.Add(ttl), URLFilter: baseline.URLFilter, Baseline: baseline}
	return s, evicted, put(d.Shelf, s.ID, s)
}

func ttlOr(ttl, def time.Duration) (time.Duration, error) {
	if ttl < 0 || ttl > MostTTL {
		return 0, &Error{"E_TTL", fmt.Sprintf("%s is no time to keep something", ttl), "up to " + MostTTL.String()}
	}
	return cmp.Or(ttl, def), nil
}

func cutName(s string) string {
	r := []rune(strings.ToValidUTF8(s, "\uFFFD"))
	return string(r[:min(len(r), mostName)])
}

func lastUse(s *Session) time.Time {
	if s.ComparedAt != nil {
		return *s.ComparedAt
	}
	return s.CreatedAt
}

// end lets go of all but what is known of a session.
func (d *Desk) end(s *Session, how Status) error {
	s.Status, s.Baseline, s.Watch = how, nil, nil
	return put(d.Shelf, s.ID, s)
}

// Sessions returns all that are known, also those that are over, the oldest
// first.
func (d *Desk) Sessions() ([]*Session, error) {
	names, err := d.Shelf.Names()
	if err != nil {
		return nil, err
	}
	var list []*Session
	for _, name := range names {
		if !strings.HasPrefix(name, sessionPrefix) {
			continue
		}
		s := &Session{}
		if err := get(d.Shelf, name, s); err != nil || s.ID != name {
			continue // a file of somebody else's, or gone since
		}
		switch now := d.now(); {
		case s.over() && now.After(s.ExpiresAt.Add(tombstonesKept)):
			_ = d.Shelf.Delete(name) // the next time will do
			continue
		case !s.over() && !now.Before(s.ExpiresAt):
			if err := d.end(s, Expired); err != nil {
				return nil, err
			}
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *Session) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// Session returns the one of that id, also where it is over.
func (d *Desk) Session(id string) (*Session, error) {
	all, err := d.Sessions()
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.ID == id || s.Label == id && id != "" {
			return s, nil
		}
	}
	return nil, &Error{"E_VERIFY_UNKNOWN", fmt.Sprintf("there is no verification %q", id), "verify status lists them, verify start begins one"}
}

// active returns a session that is not over.
func (d *Desk) active(id string) (*Session, error) {
	s, err := d.Session(id)
	if err != nil {
		return nil, err
	}
	if s.over() {
		return nil, &Error{"E_VERIFY_OVER", fmt.Sprintf("verification %s is %s", s.ID, s.Status), "verify start begins another one"}
	}
	return s, nil
}

// Watch notes where what comes after the change is awaited. It may be called
// again, to begin anew.
func (d *Desk) Watch(id string, where Bound) (*Session, error) {
	s, err := d.active(id)
	if err != nil {
		return nil, err
	}
	now := d.now()
	s.Status, s.WatchStartedAt, s.Watch = Watching, &now, &where
	return s, put(d.Shelf, s.ID, s)
}

// Watched returns a session for which Watch was called.
func (d *Desk) Watched(id string) (*Session, error) {
	s, err := d.active(id)
	if err == nil && s.Watch == nil {
		err = &Error{"E_VERIFY_NOT_WATCHING", fmt.Sprintf("verification %s has nothing to compare with yet", s.ID), "verify watch says where the session after the change comes from"}
	}
	return s, err
}

// WatchedAt is Watched where the session after the change is known to be at a
// place: nothing has to be awaited then.
func (d *Desk) WatchedAt(id, place string) (*Session, error) {
	s, err := d.active(id)
	if err != nil || s.Watch != nil {
		return s, err
	}
	return d.Watch(id, Bound{Place: place, Since: d.now()})
}

// Compare holds the state after the change against the one before. It may be
// called again.
func (d *Desk) Compare(id string, after *State, o VerifyOptions) (*Session, *Result, error) {
	s, err := d.Watched(id)
	if err != nil {
		return nil, nil, err
	}
	r := Verify(s.Baseline, after, o)
	now := d.now()
	s.Status, s.ComparedAt, s.Verdict = Compared, &now, r.Verdict
	s.Comparisons++
	return s, r, put(d.Shelf, s.ID, s)
}

// Cancel ends a session.
func (d *Desk) Cancel(id string) (*Session, error) {
	s, err := d.active(id)
	if err != nil {
		return nil, err
	}
	return s, d.end(s, Cancelled)
}

// missing reports whether there was nothing of a name.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
