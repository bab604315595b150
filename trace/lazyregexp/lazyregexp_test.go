package lazyregexp_test

import (
	"regexp"
	"testing"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

func TestAnExpressionIsTheStandardLibrarys(t *testing.T) {
	const expr, text = `(\w)=(\d+)`, "a=1, b=22"
	want, lazy := regexp.MustCompile(expr), lazyregexp.New(expr)
	if got, want := lazy.FindAllStringSubmatch(text, -1), want.FindAllStringSubmatch(text, -1); len(got) != 2 || got[1][2] != want[1][2] {
		t.Errorf("submatches %q, want %q", got, want)
	}
	if got, want := lazyregexp.Of(want).ReplaceAllString(text, "$2"), want.ReplaceAllString(text, "$2"); got != want {
		t.Errorf("replaced: %q, want %q", got, want)
	}
}

func TestASyntaxErrorPanicsAtFirstUse(t *testing.T) {
	bad := lazyregexp.New(`(`)
	defer func() {
		if recover() == nil {
			t.Error("an expression that does not parse was used")
		}
	}()
	bad.MatchString("x")
}
