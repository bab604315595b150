package viewer

import (
	"context"
	"testing"
	"time"
)

func TestReadingWaitsForAPageToDraw(t *testing.T) {
	var c courtesy
	c.wait(t.Context()) // for nobody
	c.expect()
	done := make(chan struct{})
	go func() {
		c.wait(t.Context())
		close(done)
	}()
	c.met()
	<-done
	c.met() // a page that sends it twice
	c.wait(t.Context())
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	c.expect()
	c.wait(ended)
	c.until = time.Now().Add(-time.Second) // a page that never draws
	c.wait(t.Context())
	if c.drawn != nil {
		t.Error("a page that never drew is still waited for")
	}
}
