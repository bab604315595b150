package tracetest

import (
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
)

// Secret is one that was planted in a trace.
type Secret struct {
	Place string // such as "console text"
	Form  string // such as "GitHub token", or the name that it was given
	Value string
}

// Planted makes a trace that holds secrets of many forms in every place that can
// hold one, each of them in one place only. The same seed gives the same trace.
func Planted(t testing.TB, seed uint64) (path string, secrets []Secret) {
	t.Helper()
	g := &garden{rnd: rand.New(rand.NewPCG(seed, 1)), files: map[string]string{}, time: 1000}
	g.session()
	g.requests()
	g.messages()
	g.runner()
	path = filepath.Join(t.TempDir(), "planted.zip")
	if err := os.WriteFile(path, g.zip(t), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, g.secrets
}

// Spellings are the ways in which a secret can be written in an answer.
func (s Secret) Spellings() (list []string) {
	core := s.Value
	if lines := strings.Split(core, "\n"); len(lines) > 2 {
		core = lines[2] // of a key that is written over several lines
	}
	list = []string{core, url.QueryEscape(core), url.PathEscape(core), html.EscapeString(core)}
	quoted, _ := json.Marshal(core)
	twice, _ := json.Marshal(string(quoted[1 : len(quoted)-1]))
	list = append(list, string(quoted[1:len(quoted)-1]), string(twice[1:len(twice)-1]))
	for shift := range 3 { // base64 of it, wherever it stands in what was encoded
		for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			b := encoding.EncodeToString([]byte(strings.Repeat("x", shift) + core))
			list = append(list, b[4:len(b)-4])
		}
	}
	return list
}

type garden struct {
	rnd     *rand.Rand
	secrets []Secret
	time    float64
	events  []any
	network []any
	test    []any
	files   map[string]string
}

const (
	digits  = "0123456789"
	upper   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters = upper + "abcdefghijklmnopqrstuvwxyz" + digits
)

func (g *garden) random(n int, signs string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = signs[g.rnd.IntN(len(signs))]
	}
	// A value that is all of one kind of letters could be a word.
	if n >= 8 && signs == letters {
		b[1], b[n/2], b[n-2] = digits[g.rnd.IntN(10)], digits[g.rnd.IntN(10)], 'k'
	}
	return string(b)
}

// seedForms are how secrets of services look that are known without a name.
var seedForms = []struct {
	name string
	make func(g *garden) string
}{
	{"AWS", func(g *garden) string { return "AKIA" + g.random(16, upper+"234567") }},
	{"GitHub", func(g *garden) string { return "ghp_" + g.random(36, letters) }},
	{"GitHub fine", func(g *garden) string { return "github_pat_" + g.random(22, letters) + "_" + g.random(59, letters) }},
	{"Stripe", func(g *garden) string { return "sk_live_" + g.random(24, letters) }},
	{"JWT", func(g *garden) string {
		part := base64.RawURLEncoding.EncodeToString
		return part([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + part([]byte(`{"sub":"`+g.random(10, letters)+`"}`)) + "." + g.random(43, letters)
	}},
	{"Google", func(g *garden) string { return "AIza" + g.random(35, letters) }},
	{"Slack", func(g *garden) string { return "xoxb-" + g.random(12, digits) + "-" + g.random(24, letters) }},
	{"OpenAI", func(g *garden) string { return "sk-proj-" + g.random(60, letters) }},
	{"private key", func(g *garden) string {
		return "-----BEGIN RSA PRIVATE KEY-----\n" + g.random(64, letters) + "\n" + g.random(64, letters) + "\n" + g.random(64, letters) + "\n-----END RSA PRIVATE KEY-----"
	}},
}

// seedNames are names that give away what they are given.
var seedNames = []struct {
	name string
	make func(g *garden) string
}{
	{"password", func(g *garden) string { return "Pw!" + g.random(5, letters) + `"\/` + g.random(6, letters) }},
	{"api_key", func(g *garden) string { return g.random(32, letters) }},
	{"client_secret", func(g *garden) string { return g.random(40, letters) }},
	{"access_token", func(g *garden) string { return g.random(28, letters) }},
	{"aws_secret_access_key", func(g *garden) string { return g.random(38, letters) + "+9" }},
}

func (g *garden) plant(place, form, value string) string {
	g.secrets = append(g.secrets, Secret{place, form, value})
	return value
}

// one plants a secret of a form that is known anywhere.
func (g *garden) one(place string) string {
	f := seedForms[g.rnd.IntN(len(seedForms)-1)]
	return g.plant(place, f.name, f.make(g))
}

// named plants a secret that its name gives away.
func (g *garden) named(place string) string { return g.plant(place, "named", g.random(26, letters)) }

// prose plants one of each form in a message.
func (g *garden) prose(place string) string {
	var b strings.Builder
	for _, f := range seedForms {
		b.WriteString("saw " + g.plant(place, f.name, f.make(g)) + " ; ")
	}
	for _, n := range seedNames {
		b.WriteString(n.name + "=" + url.QueryEscape(g.plant(place, n.name, n.make(g))) + " ; ")
	}
	return b.String()
}

func (g *garden) object(place string) map[string]any {
	o := map[string]any{"list": []any{map[string]any{"token": g.named(place)}}}
	for _, f := range seedForms {
		o["of "+f.name] = g.plant(place, f.name, f.make(g))
	}
	for _, n := range seedNames {
		o[n.name] = g.plant(place, n.name, n.make(g))
	}
	return o
}

func (g *garden) query(place string) string {
	q := url.Values{}
	for i, f := range seedForms {
		q.Set(fmt.Sprint("p", i), g.plant(place, f.name, f.make(g)))
	}
	for _, n := range seedNames {
		q.Set(n.name, g.plant(place, n.name, n.make(g)))
	}
	return q.Encode() + "#access_token=" + g.named(place+" fragment")
}

func (g *garden) tick() float64 { g.time += 5; return g.time }

func text(v any) string { b, _ := json.Marshal(v); return string(b) }

func (g *garden) file(data, ending string) string {
	sum := sha1.Sum([]byte(data))
	name := "resources/" + hex.EncodeToString(sum[:]) + ending
	g.files[name] = data
	return name
}

func (g *garden) zip(t testing.TB) []byte {
	var buf bytes.Buffer
	w, err := trace.NewWriter(&buf, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	add := func(name, data string) {
		if err := w.AddEntry(name, strings.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	for name, list := range map[string][]any{"0-trace.trace": g.events, "0-trace.network": g.network, "test.trace": g.test} {
		var b strings.Builder
		for _, line := range list {
			b.WriteString(text(line) + "\n")
		}
		add(name, b.String())
	}
	add("0-trace.stacks", text(m{"files": []string{"/app/t.spec.ts", "/app/" + g.one("name of a source") + ".ts"}, "stacks": []any{[]any{"call@5", []any{[]any{0, 3, 4, "buy"}, []any{1, 1, 1, "at_" + g.one("function of a stack")}}}}}))
	for name, data := range g.files {
		add(name, data)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
