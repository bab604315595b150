package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/redact"
)

func TestFormsFindWhatTheyAreNamedFor(t *testing.T) {
	key := "AKIA" + strings.Repeat("Q", 12) + "2345"
	found := map[string]string{}
	text := "id=" + key + "; done"
	for _, f := range redact.Forms() {
		for _, p := range f.Places(text) {
			found[f.Name()] = text[p[0]:p[1]]
		}
	}
	if len(found) != 1 || found["AWS access key"] != key {
		t.Errorf("found %v", found)
	}
}

func TestSecretNames(t *testing.T) {
	for name, want := range map[string]bool{"X-Api-Key": true, "access_token": true, "nextPageToken": false, "title": false, "": false} {
		if redact.SecretName(name) != want {
			t.Errorf("%q: %t", name, !want)
		}
	}
	if !redact.IsMarker("redacted-3") || redact.IsMarker("redacted") {
		t.Error("markers are not told apart")
	}
}

func TestCleanerTakesValuesOutInAllSpellings(t *testing.T) {
	var c redact.Cleaner
	secret := `Tr0ub4dor&3/"ü`
	c.Add(secret, "***")
	c.Add(secret[:9], "***")
	c.Add("short", "***")
	for _, text := range []string{secret, "https://x/?p=" + url.QueryEscape(secret), string(must(json.Marshal(secret))), strings.ToLower(secret),
		base64.StdEncoding.EncodeToString([]byte("ab" + secret + "c"))} {
		got := c.Clean("<" + text + ">")
		if strings.Contains(got, "dor") || strings.Contains(got, "0dWI0") || !strings.Contains(got, "***") {
			t.Errorf("%s: %s", text, got)
		}
	}
	if got := c.Clean("a short text"); got != "a short text" || c.Len() != 2 {
		t.Errorf("%s, %d", got, c.Len())
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
