package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// table prints rows in columns that line up. On a terminal the column named
// by flex is cut so that no row wraps; elsewhere nothing is cut.
type table struct {
	head  []string
	right map[int]bool // columns aligned to the right
	flex  int
	rows  [][]cell
}

// widestCell is the most that one cell widens its column: a longer one sticks out.
const widestCell = 110

// cell is text with an optional SGR colour.
type cell struct {
	text  string
	color string
}

// Colours, by what they mean.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
	dim    = "2"
	bold   = "1"
)

func plain(text string) cell { return cell{text: printable(text)} }

func colored(color, text string) cell { return cell{printable(text), color} }

func (t *table) add(cells ...cell) { t.rows = append(t.rows, cells) }

func (t *table) print(env *env) error {
	widths := make([]int, len(t.head))
	for i, h := range t.head {
		widths[i] = textWidth(h)
	}
	for _, row := range t.rows {
		for i, c := range row {
			widths[i] = max(widths[i], min(textWidth(c.text), widestCell))
		}
	}
	t.fit(widths, env.width)
	w := bufio.NewWriter(env.out)
	head := make([]cell, len(t.head))
	for i, h := range t.head {
		head[i] = cell{h, bold}
	}
	t.line(w, env, head, widths)
	for _, row := range t.rows {
		t.line(w, env, row, widths)
	}
	return w.Flush()
}

// fit narrows the flexible column until a row fits the terminal.
func (t *table) fit(widths []int, terminal int) {
	total := 2 * (len(widths) - 1)
	for _, n := range widths {
		total += n
	}
	if terminal > 0 && total > terminal {
		widths[t.flex] = max(16, widths[t.flex]-(total-terminal))
	}
}

func (t *table) line(w io.Writer, env *env, row []cell, widths []int) {
	var line strings.Builder
	for i, c := range row {
		text := c.text
		if env.width > 0 {
			text = cut(text, widths[i])
		}
		pad := strings.Repeat(" ", max(0, widths[i]-textWidth(text)))
		if t.right[i] {
			line.WriteString(pad)
			pad = ""
		}
		line.WriteString(env.paint(c.color, text))
		if i < len(row)-1 {
			line.WriteString(pad + "  ")
		}
	}
	fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
}

// paint puts text into a colour where colours are wanted.
func (e *env) paint(color, text string) string {
	if !e.color || color == "" || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// printable makes recorded text safe for a terminal: one line, no control
// characters, no SGR sequences.
func printable(text string) string {
	text = stripSGR(text)
	clean := func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != 0x200d:
			return '\ufffd'
		}
		return r
	}
	return strings.Map(clean, text)
}

// stripSGR removes the colour sequences that test runners put into messages.
func stripSGR(text string) string {
	if !strings.Contains(text, "\x1b[") {
		return text
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "\x1b[")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		end := strings.IndexFunc(after, func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			return out.String()
		}
		text = after[end+1:]
	}
}

func cut(text string, width int) string {
	if textWidth(text) <= width {
		return text
	}
	n := 0
	for i, r := range text {
		n += runeWidth(r)
		if n > width-1 {
			return text[:i] + "…"
		}
	}
	return text
}

func textWidth(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// runeWidth is how many columns a terminal gives a letter.
func runeWidth(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return 1
	case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Me, r) || r == 0x200d:
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60,
		r >= 0x1f300 && r <= 0x1faff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}
