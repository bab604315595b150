//go:build unix

package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/cdp"
	"github.com/go-rod/rod/lib/proto"
)

func TestCommandsArriveInTheOrderInWhichTheyAreStarted(t *testing.T) {
	b, ctx := launch(t, Options{}), t.Context()
	page := b.Rod.MustPage()
	var calls []Call
	const n = 300
	for i := range n {
		calls = append(calls, b.Start(string(page.SessionID), "Runtime.evaluate", map[string]any{"expression": fmt.Sprintf("(globalThis.list ??= []).push(%d)", i)}))
	}
	for i := len(calls) - 1; i >= 0; i-- { // answers wait for who asks for them
		data, err := calls[i].Wait(ctx)
		var r struct{ Result struct{ Value int } }
		if err != nil || json.Unmarshal(data, &r) != nil || r.Result.Value != i+1 {
			t.Fatalf("command %d is answered with %s, %v", i, data, err)
		}
	}
	if got := page.MustEval("() => list.every((v, i) => v === i) && list.length").Int(); got != n {
		t.Errorf("%d commands arrived in order, want %d", got, n)
	}
	var refused *cdp.Error
	if _, err := b.Start("", "No.such", nil).Wait(ctx); !errors.As(err, &refused) {
		t.Errorf("a command that is not there is answered with %v", err)
	}
	if _, err := b.Start("", "Browser.getVersion", func() {}).Wait(ctx); err == nil {
		t.Error("what is no JSON was sent")
	}
}

func TestNoAnswerIsWaitedForInVain(t *testing.T) {
	b, ctx := launch(t, Options{}), t.Context()
	page := b.Rod.MustPage()
	never := map[string]any{"expression": "new Promise(() => {})", "awaitPromise": true}
	soon, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	if _, err := b.Start(string(page.SessionID), "Runtime.evaluate", never).Wait(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("who waits no longer hears %v", err)
	}
	open := b.Start(string(page.SessionID), "Runtime.evaluate", never)
	if err := (proto.BrowserClose{}).Call(b.Rod); err != nil {
		t.Fatal(err)
	}
	if _, err := open.Wait(ctx); err == nil {
		t.Error("a browser that is gone has answered")
	}
	<-b.Done()
	if _, err := b.Start("", "Browser.getVersion", nil).Wait(ctx); err == nil {
		t.Error("a browser that is gone was asked")
	}
}
