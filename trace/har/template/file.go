package template

import "strings"

// built are the ends of files that bundlers put a hash into the names of.
var built = map[string]bool{"js": true, "mjs": true, "cjs": true, "css": true, "map": true, "json": true, "wasm": true, "woff": true, "woff2": true, "ttf": true,
	"svg": true, "png": true, "jpg": true, "jpeg": true, "webp": true, "avif": true, "gif": true, "ico": true, "mp4": true, "html": true, "txt": true}

// file folds the hash in the name of a built file: "main.bcf4bc5f.js" and
// "index-DiwrgTda.js" become "main.[hash].js" and "index-[hash].js".
func file(name string) string {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || !built[strings.ToLower(name[dot+1:])] {
		return name
	}
	stem := name[:dot]
	for from := 0; from < len(stem); {
		to := from + strings.IndexAny(stem[from:]+".", ".~")
		if folded := foldHash(stem[from:to]); folded != stem[from:to] {
			stem = stem[:from] + folded + stem[to:]
			to = from + len(folded)
		}
		from = to + 1
	}
	return stem + name[dot:]
}

// foldHash folds a hash that a dash sets off, or that is all there is.
func foldHash(s string) string {
	// The hash itself may hold dashes, so that the longest end that is one counts.
	for i := 1; i < len(s)-1; i++ {
		if (s[i] == '-' || s[i] == '_') && hashed(s[i+1:]) {
			return s[:i+1] + Hash
		}
	}
	if hashed(s) {
		return Hash
	}
	return s
}

// hashed reports whether s is a hash of a file's content: hex, or eight to
// thirty-two signs of base64url or base 32 that are no words.
func hashed(s string) bool {
	if len(s) < 8 || len(s) > 64 || dateLike(s) {
		return false
	}
	if hexadecimal(s) {
		return true
	}
	m, ok := measure(s)
	if !ok || len(s) > 32 || m.marks > 2 || m.marks > 0 && len(s) != 8 {
		return false
	}
	switch {
	case m.upper > 0 && m.lower > 0:
		return m.digits >= 2 || m.digits == 1 && m.words >= 2 || m.words >= 2 && (m.consonants >= 4 || float64(m.upper+m.lower) < 2.6*float64(m.words))
	case m.digits > 0 && len(s) == 8:
		return m.marks == 0 && m.numbers >= 2 // esbuild: "chunk-Q3AOYW5S"
	}
	return m.marks == 0 && m.numbers >= 3 && m.digits*4 >= len(s)
}
