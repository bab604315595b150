package cdp

import (
	"encoding/json"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

type nameValue struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// storage records what an origin had stored when the recording first met it,
// so that a replay can begin where the recording did. It is an event "storage".
func (r *Recorder) storage(s *session, address string) {
	origin := originOf(address)
	if origin == "" || r.origins[origin] {
		return
	}
	r.origins[origin] = true
	at := r.sink.Now()
	found := map[string]any{"origin": origin}
	missing := 3
	done := func(key string, value any) {
		if value != nil {
			found[key] = value
		}
		if missing--; missing == 0 {
			r.happened(at, "storage", pageOf(s), found)
		}
	}
	for key, local := range map[string]bool{"localStorage": true, "sessionStorage": false} {
		id := object{"securityOrigin": origin, "isLocalStorage": local}
		r.conn.Send(s.id, "DOMStorage.getDOMStorageItems", object{"storageId": id}, func(result raw, err error) {
			var got struct {
				Entries [][2]string `json:"entries"`
			}
			if err != nil || json.Unmarshal(result, &got) != nil {
				done(key, nil)
				return
			}
			items := make([]nameValue, len(got.Entries))
			for i, e := range got.Entries {
				items[i] = nameValue{e[0], r.masks.stored(e[0], e[1])}
			}
			done(key, items)
		})
	}
	r.conn.Send(s.id, "Network.getCookies", object{"urls": []string{address}}, func(result raw, err error) {
		var got struct {
			Cookies []map[string]any `json:"cookies"`
		}
		if err != nil || json.Unmarshal(result, &got) != nil {
			done("cookies", nil)
			return
		}
		for _, c := range got.Cookies {
			if v, ok := c["value"].(string); ok {
				c["value"] = r.masks.secret(v)
			}
		}
		done("cookies", got.Cookies)
	})
}

// tokenName and tokenValue tell stored values that are likely credentials.
var (
	tokenName  = lazyregexp.New(`(?i)token|secret|passw|credential|jwt|session|api[-_]?key|auth`)
	tokenValue = lazyregexp.New(`^"?(ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.|Bearer |gh[pousr]_|sk_|xox[abp]-)`)
)

// stored returns what is recorded of a stored value.
func (m *masker) stored(name, value string) string {
	if tokenName.MatchString(name) || tokenValue.MatchString(value) {
		return m.secret(value)
	}
	return value
}
