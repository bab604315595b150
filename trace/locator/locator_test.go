package locator_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tracedeck/tracedeck/trace/locator"
)

func mustParse(t testing.TB, selector string) locator.Selector {
	t.Helper()
	s, err := locator.Parse(selector)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParseNamesTheEngines(t *testing.T) {
	for selector, want := range map[string][]locator.Part{
		`div > a`:                {{Engine: "css", Body: "div > a"}},
		` css=a >> text=b `:      {{Engine: "css", Body: "a"}, {Engine: "text", Body: "b"}},
		`"Log in"`:               {{Engine: "text", Body: `"Log in"`}},
		`//a >> ..`:              {{Engine: "xpath", Body: "//a"}, {Engine: "xpath", Body: ".."}},
		`*css=a >> b`:            {{Engine: "css", Body: "a", Capture: true}, {Engine: "css", Body: "b"}},
		`data-testid=x`:          {{Engine: "data-testid", Body: "x"}},
		`text=it's >> a`:         {{Engine: "text", Body: "it's"}, {Engine: "css", Body: "a"}},
		`[a="b >> c"]`:           {{Engine: "css", Body: `[a="b >> c"]`}},
		`aria-ref=e3`:            {{Engine: "aria-ref", Body: "e3"}},
		`_react=A[b=1]`:          {{Engine: "_react", Body: "A[b=1]"}},
		`internal:text="x"i>>*a`: {{Engine: "internal:text", Body: `"x"i`}, {Engine: "css", Body: "*a"}},
	} {
		got := mustParse(t, selector)
		if diff := cmp.Diff(want, got.Parts, cmpopts.IgnoreUnexported(locator.Part{})); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", selector, diff)
		}
	}
}

func TestParseSaysWhatIsWrong(t *testing.T) {
	for selector, want := range map[string]string{
		`div[[`:                 `selector "div[[": CSS ends too early`,
		`a >> b]`:               `selector "a >> b]": part "b]": unexpected "]" in CSS`,
		`*css=a >> *css=b`:      `only one part can capture`,
		`internal:has="a"`:      `internal:has cannot come first`,
		`a >> internal:has=b`:   `body is not a quoted selector`,
		`a >> near="b","c"`:     `second argument must be the distance`,
		`a >> internal:or="b["`: `part "internal:or=\"b[\""`,
		``:                      `CSS ends too early`,
	} {
		_, err := locator.Parse(selector)
		var syntax *locator.SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q): %v, want a SyntaxError with %q", selector, err, want)
		}
	}
}

func TestParseRefusesWhatWouldTakeTooLong(t *testing.T) {
	if _, err := locator.Parse(strings.Repeat("a", locator.MaxLength+1)); !errors.Is(err, locator.ErrTooLong) {
		t.Errorf("a long selector: %v", err)
	}
	for _, piece := range []string{`text=a>>`, `text=a"`, `"a>>`, `text=a"'>>`, `a >> nth=0 >> `, "text=\n\"", ">> ", `\`, `a[b="`, `u+a `} {
		many := strings.Repeat(piece, locator.MaxLength/4/len(piece))
		locator.Describe(many, locator.JavaScript) // a test that takes quadratic time never ends
		locator.FromCode(many, "")
	}
	if _, err := locator.Parse(strings.Repeat(":is(", 100_000)); err == nil {
		t.Error("a selector of unclosed functions parses")
	}
	deep := strings.Repeat(":is(", 5000) + "a" + strings.Repeat(")", 5000)
	if _, err := locator.Parse(deep); err == nil || !strings.Contains(err.Error(), "deeper") {
		t.Errorf("deeply nested CSS: %v", err)
	}
	code := strings.Repeat("locator(", 100_000)
	if _, err := locator.FromCode(code, ""); err == nil || !strings.Contains(err.Error(), "deeper") {
		t.Errorf("deeply nested code: %v", err)
	}
}

func TestChangedPartsPrintAnew(t *testing.T) {
	s := mustParse(t, `#a>>css=b  >> nth=0`)
	s.Parts[1].Body = "c > d"
	if got := s.String(); got != `#a >> c > d >> nth=0` {
		t.Errorf("after a change: %s", got)
	}
	s.Parts = append(s.Parts, locator.Nest(locator.EngineHas, mustParse(t, `"x"`)))
	if got := s.String(); got != `#a >> c > d >> nth=0 >> internal:has="\"x\""` {
		t.Errorf("after an addition: %s", got)
	}
	if again := mustParse(t, s.String()); len(again.Parts) != 4 {
		t.Errorf("reads as %d parts", len(again.Parts))
	}
}

func TestAttributesOfARole(t *testing.T) {
	s := mustParse(t, `internal:role=button[name="it\"s"i][level=2][checked=true][description=/a[/]b/i][pressed]`)
	got, err := s.Parts[0].Attributes()
	if err != nil {
		t.Fatal(err)
	}
	want := locator.Attributes{Name: "button", Conditions: []locator.Attribute{
		{Path: []string{"name"}, Operator: "=", IgnoreCase: true, Value: locator.Value{Kind: locator.StringValue, String: `it"s`}},
		{Path: []string{"level"}, Operator: "=", Value: locator.Value{Kind: locator.StringValue, String: "2"}},
		{Path: []string{"checked"}, Operator: "=", Value: locator.Value{Kind: locator.BoolValue, Bool: true}},
		{Path: []string{"description"}, Operator: "=", Value: locator.Value{
			Kind: locator.RegexpValue, Regexp: locator.Regexp{Source: "a[/]b", Flags: "i"}}},
		{Path: []string{"pressed"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAttributesOfAComponent(t *testing.T) {
	s := mustParse(t, `_react=Book[props.author.id = 12.5][title *= "x"]`)
	got, err := s.Parts[0].Attributes()
	if err != nil {
		t.Fatal(err)
	}
	if c := got.Conditions[0]; c.Name() != "props.author.id" || c.Value.Number != 12.5 {
		t.Errorf("first condition: %+v", c)
	}
	if c := got.Conditions[1]; c.Operator != "*=" || c.Value.String != "x" {
		t.Errorf("second condition: %+v", c)
	}
	if _, err := (locator.Part{Engine: "_react", Body: "A[b=c]"}).Attributes(); err == nil {
		t.Error("a bare word is no value for _react")
	}
}

func TestTextBodies(t *testing.T) {
	re := func(source, flags string) *locator.Regexp { return &locator.Regexp{Source: source, Flags: flags} }
	for selector, want := range map[string]locator.Text{
		`internal:text="a \"b\"\n"i`: {String: "a \"b\"\n"},
		`internal:text="A"s`:         {String: "A", Exact: true},
		`internal:text="A"`:          {String: "A", Exact: true},
		`internal:text=bare`:         {String: "bare"},
		`internal:label=/a\/b/mi`:    {Regexp: re(`a\/b`, "im")},
		`text="a\"b"`:                {String: `a"b`, Exact: true},
		`text='A'`:                   {String: "A", Exact: true},
		`text=a b`:                   {String: "a b"},
		`text=/^x$/i`:                {Regexp: re("^x$", "i")},
	} {
		got, err := mustParse(t, selector).Parts[0].Text()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", selector, err, diff)
		}
	}
	for _, body := range []string{`"\x"i`, `/(/`, `/a/gg`, `/[/`, `/*/`, `/a\/`} {
		if got, err := (locator.Part{Engine: "internal:text", Body: body}).Text(); err == nil && got.Regexp != nil {
			t.Errorf("body %s reads as %v", body, got.Regexp)
		}
	}
}

func TestCSSStructure(t *testing.T) {
	got, err := mustParse(t, `ul.a > li:has-text("x", 'y\41 z'):visible, a:nth-child(2n + 1) ~ :IS(b, > c)`).Parts[0].CSS()
	if err != nil {
		t.Fatal(err)
	}
	scope := locator.Compound{Functions: []locator.Function{{Name: "scope"}}, Combinator: ">"}
	want := locator.CSS{
		{
			{Plain: "ul.a", Combinator: ">"},
			{Plain: "li", Functions: []locator.Function{
				{Name: "has-text", Arguments: []locator.Argument{{String: "x"}, {String: "yAz"}}},
				{Name: "visible"},
			}},
		},
		{
			{Plain: "a:nth-child(2n + 1)", Combinator: "~"},
			{Functions: []locator.Function{{Name: "is", Arguments: []locator.Argument{
				{Selector: locator.Complex{{Plain: "b"}}},
				{Selector: locator.Complex{scope, {Plain: "c"}}},
			}}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFrames(t *testing.T) {
	frames := mustParse(t, `#f >> internal:control=enter-frame >> #g >> nth=1 >> internal:control=enter-frame >> a >> text=b`).Frames()
	var got []string
	for _, f := range frames {
		got = append(got, f.String())
	}
	if diff := cmp.Diff([]string{"#f", "#g >> nth=1", "a >> text=b"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestInnerSelectors(t *testing.T) {
	s := mustParse(t, `#f >> internal:control=enter-frame >> div >> internal:has="#f >> internal:control=enter-frame >> b"`)
	inner, err := s.InnerOf(3)
	if err != nil || inner.String() != "b" {
		t.Errorf("inside the frame: %v, %v", inner, err)
	}
	_, distance, err := mustParse(t, `div >> near="a", 12.5`).Parts[1].Inner()
	if distance != 12.5 || err != nil {
		t.Errorf("distance %v, %v", distance, err)
	}
	if _, _, err := mustParse(t, "div").Parts[0].Inner(); err == nil {
		t.Error("CSS has an inner selector")
	}
}

func TestDescriptions(t *testing.T) {
	const selector = `#a >> internal:describe="Save button"`
	if got := locator.Describe(selector, locator.JavaScript); got != "Save button" {
		t.Errorf("Describe: %s", got)
	}
	if got := locator.Format(selector, locator.JavaScript); got != "locator('#a')" {
		t.Errorf("Format: %s", got)
	}
}

func TestNormalizedIsOneFormForAllSpellings(t *testing.T) {
	for _, same := range [][]string{
		{`#a`, `css=#a`, ` #a `, `id=a`, `css= #a`},
		{`css:light=a ,b`, `:light(a, b)`},
		{`a > b, c`, `a>b,c`, `css=a   >
			b ,c`, `a/*x*/ > b, c`},
		{`data-testid=x`, `[data-testid="x"]`, `[data-testid=x]`, `internal:testid=[data-testid="x"s]`, `css=[data-testid='x']`},
		{`internal:role=button[name="Save it"i][level=2]`, `internal:role=button[ level = "2" ][name="save  IT "i]`},
		{`internal:text="a b"i`, `internal:text=" A  B"i`, `internal:text=a b`},
		{`internal:text=/a"b/i`, `internal:text=/a\"b/i`},
		{`//a`, `xpath=//a`},
		{`a >> nth=0`, `css=a>>nth= 0`, `a >> internal:describe="x" >> nth=0`},
		{`a >> internal:has="css=b"`, `a >> internal:has="b >> internal:describe=\"x\""`},
		{`f >> internal:control=enter-frame >> a >> internal:has="f >> internal:control=enter-frame >> b"`,
			`css=f >> internal:control=enter-frame >> a >> internal:has="b"`},
	} {
		want := mustParse(t, same[0]).Normalized().String()
		for _, s := range same[1:] {
			if got := mustParse(t, s).Normalized().String(); got != want {
				t.Errorf("%q is %q, but %q is %q", s, got, same[0], want)
			}
		}
	}
}

func TestNormalizedKeepsDifferencesThatMatter(t *testing.T) {
	seen := map[string]string{}
	for _, s := range []string{
		`a b`, `ab`, `a > b`, `a, b`, `a >> b`, `*css=a >> b`, `#A`, `#a`, `[a="x y"]`, `[a="x  y"]`, `[data-testid="x" i]`,
		`data-testid=x`, `data-test-id=x`, `internal:text="A"s`, `internal:text="a"s`, `internal:text="a"i`, `text=a`,
		`internal:role=button[name="a"s]`, `internal:role=button[name="A"s]`, `internal:role=button`, `nth=0`, `nth=1`,
		`internal:label="a"i`, `internal:attr=[title="a  b"i]`, `internal:attr=[title="a b"i]`, `:light(a)`,
		`internal:text=/a/`, `internal:text=/A/`, `internal:text=/a/i`, `a:has-text("x")`, `a:has-text("X")`,
	} {
		n := mustParse(t, s).Normalized().String()
		if other, taken := seen[n]; taken {
			t.Errorf("%q and %q are both %q", s, other, n)
		}
		seen[n] = s
	}
}

func ExampleFormat() {
	const selector = `#list >> internal:role=listitem >> internal:has-text="Milk"i >> nth=0`
	fmt.Println(locator.Format(selector, locator.JavaScript))
	fmt.Println(locator.Format(selector, locator.Python))
	// Output:
	// locator('#list').getByRole('listitem').filter({ hasText: 'Milk' }).first()
	// locator("#list").get_by_role("listitem").filter(has_text="Milk").first
}
