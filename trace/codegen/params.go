package codegen

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// params are the parameters of a recorded call.
type params map[string]json.RawMessage

func paramsOf(raw json.RawMessage) params {
	p := params{}
	if json.Unmarshal(raw, &p) != nil {
		return params{}
	}
	return p
}

// text returns the string that a parameter is, and "" if it is none.
func (p params) text(name string) (s string) {
	if json.Unmarshal(p[name], &s) != nil {
		return ""
	}
	return s
}

func (p params) has(name string) bool { return len(p[name]) > 0 && string(p[name]) != "null" }

func (p params) number(name string) (n float64) {
	if json.Unmarshal(p[name], &n) != nil {
		return 0
	}
	return n
}

func (p params) truth(name string) (b bool) {
	return json.Unmarshal(p[name], &b) == nil && b
}

// options returns those of the named parameters that are there and hold
// nothing but numbers, truth values, plain words and lists of them.
func (p params) options(names ...string) (list []Option) {
	for _, name := range names {
		if v, ok := plainJSON(p[name]); ok {
			list = append(list, Option{name, v})
		}
	}
	return list
}

// plainJSON returns the value in one spelling.
func plainJSON(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || len(raw) > 4096 {
		return "", false
	}
	var v any
	if json.Unmarshal(raw, &v) != nil || v == nil {
		return "", false
	}
	b, err := json.Marshal(v)
	return string(b), err == nil
}

// number prints a number as both languages read it.
func number(n float64) string {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return "0"
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// chosen returns the options of a selectOption call.
func (p params) chosen() (list []Item) {
	var options []struct {
		ValueOrLabel, Value, Label *string
		Index                      *int
	}
	if json.Unmarshal(p["options"], &options) != nil {
		return nil
	}
	for _, o := range options {
		switch {
		case o.ValueOrLabel != nil:
			list = append(list, Item{Text: *o.ValueOrLabel})
		case o.Value != nil:
			list = append(list, Item{Text: *o.Value})
		case o.Label != nil:
			list = append(list, Item{Text: *o.Label})
		case o.Index != nil:
			list = append(list, Item{ByIndex: true, Index: *o.Index})
		}
	}
	return list
}

// uploads returns the files of a setInputFiles call.
func (p params) uploads() (list []Upload) {
	type file struct {
		Name, MimeType, Type string
		Size                 float64
	}
	for _, key := range []string{"_files", "payloads", "files"} {
		var files []file
		if json.Unmarshal(p[key], &files) == nil && len(files) > 0 {
			for _, f := range files {
				list = append(list, Upload{base(f.Name), orDefault(f.MimeType, f.Type), int(min(max(f.Size, 0), 64<<20))})
			}
			return list
		}
	}
	for _, key := range []string{"localPaths", "files", "paths"} {
		var paths []string
		if json.Unmarshal(p[key], &paths) == nil {
			for _, path := range paths {
				list = append(list, Upload{Name: base(path)})
			}
			if len(list) > 0 {
				return list
			}
		}
	}
	return nil
}

// base is the last part of a path of any system.
func base(path string) string {
	if i := strings.LastIndexAny(path, `/\`); i >= 0 {
		path = path[i+1:]
	}
	if path == "" || path == "." || path == ".." {
		return "file"
	}
	return path
}
