package index_test

import (
	"sync"
	"testing"

	"github.com/tracedeck/tracedeck/trace/index"
)

// Readers may look at everything while the index is being built: they see
// whole rows that only name things that are there. The race detector watches.
func TestReadersWhileBuilding(t *testing.T) {
	for _, path := range []string{"/playwright/runner-passing-with-steps-smoke.zip", "/playwright/big-dom.zip", "/vibium/v26.2.28-basic.zip"} {
		b := index.NewBuilder(open(t, corpus+path), index.Options{NoCache: true})
		x := b.Index()
		done := make(chan struct{})
		var readers sync.WaitGroup
		for range 3 {
			readers.Go(func() {
				for {
					everything(x)
					for l := range index.Lane(index.Lanes) {
						x.View(l, 0, x.Clock().End, 3)
					}
					x.Patches(nil, 0)
					search(t, x, "kind:action,console,log,request e")
					select {
					case <-done:
						return
					default:
					}
				}
			})
		}
		if err := b.Run(t.Context()); err != nil {
			t.Error(err)
		}
		close(done)
		readers.Wait()
		if x.Len(index.Actions) == 0 {
			t.Error("nothing was built")
		}
	}
}
