package watch

import (
	"slices"
	"sync"
)

// DefaultKept is how many findings a [Log] keeps.
const DefaultKept = 1000

// Log keeps the latest findings, numbered from 1, for those who come back and
// ask for what is new. It is safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	kept    int
	next    int64
	list    []Finding
	changed chan struct{} // closed when something is added
}

// NewLog returns an empty Log that keeps the latest so many findings; 0 means
// [DefaultKept].
func NewLog(kept int) *Log {
	if kept <= 0 {
		kept = DefaultKept
	}
	return &Log{kept: kept, next: 1, changed: make(chan struct{})}
}

// Add numbers a finding and keeps it.
func (l *Log) Add(f Finding) Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	f.ID = l.next
	l.next++
	l.list = append(l.list, f)
	if len(l.list) > 2*l.kept {
		l.list = slices.Clone(l.list[len(l.list)-l.kept:])
	}
	close(l.changed)
	l.changed = make(chan struct{})
	return f
}

// Since returns the findings after the one of that number, and how many of them
// are not kept any more. A number from the future counts as 0: it is of another
// Log.
func (l *Log) Since(id int64) (list []Finding, lost int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id >= l.next || id < 0 {
		id = 0
	}
	list = l.list[max(0, len(l.list)-l.kept):]
	if len(list) == 0 {
		return nil, 0
	}
	if first := list[0].ID; id+1 < first {
		return slices.Clone(list), first - id - 1
	}
	return slices.Clone(list[id+1-list[0].ID:]), 0
}

// Last returns the number of the latest finding, 0 if there is none.
func (l *Log) Last() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next - 1
}

// Changed returns a channel that is closed when the next finding is added.
func (l *Log) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}
