package codegen

import (
	"strings"
)

const (
	longestLine = 300 // characters of a line of an error
	mostLines   = 30  // of an error
)

// lines are those of what the failure says, without what colours it.
func (w *reportWriter) lines() (list []string) {
	f := w.s.Failure
	message := f.Message
	if f.Kind == "action" && f.Step < len(w.s.Steps) {
		if a := w.s.Steps[f.Step].Action; a != nil && a.Error != nil && a.Error.Message != "" {
			message = a.Error.Message
		}
	}
	for _, line := range strings.Split(strings.ReplaceAll(message, "\r\n", "\n"), "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		text := cut(oneLine(w.s.values.safe(line)), longestLine)
		if text == "" && (len(list) == 0 || list[len(list)-1] == "") {
			continue
		}
		list = append(list, strings.TrimRight(indent[:min(len(indent), 20)]+text, " "))
	}
	for len(list) > 0 && list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}

// headline says the failure in one line: its first line says what went wrong, the
// others how.
func (w *reportWriter) headline() string {
	lines := w.lines()
	if len(lines) == 0 {
		return cut(w.s.Failure.Message, 120)
	}
	first := strings.TrimSpace(lines[0])
	if short := strings.TrimPrefix(first, "Error: "); short != "" {
		first = short
	}
	for _, line := range lines[1:] {
		if name, value, ok := strings.Cut(line, ":"); ok && (name == "Expected" || name == "Received") {
			first += ", " + strings.ToLower(name) + " " + strings.TrimSpace(value)
		}
	}
	return cut(first, 120)
}

// actual is what the failure says, as it says it.
func (w *reportWriter) actual() string {
	lines := w.lines()
	if len(lines) < 2 {
		return w.code(w.s.Failure.Message)
	}
	if len(lines) > mostLines {
		lines = append(lines[:mostLines], "…")
	}
	text := strings.Join(lines, "\n")
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + "text\n" + text + "\n" + fence
}

// number is the number by which the report counts step i.
func (w *reportWriter) number(i int) (n int) {
	for _, step := range w.s.Steps[:i+1] {
		if step.Verb != NotCarried {
			n++
		}
	}
	return n
}
