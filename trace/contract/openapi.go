package contract

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/contract/internal/schema"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// OpenAPI is an OpenAPI document that answers can be checked against.
type OpenAPI struct {
	doc     map[string]any
	bases   []string // paths of its servers
	parsed  *schema.Document
	schemas map[string]*schema.Schema // by pointer
}

const (
	maxOpenAPI = 32 << 20
	maxErrors  = 20 // of one answer
)

// serverPaths are the paths before which those of the document stand.
func (o *OpenAPI) serverPaths() []string {
	var list []string
	servers, _ := o.doc["servers"].([]any)
	for _, s := range servers {
		m, _ := s.(map[string]any)
		text, _ := m["url"].(string)
		if u, err := url.Parse(text); err == nil {
			list = append(list, strings.TrimSuffix(u.EscapedPath(), "/"))
		}
	}
	if len(list) == 0 {
		list = []string{""}
	}
	return list
}

// Check compares the answers of a trace with the document: calls that it does not
// have, statuses that it does not name, and bodies that break its schemas.
func (o *OpenAPI) Check(ctx context.Context, a *trace.Archive, opt Options) (*Result, error) {
	calls, err := collect(ctx, a, opt, true)
	if err != nil {
		return nil, err
	}
	by := map[string]*tracker{}
	var list []*tracker
	for _, x := range calls {
		path, operation := o.operation(x)
		x.endpoint.Path, x.endpoint.Operation = firstOf(path, x.endpoint.Path), ""
		name := x.endpoint.String()
		t := by[name]
		if t == nil {
			if len(list) >= maxEndpoints {
				continue
			}
			t = &tracker{e: &Endpoint{Endpoint: x.endpoint, Statuses: map[string]int{}}, isNew: operation == "", statuses: map[string]int{}, found: map[Change]*Violation{}}
			by[name] = t
			list = append(list, t)
		}
		o.take(t, x, operation)
		x.body = nil
	}
	r := (&Result{Calls: len(calls)}).finish(list)
	for _, t := range list {
		if len(t.order) == 0 {
			r.Clean++
		}
	}
	r.Hints = slices.DeleteFunc(r.Hints, func(h string) bool { return strings.Contains(h, "established") })
	return r, nil
}

// operation returns the document's path for a call, and the pointer of its
// operation; both are "" where there is none.
func (o *OpenAPI) operation(x *call) (path, pointer string) {
	u, err := url.Parse(x.url)
	if err != nil {
		return "", ""
	}
	paths, _ := o.doc["paths"].(map[string]any)
	for _, base := range o.bases {
		rest, ok := strings.CutPrefix(u.EscapedPath(), base)
		if !ok {
			continue
		}
		for _, candidate := range o.candidates(paths, rest) {
			item, _ := paths[candidate].(map[string]any)
			method := strings.ToLower(x.endpoint.Method)
			if item[method] != nil {
				return base + candidate, "/paths/" + token(candidate) + "/" + method
			}
			path = base + candidate
		}
	}
	return path, ""
}

// candidates are the paths that a path may be one of, those with the fewest
// parameters first.
func (o *OpenAPI) candidates(paths map[string]any, path string) (list []string) {
	for p := range paths {
		if p == path || template.Match(p, path) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if n := strings.Count(a, "{") - strings.Count(b, "{"); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	return list
}

// token writes a name as a part of a JSON Pointer in a fragment.
func token(name string) string {
	return url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name))
}

func (o *OpenAPI) take(t *tracker, x *call, operation string) {
	t.calls++
	t.statuses[itoa(x.status)]++
	if x.state != "" {
		if t.unparsable == nil {
			t.unparsable = map[string]int{}
		}
		t.unparsable[x.state]++
	}
	if operation == "" {
		t.add(x, Change{Type: Undocumented}, verdict.Info, "the document has no such operation")
		return
	}
	response, schema := o.response(operation, x.status)
	if response == "" && x.status > 0 {
		t.add(x, Change{Type: Undocumented, Actual: itoa(x.status)}, verdict.Warning, fmt.Sprintf("the document does not name status %d", x.status))
	}
	if schema == "" || x.body == nil {
		return
	}
	t.checked++
	if n := o.validate(t, x, schema); n == 0 {
		t.matching++
	}
}

// response returns the pointers of what the document says of a status, and of the
// schema of its JSON body.
func (o *OpenAPI) response(operation string, status int) (response, schema string) {
	for _, name := range []string{itoa(status), itoa(status/100) + "XX", itoa(status/100) + "xx", "default"} {
		at, r := o.resolve(operation + "/responses/" + name)
		if r == nil {
			continue
		}
		content, _ := r["content"].(map[string]any)
		for _, mime := range sorted(content) {
			media, _ := content[mime].(map[string]any)
			if (isJSON(mime) || mime == "*/*" || mime == "application/*") && media["schema"] != nil {
				return at, at + "/content/" + token(mime) + "/schema"
			}
		}
		return at, ""
	}
	return "", ""
}

func sorted(m map[string]any) []string {
	list := make([]string, 0, len(m))
	for name := range m {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// resolve returns the object at a pointer, behind references, and where it is.
func (o *OpenAPI) resolve(pointer string) (string, map[string]any) {
	for range 10 {
		var v any = o.doc
		for _, part := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
			name, err := url.PathUnescape(part)
			m, ok := v.(map[string]any)
			if err != nil || !ok {
				return "", nil
			}
			v = m[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
		}
		m, _ := v.(map[string]any)
		ref, _ := m["$ref"].(string)
		if !strings.HasPrefix(ref, "#/") {
			return pointer, m
		}
		pointer = ref[1:]
	}
	return "", nil
}

// validate adds what an answer breaks in its schema, and returns how much that is.
func (o *OpenAPI) validate(t *tracker, x *call, pointer string) int {
	s := o.schemas[pointer]
	if s == nil {
		var err error
		if s, err = o.parsed.At(pointer); err != nil {
			t.add(x, Change{Type: SchemaBroken, Pointer: "", Expected: pointer}, verdict.Warning, "the document's schema cannot be used")
			return 1
		}
		o.schemas[pointer] = s
	}
	v, err := parseJSON(x.body)
	if err != nil {
		return 0
	}
	faults, ok := s.Check(v)
	if !ok {
		t.add(x, Change{Type: SchemaBroken, Pointer: "", Expected: pointer}, verdict.Warning, "checking an answer against the document's schema takes too long")
		return 1
	}
	for _, f := range faults[:min(len(faults), maxErrors)] {
		c := Change{Type: SchemaBroken, Pointer: pointerOf(f.At), Expected: f.Keyword, Actual: actual(f)}
		severity := verdict.Warning
		if f.Keyword == "oneOf" {
			severity = verdict.Info // a looseness of the document's: the answer fits it too well
		}
		t.add(x, c, severity, firstOf(c.Pointer, "the answer")+broken(f))
	}
	return len(faults)
}

// pointerOf writes a place with * for any element of a list.
func pointerOf(location []string) string {
	var b strings.Builder
	for _, part := range location {
		if template.Variable(part) {
			part = "*"
		}
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(part))
	}
	return b.String()
}

// actual is what tells two faults of a keyword at a place apart.
func actual(f schema.Fault) string {
	if f.Keyword == "required" {
		return "without " + named(f.Missing)
	}
	return f.Got
}

// named lists names, the first few of many.
func named(list []string) string {
	const most = 5
	text := strings.Join(list[:min(len(list), most)], ", ")
	if n := len(list) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// broken says in words how a schema is broken, without values of the answer.
func broken(f schema.Fault) string {
	switch f.Keyword {
	case "required":
		return " lacks " + named(f.Missing)
	case "type":
		return fmt.Sprintf(" is %s, not %s", f.Got, strings.Join(f.Want, " or "))
	case "additionalProperties":
		if f.Extra == 1 {
			return " has a field that the document's schema does not allow"
		}
		return fmt.Sprintf(" has %d fields that the document's schema does not allow", f.Extra)
	case "oneOf":
		return " fits more than one of the document's schemas of which it may fit one"
	case "enum":
		return " is none of the values that the document's schema lists"
	case "":
		return " is not allowed by the document's schema"
	}
	return fmt.Sprintf(" breaks %q of the document's schema", f.Keyword)
}
