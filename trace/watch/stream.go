package watch

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Stream serves a Log as server-sent events: an event "notice" with a [Notice]
// as JSON for each, whose id is the number of the latest finding that it tells
// of. Who comes back with Last-Event-ID (or ?since=) gets what came since; an
// event "lost" tells how much of it is not kept any more. The parameters
// categories, severity, url and throttle narrow what one subscriber gets. When
// the context of the request ends because the server does, what waits is told
// at once, and an event "end" is the last.
type Stream struct {
	Log     *Log
	Options Options
	// All gives who comes for the first time what was told before, too.
	All bool
	// Heartbeat is how often something is sent at least; 0 means 15 s.
	Heartbeat time.Duration
}

// ServeHTTP answers with the stream, until the client goes.
func (s *Stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		w.Header().Set("Allow", "GET")
		http.Error(w, "only GET", http.StatusMethodNotAllowed)
		return
	}
	o, err := s.options(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	since, _ := strconv.ParseInt(first(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("since")), 10, 64)
	if r.Header.Get("Last-Event-ID") == "" && r.URL.Query().Get("since") == "" && !s.All {
		since = s.Log.Last()
	}
	c := &client{w: w, control: http.NewResponseController(w), log: s.Log, pacer: NewPacer(o), at: since}
	beat := s.Heartbeat
	if beat <= 0 {
		beat = 15 * time.Second
	}
	c.run(r, beat)
}

func first(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

// options takes the subscriber's own wishes.
func (s *Stream) options(r *http.Request) (Options, error) {
	o, q := s.Options, r.URL.Query()
	if list := q.Get("categories"); list != "" {
		o.Categories = nil
		for name := range strings.SplitSeq(list, ",") {
			if !slices.Contains(Categories(), Category(name)) {
				return o, fmt.Errorf("categories: there is %v, not %.40q", Categories(), name)
			}
			o.Categories = append(o.Categories, Category(name))
		}
	}
	if v := q.Get("severity"); v != "" {
		if !slices.Contains([]Severity{Critical, Error, Warning, Info}, Severity(v)) {
			return o, fmt.Errorf("severity: there is critical, error, warning and info, not %.40q", v)
		}
		o.Least = Severity(v)
	}
	if v := q.Get("url"); v != "" {
		o.URL = v
	}
	if v := q.Get("throttle"); v != "" {
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 || d > time.Minute {
			return o, fmt.Errorf("throttle: a duration of up to 1m, such as 5s, not %.40q", v)
		}
		if o.Throttle = d; d == 0 {
			o.Throttle = -1
		}
	}
	return o, nil
}

// client is one subscriber.
type client struct {
	w       http.ResponseWriter
	control *http.ResponseController
	log     *Log
	pacer   *Pacer
	at      int64 // number of the latest finding that was taken
}

func (c *client) run(r *http.Request, beat time.Duration) {
	if c.send(": tracedeck\n\n") != nil {
		return
	}
	for {
		changed := c.log.Changed()
		now := time.Now()
		if c.pull(now) != nil {
			return
		}
		wait := beat
		if due, ok := c.pacer.Due(now); ok {
			wait = min(wait, max(0, due.Sub(now)))
		}
		timer := time.NewTimer(wait)
		select {
		case <-r.Context().Done():
			timer.Stop()
			c.end(time.Now())
			return
		case <-changed:
		case <-timer.C:
			if wait == beat && c.send(": beat\n\n") != nil {
				return
			}
		}
		timer.Stop()
	}
}

// end tells what waits, whether it is due or not. A client that has gone does
// not hear it.
func (c *client) end(now time.Time) {
	if c.pull(now) != nil {
		return
	}
	if n, ok := c.pacer.Flush(now); ok && c.notice(n) != nil {
		return
	}
	_ = c.send("event: end\ndata: {}\n\n")
}

// pull takes what is new in the log and sends what is due.
func (c *client) pull(now time.Time) error {
	list, lost := c.log.Since(c.at)
	if lost > 0 {
		if err := c.send(fmt.Sprintf("event: lost\ndata: {\"lost\":%d}\n\n", lost)); err != nil {
			return err
		}
	}
	for _, f := range list {
		c.pacer.Add(f, now)
		c.at = f.ID
	}
	if n, ok := c.pacer.Next(now); ok {
		return c.notice(n)
	}
	return nil
}

func (c *client) notice(n Notice) error {
	b, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return c.send(fmt.Sprintf("id: %d\nevent: notice\ndata: %s\n\n", c.at, b))
}

func (c *client) send(text string) error {
	_ = c.control.SetWriteDeadline(time.Now().Add(10 * time.Second)) // a client that stops reading must not hold on; not all writers can
	if _, err := c.w.Write([]byte(text)); err != nil {
		return err
	}
	return c.control.Flush()
}
