package audit_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/audit"
	"github.com/tracedeck/tracedeck/trace/har"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/tracetest"
	"github.com/tracedeck/tracedeck/trace/verdict"
)

// call is a request and its answer, as tests write them.
type call struct {
	method, url, kind string
	headers, answered map[string]string
	sent, sentType    string
	status            int
	body, bodyType    string
	frame, page       string
	failure           string
	messages          string
}

// session is what a test's trace is made of.
type session struct {
	calls []call
	logs  []string
}

func (s session) write(t testing.TB) *trace.Archive {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	must(t, err)
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", PlaywrightVersion: "1.65.1", SDKLanguage: "javascript"})
	must(t, err)
	for i, l := range s.logs {
		must(t, c.Write(&trace.Console{Time: trace.Time(i), Kind: "log", Text: l, Location: trace.Location{URL: "https://app.example.org/app.js", Line: 41}}))
	}
	for i, call := range s.calls {
		must(t, c.Write(&trace.ResourceSnapshot{Entry: call.entry(t, w, float64(i))}))
	}
	must(t, w.Close())
	return tracetest.Open(t, path)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (c call) entry(t testing.TB, w *trace.Writer, at float64) har.Entry {
	t.Helper()
	e := har.Entry{ResourceType: c.kind, FrameRef: c.frame, MonotonicTime: at, HasMonotonicTime: true,
		Request: har.Request{Method: c.method, URL: c.url, Headers: pairs(c.headers)}, Response: har.Response{Status: c.status, Headers: pairs(c.answered), FailureText: c.failure}}
	if e.Request.Method == "" {
		e.Request.Method = "GET"
	}
	if e.Response.Status == 0 && c.failure == "" {
		e.Response.Status = 200
	}
	if c.page != "" {
		e.Request.Headers = append(e.Request.Headers, har.NameValue{Name: "Referer", Value: c.page})
	}
	if c.sent != "" {
		e.Request.PostData = &har.PostData{MimeType: c.sentType, Text: c.sent}
	}
	e.Response.Content.MimeType = c.bodyType
	if c.body != "" {
		file, err := w.AddResource([]byte(c.body), ".dat")
		must(t, err)
		e.Response.Content.File, e.Response.Content.Size = file, len(c.body)
	}
	if c.messages != "" {
		e.SetExtra("_webSocketMessages", []byte(c.messages))
	}
	return e
}

func pairs(m map[string]string) (list []har.NameValue) {
	for k, v := range m {
		list = append(list, har.NameValue{Name: k, Value: v})
	}
	return list
}

func run(t testing.TB, s session, o audit.Options) *verdict.Report {
	t.Helper()
	if o.Least == "" {
		o.Least = verdict.Info
	}
	if o.Limit == 0 {
		o.Limit = -1
	}
	r, err := audit.Run(context.Background(), s.write(t), o)
	must(t, err)
	checkCounts(t, r)
	return r
}

// checkCounts holds what is true of any report.
func checkCounts(t testing.TB, r *verdict.Report) {
	t.Helper()
	by, checks := map[verdict.Severity]int{}, map[string]int{}
	for i, f := range r.Findings {
		by[f.Severity]++
		checks[f.Category]++
		if f.Title == "" || f.Recommendation == "" || f.CWE == "" || f.Evidence.Place == "" || f.Occurrences < 1 {
			t.Errorf("finding lacks something: %+v", f)
		}
		if i > 0 && !r.Findings[i-1].Severity.AtLeast(f.Severity) {
			t.Errorf("finding %d is worse than the one before", i)
		}
	}
	s := r.Summary
	if s.Total != len(r.Findings) || s.Critical != by["critical"] || s.Warning != by["warning"] || s.Info != by["info"] {
		t.Errorf("summary %+v of %v", s, by)
	}
	for _, c := range r.Checks {
		if n := checks[c.Name] + s.BelowFloor[c.Name] + s.NotShown[c.Name]; n != c.Findings || (c.State == verdict.Found) != (n > 0) {
			t.Errorf("check %s: %d findings and %s, not %d", c.Name, c.Findings, c.State, n)
		}
	}
}

// only returns the finding of that code; there must be exactly one.
func only(t testing.TB, r *verdict.Report, code string) verdict.Finding {
	t.Helper()
	list := of(r, code)
	if len(list) != 1 {
		t.Fatalf("%d findings of %s: %+v", len(list), code, r.Findings)
	}
	return list[0]
}

func of(r *verdict.Report, code string) (list []verdict.Finding) {
	for _, f := range r.Findings {
		if f.Code == code {
			list = append(list, f)
		}
	}
	return list
}

func state(r *verdict.Report, check string) verdict.State {
	for _, c := range r.Checks {
		if c.Name == check {
			return c.State
		}
	}
	return ""
}

// Secrets are put together here so that nobody's scanner takes them for some.
var (
	awsKey   = "AKIA" + "QYLPMN5HHHFPZAM2"
	github   = "ghp_" + "1B2M2Y8AsgTpgAmY7PhCfg1QwErTyUiOpAsD"
	stripe   = "sk_" + "live_51OuEMLAlTWGaDypq4P5cuDHbuKe"
	testKey  = "sk_" + "test_51OuEMLAlTWGaDypq4P5cuDHbuKe"
	token    = jwtOf(`{"alg":"HS256","typ":"JWT"}`, `{"sub":"1","exp":4102444800}`)
	pem      = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEpQIBAAKCAQEAn6/O8li+SX4m98LLYt/PKSzEmQ++ZBD7Loh9P13f4yQ92EF3\n-----END RSA PRIVATE " + "KEY-----"
	opaque   = "q8Zr2LwX5vTn1KdY7mBc"
	password = "hunter2Swordfish9"
)

func jwtOf(head, payload string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(head)) + "." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2lnbmF0dXJlc2lnbmF0dXJl"
}

func TestCredentialsByPlace(t *testing.T) {
	const app = "https://app.example.org/"
	jsonBody := func(name, value string) string { return fmt.Sprintf(`{"data":[{%q:%q}]}`, name, value) }
	for name, c := range map[string]struct {
		call     call
		code     string
		severity verdict.Severity
		field    string
	}{
		"key in query":                 {call{url: app + "a?api_key=" + opaque}, "secret-in-url", "critical", "api_key"},
		"short key in query":           {call{url: app + "a?key=1"}, "secret-in-url", "info", "key"},
		"github in path":               {call{url: app + "t/" + github + "/x"}, "secret-in-url", "critical", "path"},
		"password before host":         {call{url: "https://joe:" + opaque + "@app.example.org/"}, "secret-in-url", "critical", "userinfo"},
		"token in fragment":            {call{url: app + "cb#access_token=" + opaque}, "secret-in-url", "critical", "access_token"},
		"aws in request":               {call{method: "POST", url: app, sent: jsonBody("note", awsKey), sentType: "application/json"}, "secret-in-request", "critical", "/data/*/note"},
		"form":                         {call{method: "POST", url: app, sent: "a=1&client_secret=" + opaque, sentType: "application/x-www-form-urlencoded"}, "secret-in-request", "warning", "client_secret"},
		"sign-in":                      {call{method: "POST", url: app + "login", sent: jsonBody("password", password), sentType: "application/json"}, "secret-in-request", "info", "/data/*/password"},
		"jwt to first party":           {call{method: "POST", url: app + "x", page: app, sent: jsonBody("t", token), sentType: "application/json"}, "secret-in-request", "warning", "/data/*/t"},
		"jwt to third party":           {call{method: "POST", url: "https://ads.example.net/", page: app, sent: jsonBody("t", token), sentType: "application/json"}, "secret-in-request", "critical", "/data/*/t"},
		"stripe in response":           {call{url: app, body: jsonBody("k", stripe), bodyType: "application/json"}, "secret-in-response", "critical", "/data/*/k"},
		"test key":                     {call{url: app, body: jsonBody("k", testKey), bodyType: "application/json"}, "secret-in-response", "info", "/data/*/k"},
		"private key":                  {call{url: app, body: pem, bodyType: "text/plain"}, "secret-in-response", "critical", ""},
		"login answers with jwt":       {call{method: "POST", url: app + "api/login", body: jsonBody("access_token", token), bodyType: "application/json"}, "secret-in-response", "info", "/data/*/access_token"},
		"jwt elsewhere":                {call{url: app + "api/me", body: jsonBody("t", token), bodyType: "application/json"}, "secret-in-response", "warning", "/data/*/t"},
		"password in response":         {call{url: app + "api/me", body: jsonBody("password", password), bodyType: "application/json"}, "secret-in-response", "critical", "/data/*/password"},
		"JSON in JSON":                 {call{url: app, body: jsonBody("k", jsonBody("z", stripe)), bodyType: "application/json"}, "secret-in-response", "critical", "/data/*/k/data/*/z"},
		"script":                       {call{url: app + "a.js", body: "const k='" + github + "'", bodyType: "text/javascript"}, "secret-in-script", "critical", ""},
		"named in script":              {call{url: app + "a.js", body: `var c={apiSecret:"` + opaque + `"}`, bodyType: "text/javascript"}, "secret-in-script", "warning", ""},
		"inline script":                {call{url: app, body: "<script>k='" + github + "'</script>", bodyType: "text/html"}, "secret-in-script", "critical", ""},
		"socket":                       {call{url: "wss://app.example.org/s", kind: "websocket", status: 101, messages: `[{"type":"send","opcode":1,"data":"{\"k\":\"` + github + `\"}"}]`}, "secret-in-websocket", "critical", "send/k"},
		"key of a service in a header": {call{url: app, page: app, headers: map[string]string{"Authorization": "Bearer " + github}}, "secret-in-header", "critical", "Authorization"},
		"key in a header of its own":   {call{url: app, page: app, headers: map[string]string{"X-Token": stripe}}, "secret-in-header", "critical", "X-Token"},
		"referer to a third party":     {call{url: "https://ads.example.net/", page: app + "a?api_key=" + opaque}, "secret-in-header", "critical", "Referer"},
		"jwt to a third party":         {call{url: "https://ads.example.net/", page: app, headers: map[string]string{"X-User": token}}, "secret-in-header", "critical", "X-User"},
		"redirect":                     {call{url: app, status: 302, answered: map[string]string{"Location": app + "cb?access_token=" + opaque}}, "secret-in-url", "critical", "access_token"},
		"example in documentation":     {call{url: app, body: jsonBody("k", "AKIA"+"IOSFODNN7EXAMPLE"), bodyType: "application/json"}, "secret-in-response", "warning", "/data/*/k"},
	} {
		r := run(t, session{calls: []call{c.call}}, audit.Options{Checks: []string{audit.Credentials}})
		f := only(t, r, c.code)
		if f.Severity != c.severity || f.Evidence.Field != c.field {
			t.Errorf("%s: %s at %q: %+v", name, f.Severity, f.Evidence.Field, f.Evidence)
		}
		if len(r.Findings) != 1 {
			t.Errorf("%s: %d findings", name, len(r.Findings))
		}
	}
}

// What belongs into a header is no finding.
func TestHeadersThatAuthenticateAreFine(t *testing.T) {
	const app = "https://app.example.org/"
	for name, c := range map[string]call{
		"own token":                {url: app + "api", page: app, headers: map[string]string{"Authorization": "Bearer " + token, "Cookie": "session=" + opaque}},
		"token of another origin":  {url: "https://api.example.net/", page: app, headers: map[string]string{"Authorization": "Bearer " + token}},
		"referer of the same site": {url: app + "b", page: app + "a?api_key=" + opaque},
	} {
		if r := run(t, session{calls: []call{c}}, audit.Options{Checks: []string{audit.Credentials}}); len(r.Findings) != 0 {
			t.Errorf("%s: %+v", name, r.Findings)
		}
	}
}

func TestCredentialsInPagesAndActions(t *testing.T) {
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	params := func(selector, value string) json.RawMessage {
		return json.RawMessage(`{"selector":` + quoted(selector) + `,"value":` + quoted(value) + `}`)
	}
	for name, c := range map[string]struct {
		event    trace.Body
		code     string
		severity verdict.Severity
		field    string
	}{
		"text of a page":        {&trace.FrameSnapshot{FrameURL: "https://app.example.org/k?x=1", HTML: json.RawMessage(`["HTML",{},["P",{},"key ` + github + `"]]`)}, "secret-in-page", "critical", ""},
		"attribute":             {&trace.FrameSnapshot{HTML: json.RawMessage(`["HTML",{},["A",{"href":"/?k=` + stripe + `"}]]`)}, "secret-in-page", "critical", "href"},
		"hidden field":          {&trace.FrameSnapshot{HTML: json.RawMessage(`["HTML",{},["INPUT",{"type":"hidden","name":"api_key","value":"` + opaque + `"}],["P",{"id":"x"}]]`)}, "secret-in-page", "warning", "value"},
		"value before the name": {&trace.FrameSnapshot{HTML: json.RawMessage(`["FORM",{"id":"f"},["INPUT",{"__playwright_value_":"` + opaque + `","id":"client_secret"}]]`)}, "secret-in-page", "warning", "value"},
		"password field":        {&trace.FrameSnapshot{HTML: json.RawMessage(`["INPUT",{"type":"password","__playwright_value_":"` + password + `"}]`)}, "secret-in-page", "info", "value"},
		"typed token":           {&trace.Before{CallID: "call@1", Class: "Frame", Method: "fill", Params: params("#note", awsKey)}, "secret-in-action", "critical", "/value"},
		"typed password":        {&trace.Before{CallID: "call@1", Class: "Frame", Method: "fill", Params: params("internal:label=\"Password\"i", password)}, "secret-in-action", "info", "/value"},
		"header that was set":   {&trace.Before{CallID: "call@1", Class: "BrowserContext", Method: "setExtraHTTPHeaders", Params: json.RawMessage(`{"headers":[{"name":"X","value":"` + github + `"}]}`)}, "secret-in-action", "critical", "/headers/*/value"},
		"result":                {&trace.After{CallID: "call@1", Result: json.RawMessage(`{"value":{"s":"` + stripe + `"}}`)}, "secret-in-action", "critical", "/value/s"},
		"error":                 {&trace.After{CallID: "call@1", Error: &trace.Error{Message: "no " + github}}, "secret-in-action", "critical", ""},
		"log of an action":      {&trace.Log{CallID: "call@1", Message: "  fill(\"" + github + "\")"}, "secret-in-action", "critical", ""},
	} {
		path := filepath.Join(t.TempDir(), "t.zip")
		w, err := trace.CreateZip(path, trace.WriterOptions{})
		must(t, err)
		chunk, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium"})
		must(t, err)
		if _, opens := c.event.(*trace.Before); !opens {
			must(t, chunk.Write(&trace.Before{CallID: "call@1", Class: "Frame", Method: "click"}))
		}
		must(t, chunk.Write(c.event))
		must(t, w.Close())
		r, err := audit.Run(context.Background(), tracetest.Open(t, path), audit.Options{Least: verdict.Info, Limit: -1})
		must(t, err)
		checkCounts(t, r)
		if f := only(t, r, c.code); f.Severity != c.severity || f.Evidence.Field != c.field || len(r.Findings) != 1 {
			t.Errorf("%s: %s at %q of %d: %+v", name, f.Severity, f.Evidence.Field, len(r.Findings), f.Evidence)
		}
		b, _ := json.Marshal(r)
		for _, secret := range []string{github, stripe, opaque, password, awsKey} {
			if bytes.Contains(b, []byte(secret)) {
				t.Errorf("%s: %s is in the report", name, secret)
			}
		}
	}
}

func TestCredentialsInTheConsole(t *testing.T) {
	for text, want := range map[string]verdict.Severity{"Token: " + token: "critical", "Authorization: Bearer " + opaque: "critical", "key " + awsKey: "critical", `{"password":"` + password + `"}`: "critical"} {
		r := run(t, session{logs: []string{text}}, audit.Options{})
		f := only(t, r, "secret-in-console")
		if f.Severity != want || f.Evidence.Source != "https://app.example.org/app.js:42" || f.Evidence.Level != "log" {
			t.Errorf("%s: %s %+v", text, f.Severity, f.Evidence)
		}
	}
	if r := run(t, session{logs: []string{"basic authentication of tokens", "password must have 8 letters", "next page token: none"}}, audit.Options{}); len(r.Findings) != 0 {
		t.Errorf("words are findings: %+v", r.Findings)
	}
}

func TestOneFindingForEachValueAndPlace(t *testing.T) {
	const api = "https://app.example.org/api/users/"
	var calls []call
	for i := range 30 {
		calls = append(calls, call{url: fmt.Sprintf("%s%d?token=%s", api, i, opaque)})
	}
	calls = append(calls, call{url: api + "99?token=" + github})
	r := run(t, session{calls: calls}, audit.Options{})
	list := of(r, "secret-in-url")
	if len(list) != 2 || list[0].Occurrences+list[1].Occurrences != 31 {
		t.Errorf("%+v", list)
	}
	for _, f := range list {
		if f.Evidence.Pattern == "GitHub token" && !slices.Contains(f.AlsoMatched, "value of token") {
			t.Errorf("the other rule is not named: %+v", f)
		}
	}
}

func TestPersonalData(t *testing.T) {
	body := `{"users":[{"email":"jane.doe@corp-mail.com","phone":"+4915123456789","firstName":"Jane","id":7}]}`
	const api = "https://app.example.org/api/users/1"
	open := run(t, session{calls: []call{{url: api, body: body, bodyType: "application/json"}}}, audit.Options{})
	f := only(t, open, "data-without-auth")
	if f.Severity != "warning" || *f.Evidence.AuthPresent || !slices.Contains(f.Evidence.PIIFields, "email /users/*/email") || len(of(open, "pii-in-response")) != 0 {
		t.Errorf("%+v", f)
	}
	for _, header := range []map[string]string{{"authorization": "Bearer redacted-1"}, {"Cookie": "theme=x; connect.sid=redacted-2"}, {"X-Api-Key": "k"}} {
		r := run(t, session{calls: []call{{url: api, headers: header, body: body, bodyType: "application/json"}}}, audit.Options{})
		if len(of(r, "data-without-auth")) != 0 || len(of(r, "pii-in-response")) != 2 {
			t.Errorf("%v: %+v", header, r.Findings)
		}
	}
	both := run(t, session{calls: []call{{url: api, headers: map[string]string{"Authorization": "Bearer x"}, body: body, bodyType: "application/json"},
		{url: strings.TrimSuffix(api, "1") + "2", body: body, bodyType: "application/json"}}}, audit.Options{})
	only(t, both, "works-without-auth")
	one := run(t, session{calls: []call{{url: api, body: `{"contact":"info@corp-mail.com"}`, bodyType: "application/json"}}}, audit.Options{})
	if len(of(one, "data-without-auth")) != 0 || only(t, one, "pii-in-response").Severity != "info" {
		t.Errorf("one kind: %+v", one.Findings)
	}
}

func TestPersonalDataElsewhere(t *testing.T) {
	const app = "https://app.example.org/"
	r := run(t, session{logs: []string{"signed in as jane@corp-mail.com"}, calls: []call{
		{url: app + "search?mail=jane%40corp-mail.com"},
		{method: "POST", url: "https://t.example.net/collect", page: app, sent: `{"card":"4539 5787 6362 1486"}`, sentType: "application/json"},
		{url: "wss://app.example.org/s", kind: "websocket", status: 101, messages: `[{"type":"receive","opcode":1,"data":"call +4915123456789"}]`},
	}}, audit.Options{Checks: []string{audit.Personal}})
	for code, want := range map[string]verdict.Severity{"pii-in-console": "info", "pii-in-url": "warning", "pii-to-third-party": "critical", "pii-in-websocket": "info"} {
		if f := only(t, r, code); f.Severity != want {
			t.Errorf("%s: %s", code, f.Severity)
		}
	}
}

func TestTransport(t *testing.T) {
	const page = "https://app.example.org/"
	for name, c := range map[string]struct {
		call call
		code string
		want verdict.Severity
	}{
		"http":           {call{url: "http://api.example.org/"}, "http-request", "warning"},
		"local":          {call{url: "http://localhost:3000/"}, "", ""},
		"loopback":       {call{url: "http://127.0.0.1:3000/"}, "", ""},
		"ipv6":           {call{url: "http://[::1]:3000/"}, "", ""},
		"script":         {call{url: "http://cdn.example.org/a.js", kind: "script", page: page}, "mixed-content", "critical"},
		"picture":        {call{url: "http://cdn.example.org/a.png", kind: "image", page: page}, "mixed-content", "warning"},
		"blocked":        {call{url: "http://cdn.example.org/a.js", kind: "script", page: page, failure: "net::ERR_BLOCKED_BY_CLIENT"}, "mixed-content", "info"},
		"socket":         {call{url: "ws://api.example.org/", kind: "websocket", status: 101, messages: "[]"}, "insecure-websocket", "warning"},
		"session":        {call{url: "http://api.example.org/", headers: map[string]string{"Cookie": "session=abcdefgh12"}}, "secret-over-http", "critical"},
		"known password": {call{method: "POST", url: "http://api.example.org/login", sent: "password=" + password, sentType: "application/x-www-form-urlencoded"}, "secret-over-http", "critical"},
	} {
		r := run(t, session{calls: []call{c.call}}, audit.Options{Checks: []string{audit.Transport, audit.Credentials}})
		var list []verdict.Finding
		for _, f := range r.Findings {
			if f.Category == audit.Transport {
				list = append(list, f)
			}
		}
		if c.code == "" && len(list) == 0 {
			continue
		}
		if len(list) != 1 || list[0].Code != c.code || list[0].Severity != c.want {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

func TestMixedContentIsKnownFromTheFrame(t *testing.T) {
	r := run(t, session{calls: []call{{url: "https://app.example.org/", kind: "document", frame: "frame@1", bodyType: "text/html"},
		{url: "http://cdn.example.org/a.js", kind: "script", frame: "frame@1"}}}, audit.Options{})
	if f := only(t, r, "mixed-content"); f.Evidence.Page != "https://app.example.org/" {
		t.Errorf("%+v", f.Evidence)
	}
}

func TestHeadersOncePerOrigin(t *testing.T) {
	page := call{url: "https://app.example.org/a", kind: "document", bodyType: "text/html", answered: map[string]string{"content-type": "text/html"}}
	other := page
	other.url = "https://app.example.org/b"
	r := run(t, session{calls: []call{page, other}}, audit.Options{Checks: []string{audit.Headers}})
	if len(r.Findings) != 6 {
		t.Errorf("%d findings", len(r.Findings))
	}
	good := page
	good.answered = map[string]string{"strict-transport-security": "max-age=1", "content-security-policy": "frame-ancestors 'self'", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "permissions-policy": "camera=()"}
	local := good
	local.url, local.answered = "https://localhost/", map[string]string{"content-security-policy": "frame-ancestors 'self'", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "permissions-policy": "camera=()"}
	api := call{url: "https://api.example.org/", bodyType: "application/json", answered: map[string]string{"content-type": "application/json"}}
	if r := run(t, session{calls: []call{good, local, api}}, audit.Options{Checks: []string{audit.Headers}}); len(r.Findings) != 0 || state(r, audit.Headers) != verdict.Clean {
		t.Errorf("%+v", r.Findings)
	}
}

func TestCookieFlags(t *testing.T) {
	set := func(value string) session {
		return session{calls: []call{{url: "https://app.example.org/", answered: map[string]string{"Set-Cookie": value}}}}
	}
	for value, want := range map[string]string{
		"sessionid=abc": "cookie-without-httponly warning, cookie-without-samesite info, cookie-without-secure warning",
		"sessionid=redacted-1; HttpOnly; Secure; SameSite=Lax":     "",
		"theme=dark; Secure; SameSite=Lax":                         "",
		"XSRF-TOKEN=abc; Secure; SameSite=Lax":                     "",
		"theme=dark":                                               "cookie-without-samesite info, cookie-without-secure info",
		"sid=; Max-Age=0":                                          "",
		"a=b; Secure; SameSite=Lax\ntoken=b; Secure; SameSite=Lax": "cookie-without-httponly warning",
		"sid=x; HttpOnly; SameSite=None":                           "cookie-without-samesite warning, cookie-without-secure warning",
		"redacted-4":                                               "",
	} {
		var got []string
		for _, f := range run(t, set(value), audit.Options{Checks: []string{audit.Cookies}}).Findings {
			got = append(got, f.Code+" "+string(f.Severity))
		}
		slices.Sort(got)
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("%q: %s, not %s", value, text, want)
		}
	}
}

func TestFilters(t *testing.T) {
	s := session{calls: []call{{url: "http://a.example.org/?token=" + opaque}, {url: "http://b.example.org/?token=" + opaque}}, logs: []string{"token " + github}}
	filter, _ := template.ParseFilter("a.example.org")
	r := run(t, s, audit.Options{URL: filter, Checks: []string{audit.Credentials}})
	if len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Evidence.URL, "a.example.org") {
		t.Errorf("by address: %+v", r.Findings)
	}
	r = run(t, s, audit.Options{Checks: []string{audit.Transport}, Least: verdict.Critical})
	if len(r.Checks) != 1 || r.Summary.BelowFloor["transport"]+len(r.Findings) != 2 {
		t.Errorf("by check: %+v", r)
	}
	r = run(t, s, audit.Options{Limit: 1, Checks: []string{audit.Credentials}})
	if len(r.Findings) != 1 || r.Summary.NotShown[audit.Credentials] != 2 {
		t.Errorf("limit: %+v", r.Summary)
	}
	if _, err := audit.Run(context.Background(), s.write(t), audit.Options{Checks: []string{"x"}}); err == nil || !strings.Contains(err.Error(), "pii_exposure") {
		t.Errorf("unknown check: %v", err)
	}
}

func TestNotRecordedIsNotClean(t *testing.T) {
	none := run(t, session{}, audit.Options{})
	for _, c := range none.Checks {
		want := verdict.NotRecorded
		if c.Name == audit.Credentials || c.Name == audit.Personal {
			want = verdict.Partial // Playwright writes all messages, so that there were none
		}
		if c.State != want {
			t.Errorf("%s: %s", c.Name, c.State)
		}
	}
	bodies := run(t, session{calls: []call{{url: "https://app.example.org/api", bodyType: "application/json", answered: map[string]string{"content-type": "application/json"}}}}, audit.Options{})
	if state(bodies, audit.Auth) != verdict.NotRecorded || state(bodies, audit.Transport) != verdict.Clean || state(bodies, audit.Cookies) != verdict.Clean {
		t.Errorf("%+v", bodies.Checks)
	}
	socket := run(t, session{calls: []call{{url: "wss://app.example.org/", kind: "websocket", status: 101}}}, audit.Options{})
	if notes := strings.Join(socket.Remarks(), "\n"); !strings.Contains(notes, "connections' messages are not in the trace") {
		t.Errorf("%s", notes)
	}
}

func TestFindingsAreToldAsTheyAreMade(t *testing.T) {
	var early []verdict.Finding
	run(t, session{calls: []call{{url: "https://app.example.org/?token=" + opaque}}}, audit.Options{OnFinding: func(f verdict.Finding) { early = append(early, f) }})
	if len(early) != 1 || early[0].Code != "secret-in-url" || strings.Contains(fmt.Sprintf("%+v", early), opaque) {
		t.Errorf("%+v", early)
	}
}

func TestCorpusHasNoFalseCritical(t *testing.T) {
	for _, pattern := range []string{"playwright/*.zip", "vibium/*.zip"} {
		for _, path := range tracetest.Corpus(t, pattern) {
			var first []byte
			for range 2 {
				r, err := audit.Run(context.Background(), tracetest.Open(t, path), audit.Options{Least: verdict.Info, Limit: -1})
				must(t, err)
				checkCounts(t, r)
				for _, f := range r.Findings {
					if f.Severity == verdict.Critical {
						t.Errorf("%s: %s", path, f.Line())
					}
				}
				b, _ := json.Marshal(r)
				if first != nil && !bytes.Equal(first, b) {
					t.Errorf("%s: two reports of one trace differ", path)
				}
				first = b
			}
		}
	}
}
