package mock

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestCanonicalBodiesThatSayTheSameAreEqual(t *testing.T) {
	part := func(b string) string {
		return "--" + b + "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--" + b + "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.json\"\r\nContent-Type: application/json\r\n\r\n{\"b\":1, \"a\":2}\r\n--" + b + "--\r\n"
	}
	for _, x := range []struct{ mime, a, mime2, b string }{
		{"application/json", `{"a":1,"b":[{"c":2,"d":"é"}]}`, "application/json; charset=utf-8", "{\n \"b\": [ {\"d\":\"\\u00e9\",\"c\":2} ], \"a\": 1 }"},
		{"multipart/form-data; boundary=xx", part("xx"), "multipart/form-data; boundary=----WebKitFormBoundaryAbc", part("----WebKitFormBoundaryAbc")},
		{"application/x-www-form-urlencoded", "b=2&a=x%20y&a=z", "application/x-www-form-urlencoded", "a=x+y&a=z&b=2"},
		{"application/json", `{"query":"{ a(x: \"two  blanks\") , b } # why"}`, "application/graphql+json", `{"query":"{\n  a(x:\"two  blanks\")\n  b\n}"}`},
		{"text/plain;charset=UTF-8", `{"a":1, "b":2}`, "text/plain;charset=UTF-8", `{"b":2,"a":1}`},
	} {
		if a, b := Canonical(x.mime, []byte(x.a)), Canonical(x.mime2, []byte(x.b)); !bytes.Equal(a, b) {
			t.Errorf("%s\n%s", a, b)
		}
	}
}

func TestCanonicalBodiesThatSayAnotherThingDiffer(t *testing.T) {
	for _, x := range []struct{ mime, a, b string }{
		{"application/json", `{"a":1}`, `{"a":"1"}`},
		{"application/json", `[1,2]`, `[2,1]`},
		{"application/json", `{"a":10000000000000001}`, `{"a":10000000000000002}`},
		{"application/x-www-form-urlencoded", "a=1&a=2", "a=2&a=1"},
		{"application/json", `{"query":"{ a(x: \"b c\") }"}`, `{"query":"{ a(x: \"b  c\") }"}`},
		{"application/json", `{"query":"{ ab }"}`, `{"query":"{ a b }"}`},
	} {
		if a, b := Canonical(x.mime, []byte(x.a)), Canonical(x.mime, []byte(x.b)); bytes.Equal(a, b) {
			t.Errorf("%s and %s are both %s", x.a, x.b, a)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, mime := range []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain", ""} {
		for _, body := range []string{`{"b":[1,{"a":null}],"query":"query A { b(c: \"d\") # e\n }"}`, "a=1&b=%20&a=%zz", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n", "[[[[", `"""`, "\xff"} {
			f.Add(mime, []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, mime string, body []byte) {
		before := bytes.Clone(body)
		once := Canonical(mime, body)
		if !bytes.Equal(body, before) {
			t.Fatal("the body was changed")
		}
		if json.Valid(once) && !strings.HasPrefix(mime, "multipart/") {
			if twice := Canonical(mime, once); !bytes.Equal(once, twice) {
				t.Fatalf("not the same a second time:\n%q\n%q", once, twice)
			}
		}
		// Blanks around JSON, and members in another order, mean nothing.
		if v, ok := decode(body); ok && json.Valid(body) {
			if m, ok := v.(map[string]any); ok && len(m) > 0 {
				spaced, err := json.MarshalIndent(m, "", "  ")
				if err != nil {
					t.Fatal(err)
				}
				if a, b := Canonical("application/json", body), Canonical("application/json", spaced); !bytes.Equal(a, b) {
					t.Fatalf("%q\n%q", a, b)
				}
			}
		}
		list := facts(once, false)
		if shared(list, list) != 1 {
			t.Fatal("a body is unlike itself")
		}
		facts(once, true)
	})
}

func FuzzMessages(f *testing.F) {
	f.Add([]byte("{\"type\":\"send\",\"time\":1,\"opcode\":1,\"data\":\"a\"}\n{\"type\":\"receive\"}"))
	f.Add([]byte("id: 1\nevent: x\ndata: a\ndata: b\n\n: c\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		lines, ok := messageLines(body)
		text := eventText(body)
		if !ok && !bytes.Equal(text, body) {
			t.Fatal("what are no messages was changed")
		}
		if list := parseEvents(text, 0, 10); ok && len(list) != len(lines) {
			t.Fatalf("%d messages became %d", len(lines), len(list))
		}
	})
}
