// Package code is the registry of the stable codes of errors and warnings:
// what each means, and what to do about it. Messages may be worded anew; codes
// stay.
package code

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

//go:embed codes.txt
var table string

// Code is an entry of the registry.
type Code struct {
	// Name begins with E_ for what keeps something from being done or right, and with W_ for what is only told.
	Name string `json:"code"`
	// Area is the part of the program that gives it.
	Area string `json:"area"`
	// Means says in one sentence what it stands for.
	Means string `json:"means"`
	// Next is what to do about it, "nothing" where there is nothing to do.
	Next string `json:"next"`
}

// Error reports whether the code is that of an error; it is a warning's
// otherwise.
func (c *Code) Error() bool { return strings.HasPrefix(c.Name, "E_") }

// All returns the registry, by area.
func All() []Code { return append([]Code(nil), all()...) }

// Find returns the entry of that name.
func Find(name string) (Code, bool) {
	for _, c := range all() {
		if c.Name == name {
			return c, true
		}
	}
	return Code{}, false
}

var all = sync.OnceValue(func() []Code {
	var list []Code
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), " | ")
		if len(f) != 4 {
			panic(fmt.Sprintf("codes.txt: %q has not four columns", line)) // it is a part of the program, and tested
		}
		list = append(list, Code{f[0], f[1], f[2], f[3]})
	}
	return list
})
