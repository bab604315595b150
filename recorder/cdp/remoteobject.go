package cdp

import (
	"encoding/json"
	"strings"
)

// maxText is how many bytes of one argument of a console call are recorded.
const maxText = 64 << 10

// remoteObject is a value of a script, as the browser describes it.
type remoteObject struct {
	Type           string   `json:"type"`
	Subtype        string   `json:"subtype"`
	Class          string   `json:"className"`
	Value          raw      `json:"value"`
	Unserializable string   `json:"unserializableValue"`
	Description    string   `json:"description"`
	Preview        *preview `json:"preview"`
}

type preview struct {
	Type        string     `json:"type"`
	Subtype     string     `json:"subtype"`
	Description string     `json:"description"`
	Overflow    bool       `json:"overflow"`
	Properties  []property `json:"properties"`
	Entries     []struct {
		Key   *preview `json:"key"`
		Value preview  `json:"value"`
	} `json:"entries"`
}

type property struct {
	Name    string   `json:"name"`
	Type    string   `json:"type"`
	Subtype string   `json:"subtype"`
	Value   string   `json:"value"`
	Preview *preview `json:"valuePreview"`
}

// text is the value as a console shows it.
func (o *remoteObject) text() string { return cut(o.fullText()) }

func cut(s string) string {
	if len(s) > maxText {
		return strings.ToValidUTF8(s[:maxText], "") + "…"
	}
	return s
}

func (o *remoteObject) fullText() string {
	switch {
	case o.Unserializable != "":
		return o.Unserializable
	case o.Type == "undefined":
		return "undefined"
	case o.Subtype == "null":
		return "null"
	case o.Subtype == "error" || o.Type == "function" || o.Type == "symbol":
		return o.Description
	case o.Preview != nil:
		return o.Preview.text(o.Class)
	case o.Type == "string":
		var s string
		if json.Unmarshal(o.Value, &s) == nil {
			return s
		}
	case o.Description == "" && len(o.Value) > 0:
		return string(o.Value)
	}
	return o.Description
}

// primitive is the value itself where it is a primitive, or nil.
func (o *remoteObject) primitive() raw {
	switch o.Type {
	case "string", "number", "boolean":
		if len(o.Value) <= maxText {
			return o.Value
		}
	}
	return nil
}

func (p *preview) text(class string) string {
	switch p.Subtype {
	case "node", "date", "regexp", "error", "proxy", "promise", "weakref":
		return p.Description
	case "array", "typedarray":
		return "[" + p.join(func(q property) string { return q.text() }) + "]"
	case "map", "set", "weakmap", "weakset":
		return p.Description + " {" + p.entries() + "}"
	}
	prefix := ""
	if class != "" && class != "Object" {
		prefix = class + " "
	}
	return prefix + "{" + p.join(func(q property) string { return q.Name + ": " + q.text() }) + "}"
}

func (p *preview) join(each func(property) string) string {
	parts := make([]string, 0, len(p.Properties)+1)
	for _, q := range p.Properties {
		parts = append(parts, each(q))
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

func (p *preview) entries() string {
	parts := make([]string, 0, len(p.Entries)+1)
	for _, e := range p.Entries {
		if e.Key != nil {
			parts = append(parts, e.Key.Description+" => "+e.Value.Description)
		} else {
			parts = append(parts, e.Value.Description)
		}
	}
	if p.Overflow {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

func (q property) text() string {
	switch {
	case q.Preview != nil:
		return q.Preview.text("")
	case q.Type == "string":
		return q.Value
	case q.Type == "accessor":
		return "(…)"
	case q.Type == "object" && q.Subtype == "" && q.Value == "":
		return "{}"
	}
	return q.Value
}
