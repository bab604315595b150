package tracetest

import (
	"strings"
	"testing"
)

// Unspoken returns a check that a text, which somebody told, holds none of the
// secrets in any spelling.
func Unspoken(secrets []Secret) func(t testing.TB, who, text string) {
	type spelling struct {
		text   string
		secret Secret
	}
	const head = 8 // letters by which spellings are found: there are many thousands
	all := map[string][]spelling{}
	for _, s := range secrets {
		for _, text := range s.Spellings() {
			if len(text) > head {
				all[text[:head]] = append(all[text[:head]], spelling{text, s})
			}
		}
	}
	return func(t testing.TB, who, text string) {
		t.Helper()
		if text == "" {
			t.Errorf("%s says nothing", who)
		}
		told := map[Secret]bool{}
		for i := 0; i+head < len(text); i++ {
			for _, w := range all[text[i:i+head]] {
				if !strings.HasPrefix(text[i:], w.text) || told[w.secret] {
					continue
				}
				if told[w.secret] = true; len(told) <= 5 {
					t.Errorf("%s tells a secret of %s (%s): …%.160q", who, w.secret.Place, w.secret.Form, text[max(0, i-60):])
				}
			}
		}
		if len(told) > 5 {
			t.Errorf("%s tells %d secrets", who, len(told))
		}
	}
}
