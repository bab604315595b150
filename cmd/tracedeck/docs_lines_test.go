package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/pflag"
)

// Every command line of the README, of the docs and of the examples is one
// that its command understands.
func TestDocumentedLinesAreUnderstood(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range shellLines(string(text)) {
			lines[line] = filepath.Base(page)
		}
	}
	for _, c := range commands() {
		for _, e := range c.examples {
			lines[e.line] = c.name + " --help"
		}
	}
	seen := 0
	for line, place := range lines {
		for _, args := range programs(line) {
			seen++
			if err := understood(args); err != nil {
				t.Errorf("%s: %s\n\t%v", place, line, err)
			}
		}
	}
	t.Logf("%d lines", seen)
	if seen < 100 {
		t.Errorf("only %d lines found", seen)
	}
}

// understood parses what follows the program's name, and runs nothing.
func understood(args []string) error {
	if len(args) == 0 || strings.ToUpper(args[0]) == args[0] {
		return nil
	}
	c := find(args[0])
	if c == nil {
		if slices.Contains([]string{"help", "--help", "--version"}, args[0]) {
			return nil
		}
		return usageError("there is no command %q", args[0])
	}
	fs := newFlagSet(c)
	c.flags(fs)
	new(env).bind(fs)
	if err := fs.Parse(args[1:]); err != nil && err != pflag.ErrHelp {
		return err
	}
	return nil
}

// shellLines are the lines of the blocks that are for a shell.
func shellLines(text string) (list []string) {
	inside := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			inside = !inside && slices.Contains([]string{"sh", "bash", "shell", "console", "yaml"}, strings.TrimPrefix(line, "```"))
		case inside:
			list = append(list, line)
		}
	}
	return list
}

// programs are the arguments of every call of tracedeck in a line of shell.
func programs(line string) (list [][]string) {
	words := shellWords(line)
	for i, w := range words {
		if w != "tracedeck" && !strings.HasSuffix(w, "/tracedeck") || i > 0 && !begins(words[i-1]) {
			continue
		}
		var args []string
		for _, w := range words[i+1:] {
			if strings.ContainsAny(w, "|;&<>)#") && !strings.ContainsAny(w, "\x00") {
				break
			}
			args = append(args, strings.ReplaceAll(w, "\x00", ""))
		}
		list = append(list, args)
	}
	return list
}

// begins is whether a command begins after a word.
func begins(w string) bool {
	return slices.Contains([]string{"$", "|", "||", "&&", ";", "do", "then", "run:", "-", "npx", "if", "!"}, w) || strings.HasSuffix(w, "=$(") || strings.Contains(w, "=")
}

// shellWords splits as a shell does; what was quoted is between zeros.
func shellWords(line string) (list []string) {
	var word strings.Builder
	quote := rune(0)
	for _, r := range line {
		switch {
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
			word.WriteByte(0)
		case r == quote:
			quote = 0
			word.WriteByte(0)
		case quote == 0 && unicode.IsSpace(r):
			if word.Len() > 0 {
				list = append(list, word.String())
				word.Reset()
			}
		default:
			word.WriteRune(r)
		}
	}
	if word.Len() > 0 {
		list = append(list, word.String())
	}
	return list
}
