package codegen

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// ReportOptions say how a bug report is written.
type ReportOptions struct {
	// Inline puts a few small pictures into the text itself, for programs.
	// Otherwise pictures are files of their own.
	Inline     bool
	NoPictures bool
	NoScript   bool
}

// Report is a bug report in Markdown.
type Report struct {
	Markdown []byte
	Pictures []Picture // files that the text names
}

const mostErrors = 20 // of a kind that a report lists

// Report writes what the session did and what went wrong, for a person who
// was not there.
func (s *Scenario) Report(ctx context.Context, o ReportOptions) (*Report, error) {
	w := &reportWriter{s: s, o: o}
	w.last = len(s.Steps) - 1
	if s.Failure != nil {
		w.last = min(s.Failure.Step, w.last)
	}
	if !o.NoPictures {
		w.choosePictures(ctx)
	}
	w.head()
	w.steps()
	w.behaviour()
	w.errors()
	w.environment()
	w.script()
	r := &Report{Markdown: []byte(w.b.String())}
	if !o.Inline {
		r.Pictures = w.pictures
	}
	return r, ctx.Err()
}

type reportWriter struct {
	s        *Scenario
	o        ReportOptions
	b        strings.Builder
	last     int // index of the last step that is told
	pictures []Picture
	ofStep   map[int]*Picture
	unshown  []string
}

func (w *reportWriter) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// text is a recorded text as Markdown shows it: on one line, nothing of it
// markup, nothing secret.
func (w *reportWriter) text(s string) string { return markdown(cut(oneLine(w.s.values.safe(s)), 300)) }

// markdown writes a text so that all of it is shown as it is.
func markdown(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune("\\`*_{}[]#|~!", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '@': // nobody is called by a text of a trace
			b.WriteString("@\u200b")
		default:
			b.WriteRune(r)
		}
	}
	return strings.NewReplacer("://", ":\u200b//", "www.", "www\u200b.").Replace(b.String())
}

// code is a text in the type of code.
func (w *reportWriter) code(s string) string {
	s = cut(oneLine(w.s.values.safe(s)), 300)
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	if s == "" {
		return ""
	}
	return fence + s + fence
}

// longestRun is how often a character follows itself at most.
func longestRun(s string, c rune) (longest int) {
	n := 0
	for _, r := range s {
		if r != c {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

func (w *reportWriter) head() {
	s := w.s
	title := "what was done in " + s.Name
	if s.Failure != nil {
		title = w.headline()
	}
	w.printf("# Bug report: %s\n\n", w.text(title))
	if address := w.address(w.last); address != "" {
		w.printf("- **Address**: %s\n", w.code(address))
	}
	if !s.Recorded.IsZero() {
		w.printf("- **Observed**: %s\n", s.Recorded.UTC().Format(time.RFC3339))
	}
	w.printf("- **Severity**: %s\n- **Session**: %s, recorded by %s\n\n", severity(s.Failure), w.text(s.Name), w.text(s.Producer))
}

func severity(f *Failure) string {
	if f == nil {
		return "nothing went wrong that the recording tells of"
	}
	switch f.Kind {
	case "page error":
		return "error (uncaught in the page)"
	case "answer":
		return "error (the server's)"
	case "console":
		return "warning (the page reported an error itself)"
	}
	return "error (a step failed)"
}

// address is the address that the page had at a step.
func (w *reportWriter) address(i int) string {
	for ; i >= 0; i-- {
		step := w.s.Steps[i]
		switch {
		case step.URL != "":
			return step.URL
		case step.after != nil && origin(step.after.FrameURL) != "":
			return step.after.FrameURL
		case step.Verb == Goto:
			if strings.HasPrefix(step.Text, "/") {
				return w.s.recorded + step.Text
			}
			return step.Text
		}
	}
	return ""
}

func (w *reportWriter) steps() {
	w.printf("## Steps to reproduce\n\n")
	n := 0
	for i := 0; i <= w.last; i++ {
		step := w.s.Steps[i]
		if step.Verb == NotCarried {
			continue
		}
		n++
		w.printf("%d. %s", n, w.step(step))
		switch f := w.s.Failure; {
		case f != nil && f.Step == i:
			w.printf(" — **%s**", w.text(w.headline()))
		case step.Caught && step.Error != "":
			w.printf(" — failed, and the session went on: %s", markdown(cut(oneLine(w.s.values.safe(step.Error)), 120)))
		}
		w.printf("\n")
		if p := w.ofStep[i]; p != nil {
			// as far in as the text behind the number, or it is no part of the list
			indent := strings.Repeat(" ", len(strconv.Itoa(n))+2)
			w.printf("\n%s![Step %d](%s)\n\n", indent, n, w.source(p))
		}
	}
	if left := len(w.s.Steps) - 1 - w.last; left > 0 {
		w.printf("\n%d more steps followed.\n", left)
	}
	for _, line := range w.unshown {
		w.printf("\n%s\n", line)
	}
	w.printf("\n")
}

func (w *reportWriter) source(p *Picture) string {
	if w.o.Inline {
		return "data:" + p.Type + ";base64," + base64.StdEncoding.EncodeToString(p.Data)
	}
	return p.Name
}

// step is a step in words.
func (w *reportWriter) step(step *Step) string {
	v := w.s.values
	where := ""
	if step.Target.Some() {
		where = " " + w.code(locatorCode(v.safe(step.Target.Selector), w.s.TestID))
	}
	quote := func(s string) string {
		for _, p := range v.text(s) {
			if p.Env != "" {
				return "the value of " + p.Env
			}
		}
		return w.code(s)
	}
	if step.Page != "page" {
		where += " in the other window"
	}
	switch step.Verb {
	case Goto:
		return "Open " + w.code(w.s.relative(step.Text))
	case Fill, TypeText:
		return "Type " + quote(step.Text) + " into" + where
	case Press, KeyPress:
		return "Press " + w.code(step.Text) + map[bool]string{true: " in" + where}[where != ""]
	case KeyType, InsertText:
		return "Type " + quote(step.Text)
	case Choose:
		var items []string
		for _, item := range step.Items {
			items = append(items, w.code(item.Text))
		}
		return "Choose " + strings.Join(items, ", ") + " in" + where
	case SetFiles:
		var names []string
		for _, f := range step.Files {
			names = append(names, w.code(f.Name))
		}
		return "Give the files " + strings.Join(names, ", ") + " to" + where
	case Drag:
		return "Drag" + where + " to " + w.code(locatorCode(v.safe(step.To.Selector), w.s.TestID))
	case Expect:
		return "Check: " + w.text(step.Title)
	}
	if words, ok := verbWords[step.Verb]; ok {
		return words + where
	}
	return w.text(step.Title)
}

var verbWords = map[Verb]string{Click: "Click", DoubleClick: "Double-click", Tap: "Tap", Hover: "Point at", CheckBox: "Check", UncheckBox: "Uncheck", Clear: "Empty", Focus: "Go to", Reload: "Reload the page",
	Back: "Go back", Forward: "Go forward", NewPage: "Open another window", ClosePage: "Close the window", WaitFor: "Wait for", Scroll: "Scroll", ScrollTo: "Scroll to"}

// behaviour says what should have been, and what was.
func (w *reportWriter) behaviour() {
	f := w.s.Failure
	if f == nil {
		w.printf("## Expected and actual behaviour\n\nThe recording shows no failure: say what is wrong with it.\n\n")
		return
	}
	step := w.s.Steps[w.last]
	expected := "The step goes through: " + w.step(step) + "."
	switch {
	case f.Kind == "page error" || f.Kind == "console":
		expected = "No error after this step: " + w.step(step) + "."
	case f.Kind == "answer":
		expected = "The server answers without an error."
	case step.Verb == Expect && step.Assert != nil && step.Action != nil:
		expected = w.text(step.Title) + w.expected(step) + "."
	}
	w.printf("## Expected behaviour\n\n%s\n\n## Actual behaviour\n\n%s\n\n", expected, w.actual())
	if f.Where != "" {
		w.printf("In %s.\n\n", w.code(f.Where))
	}
}

func (w *reportWriter) expected(step *Step) string {
	var args []string
	for _, a := range step.Assert.Args {
		switch {
		case a.JSON != "":
			args = append(args, w.code(a.JSON))
		case a.Regexp != "":
			args = append(args, w.code("/"+a.Regexp+"/"+a.Flags))
		default:
			args = append(args, w.code(a.Text))
		}
	}
	if len(args) == 0 {
		return ""
	}
	return ": " + strings.Join(args, ", ")
}

// errors lists what else went wrong.
func (w *reportWriter) errors() {
	var lines []string
	for _, f := range w.s.trace.Errors {
		if f.Kind == trace.FailedPage {
			lines = append(lines, fmt.Sprintf("- %s uncaught in the page: %s", at(f.Time), w.code(orDefault(f.Name, "Error")+": "+f.Message)))
		}
	}
	lines = some(lines, mostErrors)
	var console []string
	for _, m := range w.s.trace.Console {
		if m.Kind == "error" {
			console = append(console, fmt.Sprintf("- %s console: %s", at(m.Time), w.code(m.Text)))
		}
	}
	lines = append(lines, some(console, mostErrors)...)
	var answers []string
	for _, q := range w.s.Requests {
		if q.Status >= 400 || q.entry.Failed() && !q.entry.Pending() {
			what := fmt.Sprintf("answered %d", q.Status)
			if q.entry.Failed() {
				what = "not answered: " + w.text(orDefault(q.entry.Response.FailureText, "no answer"))
			}
			answers = append(answers, fmt.Sprintf("- %s %s %s", at(q.entry.Start), w.code(q.Method+" "+w.s.relative(q.URL)), what))
		}
	}
	lines = append(lines, some(answers, mostErrors)...)
	if len(lines) > 0 {
		w.printf("## Errors of the session\n\n%s\n\n", strings.Join(lines, "\n"))
	}
}

// at is a time as a person counts it.
func at(t trace.Time) string { return fmt.Sprintf("%.2f s", t.Milliseconds()/1000) }

func some(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most:most], fmt.Sprintf("- and %d more", len(lines)-most))
}

func (w *reportWriter) environment() {
	w.printf("## Environment\n\n")
	c := w.s.Settings
	line := func(name, value string) {
		if value != "" {
			w.printf("- %s: %s\n", name, w.text(value))
		}
	}
	for _, x := range w.s.trace.Contexts {
		if !x.Runner() {
			line("System", x.Platform)
			line("Channel", x.Channel)
			break
		}
	}
	line("Browser", c.Browser)
	line("User agent", w.userAgent())
	if c.Viewport.Width > 0 {
		line("Viewport", number(c.Viewport.Width)+" × "+number(c.Viewport.Height))
	}
	line("Locale", c.Locale)
	line("Time zone", c.Timezone)
	line("Colour scheme", c.ColorScheme)
	if w.s.recorded != "" {
		w.printf("- Origin: %s\n", w.code(w.s.recorded))
	}
	w.printf("\n")
}

// userAgent is that of the session: from its settings, or its requests.
func (w *reportWriter) userAgent() string {
	if w.s.Settings.UserAgent != "" {
		return w.s.Settings.UserAgent
	}
	for _, q := range w.s.trace.Network {
		if ua := q.Request.Header("user-agent"); ua != "" {
			return ua
		}
	}
	return ""
}

func (w *reportWriter) script() {
	if w.o.NoScript {
		return
	}
	script := strings.TrimRight(string(w.s.Script()), "\n")
	fence := strings.Repeat("`", max(3, longestRun(script, '`')+1))
	w.printf("## Reproduction script\n\n%sts\n%s\n%s\n", fence, script, fence)
}
