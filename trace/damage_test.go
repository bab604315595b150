package trace_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// places is how many places of each trace are damaged: few in an ordinary
// run, DAMAGE_PLACES (200 in make soak) in a thorough one.
func places() int {
	if n, err := strconv.Atoi(os.Getenv("DAMAGE_PLACES")); err == nil {
		return n
	}
	return 6
}

// readAll opens damaged bytes, joins them and reads every entry. What comes
// out is a trace, perhaps with warnings, or one error that names the object.
func readAll(t *testing.T, data []byte, what string) *trace.Trace {
	t.Helper()
	begin := time.Now()
	ctx := context.Background()
	a, err := trace.OpenReaderAt(ctx, bytes.NewReader(data), int64(len(data)), "damaged.zip", trace.Options{})
	if err != nil {
		if !strings.Contains(err.Error(), "damaged.zip") {
			t.Errorf("%s: the error does not name the file: %v", what, err)
		}
		return nil
	}
	defer a.Close()
	tr, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	for _, e := range a.Entries() {
		rc, err := a.Resource(ctx, e.Name)
		if err != nil {
			continue
		}
		var damaged *trace.DamagedError
		if _, err := io.Copy(io.Discard, rc); err != nil && !errors.As(err, &damaged) {
			t.Errorf("%s: %s: %v", what, e.Name, err)
		}
		rc.Close()
	}
	if d := time.Since(begin); d > 2*time.Minute {
		t.Errorf("%s took %v", what, d)
	}
	return tr
}

func TestCutOffZipsAreReadAsFarAsTheyGo(t *testing.T) {
	for _, path := range tracetest.Traces(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		whole := readAll(t, data, name)
		for i := range places() {
			n := len(data) * (i + 1) / (places() + 1)
			cut := readAll(t, data[:n], name+" cut at "+strconv.Itoa(n))
			if cut != nil && len(cut.Actions) > len(whole.Actions) {
				t.Errorf("%s cut at %d has more actions than the whole", name, n)
			}
		}
		// Without its directory alone nothing is lost but the directory.
		at := bytes.LastIndex(data, []byte("PK\x01\x02"))
		for next := at; next >= 0; next = bytes.LastIndex(data[:at], []byte("PK\x01\x02")) {
			at = next
		}
		rest := readAll(t, data[:at], name+" without its directory")
		if len(whole.Actions) > 0 && (rest == nil || len(rest.Actions) != len(whole.Actions) || len(rest.Network) != len(whole.Network) || len(rest.Warnings) == 0) {
			t.Errorf("%s without its directory: %+v", name, rest)
		}
	}
}

func TestFlippedBitsNeverHangOrPanic(t *testing.T) {
	for k, path := range tracetest.Traces(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(uint64(k), 1))
		for range places() {
			bit := random.IntN(len(data) * 8)
			data[bit/8] ^= 1 << (bit % 8)
			readAll(t, data, filepath.Base(path)+" with bit "+strconv.Itoa(bit)+" flipped")
			data[bit/8] ^= 1 << (bit % 8)
		}
	}
}
