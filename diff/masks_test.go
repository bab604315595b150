package diff

import (
	"strings"
	"testing"
)

func defaultMasks(t testing.TB) *Masks {
	t.Helper()
	m, err := NewMasks(nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// maskCases are pairs of texts that mean the same, or do not.
var maskCases = []struct {
	scope Scope
	field string
	a, b  string
	same  bool
}{
	// ids
	{InMessage, "", "user 550e8400-e29b-41d4-a716-446655440000 not found", "user 6ba7b810-9dad-11d1-80b4-00c04fd430c8 not found", true},
	{InMessage, "", "user 550e8400-e29b-41d4-a716-446655440000 not found", "order 550e8400-e29b-41d4-a716-446655440000 not found", false},
	{InDOM, "password", "hunter2!", "redacted-5", true},
	{InBody, "newPassword", "hunter2!", "redacted-5", true},
	{InBody, "password", "hunter2!", "", false}, // whether there is one matters
	{InBody, "passenger", "Ada", "Bob", false},
	{InDOM, "value", "redacted-2", "redacted-5", true},
	{InDOM, "value", "redacted-2", "", false},
	{InDOM, "id", "x7e0cb7b9-e45f-4af7-982f-62adca67a886", "xda2a2bf9-f124-441b-992f-b4a619124f02", true},
	{InDOM, "id", "row_7e0cb7b9-e45f-4af7-982f-62adca67a886_name", "row_da2a2bf9-f124-441b-992f-b4a619124f02_name", true},
	{InDOM, "id", "row_7e0cb7b9-e45f-4af7-982f-62adca67a886_name", "row_da2a2bf9-f124-441b-992f-b4a619124f02_price", false},
	{InMessage, "", "order 01ARZ3NDEKTSV4RRFFQ69G5FAV saved", "order 01BX5ZZKBKACTAV9WEVGEMMVRZ saved", true},
	{InMessage, "", "doc 507f1f77bcf86cd799439011", "doc 507f191e810c19729de860ea", true},
	{InMessage, "", "commit deadbeef1", "commit cafebabe2", true},
	{InMessage, "", "commit deadbeef", "commit cafebabe", false}, // words, for want of a digit
	{InMessage, "", "item 1234 saved", "item 98765 saved", true},
	{InMessage, "", "item 12 saved", "item 13 saved", false}, // small numbers are counts
	{InMessage, "", "pointer 0x7ffe1234 freed", "pointer 0x5581abcd freed", true},
	{InDOM, "", "label-:r1:", "label-:r2a:", true},
	{InDOM, "id", "radix-12", "radix-7", true},
	{InDOM, "id", "radix-12", "tab-7", false},
	{InDOM, "id", "headlessui-menu-item-3", "headlessui-menu-item-14", true},
	{InDOM, "class", "css-1x2y3z btn", "css-9a8b7c btn", true},
	{InDOM, "class", "css-1x2y3z btn", "css-9a8b7c link", false},
	{InDOM, "class", "svelte-1abc2de", "svelte-3fgh4ij", true},
	{InDOM, "class", "Button_root__a1B2c", "Button_root__x9Y8z", true},
	{InDOM, "class", "card__title", "card__image", false},
	{InDOM, "class", "block__inner", "block__outer", false},
	{InDOM, "", "Total: 1234", "Total: 5678", false}, // what a page says is what it is about
	{InDOM, "style", "color: #ff00ff80", "color: #00ff00ff", false},
	// times
	{InMessage, "", "done at 2026-11-21T03:34:23.512Z", "done at 2025-01-02T13:04:05Z", true},
	{InMessage, "", "done at 2026-11-21 03:34:23", "done at 2026-11-22 13:04:05", true},
	{InMessage, "", "expires Sat, 21 Nov 2026 03:34:23 GMT", "expires Sun, 22 Nov 2026 13:00:00 GMT", true},
	{InMessage, "", "Sat Nov 21 2026 03:34:23 GMT+0100 (CET)", "Sun Nov 22 2026 13:34:23 GMT+0000 (UTC)", true},
	{InMessage, "", "seen 11/21/2026, 3:34:23 AM", "seen 1/2/2027, 11:00:01 PM", true},
	{InMessage, "", "[12:30:05.123] ready", "[09:00:00.001] ready", true},
	{InMessage, "", "ready at 1700000000", "ready at 1700000999", true},
	{InMessage, "", "ready at 1700000000000", "ready at 1712345678901", true},
	{InMessage, "", "took 120 ms", "took 98.5 ms", true},
	{InMessage, "", "took 2 s", "took 3 s", true},
	{InMessage, "", "due 2026-11-21", "due 2026-12-01", true},
	{InDOM, "", "due 2026-11-21", "due 2026-12-01", false}, // a date that a page shows is content
	{InDOM, "", "updated 2026-11-21T03:34:23Z", "updated 2026-11-22T03:34:23Z", true},
	{InDOM, "", "at 12:30", "at 13:00", false},
	// addresses
	{InURL, "", "http://localhost:8931/a", "http://localhost:4567/a", true},
	{InURL, "", "http://127.0.0.1:80/a", "http://127.0.0.1:8080/a", true},
	{InURL, "", "http://localhost:8931/a", "http://localhost:8931/b", false},
	{InURL, "", "https://app.example/a", "https://staging.example/a", false},
	{InURL, "", "blob:http://localhost:1/550e8400-e29b-41d4-a716-446655440000", "blob:http://localhost:1/6ba7b810-9dad-11d1-80b4-00c04fd430c8", true},
	{InURL, "", "/assets/main.bcf4bc5f.js", "/assets/main.0a1b2c3d.js", true},
	{InURL, "", "/assets/index-BxYz12_a.js", "/assets/index-Q8rT5zz1.js", true},
	{InURL, "", "/assets/main.bcf4bc5f.js", "/assets/vendor.bcf4bc5f.js", false},
	{InURL, "", "/assets/my-homepage.js", "/assets/my-otherone.js", false},
	{InURL, "", "/assets/main.bcf4bc5f.js", "/assets/main.bcf4bc5f.css", false},
	{InPath, "", "17", "4711", true},
	{InPath, "", "17", "new", false},
	{InPath, "", "v1", "v2", false},
	{InURL, "_", "1700000000000", "1700000000001", true},
	{InURL, "page", "1", "2", false},
	{InURL, "q", "Ada", "Grace", false},
	{InURL, "access_token", "abc", "def", true},
	{InMessage, "", "GET http://localhost:8931/x failed", "GET http://localhost:9999/x failed", true},
	{InMessage, "", "bad image data:image/png;base64,AAAA", "bad image data:image/png;base64,BBBB", true},
	{InMessage, "", "mail to ada@example.com", "mail to grace@example.org", true},
	// status and codes
	{InMessage, "", "the server responded with a status of 404 (Not Found)", "the server responded with a status of 500 (Internal Server Error)", false},
	{InMessage, "", "Request failed with status code 404", "Request failed with status code 503", false},
	{InMessage, "", "HTTP 502", "HTTP 504", false},
	{InMessage, "", "Minified React error #418", "Minified React error #423", false},
	{InMessage, "", "error TS2304: x", "error TS2339: x", false},
	{InMessage, "", "NG0100: expression changed", "NG0200: expression changed", false},
	// places in scripts
	{InMessage, "", "x is null at http://a/app.js:10:5", "x is null at http://a/app.js:99:17", true},
	{InMessage, "", "x is null at pay (app.js:10)", "x is null at pay (app.js:12)", true},
	{InMessage, "", "x is null at pay (app.js:10:3)", "x is null at cart (app.js:10:3)", false},
	{InMessage, "", "Unexpected token at line 3", "Unexpected token at line 4", true},
	{InMessage, "", "Loading chunk 12 failed.", "Loading chunk vendors-7 failed.", true},
	{InMessage, "", "Loading CSS chunk 3 failed.", "Loading CSS chunk 9 failed.", true},
	// quoted words are the meaning
	{InMessage, "", "Cannot read properties of undefined (reading 'user')", "Cannot read properties of undefined (reading 'name')", false},
	{InMessage, "", "Cannot read property 'user' of undefined", "Cannot read properties of undefined (reading 'user')", false},
	{InMessage, "", "\x1b[31mred\x1b[39m", "red", true},
	// secrets
	{InMessage, "", "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyIn0.def", true},
	{InMessage, "", "Bearer abcdefgh12345", "Bearer zyxwvuts98765", true},
	{InMessage, "", "ghp_abcdefghijklmnop1234", "ghp_zyxwvutsrqponmlk9876", true},
	{InHeader, "date", "Sat, 21 Nov 2026 03:34:23 GMT", "now", true},
	{InHeader, "ETag", `W/"abc"`, `W/"def"`, true},
	{InHeader, "set-cookie", "sid=1; HttpOnly", "sid=2; HttpOnly", true},
	{InHeader, "content-type", "text/html", "application/json", false},
	{InHeader, "cache-control", "no-store", "max-age=60", false},
	{InRequest, "cache-control", "max-age=0", "no-cache", true},
	{InRequest, "accept", "text/html", "application/json", false},
	{InHeader, "content-security-policy", "default-src 'self'", "default-src *", false},
	{InBody, "csrfToken", "aaa", "bbb", true},
	{InBody, "id", "1234", "5678", true},
	{InBody, "id", "admin", "guest", false},
	{InBody, "userId", "1234", "5678", true},
	{InBody, "quantity", "1234", "5678", false},
	{InBody, "createdAt", "2026-11-21T03:34:23Z", "2026-11-22T03:34:23Z", true},
	{InBody, "price", "10.50", "11.50", false},
	{InBody, "name", "Ada", "Grace", false},
	{InBody, "elapsed_ms", "12", "13", true},
	{InStorage, "session_id", "x", "y", true},
	{InStorage, "theme", "dark", "light", false},
	{InDOM, "nonce", "abc", "def", true},
	{InDOM, "href", "/a", "/b", false},
	{InStep, "timeout", "5000", "30000", true},
	{InStep, "value", "Ada", "Grace", false},
}

func TestMasks(t *testing.T) {
	m := defaultMasks(t)
	if len(maskCases) < 60 {
		t.Errorf("only %d pairs", len(maskCases))
	}
	for _, c := range maskCases {
		a, b := m.Field(c.scope, c.field, c.a), m.Field(c.scope, c.field, c.b)
		if (a == b) != c.same {
			t.Errorf("%s %s: %q is %q, %q is %q", c.scope, c.field, c.a, a, c.b, b)
		}
	}
}

func FuzzMaskingTwiceIsMaskingOnce(f *testing.F) {
	for _, c := range maskCases {
		f.Add(c.a, c.field)
		f.Add(c.b+" "+c.a, c.field)
	}
	f.Add("mat-input-1-option-2 1111-22222-3333[n]4444", "id")
	m := defaultMasks(f)
	f.Fuzz(func(t *testing.T, text, field string) {
		for _, s := range scopes {
			once := m.mask(s, field, text, nil)
			if twice := m.mask(s, field, once, nil); twice != once {
				t.Errorf("%s: %q is %q, and masked again %q", s, text, once, twice)
			}
		}
	})
}

func TestRulesOfTheUser(t *testing.T) {
	rules, err := ReadRules(strings.NewReader(`{"rules": [
		{"name": "order", "scopes": ["dom"], "pattern": "ORD-\\d+", "replacement": "[order]"},
		{"name": "price", "field": "^price$", "replacement": "[price]"},
		{"name": "uuid", "off": true},
		{"name": "epoch", "pattern": "^never$", "replacement": ""}]}`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMasks(rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scope             Scope
		field, text, want string
	}{
		{InDOM, "", "Order ORD-17", "Order [order]"},
		{InBody, "", "Order ORD-17", "Order ORD-17"},
		{InBody, "price", "10.50", "[price]"},
		{InStorage, "", "550e8400-e29b-41d4-a716-446655440000", "[hash]-e29b-41d4-a716-446655440000"}, // another rule still holds
		{InStorage, "", "1700000000000", "1700000000000"},
		{InDOM, "", "at 12:30:05", "at [time]"},
	} {
		if got := m.Field(c.scope, c.field, c.text); got != c.want {
			t.Errorf("%s %q: %q, not %q", c.scope, c.text, got, c.want)
		}
	}
	for bad, why := range map[string]string{
		`[{"name": "x", "pattern": "("}]`:                                 `rule "x": pattern`,
		`[{"name": "", "pattern": "a"}]`:                                  "has no name",
		`[{"name": "x"}]`:                                                 "neither a pattern nor a field",
		`[{"name": "x", "pattern": "a", "scopes": ["page"]}]`:             `no scope "page"`,
		`[{"name": "x", "patern": "a"}]`:                                  "patern",
		`{"rules": [{"name": "x", "pattern": "a"}], "version": "3"}`:      "version",
		`[{"name": "x", "pattern": "a"}] [`:                               "more after",
		`[{"name": "x", "field": "[", "replacement": "masked"}]`:          "field",
		"[{\"name\": \"x\", \"pattern\": \"" + strings.Repeat("a", 1<<20): "1 MB",
	} {
		if _, err := ReadRules(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%.60s: %v, which does not say %q", bad, err, why)
		}
	}
}

func TestWhatWasHiddenIsListed(t *testing.T) {
	m := defaultMasks(t)
	var l ledger
	l.hid(m, InMessage, "", "user 550e8400-e29b-41d4-a716-446655440000 at 12:30:05", "user 6ba7b810-9dad-11d1-80b4-00c04fd430c8 at 12:30:05")
	l.hid(m, InHeader, "etag", "a", "b")
	l.hid(m, InHeader, "etag", "a", "a")
	list := l.list(m)
	if len(list) != 2 || list[0].Rule != "uuid" || list[0].Count != 1 || list[1].Rule != "id-header" || list[1].Count != 1 {
		t.Fatalf("%+v", list)
	}
	if s := list[0].Samples[0]; s.A != "550e8400-e29b-41d4-a716-446655440000" || s.B != "6ba7b810-9dad-11d1-80b4-00c04fd430c8" {
		t.Errorf("%+v", s)
	}
}
