package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// planted is a trace with a secret of its own in every place that can hold one.
func planted(t *testing.T) (path string, secrets []string) {
	secret := func() string {
		s := fmt.Sprintf(`Qz%dv"/+%dKx mW%d`, 1000+len(secrets)*37, len(secrets), 7000-len(secrets)*13)
		secrets = append(secrets, s)
		return s
	}
	quoted := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	type m = map[string]any
	request := func(at float64, status int) string {
		token := secret()
		return "resource-snapshot\n\tsnapshot: " + quoted(m{"pageref": "p", "startedDateTime": "2023-11-14T22:13:20Z", "time": 5, "_monotonicTime": at, "_resourceType": "fetch",
			"request": m{"method": "POST", "url": "http://a.test/pay?access_token=" + url.QueryEscape(token) + "&api_key=" + url.QueryEscape(secret()),
				"headers":  []m{{"name": "Authorization", "value": "Bearer " + secret()}, {"name": "Cookie", "value": "sid=" + url.QueryEscape(secret())}, {"name": "X-Api-Key", "value": secret()}},
				"postData": m{"mimeType": "application/json", "text": quoted(m{"password": secret(), "client_secret": secret()})}},
			"response": m{"status": status, "headers": []m{{"name": "Set-Cookie", "value": "session=" + url.QueryEscape(secret()) + "; Path=/"}},
				"content": m{"mimeType": "application/json", "text": quoted(m{"error": "bad token " + token, "refresh_token": secret()})}}}) + "\n"
	}
	typed, logged, warned := secret(), secret(), secret()
	events := "before\n\tcallId: call@1\n\tstartTime: 10\n\tclass: Frame\n\tmethod: fill\n\tparams: " + quoted(m{"selector": "internal:label=\"Password\"i", "value": typed}) + "\n" +
		"log\n\tcallId: call@1\n\ttime: 11\n\tmessage: " + quoted(`fill("`+typed+`")`) + "\n" +
		"console\n\ttime: 12\n\tmessageType: error\n\tpageId: p\n\ttext: " + quoted("login failed: password="+url.QueryEscape(logged)) + "\n\tlocation: " + quoted(m{"url": "http://a.test/app.js?token=" + url.QueryEscape(secret()), "lineNumber": 1, "columnNumber": 1}) + "\n" +
		"console\n\ttime: 13\n\tmessageType: warning\n\tpageId: p\n\ttext: " + quoted(`{"api_key":`+quoted(warned)+`}`) + "\n\tlocation: {\"url\":\"\",\"lineNumber\":0,\"columnNumber\":0}\n" +
		"event\n\ttime: 14\n\tclass: BrowserContext\n\tmethod: pageError\n\tpageId: p\n\tparams: " + quoted(m{"error": m{"error": m{"name": "Error", "message": "typed " + typed, "stack": "Error: typed " + typed + "\n    at login (http://a.test/app.js:1:1)"}}}) + "\n" +
		"event\n\ttime: 15\n\tclass: Performance\n\tmethod: vitals\n\tpageId: p\n\tparams: " + quoted(m{"url": "http://a.test/?session_token=" + url.QueryEscape(secret()), "LCP": 5000, "TTFB": 9}) + "\n" +
		"after\n\tcallId: call@1\n\tendTime: 16\n\terror: " + quoted(m{"name": "Error", "message": "no element for " + typed}) + "\n"
	requests := request(12, 200) + request(30, 500) + request(40, 403)
	return tracetest.Zip(t, tracetest.Head+events+"\n== trace.network\n"+requests), secrets
}

// forms are the ways in which a text can be written.
func forms(s string) []string {
	quoted, _ := json.Marshal(s)
	list := []string{s, url.QueryEscape(s), url.PathEscape(s), string(quoted[1 : len(quoted)-1])}
	for shift := range 3 { // base64 of it, wherever it stands in what was encoded
		b := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + s))
		list = append(list, b[4:len(b)-4])
	}
	return list
}

func TestNoOutputTellsASecret(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path, secrets := planted(t)
	clean := filepath.Join("..", "..", "testdata", "corpus", "playwright", "fail.zip")
	store := t.TempDir()
	for _, args := range [][]string{
		{"verify", "start", path, "--label", "v", "--store", store}, {"verify", "watch", "v", path, "--store", store}, {"verify", "compare", "v", "--store", store},
		{"verify", "compare", "v", clean, "--store", store}, {"verify", "compare", clean, path}, {"verify", "compare", path, clean}, {"verify", "status", "--store", store},
		{"snapshot", "capture", "s", path, "--store", store}, {"snapshot", "compare", "s", clean, "--store", store}, {"snapshot", "compare", clean, "s", "--store", store}, {"snapshot", "list", "--store", store},
		{"watch", path}, {"perf", path}, {"perf", clean, path}, {"perf", path, path},
		{"report", path}, {"report", "--format", "ai-context", path}, {"report", "--format", "ai-context", "--budget", "4000", path}, {"report", "--format", "junit", path}, {"report", "--format", "markdown", path},
	} {
		for _, as := range [][]string{nil, {"--json"}} {
			if as != nil && len(args) > 1 && args[0] == "report" && args[1] == "--format" {
				continue
			}
			var out, errs bytes.Buffer
			if code := dispatch(context.Background(), newEnv(nil, &out, &errs, func(string) string { return "" }), append(append([]string{}, args...), as...)); code == exitTrouble {
				t.Errorf("%v: %s", args, errs.String())
			}
			keeps(t, fmt.Sprint(args, as), out.String()+errs.String(), secrets)
		}
	}
	files, err := filepath.Glob(filepath.Join(store, "*"))
	if err != nil || len(files) != 3 { // two verifications and a snapshot
		t.Errorf("%v %v", files, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		keeps(t, f, string(b), secrets)
	}
}

func keeps(t *testing.T, who, text string, secrets []string) {
	t.Helper()
	if text == "" {
		t.Errorf("%s says nothing", who)
	}
	for _, s := range secrets {
		for _, form := range forms(s) {
			if i := strings.Index(text, form); i >= 0 {
				t.Errorf("%s tells %q as %q: …%.200s", who, s, form, text[max(0, i-80):])
				return
			}
		}
	}
}
