package codegen

import (
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace/locator"
)

// frameScript writes a program around the steps that says whether it met the
// failure.
func (w *playwright) frameScript(b *strings.Builder) {
	engine := w.s.Settings.Browser
	if engine != "firefox" && engine != "webkit" {
		engine = "chromium"
	}
	names := []string{engine, "expect"}
	if w.s.TestID != locator.DefaultTestIDAttribute {
		names = append(names, "selectors")
	}
	fmt.Fprintf(b, "// Run it with: npx tsx FILE (or node FILE, from version 22.18 on); npm i @playwright/test first.\n// It exits with 1 if the failure shows, 0 if it does not, 125 if it did not get there: git bisect run understands that.\n")
	b.WriteString("import { " + strings.Join(append(names, w.types()...), ", ") + " } from '@playwright/test';\n\n")
	w.constants(b)
	w.writeHelpers(b)
	b.WriteString("async function main(): Promise<number> {\n")
	w.needs(b, "  ")
	fmt.Fprintf(b, "  const browser = await %s.launch({ headless: !process.env.HEADED, executablePath: process.env.BROWSER_PATH || undefined });\n", engine)
	if w.s.TestID != locator.DefaultTestIDAttribute {
		fmt.Fprintf(b, "  selectors.setTestIdAttribute(%s);\n", jsString(w.s.TestID))
	}
	settings := ""
	if list := w.settings(false); len(list) > 0 {
		settings = "{ " + strings.Join(list, ", ") + " }"
	}
	fmt.Fprintf(b, "  const context = await browser.newContext(%s);\n  const page = await context.newPage();\n", settings)
	if w.mocks() {
		b.WriteString("  await mockApi(context);\n")
	}
	w.watch(b)
	b.WriteString("  let at = 0;\n  try {\n" + w.body.String() + "  } catch (error) {\n")
	w.thrown(b)
	b.WriteString("  } finally {\n")
	b.WriteString("    await browser.close();\n  }\n")
	b.WriteString("  console.log('not reproduced: all steps went through');\n  return 0;\n}\n\n")
	b.WriteString("main().then(code => { process.exitCode = code; }, error => {\n  console.error(error);\n  process.exitCode = 125;\n});\n")
}

// watch looks out for the failure while the steps are taken, and waits for it
// behind the last.
func (w *playwright) watch(b *strings.Builder) {
	f := w.s.Failure
	if f == nil || f.Kind == "action" || f.Kind == "test" {
		return
	}
	b.WriteString("  let seen = '';\n  const plain = (text: string) => text.replace(/\\s+/g, ' ').replace(/\\d+/g, '0').trim();\n")
	switch f.Kind {
	case "page error":
		fmt.Fprintf(b, "  context.on('weberror', error => {\n    const text = error.error().message;\n    if (plain(%s).includes(plain(text)))\n      seen = text;\n  });\n", jsText(w.s.values.text(f.Message)))
	case "console":
		fmt.Fprintf(b, "  context.on('console', message => {\n    if (message.type() === 'error' && plain(message.text()) === plain(%s))\n      seen = message.text();\n  });\n", jsText(w.s.values.text(f.Message)))
	case "answer":
		q := w.failedAnswer()
		fmt.Fprintf(b, "  context.on('response', r => {\n    if (r.status() >= 500 && %s)\n      seen = `${r.request().method()} ${r.url()} was answered ${r.status()}`;\n  });\n", w.matches(q))
	}
	w.line("await expect.poll(() => seen, { timeout: 5000 }).not.toBe('').catch(() => {});")
	w.line("if (seen) {")
	w.line("  console.log(`reproduced: ${seen}`);")
	w.line("  return 1;")
	w.line("}")
}

func (w *playwright) failedAnswer() *Request {
	for _, r := range w.s.Requests {
		if r.Status >= 500 {
			return r
		}
	}
	return &Request{Method: "GET", URL: w.s.BaseURL}
}

// thrown says what it means that a step failed.
func (w *playwright) thrown(b *strings.Builder) {
	if f := w.s.Failure; f != nil && f.Kind == "action" {
		fmt.Fprintf(b, "    if (at === %d) {\n      console.log(`reproduced: step ${at} failed as it did when it was recorded:\\n${error}`);\n      return 1;\n    }\n", f.Step+1)
	} else if f != nil && f.Kind != "test" {
		b.WriteString("    if (seen) {\n      console.log(`reproduced: ${seen}`);\n      return 1;\n    }\n")
	}
	b.WriteString("    console.log(`step ${at} did not go through:\\n${error}`);\n    return 125;\n")
}
