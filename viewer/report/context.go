package report

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/tracedeck/tracedeck/trace/failures"
)

// DefaultBudget is how many tokens a failure may take in a context for a
// language model.
const DefaultBudget = 500

// Context writes the run for a language model: what came of it in one line,
// and each failure in at most budget [Tokens]. A failure that does not fit
// loses its least telling lines, and says how many.
func Context(w io.Writer, r *Run, budget int) error {
	if budget <= 0 {
		budget = DefaultBudget
	}
	if _, err := fmt.Fprintf(w, "# %s\n", r.Headline()); err != nil {
		return err
	}
	for i := range r.Sessions {
		s := &r.Sessions[i]
		for k := range s.Failures {
			if _, err := fmt.Fprintf(w, "\n%s", FailureContext(s, &s.Failures[k], budget)); err != nil {
				return err
			}
		}
	}
	return nil
}

// line is a line of a failure's context.
type line struct {
	text string
	rank int // lower is kept first
}

// FailureContext is one failure in at most budget tokens.
func FailureContext(s *Session, f *failures.Failure, budget int) string {
	lines := contextLines(s, f)
	const reserve = 12 // for the line that says what was left out
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return lines[order[a]].rank < lines[order[b]].rank })
	left, kept, out := budget-reserve, make([]bool, len(lines)), 0
	for _, i := range order {
		cost := Tokens(lines[i].text) + 1
		if cost > left && lines[i].rank <= 1 && left > 20 {
			lines[i].text = fit(lines[i].text, left-1)
			cost = Tokens(lines[i].text) + 1
		}
		if cost > left {
			out++
			continue
		}
		kept[i], left = true, left-cost
	}
	return joinKept(lines, kept, out, budget)
}

func joinKept(lines []line, kept []bool, out, budget int) string {
	var b strings.Builder
	for i, l := range lines {
		if kept[i] && !danglingHead(lines, kept, i) {
			b.WriteString(l.text + "\n")
		}
	}
	if out > 0 {
		fmt.Fprintf(&b, "(%s left out)\n", plural(out, "line"))
	}
	if text := b.String(); Tokens(text) <= budget {
		return text
	}
	return fit(b.String(), budget)
}

// danglingHead holds for a head under which nothing is kept.
func danglingHead(lines []line, kept []bool, i int) bool {
	if !strings.HasPrefix(lines[i].text, "### ") {
		return false
	}
	for k := i + 1; k < len(lines) && !strings.HasPrefix(lines[k].text, "### "); k++ {
		if kept[k] {
			return false
		}
	}
	return true
}

// fit cuts a text to so many tokens.
func fit(text string, budget int) string {
	runes := []rune(text)
	n := sort.Search(len(runes), func(n int) bool { return Tokens(string(runes[:n+1])+"…") > budget })
	if n >= len(runes) {
		return text
	}
	if n == 0 {
		return ""
	}
	return string(runes[:n]) + "…"
}

// contextLines writes all there is to say about a failure, with ranks.
func contextLines(s *Session, f *failures.Failure) []line {
	var all []line
	add := func(rank int, format string, args ...any) {
		all = append(all, line{strings.TrimRight(oneLine(fmt.Sprintf(format, args...)), " "), rank})
	}
	add(0, "## Failure: %s", s.name())
	if f.Title != "" {
		add(0, "Step: %s%s", f.Title, at(f.Time))
	}
	add(0, "Error: %s", message(f))
	for i, l := range strings.Split(f.Detail, "\n") {
		if strings.TrimSpace(l) != "" {
			add(2+i/6*4, "  %s", strings.TrimRight(l, " "))
		}
	}
	if f.Waited != "" {
		add(1, "Waited: %s", f.Waited)
	}
	for i, frame := range appFrames(f) {
		add(1+i*2, "  %s", frame)
	}
	if f.Page != "" {
		add(3, "Page: %s", failures.Cut(f.Page, 160))
	}
	hintLines(f, add)
	requestLines(f, add)
	if len(f.Console) > 0 {
		add(4, "### Console")
	}
	for i, m := range f.Console {
		what := "error"
		if m.Uncaught {
			what = "uncaught"
		}
		add(4+i*2, "- [%s] %s %s", what, failures.Cut(m.Text, 200), short(m.Source))
	}
	momentLines(f, add)
	if len(f.Log) > 0 {
		add(7, "### Log")
	}
	for i, l := range f.Log {
		add(7+len(f.Log)-i, "  %s", strings.TrimSpace(l))
	}
	if len(f.Noise) > 0 {
		add(9, "Noise: %s", failures.Cut(strings.Join(f.Noise, "; "), 200))
	}
	return all
}

func hintLines(f *failures.Failure, add func(int, string, ...any)) {
	if len(f.Hints) > 0 {
		add(2, "### Hints")
	}
	for i, h := range f.Hints {
		add(2+i, "- %s: %s", h.Rule, h.Text)
	}
}

func requestLines(f *failures.Failure, add func(int, string, ...any)) {
	if len(f.Requests) > 0 {
		add(3, "### Failed requests")
	}
	for i, r := range f.Requests {
		add(3+i*2, "- %s %s → %s (%+.0f ms)", r.Method, failures.Cut(r.URL, 160), r.Outcome(), r.After)
		if r.Sent != "" {
			add(5+i*2, "  sent: %s", failures.Cut(r.Sent, 240))
		}
		if r.Received != "" {
			add(4+i*2, "  received: %s", failures.Cut(r.Received, 320))
		}
	}
}

func momentLines(f *failures.Failure, add func(int, string, ...any)) {
	if len(f.Timeline) == 0 {
		return
	}
	add(5, "### Timeline (ms before the failure)")
	for i, m := range f.Timeline {
		mark := ""
		if m.Bad {
			mark = " ←"
		}
		add(5+(len(f.Timeline)-i)/2, "%+.0f %s: %s%s", m.After, m.What, failures.Cut(m.Text, 120), mark)
	}
}

// appFrames returns the two frames that say the most.
func appFrames(f *failures.Failure) []string {
	list := f.Stack[:min(len(f.Stack), 2)]
	if f.Source != "" && !slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, f.Source) }) {
		list = append([]string{"at " + f.Source}, list[:min(len(list), 1)]...)
	}
	return list
}

// message is what an error says in one line, with the name of its class.
func message(f *failures.Failure) string {
	if f.Name != "" && f.Name != "Error" && !strings.HasPrefix(f.Message, f.Name) {
		return f.Name + ": " + f.Message
	}
	return f.Message
}

func short(source string) string {
	if source == "" {
		return ""
	}
	return "(" + failures.ShortURL(source) + ")"
}

func at(ms float64) string {
	if ms == 0 {
		return ""
	}
	return fmt.Sprintf(" at %.2f s", ms/1000)
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s)
}

// name is what the attempt is called in lists.
func (s *Session) name() string {
	name := s.Title
	if s.Suite != "" && s.Suite != s.Title {
		name = s.Suite + " › " + name
	}
	if s.Project != "" {
		name = "[" + s.Project + "] " + name
	}
	if s.Retry > 0 {
		name += fmt.Sprintf(" (retry %d)", s.Retry)
	}
	return name
}
