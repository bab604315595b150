package comparison_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/verdict"
	"github.com/tracedeck/tracedeck/viewer/internal/chromium"
	"github.com/tracedeck/tracedeck/viewer/report/comparison"
)

const hostile = `<img src=x onerror="document.title='owned'">'"</script><script>document.title='owned'</script>`

func picture(t *testing.T, c color.Color) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 300, 200))
	draw.Draw(m, m.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(40, 40, 120, 70), image.NewUniform(c), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// side is a trace of two steps: one with a picture, one that logs a text.
func side(t *testing.T, name string, c color.Color, text string) diff.Side {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	chunk, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", WallTime: 1.7e12})
	if err != nil {
		t.Fatal(err)
	}
	at := func(ms float64) trace.Time { return trace.Milliseconds(ms) }
	for _, b := range []trace.Body{
		&trace.Before{CallID: "call@1", StartTime: at(1000), Class: "Frame", Method: "click", Title: "Click " + hostile},
		&trace.After{CallID: "call@1", EndTime: at(1100), Attachments: []trace.Attachment{{Name: "cap@e1 " + hostile, ContentType: "image/png", Base64: picture(t, c)}}},
		&trace.Before{CallID: "call@2", StartTime: at(2000), Class: "Frame", Method: "waitForTimeout"},
		&trace.Console{Kind: "error", Text: text, Time: at(2050)},
		&trace.After{CallID: "call@2", EndTime: at(2100)},
	} {
		if err := chunk.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := trace.Open(t.Context(), path, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	tr, err := trace.Load(t.Context(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return diff.Side{Name: name + hostile, Archive: a, Trace: tr}
}

func page(t *testing.T, report *comparison.Report) string {
	t.Helper()
	red, blue := color.RGBA{200, 20, 60, 255}, color.RGBA{20, 60, 200, 255}
	c, err := diff.New(t.Context(), side(t, "a.zip", red, "boom "+hostile), side(t, "b.zip", blue, "crash "+hostile), diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Add(t.Context(), "both", c, r); err != nil {
		t.Fatal(err)
	}
	report.AddProblem("only "+hostile, verdict.Changed, "only in B "+hostile)
	var out bytes.Buffer
	if err := report.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPageHoldsEverythingItself(t *testing.T) {
	text := page(t, &comparison.Report{A: "a" + hostile, B: "b", Program: "devel"})
	if !strings.Contains(text, "default-src &#39;none&#39;") {
		t.Error("no policy")
	}
	for _, src := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(src[1], "data:") && !strings.HasPrefix(src[1], "#") {
			t.Errorf("it loads %q", src[1])
		}
	}
	if n := strings.Count(text, "data:image/png;base64,"); n != 6 { // three pictures, each shown and linked
		t.Errorf("%d pictures", n)
	}
	for _, want := range []string{"2400 pixels differ", `data-mode="slider"`, "boom &lt;img", "first divergence"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestPicturesEndWithTheirBudget(t *testing.T) {
	text := page(t, &comparison.Report{A: "a", B: "b", MaxPictures: 1})
	if n := strings.Count(text, "data:image/png;base64,"); n != 6 || !strings.Contains(text, "more steps were left out") {
		t.Errorf("%d pictures", n)
	}
}

func TestNothingRecordedRunsAndPicturesAreCompared(t *testing.T) {
	text := page(t, &comparison.Report{A: "a" + hostile, B: "b"})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	b := chromium.Launch(t)
	p := b.MustPage(server.URL).MustWaitLoad()
	if title := p.MustInfo().Title; strings.Contains(title, "owned") && !strings.Contains(title, "<script>") {
		t.Errorf("title %q", title)
	}
	p.MustElement(`[data-mode="slider"]`).MustClick()
	if !p.MustHas("article.slider") {
		t.Error("the slider does not come")
	}
	if n := p.MustEval(`() => document.querySelectorAll('script:not([nonce]), img[onerror]').length`).Int(); n != 0 {
		t.Errorf("%d elements of a recorded text", n)
	}
}
