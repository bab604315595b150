package cdp

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSecretsInBodiesAreMasked(t *testing.T) {
	const part = "--b\r\nContent-Disposition: form-data; name=\"%\"\r\n\r\nhunter2!\r\n"
	for _, c := range []struct{ kind, body, want string }{
		{"application/x-www-form-urlencoded", "user=ada&password=hunter2%21&next=%2F", "user=ada&password=redacted-1&next=%2F"},
		{"application/x-www-form-urlencoded;charset=UTF-8", "a%5Bpassword%5D=&x", "a%5Bpassword%5D=&x"},
		{"application/json", `{"user": "ada", "password": "hunter2!", "n": 1.50}`, `{"user": "ada", "password": "redacted-1", "n": 1.50}`},
		{"application/json", `{"variables":{"input":{"newPassword":"hunter2!","tags":["password","x"]}}}`, `{"variables":{"input":{"newPassword":"redacted-1","tags":["password","x"]}}}`},
		{"text/plain;charset=UTF-8", `[{"password":"hunter2!"},{"password":"other"},"password"]`, `[{"password":"redacted-1"},{"password":"redacted-2"},"password"]`},
		{"application/json", `{"password": "hunter2!"} and no JSON "password`, `{"password": "redacted-1"} and no JSON "password`},
		{"application/json", `{"password": 12, "pageToken": "abc", "password": null}`, `{"password": 12, "pageToken": "abc", "password": null}`},
		{"multipart/form-data; boundary=b", strings.Replace(part, "%", "password", 1) + strings.Replace(part, "%", "note", 1) + "--b--\r\n",
			strings.Replace(strings.Replace(part, "%", "password", 1), "hunter2!", "redacted-1", 1) + strings.Replace(part, "%", "note", 1) + "--b--\r\n"},
		{"text/plain", "password=hunter2!", "password=hunter2!"},
	} {
		if got := string(newMasker(true).body(c.kind, []byte(c.body))); got != c.want {
			t.Errorf("%s %q\n got %q\nwant %q", c.kind, c.body, got, c.want)
		}
		if got := string(newMasker(false).body(c.kind, []byte(c.body))); got != c.body {
			t.Errorf("with secrets kept: %q", got)
		}
	}
}

// What is JSON stays JSON, and what is not secret stays what it was.
func FuzzMaskedBodies(f *testing.F) {
	f.Add("application/json", []byte(`{"password":"a","b":[{"token":"c"}]}`))
	f.Add("application/x-www-form-urlencoded", []byte("password=a&b=c"))
	f.Add("multipart/form-data; boundary=x", []byte("--x\r\nContent-Disposition: form-data; name=\"pin\"\r\n\r\n1\r\n--x--"))
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		masked := newMasker(true).body(kind, data)
		if json.Valid(data) && !json.Valid(masked) && !strings.HasPrefix(kind, "multipart") && !strings.Contains(kind, "form") {
			t.Errorf("%q became %q, which is no JSON", data, masked)
		}
		if again := newMasker(true).body(kind, data); string(again) != string(masked) {
			t.Errorf("%q and %q of the same bytes", masked, again)
		}
	})
}
