package index

import "github.com/tracedeck/tracedeck/trace"

// scanRequest reads a line of a .network file.
func scanRequest(line []byte, r *record) bool {
	w := walker{b: line}
	w.enter()
	found := false
	for key, ok := w.next(); ok; key, ok = w.next() {
		if string(key) == "snapshot" && w.i < len(w.b) && w.b[w.i] == '{' {
			found = true
			r.entryMembers(&w)
			continue
		}
		w.value()
	}
	if !w.whole() {
		return false
	}
	if !found {
		flat := walker{b: line}
		r.entryMembers(&flat)
	}
	r.settle()
	return true
}

// within walks the object at w and hands its members out; w is behind it then.
func within(w *walker, member func(key []byte, in *walker)) {
	if w.i >= len(w.b) || w.b[w.i] != '{' {
		w.value()
		return
	}
	in := walker{b: w.b, i: w.i}
	in.enter()
	for key, ok := in.next(); ok; key, ok = in.next() {
		member(key, &in)
	}
	w.i, w.bad = in.i, in.bad
}

func (r *record) entryMembers(w *walker) {
	within(w, func(key []byte, w *walker) {
		switch string(key) {
		case "request":
			r.requestMembers(w)
		case "response":
			r.responseMembers(w)
		case "pageref":
			r.pageID = r.text(w.value())
		case "startedDateTime":
			r.started = r.text(w.value())
		case "time":
			if t, ok := moment(w.value()); ok {
				r.duration = t
				r.open = t < 0
			}
		case "_monotonicTime":
			r.time = at(w.value())
		case "_frameref":
			r.frame = r.text(w.value())
		case "_resourceType":
			r.sort = r.text(w.value())
		default:
			r.flag(string(key), w.value())
		}
	})
}

func (r *record) flag(key string, v []byte) {
	switch {
	case key == "_wasAborted" && isTrue(v):
		r.flags |= RequestAborted
	case key == "_wasFulfilled" && isTrue(v):
		r.flags |= RequestFulfilled
	case key == "_wasContinued" && isTrue(v):
		r.flags |= RequestContinued
	case key == "_apiRequest" && isTrue(v), key == "_apiRequestRef" && len(text(v)) > 0:
		r.flags |= RequestAPI
	case key == "_serviceWorkerRef" && len(text(v)) > 0:
		r.flags |= RequestWorker
	}
}

func (r *record) requestMembers(w *walker) {
	within(w, func(key []byte, w *walker) {
		switch string(key) {
		case "method":
			r.requestMethod = r.text(w.value())
		case "url":
			r.url = r.text(w.value())
		case "postData":
			within(w, func(key []byte, w *walker) { r.blob(&r.sent, key, w.value()) })
		default:
			w.value()
		}
	})
}

func (r *record) responseMembers(w *walker) {
	sent, body := int64(-1), int64(-1)
	within(w, func(key []byte, w *walker) {
		switch string(key) {
		case "status":
			r.status = whole(w.value())
		case "_failureText":
			r.message = r.text(w.value())
		case "content":
			within(w, func(key []byte, w *walker) {
				switch v := w.value(); string(key) {
				case "size":
					r.size = whole(v)
				case "mimeType":
					r.mime = r.text(v)
				default:
					r.blob(&r.entry, key, v)
				}
			})
		case "bodySize":
			body = whole(w.value())
		case "_transferSize":
			sent = whole(w.value())
		default:
			w.value()
		}
	})
	for _, known := range []int64{body, sent} {
		if r.size < 0 && known >= 0 {
			r.size = known
		}
	}
}

// blob takes the name of a body's entry, which was a hash before version 9.
func (r *record) blob(name *[]byte, key, v []byte) {
	switch {
	case string(key) == "_file":
		*name = r.text(v)
	case string(key) == "_sha1" && *name == nil && len(text(v)) > 0:
		*name = append([]byte("resources/"), text(v)...)
	}
}

// settle derives what several members say together.
func (r *record) settle() {
	if r.open {
		r.duration = trace.NoTime
	}
	pending := r.status <= 0 && r.open && len(r.message) == 0 && r.flags&RequestAborted == 0
	switch {
	case pending:
		r.flags |= RequestPending
	case len(r.message) > 0 || r.status <= 0 || r.flags&RequestAborted != 0:
		r.flags |= RequestFailed
	}
	if string(r.sort) == "websocket" {
		r.flags |= RequestWebSocket
	}
	if r.status < 0 {
		r.status = 0
	}
}
