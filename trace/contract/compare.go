package contract

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// What can be broken.
const (
	ShapeChange      = "shape_change"       // a field is missing that was in all answers
	TypeChange       = "type_change"        // a value is of another kind
	NewField         = "new_field"          // a field that was in no answer
	NullField        = "null_field"         // a value is null that never was
	ArrayShapeChange = "array_shape_change" // the elements of a list are of another kind
	ErrorSpike       = "error_spike"        // errors where there were answers
	Undocumented     = "undocumented"       // not in the OpenAPI file
	SchemaBroken     = "schema"             // breaks the schema of the OpenAPI file
)

var severities = map[string]verdict.Severity{ShapeChange: verdict.Warning, TypeChange: verdict.Warning, NewField: verdict.Info, NullField: verdict.Info,
	ArrayShapeChange: verdict.Warning, SchemaBroken: verdict.Warning, Undocumented: verdict.Info}

// Change is one way in which an answer breaks with what was learnt.
type Change struct {
	Type     string `json:"type"`
	Pointer  string `json:"pointer"` // JSON Pointer, with * for any element of a list
	Expected string `json:"expected,omitempty"`
	Actual   string `json:"actual,omitempty"`
}

// Severity says how bad the change is.
func (c Change) Severity() verdict.Severity { return severities[c.Type] }

// Describe says in words what is wrong.
func (c Change) Describe() string {
	at := c.Pointer
	if at == "" {
		at = "the answer"
	}
	switch c.Type {
	case ShapeChange:
		return fmt.Sprintf("%s is missing, and was always there", at)
	case NewField:
		return fmt.Sprintf("%s is new", at)
	case NullField:
		return fmt.Sprintf("%s is null, and never was", at)
	case ArrayShapeChange:
		return fmt.Sprintf("the elements of %s are %s instead of %s", strings.TrimSuffix(at, "/*"), c.Actual, c.Expected)
	}
	return fmt.Sprintf("%s is %s instead of %s", at, c.Actual, c.Expected)
}

// Compare returns how an answer differs from what was learnt: nothing where it
// lacks what was not always there, where a number has no fraction, or where so far
// only null or empty lists were seen.
func Compare(learnt, answer *Shape) []Change {
	var list []Change
	compare(learnt, answer, "", false, &list)
	return list
}

func compare(learnt, answer *Shape, at string, element bool, list *[]Change) {
	if !learnt.known() || answer == nil {
		return
	}
	var other []string
	for _, kind := range answer.kinds() {
		switch {
		case learnt.Kinds[kind] > 0:
		case kind == Null:
			*list = append(*list, Change{NullField, at, strings.Join(learnt.kinds(), " or "), Null})
		default:
			other = append(other, kind)
		}
	}
	if len(other) > 0 {
		what := TypeChange
		if element {
			what = ArrayShapeChange
		}
		*list = append(*list, Change{what, at, strings.Join(learnt.kinds(), " or "), strings.Join(other, " or ")})
	}
	if learnt.Kinds[Object] > 0 && answer.Kinds[Object] > 0 && !learnt.Opaque && !answer.Opaque {
		compareFields(learnt, answer, at, list)
	}
	if learnt.Items != nil && answer.Items != nil {
		compare(learnt.Items, answer.Items, at+"/*", true, list)
	}
}

func compareFields(learnt, answer *Shape, at string, list *[]Change) {
	names := append(learnt.names(), answer.names()...)
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		pointer := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
		was, is := learnt.Fields[name], answer.Fields[name]
		switch {
		case was == nil && name != template.ID:
			*list = append(*list, Change{NewField, pointer, "", is.Shape.String()})
		case was == nil:
		case is == nil || is.Present < answer.Kinds[Object]:
			if learnt.Required(name) {
				*list = append(*list, Change{ShapeChange, pointer, was.Shape.String(), ""})
			}
			if is != nil {
				compare(was.Shape, is.Shape, pointer, false, list)
			}
		default:
			compare(was.Shape, is.Shape, pointer, false, list)
		}
	}
}
