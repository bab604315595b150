package regression

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/diff/run"
)

// maxRows is how many pictures a comment on a pull request lists.
const maxRows = 50

// Markdown writes what a run came to for a comment on a pull request. link, if
// not empty, is where the whole report is found.
func Markdown(w io.Writer, s *run.Summary, link string) error {
	var b strings.Builder
	headline, class := Headline(s)
	sign := map[string]string{"pass": "✅", "new": "🆕", "flaky": "⚠️"}[class]
	if sign == "" {
		sign = "❌"
	}
	fmt.Fprintf(&b, "### %s %s\n\n%s, %s", sign, headline, plural(s.Totals.Sessions, "session", "sessions"), plural(s.Totals.Screenshots, "picture", "pictures"))
	if link != "" {
		fmt.Fprintf(&b, " · [report](%s)", strings.NewReplacer(" ", "%20", ")", "%29", "\n", "").Replace(link))
	}
	b.WriteString("\n")
	markdownErrors(&b, s)
	markdownPictures(&b, s)
	if class == "diff" || class == "new" {
		b.WriteString("\nIf this is as it should be: `tracedeck approve`, and commit `.tracedeck/baselines.json`.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownErrors(b *strings.Builder, s *run.Summary) {
	for _, e := range s.Errors {
		fmt.Fprintf(b, "\n- **%s** %s", e.Code, plainText(e.Message))
	}
	for _, session := range s.Sessions {
		for _, e := range session.Errors {
			fmt.Fprintf(b, "\n- **%s** %s: %s", e.Code, plainText(session.ID), plainText(e.Message))
		}
	}
	b.WriteString("\n")
}

func markdownPictures(b *strings.Builder, s *run.Summary) {
	rows, more := 0, 0
	for _, session := range s.Sessions {
		for _, p := range session.Pictures {
			if p.Status == run.Pass {
				continue
			}
			if rows == maxRows {
				more++
				continue
			}
			if rows++; rows == 1 {
				b.WriteString("\n| session | picture | status | what |\n| --- | --- | --- | --- |\n")
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", plainText(session.ID), plainText(p.Key), p.Status, plainText(Explain(&p)))
		}
	}
	if more > 0 {
		fmt.Fprintf(b, "\nand %d more\n", more)
	}
}

// plainText keeps a recorded text from being read as Markdown or HTML.
func plainText(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", "|", "\\|", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "\\", "\\\\", "@", "&#64;", "#", "\\#").Replace(s)
}

// Explain says in one line what is with a picture: what was counted beside
// what is allowed, what moved, and why it could not be compared.
func Explain(p *run.Picture) string {
	var parts []string
	for _, e := range p.Errors {
		parts = append(parts, e.Message)
	}
	if r := p.Result; r != nil && len(p.Errors) == 0 {
		parts = append(parts, fmt.Sprintf("%s: %d of %d pixels differ (%.4g %%), %d allowed", r.Class, r.DiffPixels, r.TotalPixels, r.Ratio*100, r.Limit))
		if moved := r.Moved(); moved != "" {
			parts = append(parts, moved)
		}
	}
	if p.Status == run.Missing {
		parts = append(parts, "approved, but not taken in this run")
	}
	for _, w := range p.Warnings {
		parts = append(parts, w.Message)
	}
	return strings.Join(parts, "; ")
}
