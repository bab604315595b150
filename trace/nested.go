package trace

import (
	"github.com/tracedeck/tracedeck/trace/internal/fields"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// extraMembers are members of a nested object that have no field.
type extraMembers = rawjson.Object

// decodeNested is [fields.Decode] for an object inside an event, where "type"
// is a member like any other.
func decodeNested(b []byte, fs []fields.Field) (extraMembers, error) {
	obj, err := rawjson.Parse(b)
	if err != nil {
		return nil, err
	}
	rest := fields.Decode(obj, fs)
	for _, f := range fs {
		if f.Name == "type" {
			return rest, nil
		}
	}
	if v := obj.Get("type"); v != nil {
		rest.Set("type", append([]byte(nil), v...))
	}
	return rest, nil
}

func (e *Error) decode(b []byte) (err error) {
	if text, ok := rawjson.Unquote(b); ok {
		e.Message = text
		return nil
	}
	if obj, perr := rawjson.Parse(b); perr == nil && len(obj) == 1 && obj[0].Key == "error" {
		b = obj[0].Value
	}
	e.rest, err = decodeNested(b, e.fields())
	return err
}
