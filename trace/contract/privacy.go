package contract

import (
	"encoding/json"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/redact"
)

func itoa(n int) string { return strconv.Itoa(n) }

const (
	maxMessage = 100
	maxKeys    = 20
)

// errorBody keeps of an error what tells errors apart.
func errorBody(body []byte) *ErrorBody {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil {
		return &ErrorBody{Keys: []string{}}
	}
	e := &ErrorBody{Keys: []string{}}
	for name := range members {
		if !template.Variable(name) && len(name) <= 60 {
			e.Keys = append(e.Keys, name)
		}
	}
	sort.Strings(e.Keys)
	e.Keys = e.Keys[:min(len(e.Keys), maxKeys)]
	e.Message = safe(messageIn(members, 0))
	return e
}

var messageNames = []string{"message", "error", "detail", "title", "errors", "reason", "description"}

// messageIn finds the text in which an error says what is wrong.
func messageIn(members map[string]json.RawMessage, depth int) string {
	for _, name := range messageNames {
		value := members[name]
		var text string
		if json.Unmarshal(value, &text) == nil && text != "" {
			return text
		}
		var inner map[string]json.RawMessage
		var list []map[string]json.RawMessage
		if json.Unmarshal(value, &list) == nil && len(list) > 0 {
			inner = list[0]
		} else {
			_ = json.Unmarshal(value, &inner)
		}
		if depth < 3 && inner != nil {
			if text := messageIn(inner, depth+1); text != "" {
				return text
			}
		}
	}
	return ""
}

// safe takes out of a message what could be a secret or name a person: tokens of
// known forms, ids, addresses, and what is quoted.
func safe(text string) string {
	for _, f := range redact.Forms() {
		places := f.Places(text)
		for _, p := range slices.Backward(places) {
			text = text[:p[0]] + "***" + text[p[1]:]
		}
	}
	words := strings.Fields(text)
	for i, w := range words {
		core := strings.Trim(w, `"'.,;:()[]{}<>`+"`")
		digits := 0
		for _, r := range core {
			if r >= '0' && r <= '9' {
				digits++
			}
		}
		if strings.ContainsAny(core, "@=") || template.Variable(core) && len(core) > 3 || digits >= 4 || len(core) > 30 {
			words[i] = "***"
		}
	}
	r := []rune(strings.Join(words, " "))
	if len(r) > maxMessage {
		r = append(r[:maxMessage-1], '…')
	}
	return string(r)
}

// withoutSecrets folds the parts of a path that hold a token of a known service:
// some look like words.
func withoutSecrets(path string) string {
	for _, f := range redact.Forms() {
		if !strings.Contains(path, f.Gate()) || len(f.Places(path)) == 0 {
			continue
		}
		parts := strings.Split(path, "/")
		for i, part := range parts {
			if len(f.Places(part)) > 0 {
				parts[i] = template.ID
			}
		}
		path = strings.Join(parts, "/")
	}
	return path
}
