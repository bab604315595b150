package mock

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
)

// Through the proxy a browser sees only that there is no answer: the gate knows why.
func TestGateKnowsWhyAServerIsNotReached(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	r := router(t, Options{Mode: Live, Target: s.URL}, page())
	s.Close() // and is asked nonetheless
	g, err := r.Gate()
	check(t, err)
	defer g.Close()
	proxy, err := url.Parse("http://" + g.Address())
	check(t, err)
	client := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	if q, err := client.Get(s.URL + "/x"); err == nil {
		_ = q.Body.Close()
		t.Error("a server that is not there has answered")
	}
	if got := g.Failure(s.URL + "/y"); got != "net::ERR_CONNECTION_REFUSED" {
		t.Errorf("Failure = %q", got)
	}
	if got := g.Failure("http://127.0.0.3:1/"); got != "" {
		t.Errorf("a server that was not asked has failed: %q", got)
	}
}
