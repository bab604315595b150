package devtools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
)

// Each command is answered once, whatever happens to it.
func TestEveryCommandIsAnsweredOnce(t *testing.T) {
	unplugged := errors.New("unplugged")
	messages := make(chan string)
	next := func() ([]byte, error) {
		if m, ok := <-messages; ok {
			return []byte(m), nil
		}
		return nil, io.EOF
	}
	var sent []string
	c := New(func(data []byte) error {
		sent = append(sent, string(data))
		if len(sent) == 3 {
			return unplugged
		}
		return nil
	})
	var heard []string
	hear := func(name string) func(json.RawMessage, error) {
		return func(result json.RawMessage, err error) {
			heard = append(heard, fmt.Sprintf("%s %s %v", name, result, err))
		}
	}
	send := func(name string) error { return c.Send("S", name, map[string]int{"a": 1}, hear(name)) }
	if err := errors.Join(send("A.answered"), send("A.refused")); err != nil {
		t.Fatal(err)
	}
	if err := send("A.unsent"); !errors.Is(err, unplugged) {
		t.Errorf("what could not be sent: %v", err)
	}
	if err := c.Send("", "A.unsaid", func() {}, hear("A.unsaid")); err == nil {
		t.Error("what is no JSON was sent")
	}
	if err := send("A.never"); err != nil {
		t.Fatal(err)
	}
	left := c.Start("", "A.left", nil)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := left.Wait(over); !errors.Is(err, context.Canceled) {
		t.Errorf("who waits no longer hears %v", err)
	}
	if want := `{"id":1,"sessionId":"S","method":"A.answered","params":{"a":1}}`; sent[0] != want {
		t.Errorf("sent %s, want %s", sent[0], want)
	}

	go func() {
		for _, m := range []string{
			`{"id":2,"error":{"code":-32000,"message":"no","data":"really"},"sessionId":"S"}`,
			`{"method":"A.event","params":{},"sessionId":"S"}`,
			`no message`,
			`{"id":1,"result":{"b":2},"sessionId":"S"}`,
			`{"id":1,"result":{},"sessionId":"S"}`,
			`{"id":6,"result":{}}`,
			`{"params":{"c":3}, "method":"A.odd"}`,
		} {
			messages <- m
		}
		close(messages)
	}()
	c.Read(next, func(e Event) { heard = append(heard, fmt.Sprintf("%s %s of %q", e.Method, e.Params, e.Session)) })
	want := []string{
		`A.refused  A.refused: no (really)`,
		`A.event {} of "S"`,
		`A.answered {"b":2} <nil>`,
		`A.odd {"c":3} of ""`,
		`A.never  the connection to the browser has ended: EOF`,
	}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q\nwant %q", heard, want)
	}
	<-c.Done()
	if !errors.Is(c.Err(), io.EOF) {
		t.Errorf("it ended because of %v", c.Err())
	}
	if err := send("A.late"); !errors.Is(err, ErrGone) || len(heard) != len(want) {
		t.Errorf("after the end: %v, %q", err, heard)
	}
	if _, err := c.Start("", "A.late", nil).Wait(t.Context()); !errors.Is(err, ErrGone) {
		t.Errorf("after the end: %v", err)
	}
}
