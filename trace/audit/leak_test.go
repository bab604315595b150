package audit_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/audit"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/tracetest"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// planter makes secrets of all kinds, each only once.
type planter struct {
	r    *rand.Rand
	made []string
}

func (p *planter) random(n int, signs string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = signs[p.r.IntN(len(signs))]
	}
	return string(b)
}

const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

func (p *planter) secret() string {
	var s string
	switch len(p.made) % 8 {
	case 0:
		s = "AKIA" + p.random(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
	case 1:
		s = "ghp_" + p.random(36, alnum)
	case 2:
		s = "sk_" + "live_" + p.random(24, alnum)
	case 3:
		s = jwtOf(`{"alg":"HS256","kid":"`+p.random(6, alnum)+`"}`, `{"sub":"`+p.random(8, alnum)+`"}`)
	case 4:
		s = "xoxb-" + p.random(12, "0123456789") + "-" + p.random(24, alnum)
	case 5:
		s = "AIza" + p.random(35, alnum)
	case 6:
		s = "glpat-" + p.random(20, alnum)
	case 7:
		s = "sk-" + "proj-" + p.random(30, alnum)
	}
	p.made = append(p.made, s)
	return s
}

// entry holds a secret in every place of a request.
func (p *planter) entry(t *testing.T, w *trace.Writer, i int) har.Entry {
	t.Helper()
	s := p.secret
	add := func(text string) string {
		file, err := w.AddResource([]byte(text), ".dat")
		must(t, err)
		return file
	}
	bodies := []struct{ text, kind string }{
		{`{"` + s() + `":"a","b":{"token":"` + s() + `","x":["` + s() + `"]},"n":"{\"deep\":\"` + s() + `\"}"}`, "application/json"},
		{"<html><script>var apiKey='" + s() + "'</script><a href='/?k=" + s() + "'>", "text/html"},
		{"const a={secret:\"" + s() + "\"}//" + s(), "text/javascript"},
		{"log " + s() + "\npassword=" + s(), "text/plain"},
		{"a=" + s() + "&secret=" + s(), "application/x-www-form-urlencoded"},
	}
	body := bodies[i%len(bodies)]
	path := "/a/" + s() + "/" + url.PathEscape(s()+"/x")
	query := "?" + s() + "=1&token=" + s() + "&q=" + url.QueryEscape("find "+s()) + "&b=" + base64.URLEncoding.EncodeToString([]byte(`{"k":"`+s()+`"}`)) + "#" + s() + "&code=" + s()
	e := har.Entry{ResourceType: "fetch", FrameRef: s(), PageRef: s(), Comment: s(),
		Request: har.Request{Method: "POST", URL: "http://" + s() + ":" + s() + "@" + "api.example.org" + path + query,
			Headers:  []har.NameValue{{Name: "Authorization", Value: "Bearer " + s()}, {Name: "Cookie", Value: "session=" + s()}, {Name: "X-" + s(), Value: s()}, {Name: "Referer", Value: "https://app.example.org/" + s() + "?t=" + s()}},
			Cookies:  []har.Cookie{{Name: "session", Value: s()}},
			PostData: &har.PostData{MimeType: body.kind, Text: body.text}},
		Response: har.Response{Status: 200, StatusText: s(), FailureText: s(), RedirectURL: "/" + s(),
			Headers: []har.NameValue{{Name: "Set-Cookie", Value: "sid_" + s() + "=" + s() + "; Path=/"}, {Name: "Location", Value: "/cb?token=" + s()}, {Name: "Content-Type", Value: body.kind}},
			Content: har.Content{MimeType: body.kind, File: add(strings.ReplaceAll(body.text, "a", s()+"a"))}}}
	if i%4 == 3 {
		e.ResourceType, e.Request.URL = "websocket", strings.Replace(e.Request.URL, "http:", "ws:", 1)
		e.Response.Content.File = add(`{"type":"send","opcode":1,"data":"hello ` + s() + `"}` + "\n" + `{"type":"` + s() + `","opcode":1,"data":"{\"token\":\"` + s() + `\"}"}`)
	}
	return e
}

func (p *planter) archive(t *testing.T) *trace.Archive {
	t.Helper()
	path := filepath.Join(t.TempDir(), "planted.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	must(t, err)
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", Title: p.secret()})
	must(t, err)
	for i := 0; len(p.made) < 1000; i++ {
		must(t, c.Write(&trace.Console{Kind: "log " + p.secret(), Text: "user " + p.secret(), Location: trace.Location{URL: "https://app.example.org/" + p.secret() + ".js?k=" + p.secret()},
			Args: []trace.ConsoleArg{{Preview: "{token: " + p.secret() + "}", Value: json.RawMessage(`"` + p.secret() + `"`)}}}))
		must(t, c.Write(&trace.ContextEvent{Class: "BrowserContext", Method: "pageError", Params: json.RawMessage(`{"error":{"error":{"name":"Error","message":"no ` + p.secret() + `","stack":"at ` + p.secret() + `"}}}`)}))
		must(t, c.Write(&trace.Stdio{Stream: "stdout", Text: "token=" + p.secret()}))
		must(t, c.Write(&trace.ResourceSnapshot{Entry: p.entry(t, w, i)}))
		id := fmt.Sprintf("call@%d", i)
		must(t, c.Write(&trace.Before{CallID: id, Class: "Frame", Method: "fill", Title: "Type " + p.secret(), Params: json.RawMessage(`{"selector":"#` + p.secret() + `","value":"` + p.secret() + `"}`)}))
		must(t, c.Write(&trace.Log{CallID: id, Message: "fill " + p.secret()}))
		must(t, c.Write(&trace.FrameSnapshot{CallID: id, FrameID: "f", PageID: "p", IsMainFrame: true, FrameURL: "https://app.example.org/" + p.secret() + "?t=" + p.secret(),
			HTML: json.RawMessage(`["HTML",{},["BODY",{},["P",{"title":"` + p.secret() + `"},"` + p.secret() + `"],["INPUT",{"name":"` + p.secret() + `","type":"hidden","value":"` + p.secret() + `"}]]]`)}))
		must(t, c.Write(&trace.After{CallID: id, Result: json.RawMessage(`{"value":"` + p.secret() + `"}`), Error: &trace.Error{Message: "no " + p.secret()}}))
	}
	must(t, w.Close())
	return tracetest.Open(t, path)
}

func TestNoSecretLeavesInAnyFormat(t *testing.T) {
	for seed := range uint64(3) {
		p := &planter{r: rand.New(rand.NewPCG(seed, 7))}
		var lines bytes.Buffer
		r, err := audit.Run(context.Background(), p.archive(t), audit.Options{Least: verdict.Info, Limit: -1, OnFinding: func(f verdict.Finding) { fmt.Fprintf(&lines, "%+v\n", f) }})
		must(t, err)
		checkCounts(t, r)
		if r.Summary.Critical < 100 {
			t.Errorf("only %d critical findings", r.Summary.Critical)
		}
		results := []verdict.Result{{Trace: "planted.zip", Report: r}}
		var sarif, junit, text bytes.Buffer
		must(t, verdict.WriteSARIF(&sarif, verdict.Tool{Name: "t", Rules: audit.Rules}, results))
		must(t, verdict.WriteJUnit(&junit, verdict.Tool{Name: "t"}, results, verdict.Info))
		plain, err := json.Marshal(r)
		must(t, err)
		for i := range r.Findings {
			fmt.Fprintf(&text, "%s %+v\n", r.Findings[i].Line(), r.Findings[i])
		}
		all := needles(p.made)
		for format, out := range map[string]string{"SARIF": sarif.String(), "JUnit": junit.String(), "JSON": string(plain), "text": text.String() + strings.Join(r.Remarks(), "\n"), "lines": lines.String()} {
			leaked(out, all, func(secret, around string) { t.Errorf("%s holds %s: …%s…", format, secret, around) })
		}
	}
}

// window is how much of a secret must not be anywhere.
const window = 10

// needles are parts of all spellings of all secrets.
func needles(secrets []string) map[string]string {
	all := map[string]string{}
	add := func(spelling, secret string) {
		from := len(spelling) / 3
		all[spelling[from:from+window]] = secret
	}
	for _, s := range secrets {
		quoted, _ := json.Marshal(s)
		for _, spelling := range []string{s, url.QueryEscape(s), url.PathEscape(s), string(quoted[1 : len(quoted)-1]), strings.ToLower(s)} {
			add(spelling, s)
		}
		for shift := range 3 {
			for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				text := enc.EncodeToString([]byte(strings.Repeat("x", shift) + s))
				add(text[4:len(text)-4], s)
			}
		}
	}
	return all
}

// leaked calls found with where a text holds a part of a secret.
func leaked(text string, needles map[string]string, found func(secret, around string)) {
	for i := 0; i+window <= len(text); i++ {
		if secret, ok := needles[text[i:i+window]]; ok {
			found(secret, text[max(0, i-200):min(len(text), i+200)])
			return
		}
	}
}

func TestNeedlesAreFound(t *testing.T) {
	const secret = "glpat-NcQMutmJqhiAjvsqZOdo"
	for _, text := range []string{secret, "x" + base64.StdEncoding.EncodeToString([]byte("a: "+secret)), strings.ToUpper(secret[:3]) + strings.ToLower(secret)} {
		n := 0
		leaked("<"+text+">", needles([]string{secret}), func(string, string) { n++ })
		if n == 0 {
			t.Errorf("%s is not found", text)
		}
	}
}

// Whatever a body holds, looking through it ends, and the report holds nothing
// that is named a password.
func FuzzRun(f *testing.F) {
	for _, s := range []string{`{"a":{"token":"ghp_x"}}`, "password=", "-----BEGIN PRIVATE KEY-----", "eyJhbGciOiJub25lIn0.e30.", "a@b.c +1 555-0100 4111111111111111", `[[[[{"":"\ud800"}]]]]`} {
		f.Add(s, s, s)
	}
	f.Fuzz(func(t *testing.T, body, address, message string) {
		const planted = "zQ8rV2wLx5Tn1Kd7"
		s := session{logs: []string{message}, calls: []call{
			{url: "http://h.example.org/" + address, body: body, bodyType: "application/json", sent: body, sentType: "application/x-www-form-urlencoded", answered: map[string]string{"Set-Cookie": message, "Location": address}},
			{url: address, body: body + "\npassword: " + planted, bodyType: "text/plain"}, {url: "https://h.example.org/?secret=" + planted, body: body, bodyType: "text/javascript"}}}
		b, err := json.Marshal(run(t, s, audit.Options{}))
		must(t, err)
		if strings.Contains(string(b), planted) {
			t.Errorf("%s", b)
		}
	})
}
