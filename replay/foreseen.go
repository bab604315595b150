package replay

import (
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// foreseen is what will not be as it was, as far as the recording tells.
func (r *run) foreseen() (list []string) {
	if w := unanswered(r.t); w != "" {
		list = append(list, w)
	}
	if w := attended(r.t); w != "" && !r.surroundings().ServiceWorkers {
		list = append(list, w)
	}
	return list
}

// unanswered says that the recorded program played the server of web sockets,
// or "": what pages sent it is not in the trace.
func unanswered(t *trace.Trace) string {
	for _, a := range t.Actions {
		if a.Before != nil && a.Before.Class == "WebSocketRoute" {
			return "the test program itself answered web sockets; what pages sent is not in the trace, so that they fail here (with --mode live the server answers)"
		}
	}
	return ""
}

// attended says that the recorded pages had a service worker, or "".
func attended(t *trace.Trace) string {
	for _, q := range t.Network {
		if strings.EqualFold(q.Entry.Request.Header("Service-Worker"), "script") {
			return fmt.Sprintf("the pages had a service worker, %s, which is blocked here: its answers come from the recording, and what waits for it waits in vain (serviceWorkers: allow in the file of --context lets it run)", q.Entry.Request.URL)
		}
	}
	return ""
}
