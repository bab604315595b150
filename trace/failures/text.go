package failures

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

var (
	sgr            = lazyregexp.New("\x1b\\[[0-9;?]*[ -/]*[@-~]")
	timeoutMessage = lazyregexp.New(`(?i)^(test|hook|fixture).{0,60}timeout of \d+ ?ms exceeded`)
)

// plain returns a message without colours and control characters.
func plain(s string) string {
	if strings.ContainsRune(s, '\x1b') {
		s = sgr.ReplaceAllString(s, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return -1
		case unicode.IsControl(r), r == utf8.RuneError, r == 0xFFFE, r == 0xFFFF:
			return '\uFFFD'
		}
		return r
	}, s)
}

// headline cuts a message into its first line and what it says besides, the
// log left out, which is told on its own.
func headline(s string) (head, rest string) {
	s = strings.TrimSpace(s)
	head, rest, _ = strings.Cut(s, "\n")
	for _, end := range []string{"\nCall log:", "\n=========================== logs", "Call log:"} {
		if i := strings.Index(rest, end); i >= 0 {
			rest = rest[:i]
		}
	}
	return strings.TrimPrefix(strings.TrimSpace(head), "Error: "), strings.Trim(rest, "\n ")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

func place(file string, line int) string { return fmt.Sprintf("%s:%d", file, line) }

// clean masks a text first and cuts it then: a secret across the cut must not
// escape.
func (f *finder) clean(s string, most int) string {
	return Cut(f.o.Mask(plain(s)), most)
}

// Cut returns a text of at most so many runes; a cut is marked with an ellipsis.
func Cut(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n == most-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

var frameLine = lazyregexp.New(`^\s*(?:at\s+|@|\S+@)`)

// stack returns where it went wrong, innermost first: the action's own stack,
// or what the error's text says. Frames of libraries come last.
func (f *finder) stack(e *trace.Failure) []string {
	var own, foreign []string
	add := func(s string) {
		if s = f.clean(strings.TrimSpace(s), 240); strings.Contains(s, "node_modules") || strings.Contains(s, "node:internal") {
			foreign = append(foreign, s)
		} else {
			own = append(own, s)
		}
	}
	if e.Action != nil {
		for _, s := range e.Action.Stack {
			add(strings.Join(strings.Fields("at "+s.Function+" "+place(s.File, s.Line)), " "))
		}
	}
	if len(own)+len(foreign) == 0 {
		for line := range strings.Lines(plain(e.Stack)) {
			if frameLine.MatchString(line) {
				add(line)
			}
		}
	}
	all := append(own, foreign...)
	return all[:min(len(all), 5)]
}
