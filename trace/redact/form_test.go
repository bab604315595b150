package redact_test

import (
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
