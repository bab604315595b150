package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/failures"
)

// Text writes the run for people. paint puts a text into a colour, named by
// its SGR number; nil leaves texts as they are.
func Text(w io.Writer, r *Run, paint func(color, text string) string) error {
	if paint == nil {
		paint = func(_, text string) string { return text }
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, r.Headline())
	for i := range r.Sessions {
		s := &r.Sessions[i]
		if len(s.Failures) == 0 && s.Status != Failed {
			continue
		}
		fmt.Fprintf(b, "\n%s\n", paint("1", s.name()+flaky(s)))
		if s.Trace != "" {
			fmt.Fprintln(b, "  "+paint("2", s.Trace))
		}
		for k := range s.Failures {
			textFailure(b, &s.Failures[k], paint)
		}
	}
	return b.Flush()
}

func flaky(s *Session) string {
	if s.Flaky {
		return " — flaky: a later attempt passed"
	}
	return ""
}

func textFailure(b *bufio.Writer, f *failures.Failure, paint func(color, text string) string) {
	head := map[trace.FailureKind]string{trace.FailedAction: f.Title, trace.FailedTest: "the test", trace.FailedPage: "uncaught in the page"}[f.Kind]
	fmt.Fprintf(b, "  %s%s\n", paint("31", "✗ "+head), paint("2", at(f.Time)))
	fmt.Fprintln(b, "    "+message(f))
	for line := range strings.Lines(f.Detail) {
		fmt.Fprintln(b, "    "+strings.TrimRight(line, "\n "))
	}
	if f.Source != "" {
		fmt.Fprintln(b, "    at "+paint("2", f.Source))
	}
	if f.Waited != "" {
		fmt.Fprintln(b, "    waited: "+f.Waited)
	}
	for _, h := range f.Hints {
		fmt.Fprintf(b, "    %s %s\n", paint("33", "hint "+h.Rule+":"), h.Text)
	}
	for _, r := range f.Requests {
		fmt.Fprintf(b, "    %8.2f s  %s %s → %s\n", r.After/1000, r.Method, failures.ShortURL(r.URL), r.Outcome())
	}
	for _, m := range f.Console {
		fmt.Fprintf(b, "    %8.2f s  console: %s\n", m.After/1000, m.Text)
	}
}

// Markdown writes the run for the summary of a CI job or a comment.
func Markdown(w io.Writer, r *Run) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "### %s\n", escape(r.Headline()))
	for i := range r.Sessions {
		s := &r.Sessions[i]
		if len(s.Failures) == 0 && s.Status != Failed {
			continue
		}
		fmt.Fprintf(b, "\n<details><summary><b>%s</b>%s</summary>\n\n", html(s.name()), html(flaky(s)))
		for k := range s.Failures {
			markdownFailure(b, &s.Failures[k])
		}
		if s.Trace != "" {
			fmt.Fprintf(b, "Trace: %s\n\n", code(s.Trace))
		}
		fmt.Fprint(b, "</details>\n")
	}
	return b.Flush()
}

func markdownFailure(b *bufio.Writer, f *failures.Failure) {
	if f.Title != "" {
		fmt.Fprintf(b, "**%s**%s\n\n", escape(f.Title), at(f.Time))
	}
	text := message(f)
	if f.Detail != "" {
		text += "\n\n" + f.Detail
	}
	fmt.Fprintf(b, "%s\n\n", fence(text))
	if f.Source != "" {
		fmt.Fprintf(b, "At %s\n\n", code(f.Source))
	}
	if f.Waited != "" {
		fmt.Fprintf(b, "Waited: %s\n\n", escape(f.Waited))
	}
	for _, h := range f.Hints {
		fmt.Fprintf(b, "- **%s**: %s\n", h.Rule, escape(h.Text))
	}
	markdownTimeline(b, f)
	fmt.Fprintln(b)
}

func markdownTimeline(b *bufio.Writer, f *failures.Failure) {
	if len(f.Timeline) == 0 {
		return
	}
	fmt.Fprint(b, "\n| seconds | what | |\n| ---: | --- | --- |\n")
	for _, m := range f.Timeline {
		text := escape(m.Text)
		if m.Bad {
			text = "**" + text + "**"
		}
		fmt.Fprintf(b, "| %.2f | %s | %s |\n", m.After/1000, m.What, text)
	}
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "|", `\|`, "#", `\#`, "@", "@\u200b", "\n", " ")

// escape keeps recorded text from being markup, or from calling people.
func escape(s string) string { return markdownEscapes.Replace(s) }

var htmlEscapes = strings.NewReplacer("@", "&#64;", "&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", " ")

func html(s string) string { return htmlEscapes.Replace(s) }

// code puts a text into backticks, more of them than it holds in a row.
func code(s string) string {
	ticks := strings.Repeat("`", longestTicks(s)+1)
	return ticks + " " + oneLine(s) + " " + ticks
}

func fence(s string) string {
	ticks := strings.Repeat("`", max(3, longestTicks(s)+1))
	return ticks + "text\n" + s + "\n" + ticks
}

func longestTicks(s string) (most int) {
	n := 0
	for _, r := range s {
		if r == '`' {
			n++
			most = max(most, n)
		} else {
			n = 0
		}
	}
	return most
}
