package rawjson

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestParseKeepsOrderAndBytes(t *testing.T) {
	obj, err := Parse([]byte(` { "b" : 1.50 , "a":{"x":[1, 2]}, "c":"\u00e9\n", "a":null} `))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(obj.AppendTo(nil)); got != `{"b":1.50,"a":{"x":[1, 2]},"c":"\u00e9\n","a":null}` {
		t.Error(got)
	}
	if string(obj.Get("a")) != "null" || obj.Has("a") || obj.Text("c") != "é\n" || obj.Get("d") != nil {
		t.Errorf("%q", obj)
	}
	obj.Set("b", []byte("2"))
	obj.Rename("c", "d")
	obj.Delete("a")
	obj.SetText("e", "<\"\x01")
	if got := string(obj.AppendTo(nil)); got != `{"b":2,"d":"\u00e9\n","e":"<\"\u0001"}` {
		t.Error(got)
	}
}

func TestParseSaysWhereItIsBroken(t *testing.T) {
	for text, offset := range map[string]int{
		``: 0, `[]`: 0, `{`: 1, `{"a"}`: 4, `{"a":}`: 5, `{"a":1,}`: 7, `{"a":1} x`: 8, `{"a":tru}`: 5, `{"a":01}`: 6, `{"a":"\q"}`: 7,
		`{"a":"x`: 7, `{"a":[1,{"b":2]}}`: 14, "{\"a\":\"\x01\"}": 6, `{"a":1.}`: 7, `{"a":-}`: 6,
	} {
		_, err := Parse([]byte(text))
		syntax, ok := err.(*SyntaxError)
		if !ok || syntax.Offset != offset {
			t.Errorf("%q: %v, want an error at %d", text, err, offset)
		}
	}
}

func TestDeepNestingIsRefusedWithoutRecursion(t *testing.T) {
	deep := `{"a":` + strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth) + `}`
	if _, err := Parse([]byte(deep)); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
	deeper := `{"a":` + strings.Repeat("[", 1_000_000)
	if _, err := Parse([]byte(deeper)); err == nil || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("a million levels: %v", err)
	}
}

// FuzzParse: what encoding/json takes for an object is taken, and means the
// same; what it refuses is refused.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":null}],"c":"é\ud83d\ude00"}`, `{"a":1e5,"b":-0.5E-3,"c":true}`, `{}`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{"":{}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		obj, err := Parse(text)
		var want map[string]any
		std := decode(text, &want)
		if std != nil || want == nil {
			if err == nil && json.Valid(text) {
				t.Fatalf("%q is taken, and encoding/json says %v", text, std)
			}
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var got map[string]any
		if err := decode(obj.AppendTo(nil), &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q became %q: %v", text, obj.AppendTo(nil), err)
		}
	})
}

// decode reads one value and keeps numbers as they are written: some are
// beyond a float.
func decode(text []byte, v any) error {
	if !json.Valid(text) {
		return json.Unmarshal(text, v)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(v)
}

// FuzzQuote: a text is the same after quoting and unquoting, but for bytes
// that are no UTF-8.
func FuzzQuote(f *testing.F) {
	f.Add("plain")
	f.Add("a\"\\\n\t\x00\u2028<é\xff")
	f.Fuzz(func(t *testing.T, text string) {
		q := Quote(text)
		got, ok := Unquote(q)
		if !ok || got != strings.ToValidUTF8(strings.Map(func(r rune) rune { return r }, text), "\uFFFD") && !bytes.ContainsRune([]byte(got), '\uFFFD') {
			t.Fatalf("%q became %q and %q", text, q, got)
		}
		if !json.Valid(q) {
			t.Fatalf("%q is not JSON", q)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"type":"before","callId":"ykml@10","startTime":1105.024,"class":"Frame","method":"click","params":{"selector":"internal:role=button[name=\"Increment\"i]","strict":true,"timeout":10000}}`)
	b.SetBytes(int64(len(line)))
	obj := Object{}
	for b.Loop() {
		var err error
		if obj, err = ParseInto(obj[:0], line); err != nil {
			b.Fatal(err)
		}
	}
}
