package crafted

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Canary is a server that nothing may ever ask anything: it hears whatever
// gets out of a page.
type Canary struct {
	*httptest.Server
	mu   sync.Mutex
	hits []string
}

// NewCanary starts a canary until the test ends.
func NewCanary(t testing.TB) *Canary {
	c := &Canary{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.hits = append(c.hits, r.URL.String())
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	t.Cleanup(c.Close)
	return c
}

// Quiet fails the test if the canary was asked for anything since the last
// time; after says what was done meanwhile.
func (c *Canary) Quiet(t testing.TB, after string) {
	t.Helper()
	if hits := c.Hits(); len(hits) > 0 {
		t.Errorf("%s: the canary was asked for %q", after, hits)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hits = nil
}

// Hits are the addresses that were asked for since the last Quiet.
func (c *Canary) Hits() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.hits)
}
