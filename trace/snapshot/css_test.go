package snapshot_test

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"github.com/tracedeck/tracedeck/trace/snapshot"
)

func TestStyleSheetsLoadOnlyWhatHasAnAddress(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`a{color:red}`, `a{color:red}`},
		{`a { b : url(x.png) }`, `a { b : url("/r/css.test/s/x.png") }`},
		{`a{b:url( "x.png" )}`, `a{b:url("/r/css.test/s/x.png")}`},
		{`a{b:URL('../x.png?a=1&b=2#f')}`, `a{b:url("/r/css.test/x.png?a=1\26 b=2#f")}`},
		{`a{b:u\72l(x.png)}`, `a{b:url("data:,")}`},
		{`a{b:\75rl("x.png")}`, `a{b:url("data:,")}`},
		{`a{b:url(missing.png),red}`, `a{b:url("data:,"),red}`},
		{`a{b:url(#frag)}`, `a{b:url("#frag")}`},
		{`a{b:url(data:image/png;base64,AA==)}`, `a{b:url("data:image/png;base64,AA==")}`},
		{`a{b:url(data:text/html,x)}`, `a{b:url("data:,")}`},
		{`a{b:url(javascript:x)}`, `a{b:url("data:,")}`},
		{`@import "a.css";b{}`, `@import "/r/css.test/s/a.css";b{}`},
		{`@import url(a.css) layer(x) supports(display:grid) print;`, `@import "/r/css.test/s/a.css" layer(x) supports(display:grid) print;`},
		{`@import "missing.css" print;b{}`, `b{}`},
		{`@\69mport url(missing.css);b{}`, `b{}`},
		{`@import foo;b{}`, `b{}`},
		{`@charset "utf-8";b{}`, `b{}`},
		{`@namespace svg url(http://www.w3.org/2000/svg);`, `@namespace svg "http://www.w3.org/2000/svg";`},
		{`@font-face{src:url(f.woff) format("woff"),local("x")}`, `@font-face{src:url("/r/css.test/s/f.woff") format("woff"),local("x")}`},
		{`a{b:image-set("x.png" 1x, url(y.png) type("image/png") 2x)}`, `a{b:image-set("/r/css.test/s/x.png" 1x, url("/r/css.test/s/y.png") type("image/png") 2x)}`},
		{`a{b:image-set(var(--x) 1x)}`, `a{b:image-set(x-no-var(--x) 1x)}`},
		{`a{content:"<b>\"\A &"}`, `a{content:"\3c b\3e \22 \a \26 "}`},
		{`a{width:expression(alert(1))}`, `a{width:x-no-expression(alert(1))}`},
		{`<!-- a{} -->`, `  a{}  `},
		{`a/*<b>*/b{}`, `a/**/b{}`},
		{`@media (width<600px){&div{}&#b1{}&.c{}}`, `@media (width<600px){&/**/div{}&/**/#b1{}&.c{}}`},
		{`@media (width<x){}`, `@media (width< x){}`},
		{`x-a:not(:defined){}a{grid-area:defined}`, `x-a:not(:not([data-tracedeck-undefined])){}a{grid-area:defined}`},
		{`:modal,:popover-open{}dialog::modal{}`, `:is([data-tracedeck-modal]),:is([data-tracedeck-popover]){}dialog::modal{}`},
		{`.sm\:flex\/2{}.\31 0{}#\31{}.a\.b{}`, `.sm\3a flex\2f 2{}.\31 0{}#\31 {}.a\2e b{}`},
		{`a{b:1e3px 1\65 3 -.5e-2% +1.0em 2E5}`, `a{b:1e3px 1\65 3 -.5e-2% +1.0em 2E5}`},
		{"a{b:'x\ny'}", "a{b:!bad y\"}\""},
		{`a{b:url(x y)}`, `a{b:!bad }`},
		{`a{b:"x`, `a{b:"x"`},
		{"a\x00b{}", "a\ufffdb{}"},
		{`a[href^='http']{}`, `a[href^="http"]{}`},
		{`@layer a,b;@container x (min-width:1px){.é{}}`, `@layer a,b;@container x (min-width:1px){.é{}}`},
		{`@font-face{unicode-range:U+0-7F,u+4??}`, `@font-face{unicode-range:U+0-7F,u+4??}`},
		{`a{--x:{b:url(y)};c:calc((1px + 2px)*3)}`, `a{--x:{b:url("/r/css.test/s/y")};c:calc((1px + 2px)*3)}`},
	} {
		if got := snapshot.CSS(c.in, "https://css.test/s/a.css", named{}); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestStyleSheetsWithoutAddressesLoadNothing(t *testing.T) {
	if got := snapshot.CSS(`@import "a.css";b{c:url(x.png)}`, "https://css.test/", nil); got != `b{c:url("data:,")}` {
		t.Error(got)
	}
}

var markup = regexp.MustCompile(`<[a-zA-Z/!?]|&[a-zA-Z#]`)

var escapedLetter = regexp.MustCompile(`(?i)\\0*(4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])\b`)

var (
	blanks  = regexp.MustCompile(`[ \n]+`)
	escapes = regexp.MustCompile(`(%[0-9A-Fa-f]{2})+`)
	codes   = regexp.MustCompile(`\\[0-9a-f]{1,6} `)
)

// plainText is a style sheet in which blanks count as one and nothing is
// escaped: joining addresses escapes some letters in another way, which is no
// change of meaning.
func plainText(s string) string {
	s = codes.ReplaceAllStringFunc(s, func(e string) string {
		n, _ := strconv.ParseInt(e[1:len(e)-1], 16, 32)
		return string(rune(n))
	})
	return blanks.ReplaceAllString(escapes.ReplaceAllStringFunc(s, func(e string) string {
		plain, err := url.PathUnescape(e)
		if err != nil {
			return e
		}
		return plain
	}), " ")
}

// FuzzCSS holds what makes a style sheet safe: no address but ours or data:,
// nothing that HTML reads, and a text that means the same when read again.
func FuzzCSS(f *testing.F) {
	for _, s := range []string{`a{b:url(x)}`, `@import "x";`, `@import url( 'x' ) print;`, `a{b:image-set("x" 1x)}`, `u\72l(x)`, "\\75rl(\"x\")", `<!--@import'x'-->`, `a{b:url(x y)}`,
		`@namespace url(x);`, `\`, `"\`, `url(`, `@import`, `a{b:url("x\`, `/*`, `1\65 5`, "--\\-", `#\31`, `</style>`, `&lt;`, `a:defined{`, `src("x")`, `@font-face{src:url(x)}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out := snapshot.CSS(text, "https://css.test/", named{})
		if m := markup.FindString(out); m != "" {
			t.Fatalf("%q gave markup %q in %q", text, m, out)
		}
		checkSheet(t, out)
		again := snapshot.CSS(out, "https://css.test/", keeping{})
		if plainText(again) != plainText(out) && !strings.Contains(out, "!bad") {
			t.Fatalf("%q gave %q, which is read as %q", text, out, again)
		}
	})
}

// keeping leaves addresses as they are.
type keeping struct{ named }

func (keeping) Resource(address string, _ snapshot.Use) string {
	return strings.TrimPrefix(address, "https://css.test")
}

// checkSheet fails if a style sheet loads something that is not ours.
func checkSheet(t *testing.T, text string) {
	t.Helper()
	l := css.NewLexer(parse.NewInputString(text))
	imports := false
	for {
		kind, data := l.Next()
		s := string(data)
		switch kind {
		case css.ErrorToken:
			return
		case css.AtKeywordToken:
			if strings.EqualFold(s, "@import") {
				imports = true
				continue
			}
		case css.URLToken:
			if !ours(s[4 : len(s)-1]) {
				t.Fatalf("%s in %q", s, text)
			}
		case css.FunctionToken:
			if escapedLetter.MatchString(s) {
				t.Fatalf("an escaped function %s in %q", s, text)
			}
		case css.StringToken:
			if imports && !ours(s) {
				t.Fatalf("@import %s in %q", s, text)
			}
		case css.WhitespaceToken:
			continue
		}
		imports = false
	}
}

func ours(quoted string) bool {
	inner := strings.Trim(quoted, `"`)
	return strings.HasPrefix(quoted, `"`) && (strings.HasPrefix(inner, "/r/") || strings.HasPrefix(inner, "#") || strings.HasPrefix(inner, "data:"))
}
