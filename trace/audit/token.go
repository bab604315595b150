package audit

import (
	"strings"
	"sync"

	"github.com/tracedeck/tracedeck/trace/internal/assignment"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// class says what kind of value was found, and with it how bad it is where.
type class uint8

const (
	certain  class = iota // grants access, and is nothing else
	likely                // has the form of a key that others have too
	public                // a key that is made to be in pages
	sample                // a test key
	jwt                   //
	named                 // known by its name only
	password              //
	weak                  // named like a secret, without looking like one
)

// hit is a credential in a text.
type hit struct {
	class class
	form  string // "GitHub token", or "value of api_key"
	value string
	notes []string
	from  int
}

// start is a text by which secrets of a form are found: where it stands a
// window of the text is looked at, rather than all of it.
type start struct {
	text   string
	before int // bytes of the window before it
	after  int // and behind, from where it begins
	word   bool
	form   redact.Form
}

// starts are the texts by which the forms are found, where the form's own gate
// is too common for that.
var starts = map[string][]string{
	"AWS access key":     {"AKIA", "ASIA", "ABIA", "ACCA"},
	"GitHub token":       {"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"},
	"GitLab token":       {"glpat-", "gldt-", "glrt-", "glptt-", "gloas-", "glsoat-", "glcbt-", "glft-", "glimt-", "glagent-"},
	"Slack token":        {"xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"},
	"Stripe key":         {"sk_", "rk_", "whsec_"},
	"Shopify token":      {"shpat_", "shpca_", "shppa_", "shpss_"},
	"Square token":       {"sq0"},
	"Vault token":        {"hvs.", "hvb.", "hvr."},
	"private key":        {"-----BEGIN "},
	"Twilio key":         {"SK"},
	"DigitalOcean token": {"doo_v1_", "dop_v1_", "dor_v1_"},
	"Linear key":         {"lin_api_", "lin_oauth_"},
	"Docker token":       {"dckr_pat_", "dckr_oat_"},
	"Grafana token":      {"glc_", "glsa_"},
	"EasyPost key":       {"EZAK", "EZTK"},
	"Sentry token":       {"sntrys_", "sntryu_"},
}

// inside are forms whose gate stands within the secret.
var inside = map[string]int{"Telegram token": 12, "Sentry address": 120, "Azure client secret": 4}

var tokens = sync.OnceValue(newTokens)

// tokenGate finds the starts of all forms in one pass over a text.
type tokenGate struct {
	heads [1 << 16]uint8 // by the two bytes that starts begin with: the list's number
	lists [][]start
}

func newTokens() *tokenGate {
	g := &tokenGate{lists: make([][]start, 1)}
	for _, f := range redact.Forms() {
		texts := starts[f.Name()]
		if texts == nil {
			texts = []string{f.Gate()}
		}
		for _, text := range texts {
			s := start{text: text, before: inside[f.Name()], after: 1024, form: f}
			switch f.Name() {
			case "private key", "JWT", "base64 of a JWT", "Fly token", "1Password token":
				s.after = 16 << 10
			}
			s.word = s.before == 0 && isWord(text[0])
			g.add(s)
		}
	}
	return g
}

func (g *tokenGate) add(s start) {
	head := uint16(s.text[0])<<8 | uint16(s.text[1])
	if g.heads[head] == 0 {
		g.lists = append(g.lists, nil)
		g.heads[head] = uint8(len(g.lists) - 1)
	}
	n := g.heads[head]
	for _, have := range g.lists[n] {
		if have.text == s.text && have.form == s.form {
			return
		}
	}
	g.lists[n] = append(g.lists[n], s)
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// maxHits is how many credentials of one text are looked at.
const maxHits = 1000

// find calls emit with the tokens in a text.
func (g *tokenGate) find(text string, emit func(hit)) { g.each(text, classify, emit) }

// each calls emit with what has the form of a token and is told to be one.
func (g *tokenGate) each(text string, is func(*hit) bool, emit func(hit)) {
	end, found := 0, 0
	for i := 0; i+1 < len(text); i++ {
		n := g.heads[uint16(text[i])<<8|uint16(text[i+1])]
		if n == 0 {
			continue
		}
		for k := range g.lists[n] {
			s := &g.lists[n][k]
			if !strings.HasPrefix(text[i:], s.text) || s.word && i > 0 && isWord(text[i-1]) {
				continue
			}
			h, to, ok := s.at(text, i, is)
			if !ok || h.from < end {
				continue
			}
			end = to
			emit(h)
			if found++; found >= maxHits {
				return
			}
			break
		}
		if end > i+1 {
			i = end - 1
		}
	}
}

// at looks for the form around the start that stands at i.
func (s *start) at(text string, i int, is func(*hit) bool) (h hit, to int, ok bool) {
	from := max(0, i-s.before-1)
	window := text[from:min(len(text), i+s.after)]
	for _, p := range s.form.Places(window) {
		if from+p[0] > i || from+p[1] <= i {
			continue
		}
		h = hit{form: s.form.Name(), value: window[p[0]:p[1]], from: from + p[0]}
		return h, from + p[1], is(&h)
	}
	return h, 0, false
}

var stripeLive = lazyregexp.New(`^(?:sk|rk)_(?:live|prod)_`)

// classify says what a token is. ok is false where a word only looks like one.
func classify(h *hit) (ok bool) {
	digits, upper, lower := assignment.Mix(h.value)
	switch h.form {
	case "JWT":
		return classifyJWT(h)
	case "private key":
		// A program that reads or writes keys has their first line alone.
		h.class = certain
		body := strings.SplitN(h.value, "-----", 3)
		return len(body) == 3 && longestRun(body[2]) >= 40
	case "Google key":
		h.class, h.notes = public, []string{"keys of this kind are made to be in pages; check that it is limited to these sites and services"}
		return assignment.Entropy(h.value) >= 3.5
	case "Stripe key":
		switch {
		case strings.Contains(h.value, "k_test_"):
			h.class, h.notes = sample, []string{"a test key"}
			return true
		case stripeLive.MatchString(h.value):
			h.class = certain
			return true
		}
		h.class = likely
		return digits >= 2 && upper > 0 && lower > 0 && assignment.Entropy(h.value) >= 3.5
	case "age key", "Bedrock key":
		h.class = certain
		return true
	case "base64 of a JWT":
		h.class = jwt
		return true
	case "Slack token":
		h.class = certain
		return digits >= 4 || digits >= 1 && upper >= 2
	case "OpenAI key":
		h.class = certain
		return digits >= 1 && upper >= 2 && lower >= 2 && assignment.Entropy(h.value) >= 3.5
	case "Twilio key", "Mailgun key", "Databricks token":
		h.class = likely
		return assignment.Entropy(h.value) >= 3
	case "AWS access key", "Hugging Face token":
		h.class = certain
		return assignment.Entropy(h.value) >= 2.5
	}
	h.class = certain
	return (digits >= 1 || upper >= 3 && lower >= 3) && assignment.Entropy(h.value) >= 2.5
}

var lineEnds = strings.NewReplacer(`\n`, "", `\r`, "", "\n", "", "\r", "", " ", "", "\t", "", `"`, "", "'", "")

// longestRun is how many signs of base64 stand together in the body of a key,
// which may be written over several lines of a program.
func longestRun(body string) (longest int) {
	run := 0
	for _, c := range []byte(lineEnds.Replace(body)) {
		if run++; !isWord(c) && c != '+' && c != '/' || c == '_' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

var secretKey = lazyregexp.New(`(?:^|[^A-Za-z0-9/+=])([A-Za-z0-9/+]{40})(?:$|[^A-Za-z0-9/+=])`)

// nearAWS calls emit with what looks like the secret that belongs to an access
// key near it, or is named so.
func nearAWS(text string, at int, emit func(hit)) {
	from := max(0, at-100)
	for _, m := range secretKey.FindAllStringSubmatchIndex(text[from:min(len(text), at+160)], -1) {
		value := text[from+m[2] : from+m[3]]
		if looksAWS(value) {
			emit(hit{class: certain, form: "AWS secret key", value: value, from: from + m[2]})
		}
	}
}

func looksAWS(value string) bool {
	digits, upper, lower := assignment.Mix(value)
	return len(value) == 40 && digits > 0 && upper > 0 && lower > 0 && assignment.Entropy(value) >= 4
}
