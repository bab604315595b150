package codegen

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func report(t testing.TB, path string, o ReportOptions) *Report {
	t.Helper()
	r, err := mustRead(t, path, DefaultOptions()).Report(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReportNamesItsPictures(t *testing.T) {
	path := filepath.Join("..", "..", "testdata", "corpus", "playwright", "runner-failing-assertion.zip")
	r := report(t, path, ReportOptions{})
	if len(r.Pictures) == 0 {
		t.Fatal("no pictures")
	}
	text := string(r.Markdown)
	for _, p := range r.Pictures {
		if strings.Count(text, "("+p.Name+")") != 1 {
			t.Errorf("%s is not in the text once", p.Name)
		}
		if _, _, err := image.DecodeConfig(bytes.NewReader(p.Data)); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if n := strings.Count(text, "!["); n != len(r.Pictures) {
		t.Errorf("%d pictures in the text, %d beside it", n, len(r.Pictures))
	}
	for _, want := range []string{"# Bug report: ", "## Steps to reproduce", "Click `locator('#inc')`", "## Expected behaviour", "`99`", "## Actual behaviour", "Received: \"1\"", "## Environment", "800 × 600", "```ts"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestReportTellsOfStepsThatFailedOnTheWay(t *testing.T) {
	r := report(t, filepath.Join("..", "..", "testdata", "corpus", "playwright", "fail.zip"), ReportOptions{})
	for _, want := range []string{"2. Click `locator('#hidden')` — failed, and the session went on: Timeout 400ms exceeded.\n",
		"10. Wait for `locator('#never')` — **Timeout 300ms exceeded.**\n\n    ![Step 10](", "6. Click", "\n   ![Step 6]("} {
		if !strings.Contains(string(r.Markdown), want) {
			t.Errorf("%q is missing in %s", want, r.Markdown)
		}
	}
}

func TestInlineReportHoldsFewSmallPictures(t *testing.T) {
	path := filepath.Join("..", "..", "testdata", "corpus", "playwright", "runner-failing-assertion.zip")
	r := report(t, path, ReportOptions{Inline: true})
	n := strings.Count(string(r.Markdown), "data:image/")
	if n == 0 || n > mostInline || len(r.Pictures) != 0 {
		t.Errorf("%d pictures in the text, %d beside it", n, len(r.Pictures))
	}
	if none := report(t, path, ReportOptions{Inline: true, NoPictures: true}); bytes.Contains(none.Markdown, []byte("data:image/")) {
		t.Error("pictures that were not wanted")
	}
}

func TestReportTextIsNotMarkup(t *testing.T) {
	s, err := read(t, zipOf(t, hostile("<img src=x onerror=alert(1)> [a](javascript:b) ![c](http://evil.example) ``` @you")), DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Report(context.Background(), ReportOptions{NoScript: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(r.Markdown), "\n") {
		bare := withoutCode(line)
		for _, bad := range []string{"<img", "](", " @you"} {
			if strings.Contains(strings.ReplaceAll(bare, `\](`, ""), bad) {
				t.Errorf("%q stands in %q", bad, line)
			}
		}
	}
}

// withoutCode drops what stands between equally long rows of backticks.
func withoutCode(line string) string {
	var out strings.Builder
	for line != "" {
		i := strings.IndexByte(line, '`')
		if i < 0 {
			break
		}
		if i > 0 && line[i-1] == '\\' {
			out.WriteString(line[:i+1])
			line = line[i+1:]
			continue
		}
		n := 1
		for i+n < len(line) && line[i+n] == '`' {
			n++
		}
		out.WriteString(line[:i])
		rest := line[i+n:]
		end := strings.Index(rest, strings.Repeat("`", n))
		if end < 0 {
			line = rest
			continue
		}
		line = rest[end+n:]
	}
	return out.String() + line
}

func TestLargePicturesAreMadeSmaller(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 2560, 1440))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i >> 3)
	}
	m.Set(1, 1, color.White)
	p, err := shrink(m, widest)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(p.Data))
	if err != nil || c.Width != widest || c.Height != 720 || len(p.Data) > largest {
		t.Errorf("%d × %d, %d bytes, %v", c.Width, c.Height, len(p.Data), err)
	}
}

func TestReportsOfRealTracesHoldNoPassword(t *testing.T) {
	for _, path := range tracetest.Corpus(t, "vibium/*groups.zip") {
		if r := report(t, path, ReportOptions{NoPictures: true}); strings.Contains(string(r.Markdown), "hunter2") {
			t.Errorf("%s: the password stands in the report", path)
		}
	}
}

func TestPicturesOfNothingAreKnown(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 400, 300))
	encoded := func() ([]byte, image.Config) {
		var b bytes.Buffer
		if err := jpeg.Encode(&b, m, nil); err != nil {
			t.Fatal(err)
		}
		c, _, err := image.DecodeConfig(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		return b.Bytes(), c
	}
	if !blank(encoded()) {
		t.Error("a picture of one colour is something")
	}
	for i := range 40 {
		m.Pix[20000+i] = 255
	}
	if blank(encoded()) {
		t.Error("a picture with a line on it is nothing")
	}
}
