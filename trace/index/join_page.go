package index

import (
	"math"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// page returns the row of a page, which is made when it is first heard of.
func (j *joiner) page(e *entry, id []byte, at trace.Time) Row {
	if len(id) == 0 {
		return NoRow
	}
	row := j.lastPage.row
	if string(j.lastPage.id) != string(id) {
		row = j.pageRow(e, id)
		j.lastPage.id, j.lastPage.row = append(j.lastPage.id[:0], id...), row
	}
	if at != trace.NoTime {
		j.seen(row, shifted(at, e.ctx.shift))
	}
	return row
}

func (j *joiner) pageRow(e *entry, id []byte) Row {
	name := j.name(id)
	if row, ok := j.pages[name]; ok {
		return row
	}
	return j.addPage(e, string(id), name)
}

func (j *joiner) addPage(e *entry, id string, name StringID) Row {
	key := trace.PageKey(id)
	row, ok := j.pageKeys[key]
	if !ok {
		t := j.x.tables[Pages]
		row = t.add()
		t.text(PageID, name)
		t.long(PageFirst, int64(NoTime))
		t.long(PageLast, int64(NoTime))
		t.ref(PageOpener, NoRow)
		t.word(PageContext, uint32(e.ctx.number))
		j.spans = append(j.spans, span{first: math.MaxInt64, last: math.MinInt64})
		j.pageKeys[key] = row
		j.counts.Pages++
	}
	j.pages[name] = row
	return row
}

func (j *joiner) seen(row Row, at int64) {
	s := &j.spans[row]
	if at < s.first {
		s.first, s.dirty = at, true
	}
	if at > s.last {
		s.last, s.dirty = at, true
	}
}

// frame adds a picture of the screencast.
func (j *joiner) frame(e *entry, r *record) {
	t := j.x.tables[Frames]
	t.add()
	t.long(FrameTime, j.time(e, r.time))
	t.ref(FramePage, j.page(e, r.pageID, r.time))
	t.text(FrameEntry, j.entryName(r))
	t.word(FrameWidth, pixels(r.width))
	t.word(FrameHeight, pixels(r.height))
	j.place(t, e, FrameFile, FrameLine)
	j.counts.Frames++
}

// entryName returns the name of the entry a line means.
func (j *joiner) entryName(r *record) StringID {
	if r.hashed && len(r.entry) > 0 {
		return j.text(append([]byte("resources/"), r.entry...))
	}
	return j.text(r.entry)
}

func pixels(v float64) uint32 {
	if !(v > 0) {
		return 0
	}
	return uint32(min(v+0.5, math.MaxUint32))
}

// still adds a full picture or an accessibility tree.
func (j *joiner) still(e *entry, r *record) {
	t := j.x.tables[Stills]
	row := t.add()
	action := j.action(e, r.callID, reference{Stills, row, StillAction})
	page := j.page(e, r.pageID, r.time)
	t.long(StillTime, j.time(e, r.time))
	t.ref(StillAction, action)
	t.byte(StillPhase, uint8(r.phase))
	if r.kind == recordAria {
		t.byte(StillWhat, uint8(Aria))
	}
	t.ref(StillPage, page)
	t.text(StillEntry, j.entryName(r))
	j.place(t, e, StillFile, StillLine)
	if action != NoRow {
		if r.kind == recordStill {
			j.setFlags(action, HasStill)
		}
		j.setPage(action, page)
	}
}

// setPage gives an action its page, where its own line did not: newer
// versions tell it only by what was recorded with it.
func (j *joiner) setPage(action, page Row) {
	t := j.x.tables[Actions]
	if page != NoRow && t.getRef(action, ActionPage) == NoRow {
		t.setWord(action, ActionPage, uint32(page))
		j.patch(Actions, action)
	}
}

// snapshot adds a DOM snapshot.
func (j *joiner) snapshot(e *entry, r *record) {
	t := j.x.tables[Snapshots]
	row := t.add()
	frame := j.name(r.frame)
	var flags SnapshotFlags
	if r.main {
		flags |= MainFrame
	}
	t.long(SnapshotTime, j.time(e, r.time))
	t.byte(SnapshotPhase, uint8(r.phase))
	t.text(SnapshotFrame, frame)
	t.ref(SnapshotPage, j.page(e, r.pageID, r.time))
	t.word(SnapshotFlagBits, uint32(flags))
	t.text(SnapshotURL, j.text(r.url))
	t.word(SnapshotWidth, pixels(r.width))
	t.word(SnapshotHeight, pixels(r.height))
	t.word(SnapshotOrdinal, e.ctx.frames[frame])
	e.ctx.frames[frame]++
	j.place(t, e, SnapshotFile, SnapshotLine)
	action := j.action(e, r.callID, reference{Snapshots, row, SnapshotAction})
	t.ref(SnapshotAction, action)
	j.counts.Snapshots++
	if action != NoRow {
		j.linkSnapshot(action, row)
	}
}

// linkSnapshot notes on an action that it has a snapshot.
func (j *joiner) linkSnapshot(action, row Row) {
	t := j.x.tables[Snapshots]
	if SnapshotFlags(t.getWord(row, SnapshotFlagBits))&MainFrame == 0 {
		return
	}
	switch Phase(t.getByte(row, SnapshotPhase)) {
	case Before:
		j.setFlags(action, HasBefore)
	case During:
		j.setFlags(action, HasAction)
	case After:
		j.setFlags(action, HasAfter)
	}
	j.setPage(action, t.getRef(row, SnapshotPage))
}

// request adds a request.
func (j *joiner) request(e *entry, r *record) {
	t := j.x.tables[Network]
	t.add()
	start := r.time
	if e.ctx.epoch && start > 1e15 && start < 1e17 {
		start *= 1000 // these recorders write seconds here
	}
	if start == trace.NoTime && len(r.started) > 0 && !e.ctx.zeroed.IsZero() {
		if when, err := time.Parse(time.RFC3339Nano, string(r.started)); err == nil {
			start = trace.Time(when.Sub(e.ctx.zeroed))
		}
	}
	end := trace.NoTime
	if start != trace.NoTime && r.duration >= 0 {
		end = plus(start, r.duration)
	}
	pageID := r.pageID
	if len(pageID) == 0 {
		pageID = j.framePage(r.frame)
	}
	t.long(RequestStart, j.time(e, start))
	t.long(RequestEnd, j.time(e, end))
	t.text(RequestMethod, j.name(r.requestMethod))
	t.text(RequestURL, j.text(r.url))
	t.word(RequestStatus, uint32(r.status))
	t.text(RequestMIME, j.name(r.mime))
	t.text(RequestType, j.name(r.sort))
	t.long(RequestSize, r.size)
	t.ref(RequestPage, j.page(e, pageID, trace.NoTime))
	t.text(RequestFrame, j.name(r.frame))
	t.word(RequestFlagBits, uint32(r.flags))
	t.text(RequestFailure, j.text(r.message))
	t.text(RequestSent, j.text(r.sent))
	t.text(RequestBody, j.text(r.entry))
	t.word(RequestContext, uint32(e.ctx.number))
	j.place(t, e, RequestFile, RequestLine)
	j.counts.Network++
}

// framePage returns frame where it is the id of a known page: Vibium names a
// page's main frame so.
func (j *joiner) framePage(frame []byte) []byte {
	if len(frame) > 0 {
		if _, ok := j.pageKeys[trace.PageKey(string(frame))]; ok {
			return frame
		}
	}
	return nil
}

// countResources counts the entries that hold bodies.
func (b *Builder) countResources() {
	for _, e := range b.archive.Entries() {
		if strings.HasPrefix(e.Name, "resources/") || strings.Contains(e.Name, "/resources/") {
			b.counts.Resources++
		}
	}
}
