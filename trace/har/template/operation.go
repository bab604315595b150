package template

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
)

// maxOperations is how many operations of a batch go into its name.
const maxOperations = 8

// Operation returns what tells calls apart that share one address: the name of
// a GraphQL operation, the method of JSON-RPC, or those of a batch joined by "+".
// An unnamed GraphQL operation is named by a hash of its query without blanks.
// It is "" for any other request. The address gives the operation of GraphQL
// over GET; the body may be nil.
func Operation(rawURL string, body []byte) string {
	if name := asked(rawURL); name != "" {
		return name
	}
	text := strings.TrimSpace(string(body[:min(len(body), 1<<20)]))
	switch {
	case strings.HasPrefix(text, "{"):
		var c call
		if json.Unmarshal(body, &c) == nil {
			return c.name()
		}
	case strings.HasPrefix(text, "["):
		var list []call
		if json.Unmarshal(body, &list) == nil {
			return batch(list)
		}
	case strings.HasPrefix(text, "query"), strings.HasPrefix(text, "mutation"), strings.HasPrefix(text, "subscription"):
		if strings.Contains(text, "{") {
			return queryName(text)
		}
	}
	return ""
}

// call is what bodies of GraphQL and JSON-RPC requests hold. Members that have
// another kind of value make it neither.
type call struct {
	OperationName *string         `json:"operationName"`
	Query         *string         `json:"query"`
	Extensions    json.RawMessage `json:"extensions"`
	JSONRPC       string          `json:"jsonrpc"`
	Method        *string         `json:"method"`
}

func (c call) name() string {
	switch {
	case c.JSONRPC != "" && c.Method != nil:
		return *c.Method
	case c.OperationName != nil && *c.OperationName != "" && (c.Query != nil || c.Extensions != nil):
		return *c.OperationName
	case c.Query != nil && strings.Contains(*c.Query, "{"):
		return queryName(*c.Query)
	}
	return ""
}

func batch(list []call) string {
	var names []string
	for i, c := range list {
		name := c.name()
		if name == "" {
			return ""
		}
		if i == maxOperations {
			names = append(names, "…")
			break
		}
		names = append(names, name)
	}
	return strings.Join(names, "+")
}

// asked returns the operation that an address's query names.
func asked(raw string) string {
	_, query, ok := strings.Cut(raw, "?")
	if !ok || !strings.Contains(query, "query=") && !strings.Contains(query, "operationName=") {
		return ""
	}
	query, _, _ = strings.Cut(query, "#")
	q, _ := url.ParseQuery(query)
	if name := q.Get("operationName"); name != "" {
		return name
	}
	if text := q.Get("query"); strings.Contains(text, "{") && strings.Contains(text, "}") {
		return queryName(text)
	}
	return ""
}

// queryName returns the name of the first operation in a GraphQL document.
func queryName(text string) string {
	words := strings.FieldsFunc(text[:min(len(text), 4096)], func(r rune) bool { return r <= ' ' || r == '(' || r == '{' || r == '@' || r == ',' })
	if len(words) > 1 && (words[0] == "query" || words[0] == "mutation" || words[0] == "subscription") && named(text, words[0], words[1]) {
		return words[1]
	}
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(text), " ")))
	return "query " + hex.EncodeToString(sum[:4])
}

// named reports whether the word behind the keyword is the operation's name and
// not the first field.
func named(text, keyword, word string) bool {
	_, rest, _ := strings.Cut(text, keyword)
	return strings.HasPrefix(strings.TrimSpace(rest), word)
}
