package title

import (
	_ "embed"
	"strings"
	"sync"
)

// Group sets calls apart that a list of actions may leave out.
type Group string

// The groups.
const (
	Getter        Group = "getter"        // reads something and changes nothing
	Route         Group = "route"         // answers or redirects requests
	Configuration Group = "configuration" // sets something up
	Internal      Group = "internal"      // recorders leave these out; seen in foreign traces only
)

// Phases says which snapshots a recorder takes around a call.
type Phases struct {
	Before bool // when it is called
	Action bool // when its input is about to be sent
	After  bool // when it has returned
}

// Method is what is known of one method: texts with parameters in braces.
type Method struct {
	Title    string
	Subtitle string
	Group    Group
	Phases   Phases
}

//go:embed methods.txt
var methodText string

var methods = sync.OnceValue(func() map[string]Method {
	table := make(map[string]Method, 640)
	for line := range strings.Lines(methodText) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if len(fields) != 5 || strings.HasPrefix(line, "#") {
			continue
		}
		for i, f := range fields {
			if f == "-" {
				fields[i] = ""
			}
		}
		table[fields[0]] = Method{
			Title: fields[3], Subtitle: fields[4], Group: Group(fields[1]),
			Phases: Phases{
				Before: strings.Contains(fields[2], "before"),
				Action: strings.Contains(fields[2], "action"),
				After:  strings.Contains(fields[2], "after"),
			},
		}
	}
	return table
})

// Lookup finds what is known of a method, whichever recorder named it.
func Lookup(class, method string) (Method, bool) {
	m, ok := methods()[tableKey(class, method)]
	return m, ok
}

func tableKey(class, method string) string {
	if name, ok := strings.CutPrefix(method, "vibium:"); ok {
		name = strings.TrimPrefix(name, "element.")
		return "Vibium." + strings.TrimPrefix(name, "el.")
	}
	return class + "." + method
}
