package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tracedeck/tracedeck/trace/contract/internal/schema"
)

// ParseOpenAPI reads an OpenAPI document of version 3.0 or 3.1, in JSON or YAML.
// References to other files are not followed.
func ParseOpenAPI(r io.Reader) (*OpenAPI, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxOpenAPI+1))
	switch {
	case err != nil:
		return nil, err
	case len(text) > maxOpenAPI:
		return nil, errors.New("the OpenAPI document is larger than 32 MiB")
	}
	parsed, err := parseDocument(text)
	if err != nil {
		return nil, err
	}
	doc, _ := parsed.(map[string]any)
	version, _ := doc["openapi"].(string)
	if !strings.HasPrefix(version, "3.") {
		return nil, fmt.Errorf("it is no OpenAPI document of version 3 (openapi: %q)", version)
	}
	if strings.HasPrefix(version, "3.0") {
		modern(doc, 0)
	}
	o := &OpenAPI{doc: doc, parsed: schema.Parse(doc), schemas: map[string]*schema.Schema{}}
	o.bases = o.serverPaths()
	return o, nil
}

// parseDocument reads JSON, and what is none as YAML, which takes much longer.
func parseDocument(text []byte) (any, error) {
	if v, err := parseJSON(text); err == nil {
		return v, nil
	}
	var raw any
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("it is neither JSON nor YAML: %w", err)
	}
	b, err := json.Marshal(stringKeys(raw, 0))
	if err != nil {
		return nil, fmt.Errorf("it holds what JSON cannot: %w", err)
	}
	return parseJSON(b)
}

// parseJSON reads one value and keeps its numbers as they are written.
func parseJSON(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the JSON value")
	}
	return v, nil
}

// stringKeys makes names of keys that YAML takes for numbers, such as statuses.
func stringKeys(v any, depth int) any {
	if depth > maxNesting {
		return nil
	}
	switch v := v.(type) {
	case map[any]any:
		m := make(map[string]any, len(v))
		for key, value := range v {
			m[fmt.Sprint(key)] = stringKeys(value, depth+1)
		}
		return m
	case map[string]any:
		for key, value := range v {
			v[key] = stringKeys(value, depth+1)
		}
	case []any:
		for i, value := range v {
			v[i] = stringKeys(value, depth+1)
		}
	}
	return v
}

// modern writes what schemas of version 3.0 say as 2020-12 says it.
func modern(v any, depth int) {
	if depth > maxNesting {
		return
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			modern(item, depth+1)
		}
	case map[string]any:
		if v["nullable"] == true {
			if kind, ok := v["type"].(string); ok {
				v["type"] = []any{kind, Null}
			}
			if list, ok := v["enum"].([]any); ok && !slices.Contains(list, nil) {
				v["enum"] = append(list, nil)
			}
		}
		for _, bound := range []string{"Minimum", "Maximum"} {
			limit := strings.ToLower(bound)
			switch v["exclusive"+bound] {
			case true:
				v["exclusive"+bound] = v[limit]
				delete(v, limit)
			case false:
				delete(v, "exclusive"+bound)
			}
		}
		for _, item := range v {
			modern(item, depth+1)
		}
	}
}
