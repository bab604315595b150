package template

import (
	"sort"
	"strings"
)

// manyValues is how many different values a part has to have to be taken for
// a parameter though none of them looks like one.
const manyValues = 10

// Seen is a template that was met, with what it answers: two templates may stand
// for one only where their kinds are equal.
type Seen struct {
	Path string
	Kind string // such as the method and the shape of the answer
}

// Fold finds parameters by how many values they take: where ten or more templates
// of one kind differ in one part alone, that part is one, named after the word
// before it: "/products/red-shoes" becomes "/products/:product". It returns what
// stands for each template that is not its own.
func Fold(seen []Seen) map[Seen]string {
	out := map[Seen]string{}
	now := map[Seen]string{}
	for _, s := range seen {
		now[s] = s.Path
	}
	for again := true; again; {
		again = false
		for key, members := range alike(now) {
			if len(members.values) < manyValues {
				continue
			}
			for _, s := range members.of {
				now[s] = key.with(parameter(key.before))
				out[s] = now[s]
			}
			again = true
			break // what was folded may make others alike
		}
	}
	return out
}

// gap is a template with one part left out.
type gap struct{ before, after, kind string }

func (g gap) with(part string) string { return g.before + part + g.after }

type gapMembers struct {
	values map[string]bool
	of     []Seen
}

func alike(now map[Seen]string) map[gap]*gapMembers {
	all := map[gap]*gapMembers{}
	for s, path := range now {
		for from := 0; from < len(path); {
			i := strings.IndexByte(path[from:], '/')
			if i < 0 {
				break
			}
			from += i + 1
			end := len(path)
			if k := strings.IndexByte(path[from:], '/'); k >= 0 {
				end = from + k
			}
			if part := path[from:end]; part != "" && part[0] != ':' && from > 1 {
				g := gap{path[:from], path[end:], s.Kind}
				if all[g] == nil {
					all[g] = &gapMembers{values: map[string]bool{}}
				}
				all[g].values[part] = true
				all[g].of = append(all[g].of, s)
			}
		}
	}
	return all
}

// parameter names a parameter after the last word of what stands before it.
func parameter(before string) string {
	parts := strings.FieldsFunc(before, func(r rune) bool { return r == '/' })
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i][0] != ':' {
			return ":" + singular(parts[i])
		}
	}
	return ID
}

func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && len(word) > 3:
		return word[:len(word)-1]
	}
	return word
}

// Match reports whether a path is one of a template's: parts of the template that
// begin with ":" or stand in braces take any one part.
func Match(template, path string) bool {
	a, b := strings.Split(template, "/"), strings.Split(path, "/")
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		free := len(a[i]) > 1 && (a[i][0] == ':' || a[i][0] == '{' && a[i][len(a[i])-1] == '}')
		if a[i] != b[i] && (!free || b[i] == "") {
			return false
		}
	}
	return true
}

// Sort orders endpoints by host, path, method and operation.
func Sort(list []Endpoint) {
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.Host != b.Host {
			return a.Host < b.Host
		}
		if a.Path != b.Path {
			return a.Path < b.Path
		}
		if a.Method != b.Method {
			return a.Method < b.Method
		}
		return a.Operation < b.Operation
	})
}
