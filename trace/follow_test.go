package trace_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

func TestFollowYieldsWhatIsAdded(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "0-trace.trace"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	add := func(text string) {
		if _, err := file.WriteString(text); err != nil {
			t.Error(err)
		}
	}
	add(`{"type":"context-options","version":10,"origin":"library"}` + "\n" + `{"type":"before","callId":"c@1","start`)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var got []string
	for e, err := range trace.Follow(ctx, dir, time.Millisecond) {
		var bad *trace.SyntaxError
		switch {
		case errors.Is(err, trace.ErrTruncated):
			got = append(got, "shorter")
			add(`{"type":"context-options","version":10}` + "\n")
		case errors.As(err, &bad):
			got = append(got, "bad")
			if err := file.Truncate(0); err != nil {
				t.Fatal(err)
			}
			if _, err := file.Seek(0, 0); err != nil {
				t.Fatal(err)
			}
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, e.Body.EventType())
			switch len(got) {
			case 1:
				add(`Time":1,"class":"Frame","method":"click"}` + "\n")
			case 2:
				add("nonsense\n")
			case 5:
				cancel()
			}
		}
	}
	want := []string{"context-options", "before", "bad", "shorter", "context-options"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}
