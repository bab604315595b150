package title

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// FuzzMember holds that a value is found exactly where encoding/json finds it.
func FuzzMember(f *testing.F) {
	for _, s := range []string{
		`{"a":1}`, ` { "b" : [1,{"a":2}] , "a" : "x\"}" } `, `{"\u0061":true,"a":null}`, `[1,"a",{"0":2}]`, `{"a":{},"a":[]}`, `"a"`, `{}`,
		`{"0":-1.5e3 ,"a":{"b":"]"}}`,
	} {
		f.Add([]byte(s), "a")
		f.Add([]byte(s), "0")
	}
	f.Fuzz(func(t *testing.T, raw []byte, name string) {
		if !json.Valid(raw) || !utf8.Valid(raw) || !utf8.ValidString(name) {
			return
		}
		got, ok := member(raw, name)
		want, found := slowMember(raw, name)
		if ok != found || string(got) != string(want) {
			t.Fatalf("member(%s, %q) = %s, %v; want %s, %v", raw, name, got, ok, want, found)
		}
	})
}

func slowMember(raw []byte, name string) (json.RawMessage, bool) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) == nil {
		v, ok := object[name]
		return v, ok
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		for i, v := range list {
			if n, _ := json.Marshal(i); string(n) == name {
				return v, true
			}
		}
	}
	return nil, false
}

// A title's detail is mostly one of many parameters.
func BenchmarkMember(b *testing.B) {
	raw := json.RawMessage(`{"selector":"internal:role=button[name=\"Increment\"i]","strict":true,"timeout":10000,"position":{"x":1,"y":2}}`)
	for b.Loop() {
		member(raw, "selector")
	}
}
