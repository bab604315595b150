package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// planter makes secrets of the kinds that services give out, each only once.
type planter struct {
	r    *rand.Rand
	made []string
}

func (p *planter) secret() string {
	const alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	random := func(n int, signs string) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = signs[p.r.IntN(len(signs))]
		}
		return string(b)
	}
	encode := base64.RawURLEncoding.EncodeToString
	forms := []func() string{
		func() string { return "AKIA" + random(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") },
		func() string { return "ghp_" + random(36, alnum) },
		func() string { return "sk_" + "live_" + random(24, alnum) },
		func() string {
			return encode([]byte(`{"alg":"HS256","kid":"`+random(6, alnum)+`"}`)) + "." + encode([]byte(`{"sub":"`+random(8, alnum)+`"}`)) + "." + random(24, alnum)
		},
		func() string { return "xoxb-" + random(12, "0123456789") + "-" + random(24, alnum) },
		func() string { return "glpat-" + random(20, alnum) },
	}
	s := forms[len(p.made)%len(forms)]()
	p.made = append(p.made, s)
	return s
}

// entry is a request with a secret in each of its places.
func (p *planter) entry(t *testing.T, w *trace.Writer, i int, at trace.Time) har.Entry {
	s := p.secret
	bodies := []struct{ kind, text string }{
		{"application/json", fmt.Sprintf(`{"id":%d,"note":"%s","access_token":"%s","deep":"{\"k\":\"%s\"}"}`, i, s(), s(), s())},
		{"text/html", "<script>var apiKey='" + s() + "'</script><a href='/?k=" + s() + "'>"},
		{"text/javascript", `const a={secret:"` + s() + `"}`},
		{"application/x-www-form-urlencoded", "a=" + s() + "&password=" + s()},
	}
	b := bodies[i%len(bodies)]
	file, err := w.AddResource([]byte(b.text), ".dat")
	mustNot(t, err)
	path := "/api/things/" + s() + "?token=" + s() + "&q=" + url.QueryEscape("find "+s()) + "&b=" + base64.URLEncoding.EncodeToString([]byte(`{"k":"`+s()+`"}`))
	e := har.Entry{ResourceType: "fetch", FrameRef: "frame@1", PageRef: "page@1", MonotonicTime: float64(at), HasMonotonicTime: true, StartedDateTime: "2026-01-01T00:00:01.000Z",
		Request: har.Request{Method: []string{"POST", "GET", "POST", "GET"}[i%4], URL: "https://app.example.org" + path,
			Headers: []har.NameValue{{Name: "Authorization", Value: "Bearer " + s()}, {Name: "Cookie", Value: "session=" + s()}, {Name: "X-Note", Value: s()}, {Name: "Referer", Value: "https://app.example.org/?t=" + s()}},
			Cookies: []har.Cookie{{Name: "session", Value: s()}}},
		Response: har.Response{Status: []int{200, 200, 500, 200}[i%4], Headers: []har.NameValue{{Name: "Set-Cookie", Value: "sid=" + s() + "; Path=/"}, {Name: "Location", Value: "/cb?token=" + s()}, {Name: "Content-Type", Value: b.kind}},
			Content: har.Content{MimeType: b.kind, File: file, Size: len(b.text)}}}
	if e.Request.Method == "POST" {
		e.Request.PostData = &har.PostData{MimeType: "application/json", Text: `{"name":"` + s() + `","password":"` + s() + `"}`}
	}
	if i%5 == 4 {
		e.ResourceType, e.Request.URL = "websocket", strings.Replace(e.Request.URL, "https:", "wss:", 1)
		e.SetExtra("_webSocketMessages", []byte(`[{"type":"send","time":1,"opcode":1,"data":"{\"token\":\"`+s()+`\"}"}]`))
	}
	return e
}

// write makes a session that fails, with secrets in every place of it.
func (p *planter) write(t *testing.T, path string) {
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	mustNot(t, err)
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", Title: "Session " + p.secret(), PlaywrightVersion: "1.65.1", SDKLanguage: "javascript"})
	mustNot(t, err)
	put := func(b trace.Body) { mustNot(t, c.Write(b)) }
	const dom = `["HTML",{},["BODY",{},["H1",{},"Things"],["P",{"title":"%s"},"%s"],["INPUT",{"id":"api_key","__playwright_value_":"%s"}],["INPUT",{"id":"n%d","data-testid":"%s"}]]]`
	put(&trace.ContextEvent{Class: "BrowserContext", Method: "page", PageID: "page@1", Params: json.RawMessage(`{"pageId":"page@1"}`)})
	for i := 0; len(p.made) < 1000; i++ {
		s, at := p.secret, trace.Time(1000*(i+1))*1e6
		id := fmt.Sprintf("call@%d", i+1)
		b := &trace.Before{CallID: id, StartTime: at, Class: "Frame", Method: "fill", PageID: "page@1", Params: json.RawMessage(fmt.Sprintf(`{"selector":"#n%d >> text=%s","value":"%s"}`, i, s(), s()))}
		switch {
		case i == 0:
			b.Method, b.Params = "goto", json.RawMessage(`{"url":"https://app.example.org/things?token=`+s()+`"}`)
		case i%4 == 1:
			b.Params = json.RawMessage(`{"selector":"internal:label=\"Password\"i","value":"` + s() + `"}`)
		case i%4 == 2:
			b.Method, b.Params = "click", json.RawMessage(`{"selector":"internal:role=button[name=\"Use `+s()+`\"i]"}`)
		}
		put(b)
		put(&trace.FrameSnapshot{CallID: id, Phase: trace.PhaseBefore, Name: "before@" + id, PageID: "page@1", FrameID: "frame@1", IsMainFrame: true, Timestamp: at, FrameURL: "https://app.example.org/things?k=" + s(),
			HTML: json.RawMessage(fmt.Sprintf(dom, s(), s(), s(), i, s()))})
		put(&trace.Log{CallID: id, Time: at, Message: "fill " + s()})
		put(&trace.ResourceSnapshot{Entry: p.entry(t, w, i, at/1e6)})
		put(&trace.Console{Time: at, Kind: "error", PageID: "page@1", Text: "user " + s(), Location: trace.Location{URL: "https://app.example.org/" + s() + ".js?k=" + s()},
			Args: []trace.ConsoleArg{{Preview: "{token: " + s() + "}", Value: json.RawMessage(`"` + s() + `"`)}}})
		put(&trace.ContextEvent{Time: at, Class: "BrowserContext", Method: "pageError", PageID: "page@1", Params: json.RawMessage(`{"error":{"error":{"name":"Error","message":"no ` + s() + `","stack":"at f (https://app.example.org/a.js?k=` + s() + `:1:1)"}}}`)})
		put(&trace.Stdio{Stream: "stdout", Text: "token=" + s()})
		a := &trace.After{CallID: id, EndTime: at + 5e8, Result: json.RawMessage(`{"value":"` + s() + `"}`)}
		if len(p.made) >= 990 {
			a.Error = &trace.Error{Name: "Error", Message: "no element with " + s()}
		}
		put(a)
	}
	mustNot(t, w.Close())
}

func mustNot(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// needleLength is how much of a secret must not be anywhere.
const needleLength = 10

// needlesOf are parts of all spellings of the secrets: as they are, in addresses,
// in JSON, and in base64 of either alphabet at each place of a group.
func needlesOf(secrets []string) map[string]string {
	all := map[string]string{}
	add := func(spelling, secret string) {
		from := len(spelling) / 3
		all[spelling[from:from+needleLength]] = secret
	}
	for _, s := range secrets {
		quoted, _ := json.Marshal(s)
		for _, spelling := range []string{s, url.QueryEscape(s), url.PathEscape(s), string(quoted[1 : len(quoted)-1])} {
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

func leaks(text string, needles map[string]string) (list []string) {
	seen := map[string]bool{}
	for i := 0; i+needleLength <= len(text); i++ {
		if secret, ok := needles[text[i:i+needleLength]]; ok && !seen[secret] {
			seen[secret] = true
			list = append(list, fmt.Sprintf("%s in …%q…", secret, text[max(0, i-80):min(len(text), i+80)]))
		}
	}
	return list
}

// Of 1,000 secrets in every place of a session none comes out of a command that
// masks what it says, in any format.
func TestNoSecretComesOut(t *testing.T) {
	p := &planter{r: rand.New(rand.NewPCG(1, 2))}
	dir := t.TempDir()
	in := filepath.Join(dir, "in.zip")
	p.write(t, in)
	needles := needlesOf(p.made)
	clean, kept := filepath.Join(dir, "clean.zip"), filepath.Join(dir, "api.json")
	for _, c := range []string{
		"audit --severity info --limit -1 IN", "audit --severity info --limit -1 --json IN", "audit --severity info --limit -1 --sarif - IN", "audit --severity info --limit -1 --junit - IN", "audit --severity info --limit -1 --lines IN",
		"contract check IN", "contract check --json IN", "contract check --sarif - IN", "contract check --junit - IN",
		"contract learn --file API IN", "contract report --json --file API", "contract report --as openapi --file API", "contract report --as json-schema --file API",
		"gen test --style full IN", "gen test --style full --fixtures mock IN", "gen test --fixtures seed IN", "gen test --json IN", "gen test --requests IN", "gen test --lang rod IN",
		"repro IN", "repro --lang rod IN", "repro --fixtures mock IN", "repro --json IN",
		"bugreport --inline IN", "bugreport --json IN", "bugreport -o DIR/bug IN",
		"report IN", "report --format json IN", "report --format ai-context IN", "report --format junit IN", "report --format markdown IN",
		"export --html --redact -o DIR/page.html IN", "export --html --no-pictures -o DIR/page2.html IN",
		"redact -o CLEAN IN", "export --format har CLEAN", "export --format ndjson CLEAN", "actions --json CLEAN", "network --json CLEAN", "console CLEAN", "errors --json CLEAN", "export --html -o DIR/page3.html CLEAN",
	} {
		var out, errs bytes.Buffer
		args := strings.Fields(strings.NewReplacer("IN", in, "API", kept, "DIR", dir, "CLEAN", clean).Replace(c))
		if code := dispatch(context.Background(), newEnv(nil, &out, &errs, func(string) string { return "" }), args); code == exitTrouble {
			t.Errorf("%s: %s", c, errs.String())
			continue
		}
		if len(out.String()) < 20 && !strings.Contains(c, "-o ") {
			t.Errorf("%s says nothing: %s", c, out.String())
		}
		found := leaks(out.String()+errs.String(), needles)
		if len(found) > 0 {
			t.Errorf("%s gives away %d secrets: %s", c, len(found), strings.Join(found[:min(3, len(found))], "\n"))
		}
	}
	mustNot(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == in {
			return err
		}
		for name, text := range textsOf(t, path) {
			if found := leaks(text, needles); len(found) > 0 {
				t.Errorf("%s gives away %d secrets: %s", name, len(found), strings.Join(found[:min(3, len(found))], "\n"))
			}
		}
		return nil
	}))
	if len(leaks(textsOf(t, in)["in.zip/0-trace.trace"], needles)) < 100 {
		t.Error("the session holds few secrets")
	}
}

// textsOf are the contents of a file, or of the entries of a zip.
func textsOf(t *testing.T, path string) map[string]string {
	t.Helper()
	b, err := os.ReadFile(path)
	mustNot(t, err)
	base := filepath.Base(path)
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return map[string]string{base: string(b)}
	}
	texts := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		mustNot(t, err)
		text, err := io.ReadAll(r)
		mustNot(t, err)
		r.Close()
		texts[base+"/"+f.Name] = string(text)
	}
	return texts
}
