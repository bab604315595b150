package locator_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// made is what the locators of Playwright 1.65.1 themselves write for a piece of code.
type made struct{ Code, Selector string }

func madeByPlaywright(t *testing.T) []made {
	t.Helper()
	data, err := os.ReadFile("testdata/locators.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []made
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) < 30 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	return cases
}

func TestFromCodeMakesWhatPlaywrightMakes(t *testing.T) {
	for _, c := range madeByPlaywright(t) {
		got, err := locator.FromCode(c.Code, "")
		if err != nil || got.String() != c.Selector {
			t.Errorf("FromCode(%s)\n got %s, %v\nwant %s", c.Code, got, err, c.Selector)
		}
	}
}

func TestFromCodeReadsBackWhatCodeWrites(t *testing.T) {
	for _, c := range madeByPlaywright(t) {
		want, _, _ := strings.Cut(c.Selector, " >> internal:describe=") // code does not show it
		for _, lang := range []locator.Language{locator.JavaScript, locator.Python, locator.Java, locator.CSharp} {
			code := locator.Format(c.Selector, lang)
			if lang != locator.JavaScript {
				want = strings.ReplaceAll(want, `/gi`, `/i`) // others have no such flag
			}
			got, err := locator.FromCode("page."+code, "")
			if err != nil || got.String() != want {
				t.Errorf("%s in %s:\n got %s, %v\nwant %s", code, lang, got, err, want)
			}
		}
	}
}

func TestFromCodeReadsWhatPeoplePaste(t *testing.T) {
	for code, want := range map[string]string{
		`await page.getByText('Go').click();`:                                `internal:text="Go"i`,
		`await expect(page.locator('#a').first()).toBeVisible()`:             `#a >> nth=0`,
		`const row = this.page.getByRole("row", { name: /x/ });`:             `internal:role=row[name=/x/]`,
		`page.click('text=Go')`:                                              `text=Go`,
		`page.get_by_label("Name", exact=True).fill("Ada")`:                  `internal:label="Name"s`,
		`expect(page.get_by_text(re.compile(r"a\d", re.I))).to_be_visible()`: `internal:text=/a\d/i`,
		`assertThat(page.getByTestId("x")).isVisible();`:                     `internal:testid=[data-testid="x"s]`,
		`page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("x", Pattern.CASE_INSENSITIVE)))`: `internal:role=button[name=/x/i]`,
		`await Expect(Page.GetByRole(AriaRole.Link, new() { Name = "A", Exact = true })).ToBeVisibleAsync();`:                  `internal:role=link[name="A"s]`,
		`page.Locator("a").Filter(new() { HasTextRegex = new Regex(@"a""b") })`:                                                `a >> internal:has-text=/a\"b/`,
		`page.locator('a') // the link`:                                           `a`,
		"page\n  .locator('ul')\n  .filter({\n    hasText: 'x',\n  })\n  .last()": `ul >> internal:has-text="x"i >> nth=-1`,
		`#plain > selector`: `#plain > selector`,
		`text=plain`:        `text=plain`,
	} {
		got, err := locator.FromCode(code, "")
		if err != nil || got.String() != want {
			t.Errorf("FromCode(%s)\n got %s, %v\nwant %s", code, got, err, want)
		}
	}
	s, err := locator.FromCode(`getByTestId('x')`, "data-qa")
	if err != nil || s.String() != `internal:testid=[data-qa="x"s]` {
		t.Errorf("with another attribute: %s, %v", s, err)
	}
}

func TestFromCodeRefusesWhatIsNoLocator(t *testing.T) {
	for _, code := range []string{
		``, `page.goto('x')`, `page.getByText(name)`, "page.getByText(`a ${b}`)", `page.getByText('x`,
		`page.locator('a')) `, `page.locator('div[[')`, `page.locator('a').filter({})`, `page.getByRole('a', { name: n })`,
		`page.getByText(/(/)`, `page.getByText(/a/q)`, `page.getByRole('a', { sort: 1 })`, `locator('a').and('b')`,
	} {
		if s, err := locator.FromCode(code, ""); err == nil {
			t.Errorf("FromCode(%s) = %s", code, s)
		}
	}
}

func ExampleFromCode() {
	s, err := locator.FromCode(`await page.getByRole('button', { name: 'Save' }).click()`, "")
	fmt.Println(s, err)
	// Output: internal:role=button[name="Save"i] <nil>
}
