package audit

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"

	"golang.org/x/net/publicsuffix"
)

// person is a piece of personal data in a text.
type person struct {
	kind   string // "email", "phone", "ssn" or "card"
	value  string
	sample bool // of a range that is kept free for examples
	sure   bool // could hardly be anything else
}

// people calls emit with the personal data in a text. key is the name of the
// member that the text stands in, and "" if there is none.
func people(text, key string, emit func(person)) {
	if len(text) < 6 {
		return
	}
	emails(text, emit)
	numbers(text, assignment.Plain(key), emit)
}

func emails(text string, emit func(person)) {
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '@')
		if n < 0 {
			return
		}
		at := i + n
		from, to := at, at+1
		for from > i && at-from <= 64 && isLocal(text[from-1]) {
			from--
		}
		for to < len(text) && to-at <= 254 && isDomain(text[to]) {
			to++
		}
		i = at + 1
		name, domain := strings.Trim(text[from:at], "."), strings.ToLower(strings.Trim(text[at+1:to], ".-"))
		if ok, sample := emailParts(name, domain); ok {
			emit(person{kind: "email", value: name + "@" + text[at+1:at+1+len(domain)], sample: sample, sure: true})
			i = at + 1 + len(domain)
		}
	}
}

func isLocal(c byte) bool {
	return isWord(c) || c == '.' || c == '+' || c == '-' || c == '%' || c == '\'' || c >= 0x80
}

func isDomain(c byte) bool {
	return isWord(c) && c != '_' || c == '.' || c == '-' || c >= 0x80
}

// emailParts reports whether the parts make an address. Its ending must be one
// that names are given out under: "close@3x.svg" is a file.
func emailParts(name, domain string) (ok, sample bool) {
	if name == "" || name == "git" || !strings.Contains(domain, ".") {
		return false, false
	}
	for _, end := range []string{".example", ".test", ".invalid"} {
		if strings.HasSuffix(domain, end) {
			return true, true
		}
	}
	if domain[0] >= '0' && domain[0] <= '9' && domain[1] == 'x' { // "icon@2x.md"
		return false, false
	}
	suffix, listed := publicsuffix.PublicSuffix(domain)
	if !listed && !strings.Contains(suffix, ".") || suffix == domain {
		return false, false
	}
	owner := site(domain)
	return true, owner == "example.com" || owner == "example.org" || owner == "example.net"
}

// numbers looks at runs of digits with what separates them.
func numbers(text, key string, emit func(person)) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !isDigit(c) && c != '+' && c != '(' {
			continue
		}
		to, digits := run(text, i)
		if digits < 7 || i > 0 && joins(text[i-1]) || to < len(text) && joins(text[to]) {
			i = max(i, to-1)
			continue
		}
		if p, ok := number(text[i:to], key, digits); ok {
			emit(p)
		}
		i = to - 1
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// joins reports whether a byte beside a number makes it a part of something
// longer.
func joins(c byte) bool {
	return isWord(c) || c == '.' || c == '-' || c == '/' || c == '+' || c == '=' || c == '%' || c == '#' || c >= 0x80
}

// run returns where a number ends that begins at i: digits with single
// separators between them.
func run(text string, i int) (to, digits int) {
	to = i
	for k := i; k < len(text) && k-i < 40; k++ {
		c := text[k]
		if isDigit(c) {
			digits++
			to = k + 1
			continue
		}
		after := text[k+1:]
		switch {
		case k == i && (c == '+' || c == '('):
		case c == '(' && digits <= 3, c == ' ' && strings.HasPrefix(after, "("):
		case c == ')' && len(after) > 0 && (after[0] == ' ' || after[0] == '-' || isDigit(after[0])):
		case (c == ' ' || c == '-' || c == '.') && len(after) > 0 && isDigit(after[0]):
		default:
			return max(to, i+1), digits
		}
	}
	return max(to, i+1), digits
}

func number(s, key string, digits int) (person, bool) {
	plain := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
	shape := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'd'
		}
		return r
	}, s)
	switch {
	case shape == "ddd-dd-dddd" || shape == "ddd dd dddd" || digits == 9 && len(s) == 9 && ssnKey(key):
		return ssn(s, plain)
	case digits >= 13 && digits <= 19 && strings.Trim(shape, "d -") == "" && cardNumber(plain, shape):
		return person{kind: "card", value: s, sample: testCards[plain], sure: len(shape) > digits || cardKey(key)}, true
	}
	return phone(s, plain, shape, key)
}

// ssn leaves out what was never given out.
func ssn(s, plain string) (person, bool) {
	area, group, serial := plain[:3], plain[3:5], plain[5:]
	if area == "000" || area == "666" || area[0] == '9' || group == "00" || serial == "0000" {
		return person{}, false
	}
	known := plain == "078051120" || plain == "219099999" || plain == "123456789"
	return person{kind: "ssn", value: s, sample: known, sure: true}, true
}

func ssnKey(key string) bool {
	return strings.Contains(key, "ssn") || strings.Contains(key, "socialsecurity")
}

func cardKey(key string) bool {
	return strings.Contains(key, "card") || key == "pan" || strings.HasPrefix(key, "cc") && strings.Contains(key, "num")
}

func phoneKey(key string) bool {
	return strings.Contains(key, "phone") || strings.Contains(key, "mobile") || key == "tel" || strings.HasSuffix(key, "telephone") || key == "msisdn"
}

func phone(s, plain, shape, key string) (person, bool) {
	international := s[0] == '+' && len(plain) >= 8 && len(plain) <= 15 && plain[0] != '0'
	var ten string
	switch strings.TrimPrefix(strings.TrimPrefix(shape, "+"), "d ") {
	case "(ddd) ddd-dddd", "(ddd)ddd-dddd", "(ddd) ddd dddd", "ddd-ddd-dddd", "ddd.ddd.dddd":
		ten = plain[len(plain)-10:]
	}
	american := ten != "" && ten[0] >= '2' && ten[3] >= '2'
	if !international && !american && !(phoneKey(key) && len(plain) <= 15) {
		return person{}, false
	}
	n := len(plain)
	free := n >= 10 && plain[n-7:n-4] == "555" && plain[n-4:n-2] == "01"
	return person{kind: "phone", value: s, sample: free, sure: international || phoneKey(key)}, true
}
