package schema

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// Document is a parsed JSON document in which schemas lie. It is for one goroutine at a time.
type Document struct {
	root     any
	ids      map[string]any     // by absolute $id
	anchors  map[string]any     // by base, # and name
	dynamic  map[string]any     // likewise, of $dynamicAnchor alone
	bases    map[uintptr]string // of objects below an $id
	patterns map[string]*regexp.Regexp
	targets  map[reference]any
}

// reference is a keyword of an object that refers to another.
type reference struct {
	from    uintptr
	keyword string
}

// ErrUnusable says that a schema cannot be used: a reference leads nowhere, or a keyword has no such value.
var ErrUnusable = errors.New("the schema cannot be used")

// maxDepth bounds how deep documents, schemas and values are followed.
const maxDepth = 512

// Parse takes a document whose numbers are json.Number. It must not be changed afterwards.
func Parse(root any) *Document {
	d := &Document{root: root, ids: map[string]any{}, anchors: map[string]any{}, dynamic: map[string]any{}, bases: map[uintptr]string{}, patterns: map[string]*regexp.Regexp{}, targets: map[reference]any{}}
	d.index(root, "", 0)
	return d
}

// index notes the names by which parts of the document can be referred to.
func (d *Document) index(v any, base string, depth int) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			d.index(item, base, depth+1)
		}
	case map[string]any:
		if id, ok := v["$id"].(string); ok && !strings.HasPrefix(id, "#") {
			base = strings.TrimSuffix(resolve(base, id), "#")
			d.ids[base] = v
		}
		if base != "" {
			d.bases[identity(v)] = base
		}
		if name, ok := v["$anchor"].(string); ok {
			d.anchors[base+"#"+name] = v
		}
		if name, ok := v["$dynamicAnchor"].(string); ok {
			d.anchors[base+"#"+name], d.dynamic[base+"#"+name] = v, v
		}
		for _, item := range v {
			d.index(item, base, depth+1)
		}
	}
}

func identity(m map[string]any) uintptr { return reflect.ValueOf(m).Pointer() }

func resolve(base, ref string) string {
	b, err := url.Parse(base)
	r, err2 := url.Parse(ref)
	if err != nil || err2 != nil {
		return ref
	}
	return b.ResolveReference(r).String()
}

// target is what a keyword of a schema refers to, if the schema has it.
func (d *Document) target(s map[string]any, keyword string) (any, bool) {
	ref, ok := s[keyword].(string)
	if !ok {
		return nil, false
	}
	at := reference{identity(s), keyword}
	if v, known := d.targets[at]; known {
		return v, true
	}
	v, err := d.refer(d.bases[at.from], ref)
	if err == nil {
		d.targets[at] = v
	}
	return v, err == nil
}

// refer returns what a reference in an object with the given base means.
func (d *Document) refer(base, ref string) (any, error) {
	whole := resolve(base, ref)
	if base == "" && strings.HasPrefix(ref, "#") {
		whole = ref
	}
	at, fragment, _ := strings.Cut(whole, "#")
	var v any
	switch target, ok := d.ids[at]; {
	case ok:
		v = target
	case at == "":
		v = d.root
	default:
		return nil, fmt.Errorf("%w: nothing has the address %q", ErrUnusable, at)
	}
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		if target, ok := d.anchors[at+"#"+fragment]; ok {
			return target, nil
		}
		return nil, fmt.Errorf("%w: there is no anchor %q", ErrUnusable, fragment)
	}
	return follow(v, fragment)
}

// follow follows a JSON Pointer as it stands in the fragment of a reference.
func follow(v any, pointer string) (any, error) {
	if pointer == "" {
		return v, nil
	}
	for _, part := range strings.Split(pointer, "/")[1:] {
		name, err := url.PathUnescape(part)
		if err != nil {
			return nil, fmt.Errorf("%w: %q", ErrUnusable, pointer)
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		found := false
		switch o := v.(type) {
		case map[string]any:
			v, found = o[name]
		case []any:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(o) {
				v, found = o[i], true
			}
		}
		if !found {
			return nil, fmt.Errorf("%w: nothing is at %q", ErrUnusable, pointer)
		}
	}
	return v, nil
}

func (d *Document) pattern(expr string) (*regexp.Regexp, error) {
	if re, ok := d.patterns[expr]; ok {
		return re, nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("%w: pattern %q: %w", ErrUnusable, expr, err)
	}
	d.patterns[expr] = re
	return re, nil
}
