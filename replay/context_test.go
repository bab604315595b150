package replay

import (
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

func TestOwnNamesOfBrowsersAreLeftToTheReplay(t *testing.T) {
	for name, own := range map[string]bool{
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36":                 true,
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0": true,
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15":         true,
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0":                                              true,
		"Robot/1": false,
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 ShopTest": false,
	} {
		if got := stock.MatchString(name); got != own {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestLanguageOfRecordedRequests(t *testing.T) {
	for header, want := range map[string]string{"": "", "de-DE": "de-DE", "fr,en;q=0.8": "fr en", "zh-Hant-TW;q=0.9, en": "zh-Hant-TW en", "en-US,en;q=0.9,*;q=0.1": "en-US en", "*": "", "x\"y": ""} {
		e := &har.Entry{Request: har.Request{Headers: []har.NameValue{{Name: "accept-language", Value: header}}}}
		if got := strings.Join(spoken(&trace.Trace{Network: []*trace.Request{{Entry: e}}}), " "); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}

func TestSocketsThatTheProgramAnsweredAreToldOf(t *testing.T) {
	call := func(class string) *trace.Action { return &trace.Action{Before: &trace.Before{Class: class}} }
	for class, told := range map[string]bool{"WebSocketRoute": true, "Frame": false} {
		if w := unanswered(&trace.Trace{Actions: []*trace.Action{{}, call("Page"), call(class)}}); told != (w != "") {
			t.Errorf("%s: %q", class, w)
		}
	}
}
