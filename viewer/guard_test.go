package viewer_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/tracedeck/tracedeck/viewer"
)

func TestOnlyOurNamesAreAnswered(t *testing.T) {
	s := serve(t, corpusTrace("playwright/basic.zip"))
	_, port, _ := strings.Cut(s.host, ":")
	_, w := s.enter(t)
	content := w["content"].(string)
	for host, want := range map[string]int{
		s.host: 200, "localhost:" + port: 200, "LOCALHOST:" + port: 200, "[::1]:" + port: 200, "localhost": 200, "127.0.0.1:1": 200,
		"evil.example:" + port: 403, "127.0.0.1.evil.example": 403, "localhost.evil.example:80": 403, "evil.example": 403, "0.0.0.0:" + port: 403, "127.0.0.2:" + port: 403,
		"localhost:80x": 403, "localhost:80:90": 403, "[::1": 403, "::1": 403, "localhost:": 403, "user@localhost": 403, "localhost\\evil": 403, "%6cocalhost": 403, "localhost.": 403,
	} {
		// As raw bytes: a client library would correct some of them.
		for _, address := range []string{s.host, strings.TrimPrefix(content, "http://")} {
			got := rawStatus(t, address, "GET / HTTP/1.1\r\nHost: "+host+"\r\nConnection: close\r\n\r\n")
			if address != s.host && want == 200 {
				if got == 403 {
					t.Errorf("content with Host %q: got 403", host)
				}
				continue
			}
			if got != want && !(want == 403 && got == 400) {
				t.Errorf("%s with Host %q: got %d, want %d", address, host, got, want)
			}
		}
	}
}

func TestOnlyOurOwnPageMayOpenTheSocket(t *testing.T) {
	s := serve(t, corpusTrace("playwright/basic.zip"))
	_, port, _ := strings.Cut(s.host, ":")
	bearer := "Bearer " + s.token
	for _, c := range []struct {
		name, host, origin, auth string
		want                     bool
	}{
		{"own page", s.host, "http://" + s.host, "", true},
		{"by another of our names", "localhost:" + port, "http://localhost:" + port, "", true},
		{"over a tunnel with TLS", s.host, "https://" + s.host, "", true},
		{"a program with the token", s.host, "-", bearer, true},
		{"a program without", s.host, "-", "", false},
		{"a program with a wrong token", s.host, "-", "Bearer 00", false},
		{"foreign page", s.host, "http://evil.example", "", false},
		{"foreign page with the token", s.host, "http://evil.example", bearer, false},
		{"sandboxed page", s.host, "null", "", false},
		{"sandboxed page with the token", s.host, "null", bearer, false},
		{"empty", s.host, "", "", false},
		{"malformed", s.host, "http://[::1", "", false},
		{"no scheme", s.host, s.host, "", false},
		{"other port of ours", s.host, "http://127.0.0.1:1", "", false},
		{"other name of ours", s.host, "http://localhost:" + port, "", false},
		{"with a path", s.host, "http://" + s.host + "/x", "", false},
		{"with a user", s.host, "http://a@" + s.host, "", false},
		{"file", s.host, "file://", "", false},
		{"rebound name", "evil.example:" + port, "http://evil.example:" + port, "", false},
		{"rebound name with the token", "evil.example:" + port, "-", bearer, false},
	} {
		h := http.Header{"Host": {c.host}}
		if c.origin != "-" {
			h.Set("Origin", c.origin)
		}
		if c.auth != "" {
			h.Set("Authorization", c.auth)
		}
		ws, _, err := websocket.DefaultDialer.Dial("ws://"+s.host+"/socket", h)
		if (err == nil) != c.want {
			t.Errorf("%s: let in is %v, want %v", c.name, err == nil, c.want)
		}
		if err == nil {
			ws.Close()
		}
	}
}

func TestThePageMayLoadOnlyWhatIsOurs(t *testing.T) {
	s := serve(t, corpusTrace("playwright/basic.zip"))
	r := get(t, "http://"+s.host+"/", nil)
	policy := r.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'", "form-action 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the page's policy lacks %s: %s", want, policy)
		}
	}
	for _, unwanted := range []string{"unsafe", "*", "data: ;"} {
		if strings.Contains(policy, unwanted) {
			t.Errorf("the page's policy has %s: %s", unwanted, policy)
		}
	}
	if r.Header.Get("Access-Control-Allow-Origin") != "" || r.Header.Get("Set-Cookie") != "" {
		t.Errorf("the page has headers it should not have: %v", r.Header)
	}
	if body := text(t, r); strings.Contains(body, s.token) || strings.Contains(body, "http") {
		t.Errorf("the page holds the token, or an address: %s", body)
	}
	for _, path := range []string{"/../../etc/passwd", "/viewer.js/../embed.go", "/dist/viewer.js", "/inject/", "/%2e%2e/%2e%2e/etc/passwd", "/socket", "/c/", "/viewer.JS"} {
		r := get(t, "http://"+s.host+path, func(r *http.Request) { r.URL.Opaque = path })
		if r.StatusCode == http.StatusOK {
			t.Errorf("GET %s: 200", path)
		}
	}
	r, err := http.Post("http://"+s.host+"/viewer.js", "text/plain", strings.NewReader("x"))
	if err != nil || r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %v %v, want 405", r, err)
	}
}

func TestContentNeedsItsOwnToken(t *testing.T) {
	for _, single := range []bool{false, true} {
		o := viewer.Options{Paths: []string{corpusTrace("playwright/basic.zip"), corpusTrace("playwright/frames.zip")}}
		if !single {
			o.ContentListener = listen(t)
		}
		s := serveWith(t, o)
		p, w := s.enter(t)
		content := w["content"].(string)
		if single {
			if content != "" {
				t.Errorf("with one port content is at %q, want the page's own origin", content)
			}
			content = "http://" + s.host
		}
		var paths []string
		for i, entry := range w["traces"].([]any) {
			p.say("open", i+1, entry.(map[string]any)["id"], "", map[string]int{}, 0)
			paths = append(paths, p.until("meta", nil)[2].(map[string]any)["content"].(string))
			p.until("state", func(m []any) bool { return m[2].(map[string]any)["done"] == true })
		}
		good := get(t, content+paths[0]+"snapshot/0", nil)
		if good.StatusCode != http.StatusOK || !strings.HasPrefix(good.Header.Get("Content-Security-Policy"), "sandbox;") {
			t.Errorf("snapshot: %d with the policy %q", good.StatusCode, good.Header.Get("Content-Security-Policy"))
		}
		tokens := [2]string{strings.Split(paths[0], "/")[2], strings.Split(paths[1], "/")[2]}
		ids := [2]string{strings.Split(paths[0], "/")[3], strings.Split(paths[1], "/")[3]}
		if tokens[0] == s.token || tokens[0] == tokens[1] {
			t.Error("traces share a token")
		}
		for _, path := range []string{"/c/" + tokens[1] + "/" + ids[0] + "/snapshot/0", "/c/" + s.token + "/" + ids[0] + "/snapshot/0", "/c//" + ids[0] + "/snapshot/0", "/c/" + tokens[0] + "/x/snapshot/0",
			paths[0] + "r/../../../../etc/passwd", paths[0] + "r/%2e%2e%2f%2e%2e%2fetc%2fpasswd", paths[0] + "r//etc/passwd", paths[0] + "snapshot/-1", paths[0] + "snapshot/99999999999", paths[0] + "snapshot/x"} {
			r := get(t, content+path, func(r *http.Request) { r.URL.Opaque = "//" + strings.TrimPrefix(content, "http://") + path })
			if r.StatusCode == http.StatusOK {
				t.Errorf("GET %s: 200: %.80s", path, text(t, r))
			}
			if !single && !strings.HasPrefix(r.Header.Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("GET %s: the answer has no sandbox", path)
			}
		}
	}
}
