package mock

import "testing"

func TestFilesHoldWhatLiesBeside(t *testing.T) {
	f := files{}
	f.visit("file:///home/ada/site/index.html")
	f.visit("http://example.com/etc/x")
	for raw, want := range map[string]bool{
		"file:///home/ada/site/index.html":        true,
		"file:///home/ada/site/css/a.css?v=1":     true,
		"FILE:///home/ada/site/other.html#top":    true,
		"file:///home/ada/secret":                 false,
		"file:///home/ada/site/../secret":         false,
		"file:///home/ada/site/%2e%2e/secret":     false,
		"file:///home/ada/site2/index.html":       false,
		"file:///etc/passwd":                      false,
		"http://example.com/home/ada/site/a.html": false,
		"file:": false,
		"::":    false,
	} {
		if got := f.holds(raw); got != want {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}
