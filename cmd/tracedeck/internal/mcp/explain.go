package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/nearest"
)

// explain adds to the refusal of a call what the tool takes: an agent that used a
// wrong name can then mend it without asking for the list of tools again.
func (s *Server) explain(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		call, ok := req.GetParams().(*mcp.CallToolParamsRaw)
		if !ok || method != "tools/call" {
			return res, err
		}
		if r, ok := res.(*mcp.CallToolResult); ok && err == nil && r.IsError && len(r.Content) == 1 {
			if text, ok := r.Content[0].(*mcp.TextContent); ok && strings.HasPrefix(text.Text, "validating ") && len(s.takes[call.Name]) > 0 {
				text.Text += "; " + call.Name + " takes " + strings.Join(s.takes[call.Name], ", ") + wrong(call.Arguments, s.takes[call.Name])
			}
		}
		return res, err
	}
}

// wrong says what was meant by names that a tool does not take.
func wrong(arguments json.RawMessage, takes []string) string {
	var given map[string]json.RawMessage
	if json.Unmarshal(arguments, &given) != nil {
		return ""
	}
	said := ""
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(takes, name) {
			said += meant(name, takes)
		}
	}
	return said
}

// meant names the word that is most like one that is not among them; "" if none is.
func meant(word string, words []string) string {
	if best := nearest.Word(word, words); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}
