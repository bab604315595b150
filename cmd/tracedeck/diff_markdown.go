package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// mostInComment is how many changes a section of a comment lists.
const mostInComment = 20

var outcomeMarks = map[verdict.Outcome]string{verdict.Same: "✅", verdict.Improved: "🟢", verdict.Regressed: "🔴", verdict.Mixed: "🟠",
	verdict.Changed: "🟡", verdict.Inconclusive: "⚪"}

// markdownDiff writes how two traces differ as a comment for a pull request.
func markdownDiff(to io.Writer, r *diff.Result) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "## %s %s: %s → %s\n\n%s\n\n", outcomeMarks[r.Verdict], r.Verdict, codeSpan(r.A), codeSpan(r.B), r.Steps.String())
	if n := r.FirstDivergence; n >= 0 {
		fmt.Fprintf(w, "First divergence: `%s` %s\n\n", r.Pairs[n].Kind.Sign(), codeSpan(r.Pairs[n].Step().Title))
	}
	fmt.Fprintln(w, "| section | verdict | changes |\n| --- | --- | --- |")
	for _, s := range r.Sections {
		note := ""
		if n := len(s.Changes) + s.More; n > 0 {
			note = fmt.Sprint(n)
		} else if s.Note != "" {
			note = cellText(s.Note)
		}
		fmt.Fprintf(w, "| %s | %s %s | %s |\n", s.Name, outcomeMarks[s.Verdict], s.Verdict, note)
	}
	for _, s := range r.Sections {
		markdownSection(w, r, s)
	}
	if len(r.Hidden) > 0 {
		var list []string
		for _, h := range r.Hidden {
			list = append(list, fmt.Sprintf("%s (%d)", h.Rule, h.Count))
		}
		fmt.Fprintf(w, "\n<sub>Hidden by rules: %s</sub>\n", strings.Join(list, ", "))
	}
	return w.Flush()
}

func markdownSection(w io.Writer, r *diff.Result, s diff.Section) {
	if len(s.Changes) == 0 {
		return
	}
	fmt.Fprintf(w, "\n<details%s><summary>%s: %s</summary>\n\n", openWhen(s.Verdict == verdict.Regressed || s.Verdict == verdict.Mixed), s.Name, s.Verdict)
	last := -2
	for i, c := range s.Changes {
		if i == mostInComment {
			fmt.Fprintf(w, "- … and %d more\n", len(s.Changes)-i+s.More)
			break
		}
		step := -1
		if c.Pair != nil {
			step = *c.Pair
		}
		if step != last && step >= 0 {
			fmt.Fprintf(w, "- `%s` %s\n", r.Pairs[step].Kind.Sign(), codeSpan(r.Pairs[step].Step().Title))
		}
		last = step
		indent := ""
		if step >= 0 {
			indent = "  "
		}
		if s.Name == diff.Steps && c.What == "step" {
			continue
		}
		fmt.Fprintf(w, "%s- %s %s\n", indent, outcomeMarks[c.Effect], codeSpan(c.String()))
	}
	fmt.Fprintln(w, "\n</details>")
}

func openWhen(open bool) string {
	if open {
		return " open"
	}
	return ""
}

// codeSpan makes recorded text safe inside Markdown: it is code, and stays on
// its line.
func codeSpan(text string) string {
	text = printable(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence != "`" || strings.HasPrefix(text, "`") {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}

func cellText(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "\n", " ").Replace(printable(text))
}
