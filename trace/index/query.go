package index

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Query is what to look for. [ParseQuery] makes one from what a person types.
type Query struct {
	Terms   []Term   // all must be found in what is to be a hit
	Filters []Filter // all must hold for it
}

// Term is a text to be found, or with Not a text that must not be there.
type Term struct {
	Text    string         // found whatever its case, unless Exact
	Exact   bool           // case matters
	Pattern *regexp.Regexp // instead of Text
	Not     bool
}

// Filter is a word like status:5xx.
type Filter struct {
	Name   string
	Values []string // one of them must hold
	Not    bool
}

// Kinds are the values of the filter kind: what can be found.
var Kinds = []string{"action", "group", "step", "hook", "protocol", "request", "console", "error", "log", "event", "body", "dom", "source", "attachment"}

// filterNames are the filters there are, with what their values are.
var filterNames = map[string]func(string) error{
	"kind": oneOf(append(Kinds, "network", "snapshot")...), "status": checkStatus, "method": nil, "url": nil, "domain": nil,
	"mime": nil, "type": nil, "level": nil, "class": nil, "is": oneOf("failed", "pending", "aborted", "fulfilled", "websocket", "api", "hidden", "unfinished"),
	"slower-than": checkDuration, "faster-than": checkDuration, "larger-than": checkSize, "after": checkDuration, "before": checkDuration,
}

// QueryError says what of a query is not understood.
type QueryError struct {
	Word   string
	Reason string
}

func (e *QueryError) Error() string { return fmt.Sprintf("search word %s: %s", e.Word, e.Reason) }

// ParseQuery reads a query as it is typed: words and "exact phrases" and
// /patterns/ to be found, and filters such as status:5xx, method:post,
// slower-than:200ms or kind:log. A minus in front turns each around; a comma
// between a filter's values means or. A word with a colon that is no filter
// is a text like any other.
func ParseQuery(text string) (Query, error) {
	var q Query
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		not := len(rest) > 1 && rest[0] == '-' && rest[1] != ' '
		if not {
			rest = rest[1:]
		}
		var err error
		if rest, err = q.word(rest, not); err != nil {
			return Query{}, err
		}
	}
	return q, nil
}

// word takes one word from the beginning of rest and returns what follows.
func (q *Query) word(rest string, not bool) (string, error) {
	if rest[0] == '"' {
		phrase, after, _ := strings.Cut(rest[1:], `"`)
		if phrase != "" {
			q.Terms = append(q.Terms, Term{Text: phrase, Exact: true, Not: not})
		}
		return after, nil
	}
	if rest[0] == '/' {
		if end := patternEnd(rest); end > 1 {
			return q.pattern(rest, end, not)
		}
	}
	word, after, _ := strings.Cut(rest, " ")
	name, value, colon := strings.Cut(word, ":")
	check, known := filterNames[strings.ToLower(name)]
	if !colon || !known {
		q.Terms = append(q.Terms, Term{Text: word, Not: not})
		return after, nil
	}
	if strings.HasPrefix(value, `"`) {
		value, after, _ = strings.Cut(rest[len(name)+2:], `"`)
	}
	f := Filter{Name: strings.ToLower(name), Values: strings.Split(value, ","), Not: not}
	for _, v := range f.Values {
		if v == "" {
			return "", &QueryError{word, "it has no value"}
		}
		if check != nil {
			if err := check(v); err != nil {
				return "", &QueryError{word, err.Error()}
			}
		}
	}
	q.Filters = append(q.Filters, f)
	return after, nil
}

// patternEnd returns where the slash is that ends a pattern: the first one
// that has nothing, a blank or an i behind it. Otherwise it is a path.
func patternEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '/':
			tail := strings.TrimPrefix(text[i+1:], "i")
			if tail == "" || tail[0] == ' ' {
				return i
			}
		}
	}
	return -1
}

func (q *Query) pattern(rest string, end int, not bool) (string, error) {
	source, after := rest[1:end], rest[end+1:]
	if strings.HasPrefix(after, "i") {
		source, after = "(?i)"+source, after[1:]
	}
	p, err := regexp.Compile(source)
	if err != nil {
		return "", &QueryError{rest[:end+1], "it is not a regular expression: " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")}
	}
	q.Terms = append(q.Terms, Term{Pattern: p, Not: not})
	return after, nil
}

func oneOf(names ...string) func(string) error {
	return func(v string) error {
		for _, n := range names {
			if strings.EqualFold(n, v) {
				return nil
			}
		}
		return fmt.Errorf("it may be %s", strings.Join(names, ", "))
	}
}

func checkStatus(v string) error {
	if _, _, ok := statusRange(v); !ok {
		return fmt.Errorf("a status is 404, 5xx or 400-499")
	}
	return nil
}

// statusRange reads 404, 4xx, or 400-499.
func statusRange(v string) (lo, hi int, ok bool) {
	if a, b, dash := strings.Cut(v, "-"); dash {
		lo, err1 := strconv.Atoi(a)
		hi, err2 := strconv.Atoi(b)
		return lo, hi, err1 == nil && err2 == nil
	}
	digits := strings.TrimRight(strings.ToLower(v), "x")
	n, err := strconv.Atoi(digits)
	if err != nil || len(v) != 3 || n < 0 {
		return 0, 0, false
	}
	size := 1
	for range len(v) - len(digits) {
		size *= 10
	}
	return n * size, n*size + size - 1, true
}

func checkDuration(v string) error {
	_, err := duration(v)
	return err
}

// duration reads 200ms or 1.5s; a bare number is milliseconds.
func duration(v string) (time.Duration, error) {
	if ms, err := strconv.ParseFloat(v, 64); err == nil {
		return time.Duration(ms * float64(time.Millisecond)), nil
	}
	d, err := time.ParseDuration(v)
	if err != nil {
		return 0, fmt.Errorf("a time is 200ms or 1.5s")
	}
	return d, nil
}

func checkSize(v string) error {
	_, err := size(v)
	return err
}

// size reads 500, 20k or 3m bytes.
func size(v string) (int64, error) {
	unit := 1.0
	v = strings.TrimSuffix(strings.ToLower(v), "b")
	for suffix, factor := range map[string]float64{"k": 1e3, "m": 1e6, "g": 1e9} {
		if short, ok := strings.CutSuffix(v, suffix); ok {
			v, unit = short, factor
		}
	}
	n, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return 0, fmt.Errorf("a size is 500, 20k or 3m")
	}
	return int64(n * unit), nil
}
