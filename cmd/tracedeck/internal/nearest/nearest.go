// Package nearest finds the word that was meant.
package nearest

import "strings"

// longest is how many letters a word may have that is looked for.
const longest = 100

// Word returns the word that is the fewest edits away, and "" if none is near.
func Word(word string, words []string) string {
	best, least := "", 3
	if len(word) > longest {
		return ""
	}
	for _, w := range words {
		if len(w) > longest {
			continue
		}
		if d := distance(word, w); d < least || strings.HasPrefix(w, word) && len(word) >= 2 && best == "" {
			best, least = w, min(d, least)
		}
	}
	return best
}

// distance is the number of letters to insert, drop, change or swap with
// their neighbour (optimal string alignment).
func distance(a, b string) int {
	rows := [][]int{}
	for i := range len(a) + 1 {
		rows = append(rows, make([]int, len(b)+1))
		for j := range rows[i] {
			switch {
			case i == 0 || j == 0:
				rows[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				rows[i][j] = rows[i-1][j-1]
			default:
				rows[i][j] = 1 + min(rows[i-1][j-1], rows[i-1][j], rows[i][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
