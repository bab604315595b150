package title_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace/locator"
	"github.com/tracedeck/tracedeck/trace/title"
)

// TestTitlesOfEveryPlaywrightMethod compares with what Playwright 1.65.1 itself says for each of its methods,
// with and without their parameters.
func TestTitlesOfEveryPlaywrightMethod(t *testing.T) {
	f, err := os.Open("testdata/playwright.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var want struct {
			Class, Method, Title, Subtitle string
			Params                         json.RawMessage
			Language                       locator.Language
			Text, Detail                   string
			Group                          title.Group
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		got := title.Of(title.Call{
			Class: want.Class, Method: want.Method, Title: want.Title, Subtitle: want.Subtitle, Params: want.Params,
			Language: want.Language,
		})
		if got.Text != want.Text || got.Detail != want.Detail || got.Group != want.Group {
			t.Errorf("%s.%s(%s)\n got %q | %q (%s)\nwant %q | %q (%s)", want.Class, want.Method, want.Params,
				got.Text, got.Detail, got.Group, want.Text, want.Detail, want.Group)
		}
	}
	if n < 600 {
		t.Errorf("only %d calls were compared", n)
	}
}

func TestTitlesOfOtherRecorders(t *testing.T) {
	for _, c := range []struct{ class, method, params, want string }{
		{"Element", "vibium:click", `{"selector":"#a"}`, "Element.click #a"},
		{"Element", "vibium:element.fill", `{"selector":"#a","value":"x"}`, `Element.fill "x" #a`},
		{"Element", "vibium:el.text", `{"selector":"#a"}`, "Element.text #a"},
		{"Page", "vibium:find", `{"selector":"#a"}`, "Page.find #a"},
		{"Element", "vibium:element.find", `{"role":"button"}`, "Element.find button"},
		{"Element", "vibium:element.type", `{"label":"Name","text":"x"}`, `Element.type "x" Name`},
		{"Page", "vibium:page.navigate", `{"url":"http://h/x"}`, "Page.navigate h/x"},
		{"Page", "vibium:keyboard.press", `{"key":"Enter"}`, "Page.keyboard.press Enter"},
		{"BrowserContext", "vibium:context.close", `{}`, "BrowserContext.close"},
		{"Vibium", "vibium:future.thing", `{}`, "future.thing"},
		{"Vibium", "vibium:future", `{}`, "future"},
		{"BiDi", "browsingContext.navigate", `{"url":"http://h/"}`, "browsingContext.navigate h/"},
		{"BiDi", "goog:cdp.sendCommand", `{}`, "goog:cdp.sendCommand"},
		{"Tracing", "group", `{"name":"login"}`, "login"},
		{"Widget", "spin", `{}`, "Widget.spin"},
		{"Widget", "", `{}`, "Widget"},
		{"", "spin", `{}`, "spin"},
		{"Frame", "click", `not json`, "Click"},
		{"Frame", "fill", ``, `Fill "{value}"`},
		{"Frame", "goto", `{"url":{}}`, "Navigate {}"},
	} {
		got := title.Of(title.Call{Class: c.class, Method: c.method, Params: json.RawMessage(c.params)})
		if got.String() != c.want {
			t.Errorf("%s.%s(%s) is %q, want %q", c.class, c.method, c.params, got, c.want)
		}
	}
}

func TestVibiumTitlesAreItsOwn(t *testing.T) {
	var manifest struct {
		Traces []struct {
			File    string
			Actions []struct{ Title, Class, Method string }
		}
	}
	readJSON(t, filepath.Join(corpus, "vibium", "manifest.json"), &manifest)
	n := 0
	for _, trace := range manifest.Traces {
		for _, a := range trace.Actions {
			if a.Class == "Tracing" {
				continue // named by the user
			}
			n++
			got := title.Of(title.Call{Class: a.Class, Method: a.Method}).Text
			if got != a.Title && !strings.HasSuffix(a.Method, ":find") {
				t.Errorf("%s: %s without its title is %q, want %q", trace.File, a.Method, got, a.Title)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d actions were compared", n)
	}
}

func TestPhasesAndGroups(t *testing.T) {
	for _, c := range []struct {
		class, method string
		want          title.Phases
		group         title.Group
	}{
		{"Frame", "click", title.Phases{Before: true, Action: true, After: true}, ""},
		{"Frame", "goto", title.Phases{Before: true, After: true}, ""},
		{"Page", "mouseDown", title.Phases{Action: true, After: true}, ""},
		{"Page", "close", title.Phases{}, ""},
		{"Frame", "textContent", title.Phases{Before: true, After: true}, title.Getter},
		{"Route", "abort", title.Phases{}, title.Route},
		{"BrowserContext", "addCookies", title.Phases{}, title.Configuration},
		{"Request", "rawRequestHeaders", title.Phases{}, title.Internal},
		{"Element", "vibium:element.click", title.Phases{Before: true, Action: true, After: true}, ""},
	} {
		m, ok := title.Lookup(c.class, c.method)
		if !ok || m.Phases != c.want || m.Group != c.group {
			t.Errorf("%s.%s: %+v, %v", c.class, c.method, m, ok)
		}
	}
	if m, ok := title.Lookup("Frame", "nothing"); ok {
		t.Errorf("a method nobody has: %+v", m)
	}
	if got := title.Of(title.Call{Class: "Test", Method: "fixture", Title: "x", Group: "configuration"}); got.Group != title.Configuration {
		t.Errorf("the action's own group: %q", got.Group)
	}
}

// FuzzOf holds that any call has a title of one line, and a text that is set.
func FuzzOf(f *testing.F) {
	f.Add("Frame", "click", "", "", `{"selector":"internal:text=\"x\"i"}`)
	f.Add("Frame", "goto", "", "", `{"url":"http://user@[::1]:80/../%2e?x y#z"}`)
	f.Add("X", "y", "{a.b.0|c}", "{url}\n", `{"a":{"b":[1e300]},"c":"\n","url":"file:x"}`)
	f.Add("BrowserContext", "clockInstall", "", "", `{"timeNumber":1e18}`)
	f.Add("Element", "vibium:fill", "", "", `{"value":null,"selector":[]}`)
	f.Add("BiDi", "", "", "", `{}`)
	f.Add("Element", "vibium:", "", "", `{}`)
	f.Add("Frame", "goto", "", "", `{"url":"http://0x7f.1:99999\\a"}`)
	f.Fuzz(func(t *testing.T, class, method, own, subtitle, params string) {
		got := title.Of(title.Call{Class: class, Method: method, Title: own, Subtitle: subtitle, Params: json.RawMessage(params)})
		// A title may consist of parameters that are empty.
		if got.Text == "" && class+method != "" && !strings.Contains(own, "{") && method != "group" {
			t.Fatalf("%s.%s has no text", class, method)
		}
		if !strings.Contains(own+subtitle+class+method, "\n") && strings.Contains(got.String(), "\n") {
			t.Fatalf("%s.%s has a title of several lines: %q", class, method, got)
		}
		if utf8.ValidString(strings.Join([]string{class, method, own, subtitle, params}, "|")) && !utf8.ValidString(got.String()) {
			t.Fatalf("%s.%s has a broken title: %q", class, method, got)
		}
	})
}

func ExampleOf() {
	t := title.Of(title.Call{
		Class: "Frame", Method: "fill",
		Params: json.RawMessage(`{"selector":"internal:label=\"Name\"i","value":"Ada"}`),
	})
	fmt.Println(t.Text)
	fmt.Println(t.Detail)
	// Output:
	// Fill "Ada"
	// getByLabel('Name')
}

func BenchmarkOf(b *testing.B) {
	c := title.Call{
		Class: "Frame", Method: "click", Language: locator.JavaScript,
		Params: json.RawMessage(`{"selector":"internal:role=button[name=\"Increment\"i]","strict":true,"timeout":10000}`),
	}
	b.ReportAllocs()
	for b.Loop() {
		title.Of(c)
	}
}
