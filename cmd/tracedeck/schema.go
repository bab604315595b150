package main

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/dom"
	"github.com/tracedeck/tracedeck/diff/run"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/code"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/watch"
	"github.com/tracedeck/tracedeck/viewer/report"
)

// answers holds for each command a value of the type that its --json prints.
var answers = map[string]any{
	"info":    traceInfo{},
	"actions": []actionRecord{},
	"network": []requestRecord{},
	"console": []consoleRecord{},
	"errors":  []failureRecord{},
	"frames":  []frameRecord{},
	"check":   checkAnswer{},
	"record":  recorded{},
	"search":  hitRecord{},
	"replay":  []replayed{},
	"report":  report.Run{},
	"perf":    perfAnswer{},
	"diff":    anyOf{pictureDiff{}, diff.Result{}, folderDiff{}, run.Summary{}},
}

// anyOf is an answer that has one of several types.
type anyOf []any

// documents are the files of a project that have a schema of their own.
var documents = map[string]any{
	"config":  project.Config{},
	"codes":   []code.Code{},
	"summary": run.Summary{},
	"watch":   watch.Notice{},
	"heal":    []healRecord{},
}

func schemaCommand() *command {
	return &command{name: "schema", args: "[COMMAND]", short: "print the JSON Schema of what a command prints with --json",
		examples: []example{{"tracedeck schema actions", "for validating, or for generating types"}},
		flags: func(*pflag.FlagSet) runner {
			return func(_ context.Context, env *env, args []string) (int, error) {
				if len(args) == 0 {
					for _, name := range schemaNames() {
						fmt.Fprintln(env.out, name)
					}
					return exitOK, nil
				}
				v, ok := answers[args[0]]
				if !ok {
					v, ok = documents[args[0]]
				}
				if !ok {
					return 0, usageError("%q prints no JSON of its own: there is %s", args[0], strings.Join(schemaNames(), ", "))
				}
				return exitOK, env.printJSON(schemaOf(args[0], v))
			}
		}}
}

func schemaNames() []string {
	var list []string
	for name := range answers {
		list = append(list, name)
	}
	for name := range documents {
		list = append(list, name)
	}
	sort.Strings(list)
	return list
}

// schemaOf describes a value's type as a JSON Schema.
func schemaOf(name string, v any) map[string]any {
	g := &schemaWriter{defs: map[string]any{}}
	var s map[string]any
	if list, ok := v.(anyOf); ok {
		var all []any
		for _, one := range list {
			all = append(all, g.of(reflect.TypeOf(one)))
		}
		s = map[string]any{"anyOf": all}
	} else {
		s = g.of(reflect.TypeOf(v))
	}
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = titleOfSchema(name)
	if len(g.defs) > 0 {
		s["$defs"] = g.defs
	}
	return s
}

func titleOfSchema(name string) string {
	if _, ok := documents[name]; ok {
		return "tracedeck " + name + ".json"
	}
	return "tracedeck " + name + " --json"
}

type schemaWriter struct{ defs map[string]any }

// ownJSON are the types that write themselves as something else than their fields.
var ownJSON = map[reflect.Type]map[string]any{
	reflect.TypeFor[time.Time]():        {"type": "string", "format": "date-time"},
	reflect.TypeFor[blob.Ref]():         {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
	reflect.TypeFor[json.RawMessage]():  {},
	reflect.TypeFor[trace.ActionKind](): {"type": "string", "enum": []string{"call", "group", "step", "hook", "protocol"}},
	reflect.TypeFor[trace.Error]():      object("message", "name?", "stack?"),
	reflect.TypeFor[har.NameValue]():    object("name", "value"),
	reflect.TypeFor[trace.StackFrame](): {"type": "object", "required": []string{"file", "line", "column"}, "properties": map[string]any{
		"file": kind("string"), "line": kind("integer"), "column": kind("integer"), "function": kind("string")}},
	reflect.TypeFor[trace.Time]():  {"type": "number", "description": "milliseconds on the clock of its trace"},
	reflect.TypeFor[dom.Node]():    {"type": "object", "description": "a part of a page that differs", "required": []string{"kind", "name"}},
	reflect.TypeFor[har.Timings](): {"type": "object", "description": "milliseconds; -1 is unknown", "additionalProperties": kind("number")},
}

func kind(name string) map[string]any { return map[string]any{"type": name} }

func object(names ...string) map[string]any {
	props, required := map[string]any{}, []string{}
	for _, n := range names {
		n, optional := strings.CutSuffix(n, "?")
		props[n] = kind("string")
		if !optional {
			required = append(required, n)
		}
	}
	return map[string]any{"type": "object", "required": required, "properties": props}
}

func (g *schemaWriter) of(t reflect.Type) map[string]any {
	if s, ok := ownJSON[t]; ok {
		return copyOf(s)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.String:
		return kind("string")
	case reflect.Bool:
		return kind("boolean")
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		return kind("integer")
	case reflect.Float64, reflect.Float32:
		return kind("number")
	case reflect.Slice:
		return map[string]any{"type": "array", "items": g.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.of(t.Elem())}
	case reflect.Struct:
		return g.structure(t)
	}
	return map[string]any{}
}

func (g *schemaWriter) structure(t reflect.Type) map[string]any {
	props, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			inner := g.of(f.Type)
			for k, v := range inner["properties"].(map[string]any) {
				props[k] = v
			}
			required = append(required, inner["required"].([]string)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" || !f.IsExported() {
			continue
		}
		props[name] = g.of(f.Type)
		if f.Type.Kind() == reflect.Pointer && !strings.Contains(options, "omit") {
			props[name] = map[string]any{"anyOf": []any{props[name], kind("null")}}
		}
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	sort.Strings(required)
	return map[string]any{"type": "object", "properties": props, "required": required, "additionalProperties": false}
}

func copyOf(m map[string]any) map[string]any {
	c := make(map[string]any, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}
