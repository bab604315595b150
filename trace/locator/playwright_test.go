package locator_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// agreed is a line of testdata/playwright.jsonl: what Playwright 1.65.1 itself makes of a selector, written
// by its own asLocator. Left out are selectors that no API writes and that it shows as null or NaN.
type agreed struct {
	Selector   string `json:"selector"`
	Valid      bool   `json:"valid"`
	JavaScript string `json:"javascript"`
	Python     string `json:"python"`
	Java       string `json:"java"`
	CSharp     string `json:"csharp"`
}

func agreements(t testing.TB) []agreed {
	t.Helper()
	f, err := os.Open("testdata/playwright.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []agreed
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var a agreed
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
	if lines.Err() != nil || len(all) < 700 {
		t.Fatalf("read %d lines: %v", len(all), lines.Err())
	}
	return all
}

func TestParseAcceptsWhatPlaywrightAccepts(t *testing.T) {
	for _, a := range agreements(t) {
		s, err := locator.Parse(a.Selector)
		if (err == nil) != a.Valid {
			t.Errorf("Parse(%q): %v; Playwright says valid=%v", a.Selector, err, a.Valid)
		}
		if err == nil && s.String() != a.Selector {
			t.Errorf("Parse(%q).String() = %q", a.Selector, s)
		}
	}
}

func TestFormatShowsWhatPlaywrightShows(t *testing.T) {
	for _, a := range agreements(t) {
		if !a.Valid {
			a.JavaScript, a.Python, a.Java, a.CSharp = a.Selector, a.Selector, a.Selector, a.Selector
		}
		for lang, want := range map[locator.Language]string{
			locator.JavaScript: a.JavaScript, locator.Python: a.Python, locator.Java: a.Java, locator.CSharp: a.CSharp,
		} {
			if got := locator.Format(a.Selector, lang); got != want {
				t.Errorf("Format(%q, %s)\n got %s\nwant %s", a.Selector, lang, got, want)
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	const s = `#main >> internal:role=button[name="Save \"all\""i] >> internal:has="li.item > a:has-text(\"x\")" >> nth=0`
	b.ReportAllocs()
	for b.Loop() {
		if _, err := locator.Parse(s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFormat(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		locator.Format(`internal:role=button[name="Increment"i] >> nth=0`, locator.JavaScript)
	}
}
