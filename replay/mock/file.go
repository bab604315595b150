package mock

import (
	"encoding/json"
	"net/url"
	"path"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// files are the folders of this machine that a session was in. A page of them
// may have what lies beside and below it, and nothing else of the disk.
type files map[string]bool

// visit takes note of the folder of a document. An address without a file
// scheme is none.
func (f files) visit(raw string) {
	if name, ok := fileOf(raw); ok {
		f[path.Dir(name)] = true
	}
}

// holds reports whether an address is of a file in one of the folders.
func (f files) holds(raw string) bool {
	name, ok := fileOf(raw)
	for dir := path.Dir(name); ok; dir = path.Dir(dir) {
		if f[dir] {
			return true
		}
		if dir == "/" || dir == "." {
			return false
		}
	}
	return false
}

// fileOf returns the clean path that a file address names.
func fileOf(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || !strings.EqualFold(u.Scheme, "file") || u.Path == "" {
		return "", false
	}
	return path.Clean("//" + u.Host + u.Path), true
}

// visits lists the addresses that the recorded steps went to.
func visits(t *trace.Trace) []string {
	var out []string
	for _, a := range t.Actions {
		if a.Before == nil {
			continue
		}
		var p struct{ URL string }
		if json.Unmarshal(a.Before.Params, &p) == nil && p.URL != "" {
			out = append(out, p.URL)
		}
	}
	return out
}
