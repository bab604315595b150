package contract

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/har/template"
)

// Dialect is the dialect of the schemas that are exported.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// Schema returns the shape as a JSON Schema: fields that were in all objects are
// required, others are allowed, and so are fields that were not seen.
func (s *Shape) Schema() map[string]any {
	kinds := s.schemaKinds()
	if len(kinds) == 0 {
		return map[string]any{}
	}
	m := map[string]any{"type": kinds}
	if len(kinds) == 1 {
		m["type"] = kinds[0]
	}
	if s.Kinds[Object] > 0 && !s.Opaque {
		s.objectSchema(m)
	}
	if s.Items != nil && !s.Opaque {
		m["items"] = s.Items.Schema()
	}
	return m
}

// schemaKinds are the kinds as JSON Schema names them. Only null tells nothing of
// what else may be there.
func (s *Shape) schemaKinds() (list []any) {
	if !s.known() {
		return nil
	}
	for _, kind := range s.kinds() {
		list = append(list, kind)
	}
	return list
}

func (s *Shape) objectSchema(m map[string]any) {
	properties, required := map[string]any{}, []any{}
	for _, name := range s.names() {
		if name == template.ID {
			m["additionalProperties"] = s.Fields[name].Shape.Schema()
			continue
		}
		properties[name] = s.Fields[name].Shape.Schema()
		if s.Required(name) {
			required = append(required, name)
		}
	}
	if m["additionalProperties"] != nil && len(properties) > 0 {
		// Names beside ids may be new ones too.
		delete(m, "additionalProperties")
	}
	m["properties"] = properties
	if len(required) > 0 {
		m["required"] = required
	}
}

// JSONSchema returns the shapes of all endpoints as one JSON Schema 2020-12, each
// under its name in "$defs".
func (c *Contract) JSONSchema() map[string]any {
	defs := map[string]any{}
	for _, e := range c.Endpoints {
		if e.Shape != nil {
			s := e.Shape.Schema()
			s["title"] = e.String()
			defs[e.String()] = s
		}
	}
	return map[string]any{"$schema": Dialect, "title": "Answers by endpoint", "$defs": defs}
}

// OpenAPI returns the contract as an OpenAPI 3.1 document. Operations of GraphQL
// and JSON-RPC, which share a path, are alternatives of one answer.
func (c *Contract) OpenAPI(title string) map[string]any {
	paths, servers := map[string]any{}, map[string]bool{}
	for _, e := range c.Endpoints {
		path, parameters := openPath(e.Path)
		item, _ := paths[path].(map[string]any)
		if item == nil {
			item = map[string]any{}
			if len(parameters) > 0 {
				item["parameters"] = parameters
			}
			paths[path] = item
		}
		if e.Host != "" {
			servers[e.Host] = true
		}
		method := strings.ToLower(e.Method)
		if !openMethods[method] {
			continue
		}
		operation, _ := item[method].(map[string]any)
		if operation == nil {
			operation = map[string]any{"responses": map[string]any{}}
			item[method] = operation
		}
		e.responses(operation["responses"].(map[string]any))
	}
	doc := map[string]any{"openapi": "3.1.0", "info": map[string]any{"title": title, "version": "0"}, "jsonSchemaDialect": Dialect, "paths": paths}
	if len(servers) == 1 {
		for host := range servers {
			doc["servers"] = []any{map[string]any{"url": "//" + host}}
		}
	}
	return doc
}

var openMethods = map[string]bool{"get": true, "put": true, "post": true, "delete": true, "patch": true, "trace": true}

// openPath writes a template's parameters as OpenAPI does, each with a name of its own.
func openPath(path string) (string, []any) {
	parts, used := strings.Split(path, "/"), map[string]int{}
	parameters := []any{}
	for i, p := range parts {
		if !strings.HasPrefix(p, ":") || len(p) < 2 {
			parts[i] = strings.NewReplacer("{", "%7B", "}", "%7D").Replace(p)
			continue
		}
		name := p[1:]
		if used[name]++; used[name] > 1 {
			name += itoa(used[name])
		}
		parts[i] = "{" + name + "}"
		parameters = append(parameters, map[string]any{"name": name, "in": "path", "required": true, "schema": map[string]any{"type": "string"}})
	}
	return strings.Join(parts, "/"), parameters
}

func (e *Endpoint) responses(all map[string]any) {
	for status := range e.Statuses {
		if len(status) != 3 {
			continue
		}
		r, _ := all[status].(map[string]any)
		if r == nil {
			r = map[string]any{"description": "recorded"}
			all[status] = r
		}
		if status[0] != '2' || e.Shape == nil || status == "204" {
			continue
		}
		schema := e.Shape.Schema()
		if e.Operation != "" {
			schema["title"] = e.Operation
			if before := schemaIn(r); before != nil {
				if list, ok := before["anyOf"].([]any); ok {
					schema = map[string]any{"anyOf": append(list, schema)}
				} else {
					schema = map[string]any{"anyOf": []any{before, schema}}
				}
			}
		}
		r["content"] = map[string]any{"application/json": map[string]any{"schema": schema}}
	}
	if len(all) == 0 {
		all["default"] = map[string]any{"description": "no answer was recorded"}
	}
}

func schemaIn(r map[string]any) map[string]any {
	content, _ := r["content"].(map[string]any)
	media, _ := content["application/json"].(map[string]any)
	s, _ := media["schema"].(map[string]any)
	return s
}
