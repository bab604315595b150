package codegen

import (
	"fmt"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// Test writes the scenario as a test for Playwright Test, in TypeScript.
func (s *Scenario) Test() []byte {
	w := &playwright{s: s, o: s.o, test: true}
	return w.write()
}

// Script writes the scenario as a program of its own that does the steps again
// and says whether it met the failure: it exits with 1 where it did, with 0
// where it did not, and with 125 where it did not get there.
func (s *Scenario) Script() []byte {
	o := s.o
	o.Without = allChecks
	w := &playwright{s: s, o: o}
	return w.write()
}

// playwright writes TypeScript.
type playwright struct {
	s       *Scenario
	o       Options
	test    bool
	body    strings.Builder
	indent  string
	answers int // variables for answers
	context bool
	helpers map[string]bool
	group   string
}

func (w *playwright) write() []byte {
	w.helpers = map[string]bool{}
	w.indent = "  "
	if !w.test {
		w.indent = "    "
	}
	for i := range w.s.Steps {
		w.step(i)
	}
	var b strings.Builder
	w.header(&b)
	if w.test {
		w.frameTest(&b)
	} else {
		w.frameScript(&b)
	}
	return []byte(b.String())
}

func (w *playwright) line(format string, args ...any) {
	text := format
	if len(args) > 0 {
		text = fmt.Sprintf(format, args...)
	}
	w.body.WriteString(w.indent + text + "\n")
}

// header says where the file comes from and what it needs.
func (w *playwright) header(b *strings.Builder) {
	s := w.s
	fmt.Fprintf(b, "// %s\n//\n// Made by tracedeck from %s", oneLine(s.Name), oneLine(baseName(s.Source)))
	if !s.Recorded.IsZero() {
		fmt.Fprintf(b, ", recorded %s", s.Recorded.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(b, " by %s.\n", oneLine(s.Producer))
	if f := s.Failure; f != nil {
		fmt.Fprintf(b, "// What went wrong then: %s\n", cut(oneLine(s.values.safe(f.Message)), 200))
		if w.test && w.o.Expect == AsRecorded && f.Kind != "action" {
			b.WriteString("// The test accepts it; tracedeck gen test --expect fixed makes one that fails until it is mended.\n")
		}
	}
	for _, v := range s.Needs {
		fmt.Fprintf(b, "// Needs %s in the environment: %s.\n", v.Name, oneLine(v.What))
	}
	if w.hasUploads() {
		b.WriteString("// The trace does not hold the files that were uploaded: others of their names stand in for them.\n")
	}
	if w.visual() {
		b.WriteString("// The first run writes the pictures: npx playwright test --update-snapshots\n")
	}
	if w.o.Fixtures != NoFixtures {
		w.table(b)
	}
	for _, v := range s.Warnings {
		fmt.Fprintf(b, "// Note: %s\n", oneLine(v.Text))
	}
	b.WriteString("\n")
}

func (w *playwright) visual() bool { return w.test && w.o.Checks(CheckVisual) }

func (w *playwright) hasUploads() bool {
	for _, step := range w.s.Steps {
		if len(step.Files) > 0 || len(step.Picks) > 0 {
			return true
		}
	}
	return false
}

func baseName(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return base(path)
}

// frameTest writes the test around the steps.
func (w *playwright) frameTest(b *strings.Builder) {
	names := []string{"test", "expect"}
	b.WriteString("import { " + strings.Join(append(names, w.types()...), ", ") + " } from '@playwright/test';\n\n")
	w.constants(b)
	fmt.Fprintf(b, "test.use({ %s });\n\n", strings.Join(w.settings(true), ", "))
	w.writeHelpers(b)
	if len(w.s.Needs) > 0 {
		b.WriteString("test.beforeAll(() => {\n")
		w.needs(b, "  ")
		b.WriteString("});\n\n")
	}
	w.seedTest(b)
	fixtures := []string{"page"}
	if w.context || w.o.Checks(CheckErrors) || w.mocks() {
		fixtures = append(fixtures, "context")
	}
	fmt.Fprintf(b, "test(%s, async ({ %s }) => {\n", jsText(w.s.values.text(w.s.Name)), strings.Join(fixtures, ", "))
	if w.mocks() {
		b.WriteString("  await mockApi(context);\n")
	}
	if w.o.Checks(CheckErrors) {
		b.WriteString("  const errors: string[] = [];\n  context.on('weberror', error => errors.push(error.error().message));\n\n")
	}
	b.WriteString(w.body.String())
	w.errorsAtEnd(b)
	b.WriteString("});\n")
}

// errorsAtEnd asserts that the page threw nothing that it did not throw before.
func (w *playwright) errorsAtEnd(b *strings.Builder) {
	if !w.o.Checks(CheckErrors) {
		return
	}
	b.WriteString("\n")
	if len(w.s.Errors) == 0 || w.o.Expect == Fixed {
		b.WriteString("  expect(errors, 'uncaught errors of the page').toEqual([]);\n")
		return
	}
	b.WriteString("  // The page threw these when it was recorded. Take out what is mended.\n  const known = [\n")
	for _, e := range w.s.Errors {
		b.WriteString("    " + jsText(w.s.values.text(e)) + ",\n")
	}
	b.WriteString("  ];\n  expect(errors.filter(error => !known.includes(error)), 'new uncaught errors of the page').toEqual([]);\n")
}

// constants writes what is given from outside.
func (w *playwright) constants(b *strings.Builder) {
	if w.s.BaseURL != "" {
		fmt.Fprintf(b, "const base = process.env.BASE_URL ?? %s;\n", jsString(w.s.BaseURL))
	}
	if w.visual() {
		fmt.Fprintf(b, "const maxDiffPixelRatio = %s;\n", number(w.o.MaxDiffRatio))
	}
	for _, v := range w.s.Needs {
		fmt.Fprintf(b, "const %s = process.env.%s ?? '';\n", v.Name, v.Name)
	}
	b.WriteString("\n")
}

// settings are those of the browser context, as members of an object.
func (w *playwright) settings(test bool) (list []string) {
	c := w.s.Settings
	add := func(ok bool, format string, args ...any) {
		if ok {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(w.s.BaseURL != "", "baseURL: base")
	add(c.Viewport.Width > 0, "viewport: { width: %s, height: %s }", number(c.Viewport.Width), number(c.Viewport.Height))
	add(c.Scale > 0 && c.Scale != 1, "deviceScaleFactor: %s", number(c.Scale))
	add(c.Mobile, "isMobile: true")
	add(c.Touch, "hasTouch: true")
	add(c.Locale != "", "locale: %s", jsString(c.Locale))
	add(c.Timezone != "", "timezoneId: %s", jsString(c.Timezone))
	add(c.ColorScheme == "dark" || c.ColorScheme == "light", "colorScheme: '%s'", c.ColorScheme)
	add(c.Mobile && c.UserAgent != "", "userAgent: %s", jsString(c.UserAgent))
	add(test && w.s.TestID != locator.DefaultTestIDAttribute, "testIdAttribute: %s", jsString(w.s.TestID))
	return list
}

// types are the names of types that helpers need.
func (w *playwright) types() (list []string) {
	if w.helpers["dialogs"] {
		list = append(list, "type Page")
	}
	if w.mocks() {
		list = append(list, "type BrowserContext")
	}
	return list
}

// needs writes the check that the environment has what the program needs.
func (w *playwright) needs(b *strings.Builder, indent string) {
	if len(w.s.Needs) == 0 {
		return
	}
	var names []string
	for _, v := range w.s.Needs {
		names = append(names, jsString(v.Name))
	}
	fmt.Fprintf(b, "%sfor (const name of [%s]) {\n%s  if (!process.env[name])\n%s    throw new Error(`${name} is not set: the recording does not hold it, see the head of this file`);\n%s}\n",
		indent, strings.Join(names, ", "), indent, indent, indent)
}

func (w *playwright) writeHelpers(b *strings.Builder) {
	if w.helpers["dialogs"] {
		b.WriteString(dialogHelper)
	}
	if w.mocks() {
		w.writeMocks(b)
	}
}

const dialogHelper = `// answerDialogs answers the next dialogs of a page one after the other.
function answerDialogs(page: Page, ...answers: { accept: boolean; text?: string }[]) {
  page.on('dialog', async function answer(dialog) {
    const next = answers.shift();
    if (answers.length === 0)
      page.off('dialog', answer);
    await (next?.accept ? dialog.accept(next.text) : dialog.dismiss());
  });
}

`
