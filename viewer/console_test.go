package viewer_test

import "testing"

// A message with %c has the style it asks for, as in the browser's own tools,
// and none that would load or hide anything.
func TestConsoleShowsStyles(t *testing.T) {
	s := open(t, serve(t, corpusTrace("playwright/console.zip")).url)
	s.click("#tab-console")
	s.wait(`(() => { const e = all(".crow span span").find((e) => e.textContent.startsWith("styled")); return e ? e.textContent + " " + getComputedStyle(e).color : ""; })()`, "styled rgb(255, 0, 0)")
	s.wait(`all(".crow").some((e) => e.textContent.includes("%c"))`, "false")
	lines := []any{}
	for _, css := range []string{"background:url(https://elsewhere.example/x);position:fixed;color:green", "font-weight:700;display:none"} {
		lines = append(lines, object{"type": "console", "messageType": "log", "text": "%cmarked " + css, "time": 5, "pageId": "page@1",
			"args":     []any{object{"preview": "%cmarked", "value": "%cmarked"}, object{"preview": css, "value": css}},
			"location": object{"url": "http://127.0.0.1/", "lineNumber": 1, "columnNumber": 1}})
	}
	s = open(t, serve(t, zipOf(t, append(opening(), lines...), nil, nil)).url)
	s.wait(`$("footer")?.textContent.includes("read in")`, "true")
	s.click("#tab-console")
	s.wait(`all(".crow span span").filter((e) => e.textContent === "marked").map((e) => e.getAttribute("style")).join("|")`, "color: green;|font-weight: 700;")
}
