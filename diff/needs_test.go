package diff

import (
	"regexp"
	"testing"
)

// What a pattern needs never keeps it from a text that it matches.
func FuzzNeedsNeverKeepAPatternFromItsMatch(f *testing.F) {
	for _, s := range []string{"", "at 12:30:05", "Bearer abcdefghijk", "x 550e8400-e29b-41d4-a716-446655440000", "main.bcf4bc5f.js", "\u212aelvin \u017f status 404",
		"eyJhbGciOi.eyJzdWIi.sig", "radix-12", "1700000000000", "Loading chunk 12 failed", "2026-11-21T03:34:23Z", "\xff\xfe9"} {
		f.Add(s, `(?i)k[0-9]{2,}|s|[^a]{3}`)
	}
	f.Fuzz(func(t *testing.T, text, pattern string) {
		s := shapeOf(text)
		for _, r := range withDefaults(nil) {
			if r.Pattern != "" && regexp.MustCompile(r.Pattern).MatchString(text) && !mayMatch(needsOf(r.Pattern), text, &s) {
				t.Errorf("rule %s matches %q, and is kept from it", r.Name, text)
			}
		}
		re, err := regexp.Compile(pattern)
		if err == nil && len(pattern) < 200 && re.MatchString(text) && !mayMatch(needsOf(pattern), text, &s) {
			t.Errorf("%s matches %q, and is kept from it", pattern, text)
		}
	})
}
