// Package comparison shows how two traces differ as a page that needs no
// server: one file, nothing from elsewhere, and nothing recorded runs in it.
package comparison

import (
	"embed"
	"html/template"
	"io"
	"strconv"
	"sync"

	"github.com/tracedeck/tracedeck/trace/verdict"
	"github.com/tracedeck/tracedeck/viewer/report/regression"
)

//go:embed page.html
var pageFile embed.FS

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(template.FuncMap{"plural": plural}).ParseFS(pageFile, "page.html"))
})

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Report is a page that is being made. Traces are added while they are open;
// the page is written at the end.
type Report struct {
	// A and B are what the page calls the two sides: traces, or folders of traces.
	A, B string
	// Program is the version of tracedeck.
	Program string
	// MaxPictures is how many bytes of pictures the page holds at most; 0 means 48 MiB.
	MaxPictures int64
	// MaxCards is how many steps are shown in full at most; 0 means 500.
	MaxCards int

	parts   []*part
	bytes   int64 // of pictures, so far
	cards   int
	leftOut int
}

// page is what the template shows.
type page struct {
	*Report
	Verdict       verdict.Outcome
	Parts         []*part
	Many          bool
	LeftOut       int
	Nonce, Policy string
	Script        template.JS
	Style         template.CSS
}

// Write writes the page.
func (r *Report) Write(w io.Writer) error {
	script, style, err := regression.Assets()
	if err != nil {
		return err
	}
	nonce := regression.Nonce()
	p := page{Report: r, Parts: r.parts, Many: len(r.parts) > 1, LeftOut: r.leftOut, Nonce: nonce, Policy: regression.Policy(nonce, "'none'"),
		Script: template.JS(script), Style: template.CSS(style)}
	outcomes := make([]verdict.Outcome, len(r.parts))
	for i, part := range r.parts {
		outcomes[i] = part.Verdict
	}
	p.Verdict = verdict.Combine(outcomes...)
	return pageTemplate().ExecuteTemplate(w, "page.html", p)
}
