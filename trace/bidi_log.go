package trace

import (
	"encoding/json"
	"fmt"
	"strings"
)

// ConsoleOf makes of a BiDi "log.entryAdded" event what it reports: a message
// of the console, or an uncaught error of a page. Both are nil for other events,
// and for those of which a repair has written the message as an event of its own.
func ConsoleOf(b *ContextEvent) (*Console, *Failure) {
	if b.Method != "log.entryAdded" {
		return nil, nil
	}
	var entry bidiEntry
	if json.Unmarshal(b.Params, &entry) != nil || entry.Derived {
		return nil, nil
	}
	page := b.PageID
	if page == "" {
		page = entry.Source.Context
	}
	where := entry.location()
	if entry.Type == "javascript" {
		name, message, ok := strings.Cut(entry.Text, ": ")
		if !ok || strings.ContainsAny(name, " \n") {
			name, message = "", entry.Text
		}
		return nil, &Failure{Kind: FailedPage, Time: b.Time, Name: name, Message: message, PageID: page, Location: where, Stack: entry.stack()}
	}
	c := &Console{Time: b.Time, PageID: page, Kind: entry.kind(), Text: entry.Text, Location: where, Args: []ConsoleArg{}}
	for _, arg := range entry.Args {
		c.Args = append(c.Args, arg.consoleArg())
	}
	return c, nil
}

type bidiEntry struct {
	Type   string
	Level  string
	Method string
	Text   string
	Args   []bidiValue
	Source struct{ Context string }
	// Derived is set where a message or an error of the trace was made of the entry.
	Derived bool `json:"_derived"`
	// StackTrace has the innermost call first.
	StackTrace struct {
		CallFrames []struct {
			URL          string
			FunctionName string
			LineNumber   int
			ColumnNumber int
		}
	}
}

func (e *bidiEntry) location() Location {
	if frames := e.StackTrace.CallFrames; len(frames) > 0 {
		return Location{URL: frames[0].URL, Line: frames[0].LineNumber, Column: frames[0].ColumnNumber}
	}
	return Location{}
}

func (e *bidiEntry) stack() string {
	var s strings.Builder
	s.WriteString(e.Text)
	for _, f := range e.StackTrace.CallFrames {
		fmt.Fprintf(&s, "\n    at %s (%s:%d:%d)", f.FunctionName, f.URL, f.LineNumber+1, f.ColumnNumber+1)
	}
	return s.String()
}

// kind returns the console's word for the message: the method where it is one
// that says more than the level.
func (e *bidiEntry) kind() string {
	switch e.Method {
	case "warn":
		return "warning"
	case "":
	default:
		return e.Method
	}
	if e.Level == "warn" {
		return "warning"
	}
	return e.Level
}

// bidiValue is a value of a page as BiDi writes it.
type bidiValue struct {
	Type  string
	Value json.RawMessage
}

func (v bidiValue) consoleArg() ConsoleArg {
	arg := ConsoleArg{Preview: v.preview(0)}
	switch v.Type {
	case "string", "boolean":
		arg.Value = v.Value
	case "number":
		if len(v.Value) > 0 && v.Value[0] != '"' {
			arg.Value = v.Value
		}
	}
	return arg
}

// preview writes the value as a browser's console would.
func (v bidiValue) preview(depth int) string {
	var text string
	if json.Unmarshal(v.Value, &text) == nil {
		return text
	}
	switch v.Type {
	case "number", "boolean":
		return string(v.Value)
	case "array", "set", "nodelist", "htmlcollection":
		return v.list(depth)
	case "object", "map":
		return v.members(depth)
	}
	return v.Type
}

const previewDepth = 3

func (v bidiValue) list(depth int) string {
	var items []bidiValue
	if depth >= previewDepth || json.Unmarshal(v.Value, &items) != nil {
		return v.Type
	}
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = item.preview(depth + 1)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (v bidiValue) members(depth int) string {
	var pairs [][2]json.RawMessage
	if depth >= previewDepth || json.Unmarshal(v.Value, &pairs) != nil {
		return v.Type
	}
	parts := make([]string, len(pairs))
	for i, pair := range pairs {
		var key string
		var value bidiValue
		if json.Unmarshal(pair[0], &key) != nil {
			key = string(pair[0])
		}
		_ = json.Unmarshal(pair[1], &value)
		parts[i] = key + ": " + value.preview(depth+1)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
