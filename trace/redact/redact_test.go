package redact_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func run(t testing.TB, in string, o redact.Options) (out string, r *redact.Report) {
	t.Helper()
	out, err := tracetest.Rewrite(t, in, func(ctx context.Context, w *trace.Writer, src *trace.Archive) (err error) {
		r, err = redact.Run(ctx, w, src, o)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	return out, r
}

func pack(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func js(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// planted are secrets, each in its own kind of place. "§" in a text stands
// for the secret.
var planted = []struct{ secret, entry, text string }{
	{"correct-horse-9!", "0-trace.trace", `{"type":"before","callId":"call@1","startTime":1,"class":"Frame","method":"fill","title":"Fill \"§\"","params":{"selector":"internal:label=\"Password\"i","value":"§"}}`},
	{"dom-Passw0rd", "0-trace.trace", `{"type":"frame-snapshot","snapshot":{"callId":"call@1","snapshotName":"after@call@1","frameId":"f","frameUrl":"http://a/","html":["HTML",{},["BODY",{},["INPUT",{"type":"password","__playwright_value_":"§"}],["P",{},"you typed §"]]],"viewport":{"width":1,"height":1},"timestamp":2,"resourceOverrides":[],"isMainFrame":true}}`},
	{"meta-csrf-771abc", "0-trace.trace", `{"type":"frame-snapshot","snapshot":{"callId":"call@1","snapshotName":"after@call@1","frameId":"f","frameUrl":"http://a/","html":["HTML",{},["HEAD",{},["META",{"name":"csrf-token","content":"§"}]]],"viewport":{"width":1,"height":1},"timestamp":2,"resourceOverrides":[],"isMainFrame":true}}`},
	{"tok_frame_url_81", "0-trace.trace", `{"type":"event","time":2,"class":"BrowserContext","method":"page","params":{"pageId":"p","url":"http://a/cb?access_token=§&x=1#id_token=§"}}`},
	{"log-secret-5512", "0-trace.trace", `{"type":"log","callId":"call@1","time":2,"message":"→ Authorization: Bearer §"}`},
	{"cons-api-key-31", "0-trace.trace", `{"type":"console","messageType":"log","text":"config {\"apiKey\": \"§\"}","args":[{"preview":"{apiKey: '§'}","value":"§"}],"location":{"url":"","lineNumber":0,"columnNumber":0},"time":3}`},
	{"err-token-00ff", "0-trace.trace", `{"type":"after","callId":"call@1","endTime":4,"error":{"message":"GET http://a/?token=§ failed","stack":"Error\n at http://u:pw§@b/x.js"}}`},
	{"eval-secret-777", "0-trace.trace", `{"type":"before","callId":"call@2","startTime":1,"class":"Frame","method":"evaluateExpression","params":{"expression":"x","arg":{"value":{"o":[{"k":"password","v":{"s":"§"}}]}}}}`},
	{"bidi-secret-888", "0-trace.trace", `{"type":"event","time":1,"class":"BrowserContext","method":"log.entryAdded","params":{"args":[{"type":"object","value":[["password",{"type":"string","value":"§"}]]}]}}`},
	{"storage-tok-42x", "0-trace.trace", `{"type":"before","callId":"call@3","startTime":1,"class":"BrowserContext","method":"storageState","params":{"origins":[{"origin":"http://a","localStorage":[{"name":"auth_token","value":"§"}]}]}}`},
	{"unknown-pw-33", "0-trace.trace", `{"type":"my-own-event","deep":{"list":[{"userPassword":"§"}]}}`},
	{"hdr-auth-123456", "0-trace.network", `{"type":"resource-snapshot","snapshot":{"request":{"method":"GET","url":"http://a/","headers":[{"name":"Authorization","value":"Bearer §"}],"queryString":[],"cookies":[]},"response":{"status":200,"headers":[],"content":{"size":1,"mimeType":"x"}}}}`},
	{"cookie-value-9q", "0-trace.network", `{"type":"resource-snapshot","snapshot":{"request":{"method":"GET","url":"http://a/","headers":[{"name":"Cookie","value":"a=1; sid=§"}],"queryString":[],"cookies":[{"name":"sid","value":"§"}]},"response":{"status":200,"headers":[{"name":"Set-Cookie","value":"n=§; Path=/\nm=2"}],"content":{"size":1,"mimeType":"x"},"cookies":[{"name":"z","value":{"type":"string","value":"§"}}]}}}`},
	{"query-secret-77", "0-trace.network", `{"type":"resource-snapshot","snapshot":{"request":{"method":"GET","url":"http://a/?client_secret=§","headers":[{"name":"Referer","value":"http://a/?client_secret=§"}],"queryString":[{"name":"client_secret","value":"§"}],"cookies":[]},"response":{"status":200,"headers":[],"content":{"size":1,"mimeType":"x"}}}}`},
	{"json-body-pw-1", "resources/aaaa.json", `{"user":"bob","password":"§"}`},
	{"form-body-pw-2", "resources/bbbb.dat", `user=bob&password=§&x=1`},
	{"multi-part-pw-3", "resources/cccc.dat", "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n§\r\n--b--\r\n"},
	{"html-body-pw-4", "resources/dddd.html", `<form><input name=user value=bob><input type="password" value="§"></form>`},
	{"socket-token-55", "resources/eeee.jsonl", `{"type":"send","time":1,"opcode":1,"data":"{\"token\":\"§\"}"}` + "\n"},
	{"source-pw-0123", "src/0123456789012345678901234567890123456789.ts", `await page.fill('#password', secret); const password = "§";`},
	{"ghp_0123456789abcdefghijklmnopqrstuvwxyz", "resources/ffff.txt", `see § there`},
	{"stack-secret-0x", "0-trace.stacks", `{"files":["/a/?token=§"],"stacks":[]}`},
	{"aria-pw-55512", "aria/call@1-after.json", `[{"role":"textbox","name":"Password","text":"§"}]`},
}

func plantedTrace(t testing.TB) string {
	files := map[string]string{
		"0-trace.trace":   `{"version":8,"type":"context-options","origin":"library","browserName":"chromium","options":{},"platform":"linux","wallTime":1708000000000,"monotonicTime":1,"sdkLanguage":"javascript"}` + "\n",
		"0-trace.network": "",
	}
	var everything []string
	for _, p := range planted {
		in := p.text
		if strings.HasSuffix(p.entry, ".trace") || strings.HasSuffix(p.entry, ".network") {
			in += "\n"
		}
		files[p.entry] += strings.ReplaceAll(in, "§", p.secret)
		everything = append(everything, p.secret)
	}
	// All of them once more, in every way to write them, where nothing gives them away.
	var ways []string
	for _, s := range everything {
		ways = append(ways, "x"+s+"y", url.QueryEscape(s), url.PathEscape(s), base64.StdEncoding.EncodeToString([]byte("user:"+s)), base64.RawURLEncoding.EncodeToString([]byte("ab"+s+"cd")), js(s), js(js(s)))
	}
	files["0-trace.trace"] += js(map[string]any{"type": "stdout", "timestamp": 5, "text": strings.Join(ways, " ")}) + "\n"
	files["resources/9999.txt"] = strings.Join(ways, "\n")
	files["resources/8888.bin"] = "\x00\x01" + strings.Join(everything, "\x00")
	return pack(t, files)
}

// spellings are what must not be found anywhere.
func spellings(s string) []string {
	list := []string{s, url.QueryEscape(s), url.PathEscape(s), strings.Trim(js(s), `"`)}
	for pad := range 3 {
		b := base64.RawStdEncoding.EncodeToString(append(make([]byte, pad), s...))
		list = append(list, b[4:len(b)-4])
	}
	return list
}

func TestNoSecretIsLeftAnywhere(t *testing.T) {
	in := plantedTrace(t)
	out, r := run(t, in, redact.Options{})
	answer := js(r)
	for _, p := range planted {
		for name, text := range tracetest.Entries(t, out) {
			for _, s := range spellings(p.secret) {
				if i := strings.Index(text, s); i >= 0 {
					t.Errorf("%s (planted in %s) is in %s: …%.60s…", p.secret, p.entry, name, text[max(0, i-20):])
				}
			}
		}
		if strings.Contains(answer, p.secret) {
			t.Errorf("the report holds %s", p.secret)
		}
	}
	if r.Secrets < len(planted) || r.Replaced < 2*len(planted) || len(r.Places) == 0 {
		t.Errorf("%d secrets, %d places", r.Secrets, r.Replaced)
	}
	for _, p := range r.Places {
		if p.Place == "" || p.What == "" || p.With == "" {
			t.Errorf("place %+v", p)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	out, _ := run(t, plantedTrace(t), redact.Options{})
	all := tracetest.Entries(t, out)
	var text strings.Builder
	for _, s := range all {
		text.WriteString(s)
	}
	for _, want := range []string{`"name":"Authorization","value":"Bearer redacted-`, `"user":"bob"`, `user=bob&password=redacted-`, `n=redacted-`, `; Path=/`, `"selector":"internal:label=\"Password\"i"`,
		`type="password"`, `"type":"password"`, `name=\"password\"`, `"method":"fill"`, `you typed redacted-`, `"localStorage":[{"name":"auth_token"`} {
		if !strings.Contains(strings.ReplaceAll(text.String(), `name="password"`, `name=\"password\"`), want) {
			t.Errorf("no %s", want)
		}
	}
	if len(all["resources/8888.bin"]) != len(entriesOfFolder(t, plantedTrace(t))["resources/8888.bin"]) {
		t.Error("binary data has another length")
	}
}

func entriesOfFolder(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"resources/8888.bin"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(b)
	}
	return all
}

func TestSecondRedactionFindsNothing(t *testing.T) {
	once, _ := run(t, plantedTrace(t), redact.Options{})
	twice, r := run(t, once, redact.Options{})
	if r.Replaced != 0 || r.Secrets != 0 {
		t.Errorf("%d replaced: %+v", r.Replaced, r.Places)
	}
	a, b := tracetest.Entries(t, once), tracetest.Entries(t, twice)
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s changed", name)
		}
	}
}

func TestOwnRules(t *testing.T) {
	in := pack(t, map[string]string{"trace.trace": `{"version":10,"type":"context-options","origin":"library","title":"for ACME Corp"}
{"type":"event","time":1,"method":"x","params":{"ticket":"abc","password":"open","order":"ORD-123456","plain":"abc"}}
{"type":"before","callId":"c","startTime":2,"class":"Frame","method":"fill","params":{"selector":"#name","value":"Bob"}}
`})
	out, r := run(t, in, redact.Options{Values: []string{"ACME"}, Names: []string{"Tick-et"}, KeepNames: []string{"password"}, Patterns: []*regexp.Regexp{regexp.MustCompile(`ORD-(\d+)`)}})
	text := tracetest.Entries(t, out)["trace.trace"]
	for _, want := range []string{`for redacted-1 Corp`, `"ticket":"redacted-`, `"password":"open"`, `"order":"ORD-redacted-`, `"plain":"abc"`, `"value":"Bob"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if r.Secrets != 3 {
		t.Errorf("%d secrets", r.Secrets)
	}
	out, _ = run(t, in, redact.Options{TypedText: true})
	if text := tracetest.Entries(t, out)["trace.trace"]; strings.Contains(text, "Bob") {
		t.Errorf("typed text is there:\n%s", text)
	}
}

// A redacted trace is as sound as it was, and every resource is still found.
func TestRealTracesStaySound(t *testing.T) {
	for _, pattern := range []string{"playwright/*.zip", "vibium/v26.8*.zip", "playwright/old/v[358]*.zip"} {
		list, err := filepath.Glob(filepath.Join("..", "..", "testdata", "corpus", pattern))
		if err != nil || len(list) == 0 {
			t.Fatal(pattern, err)
		}
		for _, in := range list {
			out, r := run(t, in, redact.Options{})
			was, is := tracetest.Problems(t, in), tracetest.Problems(t, out)
			for code, n := range is {
				if n > was[code] {
					t.Errorf("%s: %s %d times, was %d", in, code, n, was[code])
				}
			}
			if len(tracetest.Entries(t, in)) > len(tracetest.Entries(t, out)) {
				t.Errorf("%s: entries are missing", in)
			}
			if r.Pictures > 0 && strings.HasSuffix(in, "basic.zip") {
				out, r = run(t, in, redact.Options{NoPictures: true})
				for name, text := range tracetest.Entries(t, out) {
					if strings.HasSuffix(name, ".jpeg") || strings.Contains(text, "data:image/jpeg;base64,/9j") {
						t.Errorf("%s: %s is still there", in, name)
					}
				}
				if r.DroppedPictures == 0 {
					t.Errorf("%s: no pictures dropped", in)
				}
			}
		}
	}
}

// body returns the one resource that is not events.
func body(all map[string]string) string {
	for name, s := range all {
		if strings.HasPrefix(name, "resources/") {
			return s
		}
	}
	return ""
}

// A given value is nowhere in the copy, whatever it is and wherever it stands,
// and lines stay JSON.
func FuzzGivenValue(f *testing.F) {
	f.Add("s3cret", `{"a":"b s3cret c","d":["http://x/?q=s3cret"]}`)
	f.Add(`a"b\c`, `{"text":"a\"b\\c"}`)
	f.Add("ümlaut<&>'", `["ümlaut<&>'"]`)
	f.Fuzz(func(t *testing.T, secret, text string) {
		if len(secret) < 4 || len(text) > 5000 || strings.Contains("redacted-0123456789", secret) || strings.ContainsAny(secret, "\x00\n\r\ufffd") || strings.Trim(secret, "*") == "" { // asterisks are what masks are made of
			return
		}
		line := js(map[string]any{"type": "mine", "a": text, "b": "x" + secret + "y", "c": map[string]string{"k " + secret: secret}})
		in := pack(t, map[string]string{"trace.trace": `{"version":10,"type":"context-options","origin":"library"}` + "\n" + line + "\n", "resources/x.txt": text + secret})
		out, _ := run(t, in, redact.Options{Values: []string{secret}})
		var all strings.Builder
		for name, s := range tracetest.Entries(t, out) {
			fmt.Fprintln(&all, name, s)
			if name == "trace.trace" {
				for _, l := range strings.Split(strings.TrimSpace(s), "\n") {
					if !json.Valid([]byte(l)) {
						t.Errorf("not JSON: %q", l)
					}
				}
			}
		}
		var v map[string]any
		lines := strings.Split(tracetest.Entries(t, out)["trace.trace"], "\n")
		if err := json.Unmarshal([]byte(lines[1]), &v); err != nil {
			t.Fatal(err)
		}
		// What is put in may make up the secret with what stands beside it.
		apart := strings.NewReplacer("redacted-", "\x00").Replace
		if s := apart(fmt.Sprint(v["a"], v["b"], v["c"])); strings.Contains(s, secret) {
			t.Errorf("%q is in %q", secret, s)
		}
		if strings.Contains(apart(body(tracetest.Entries(t, out))), secret) {
			t.Errorf("%q is in the body", secret)
		}
	})
}

// What is written as base64 is looked into, and is base64 afterwards.
func TestSecretsInBase64(t *testing.T) {
	const token = "ghp_" + "1B2M2Y8AsgTpgAmY7PhCfg1QwErTyUiOpAsD"
	r := redact.NewMasker(redact.Options{})
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		for _, plain := range []string{`{"k":"` + token + `"}`, "a text with " + token + " in it", "{\"a\":[{\"password\":\"Zq8rV2wLx5Tn\"}]}"} {
			text := encoding.EncodeToString([]byte(plain))
			for _, around := range []string{"%s", "https://a.example/x/%s", "https://a.example/?b=%s&c=1", "log %s.", `{"blob":"%s"}`} {
				out := r.Text(fmt.Sprintf(around, text))
				if strings.Contains(out, text) {
					t.Errorf("%q stays in %q", plain, out)
					continue
				}
				before, after, _ := strings.Cut(around, "%s")
				inner := strings.TrimSuffix(strings.TrimPrefix(out, before), after)
				if b, err := encoding.DecodeString(inner); err != nil || !strings.Contains(string(b), "redacted-") {
					t.Errorf("%q became %q (%v)", plain, inner, err)
				}
			}
		}
	}
	for _, harmless := range []string{base64.StdEncoding.EncodeToString([]byte("a long text in which nothing is secret at all")), "/" + strings.Repeat("path/to/", 20), strings.Repeat("A", 100)} {
		if out := r.Text(harmless); out != harmless {
			t.Errorf("%q became %q", harmless, out)
		}
	}
}
