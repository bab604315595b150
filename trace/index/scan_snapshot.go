package index

import "bytes"

// A snapshot's line is nearly all html, which a row does not hold. So its
// members are read from both ends: forward to the html, and backward to it.
// Only where that does not give all the members that matter the html is
// stepped over.

var (
	snapshotFirst = []byte(`{"snapshot":{`)
	snapshotAfter = []byte(`{"type":"frame-snapshot","snapshot":{`)
	snapshotTail  = []byte(`,"type":"frame-snapshot"}`)
)

// The members of a snapshot that a row cannot do without.
const (
	sawFrame = 1 << iota
	sawURL
	sawPage
	sawViewport
	sawTime
	sawMain
	sawAll = 1<<iota - 1
)

func scanSnapshot(line []byte, r *record) bool {
	if inner := snapshotObject(line); inner != nil {
		kept := *r
		if scanEnds(inner, r) {
			return true
		}
		*r = kept
	}
	return scanNested(line, r)
}

// snapshotObject returns the object in the line where it is the first or the
// last member, and nil elsewhere.
func snapshotObject(line []byte) []byte {
	switch {
	case bytes.HasPrefix(line, snapshotAfter) && bytes.HasSuffix(line, []byte("}}")):
		return line[len(snapshotAfter)-1 : len(line)-1]
	case bytes.HasPrefix(line, snapshotFirst) && bytes.HasSuffix(line, snapshotTail):
		return line[len(snapshotFirst)-1 : len(line)-len(snapshotTail)]
	}
	return nil
}

// scanEnds reads the members around the html.
func scanEnds(b []byte, r *record) bool {
	seen := 0
	w := walker{b: b}
	w.enter()
	for key, ok := w.next(); ok; key, ok = w.next() {
		if string(key) == "html" {
			return scanBack(b, w.i, r, &seen)
		}
		seen |= r.snapshotMember(key, w.value())
	}
	return w.whole()
}

// scanBack reads members from the end back to the html, which begins at html.
func scanBack(b []byte, html int, r *record, seen *int) bool {
	end := len(b) - 1
	if b[end] != '}' {
		return false
	}
	for {
		end = blanksBack(b, end)
		if isHTML(b, end) {
			return *seen == sawAll
		}
		start := valueStart(b, end, html)
		if start <= html {
			return start == html
		}
		key, comma := keyBack(b, start)
		if key == nil {
			return false
		}
		*seen |= r.snapshotMember(key, b[start:end])
		end = comma
	}
}

// isHTML reports whether what ends before end must be a node: an array whose
// last element is an array or a string. The only other array that is written
// here holds objects.
func isHTML(b []byte, end int) bool {
	return end > 2 && b[end-1] == ']' && (b[end-2] == ']' || b[end-2] == '"')
}

// keyBack returns the member name before the value that begins at i, and
// where the comma before that is.
func keyBack(b []byte, i int) (key []byte, comma int) {
	i = blanksBack(b, i)
	if i < 2 || b[i-1] != ':' {
		return nil, 0
	}
	i = blanksBack(b, i-1)
	if i < 2 || b[i-1] != '"' {
		return nil, 0
	}
	start := stringStart(b, i-1)
	if start < 0 {
		return nil, 0
	}
	before := blanksBack(b, start)
	if before < 1 || b[before-1] != ',' {
		return nil, 0
	}
	return b[start+1 : i-1], before - 1
}

func blanksBack(b []byte, i int) int {
	for i > 0 && (b[i-1] == ' ' || b[i-1] == '\t') {
		i--
	}
	return i
}

// scanNested reads a snapshot by stepping over all of the line.
func scanNested(line []byte, r *record) bool {
	w := walker{b: line}
	w.enter()
	found := false
	for key, ok := w.next(); ok; key, ok = w.next() {
		v := w.value()
		if string(key) != "snapshot" || w.bad {
			continue
		}
		found = true
		in := walker{b: v}
		in.enter()
		for key, ok := in.next(); ok; key, ok = in.next() {
			r.snapshotMember(key, in.value())
		}
	}
	if !found && !w.bad {
		return scanFlat(line, r)
	}
	return w.whole()
}

// scanFlat reads the members that a line has where the object should be.
func scanFlat(line []byte, r *record) bool {
	w := walker{b: line}
	w.enter()
	for key, ok := w.next(); ok; key, ok = w.next() {
		r.snapshotMember(key, w.value())
	}
	return w.whole()
}

func (r *record) snapshotMember(key, v []byte) (seen int) {
	switch string(key) {
	case "callId":
		r.callID = r.text(v)
	case "snapshotName":
		r.named(r.text(v))
	case "phase":
		r.phase = phaseOf(r.text(v))
	case "pageId":
		r.pageID = r.text(v)
		return sawPage
	case "frameId":
		r.frame = r.text(v)
		return sawFrame
	case "frameUrl":
		r.url = r.text(v)
		return sawURL
	case "viewport":
		r.viewport(v)
		return sawViewport
	case "timestamp":
		r.time = at(v)
		return sawTime
	case "isMainFrame":
		r.main = isTrue(v)
		return sawMain
	}
	return 0
}
