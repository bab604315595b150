package mcp

import (
	"io"
	"strings"
	"testing"
	"time"
)

func TestPendingHoldsTheEndBackUntilAllIsAnswered(t *testing.T) {
	p := NewPending()
	in := p.In(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"a"}` + "\n" + `{"jsonrpc":"2.0","method":"told"}` + "\n" + `{"jsonrpc":"2.0","id":"x","method":"b"}` + "\n"))
	ended := make(chan struct{})
	go func() {
		io.Copy(io.Discard, in)
		close(ended)
	}()
	out := p.Out(io.Discard)
	for _, part := range []string{`{"jsonrpc":"2.0","id":1,`, `"result":{}}` + "\n", `{"jsonrpc":"2.0","id":7,"method":"ping"}` + "\n"} {
		if _, err := out.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-ended:
		t.Fatal("it ended before the second answer")
	case <-time.After(50 * time.Millisecond):
	}
	out.Write([]byte(`{"jsonrpc":"2.0","id":"x","error":{}}` + "\n"))
	<-ended
}
