package regression

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"strings"

	"github.com/tracedeck/tracedeck/diff/run"
)

// Review serves the page of a run with buttons that approve. Whoever starts it
// gives the address only to the user: everything lies below a secret path.
type Review struct {
	Summary  *run.Summary
	Pictures Pictures
	// Approve makes one picture the baseline. Its error is shown beside the button.
	Approve func(ctx context.Context, session, key string) error
	// Token is the secret part of the address: 16 random bytes or more, in hexadecimal.
	Token string
}

// Path is where the page is.
func (v *Review) Path() string { return "/" + v.Token + "/" }

// maxAsked is the longest request to approve.
const maxAsked = 64 << 10

// ServeHTTP answers requests that come from the page itself, on this machine.
// Any other name in the address is refused: it would be somebody else's page
// that was made to point here.
func (v *Review) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	if !loopback(r.Host) {
		http.Error(w, "this name is not the viewer's", http.StatusForbidden)
		return
	}
	token, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if subtle.ConstantTimeCompare([]byte(token), []byte(v.Token)) != 1 {
		http.NotFound(w, r)
		return
	}
	switch {
	case rest == "" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
		v.page(w, r)
	case rest == "approve" && r.Method == http.MethodPost:
		v.approve(w, r)
	default:
		http.NotFound(w, r)
	}
}

func loopback(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	return name == "127.0.0.1" || name == "localhost" || name == "::1" || name == "[::1]"
}

func (v *Review) page(w http.ResponseWriter, r *http.Request) {
	n := Nonce()
	var out bytes.Buffer
	if err := Page(r.Context(), &out, v.Summary, v.Pictures, PageOptions{ApproveAt: v.Path() + "approve", Nonce: n}); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Security-Policy", Policy(n, "'self'")+"; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(out.Bytes()) // who does not read it has gone
}

func (v *Review) approve(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "http://"+r.Host || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		http.Error(w, "not from the page", http.StatusForbidden)
		return
	}
	var asked struct{ Session, Key string }
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxAsked)).Decode(&asked); err != nil || asked.Session == "" || asked.Key == "" {
		http.Error(w, "which picture?", http.StatusBadRequest)
		return
	}
	if err := v.Approve(r.Context(), asked.Session, asked.Key); err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
