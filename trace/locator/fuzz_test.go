package locator

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var seeds = []string{
	`div`, `#a >> nth=0`, `*css=div >> text=x`, `text=it's >> b`, `"a >> b"`, `'x'`, `//a/..`, `(//a)[2]`, `..`,
	`internal:role=button[name="Save"i][checked=true][level=2] >> nth=-1`, `internal:role=b [ name = /a"b/i ]`,
	`internal:text="a\nb"s`, `internal:label=/x\/y/gi`, `internal:attr=[placeholder="x"i]`,
	`internal:testid=[data-testid="x"s]`, `data-testid=x`, `css=[data-testid="x"]`, `id=a`, `_react=A[b.c=1]`,
	`#f >> internal:control=enter-frame >> a >> internal:has="#f >> internal:control=enter-frame >> b"`,
	`div >> internal:and="a >> internal:or=\"b\""`, `div >> near="a",30`, `a >> internal:describe="me"`,
	`a:has-text("x >> y"):visible > b`, `a /*x*/ > /**/ b`, `:is(a, b:nth-match(c, 2))`, `a\:b`, `css:light=a , b`,
	`[a=url("x")]`, `u+a`, `a\`, "a\x00b", `internal:has="a`, `div >> internal:has=a`, `a >>> b`, `>>`, ``,
	`internal:text=/(?<n>a)[/]{2,}/`, `aria-ref=e1`, `visible=false`, `a::before`, `div[[`,
}

// FuzzParse holds that what parses prints as it was, that normal forms parse and are final, and that no
// valid selector breaks a language.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			if Format(text, JavaScript) != text {
				t.Fatalf("Format changed %q, which is no selector", text)
			}
			return
		}
		if got := s.String(); got != text {
			t.Fatalf("printed %q, parsed %q", got, text)
		}
		checkRebuilt(t, s)
		checkNormal(t, s)
		for lang := range dialects {
			Describe(text, lang)
		}
	})
}

// quotesInside tells texts with quotes within their quotes: where such a text ends depends on what is around
// it, and no other spelling of it has to be the same.
func quotesInside(s Selector) bool {
	for _, p := range s.Parts {
		if body := trim(p.Body); p.Engine == EngineText && len(body) > 2 && strings.ContainsAny(body[:1], `"'`) && strings.Count(body, body[:1]) > 2 {
			return true
		}
	}
	return false
}

// checkRebuilt prints the parts without their source and expects to read the same again.
func checkRebuilt(t *testing.T, s Selector) {
	if quotesInside(s) {
		return
	}
	bare := Selector{}
	for _, p := range s.Parts {
		bare.Parts = append(bare.Parts, Part{Engine: p.Engine, Body: p.Body, Capture: p.Capture})
	}
	again, err := Parse(bare.String())
	if err != nil {
		t.Fatalf("%q does not parse, made of the parts of %q: %v", bare, s, err)
	}
	if diff := cmp.Diff(s, again, cmpopts.IgnoreUnexported(Selector{}, Part{})); diff != "" {
		t.Fatalf("%q made of the parts of %q reads otherwise:\n%s", bare, s, diff)
	}
}

func checkNormal(t *testing.T, s Selector) {
	n := s.Normalized()
	if len(n.Parts) == 0 {
		return
	}
	again, err := Parse(n.String())
	if err != nil {
		t.Fatalf("normal form %q of %q does not parse: %v", n, s, err)
	}
	if twice := again.Normalized().String(); twice != n.String() {
		t.Fatalf("normal form of %q is %q, and of that %q", s, n, twice)
	}
}

// FuzzFromCode holds that what is read from code is a selector whose own code reads as the same again.
func FuzzFromCode(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
		for lang := range dialects {
			f.Add(Format(s, lang))
		}
	}
	f.Add("await expect(page.getByText(`x`)).toBeVisible();")
	f.Add(`page.GetByRole(AriaRole.Button, new PageGetByRoleOptions { NameRegex = new Regex(@"a""b", RegexOptions.IgnoreCase) })`)
	f.Fuzz(func(t *testing.T, code string) {
		s, err := FromCode(code, "")
		if err != nil || !utf8.ValidString(code) {
			return
		}
		if _, err := Parse(s.String()); err != nil {
			t.Fatalf("code %q gives %q: %v", code, s, err)
		}
		js, err := s.Code(JavaScript)
		if err != nil || ambiguous(s) {
			return
		}
		again, err := FromCode("page."+js, "")
		if err != nil {
			t.Fatalf("own code %s is not read: %v", js, err)
		}
		if final, _ := again.Code(JavaScript); final != js {
			t.Fatalf("code %s of %q reads as %q, whose code is %s", js, s, again, final)
		}
	})
}

// ambiguous tells selectors whose code means something else on its own: bodies that hold a whole chain once
// they are quoted, quotes that find their partner in another part, blanks that
// only an engine's name holds, and orders that code does not keep.
func ambiguous(s Selector) bool {
	var chain []string
	for _, p := range s.Parts {
		chain = append(chain, p.canonical())
	}
	again, err := Parse(strings.Join(chain, " >> "))
	if err != nil || !slices.EqualFunc(again.Parts, s.Parts, func(a, b Part) bool { return a.Engine == b.Engine && a.Body == b.Body }) {
		return true
	}
	for _, p := range s.Parts {
		switch p.Engine {
		case EngineHas, EngineHasNot, EngineAnd, EngineOr, EngineChain:
			inner, _, err := p.Inner()
			if err != nil || ambiguous(inner) {
				return true
			}
		case EngineRole, EngineAttr, EngineTestID, EngineNth, EngineDescribe, EngineControl, EngineVisible:
			return true
		}
		// Where needless backslashes are errors, FromCode writes quotes as codes.
		if text, err := p.Text(); err == nil && text.Regexp != nil && strings.ContainsAny(text.Regexp.Flags, "uv") {
			return true
		}
		if p.Capture || p.Body != trim(p.Body) || len(split(p.canonical())) != 1 {
			return true
		}
	}
	return false
}
