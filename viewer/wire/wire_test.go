package wire_test

import (
	"bytes"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/tracedeck/tracedeck/viewer/wire"
)

var update = flag.Bool("update", false, "write the golden messages anew")

const none = math.MinInt64

// serverMessages are the messages of the golden files. The page's tests read
// the same files: web/viewer/model/wire.test.ts.
func serverMessages(t *testing.T) map[string][]byte {
	t.Helper()
	e := wire.NewEncoder()
	all := map[string][]byte{}
	keep := func(name string, b []byte) { all[name] = bytes.Clone(b) }
	must := func(b []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	keep("welcome", must(e.Welcome(map[string]any{"program": "1.2"})))
	keep("meta", must(e.Object("meta", 1, map[string]any{"name": "ä.zip"})))
	keep("reset", e.Reset(1, "abcdef"))
	keep("strs", e.Strings(1, wire.Words(nil, []uint32{3, 70000, 5}), wire.Words(nil, []uint32{5, 3, 4}), []byte("Click€😀")))
	starts, ends := []int64{1_500_000, 2_000_999, 5_000_000}, []int64{2_500_000, none, 4_294_000_000_000}
	base := wire.Base(none, starts, ends)
	keep("rows", e.Rows(1, "actions", 0, 3, base, [][]byte{wire.Moments(nil, base, starts, none), wire.Moments(nil, base, ends, none),
		{0, 1, 4}, wire.Words(nil, []uint32{3, 70000, 0}), wire.Words(nil, []uint32{math.MaxUint32, 0, 1}), wire.Reals(nil, []float64{-1, 12.5, 1 << 40})}))
	far := []int64{0, none, 10_000_000_000_000}
	keep("far", e.Rows(1, "far", 0, 3, 0, [][]byte{wire.Moments(nil, 0, far, none)}))
	keep("patch", e.Patch(1, "actions", 7, 2, wire.Words(nil, []uint32{1}), [][]byte{wire.Moments(nil, 2, []int64{2_000_000}, none), wire.Moments(nil, 2, []int64{9_000_000}, none),
		{2}, wire.Words(nil, []uint32{5}), wire.Words(nil, []uint32{0}), wire.Reals(nil, []float64{3})}))
	keep("lod", e.LOD(9, "events", 1000, 250.5, [][]byte{wire.Words(nil, []uint32{0, 2, 1})}))
	keep("res", e.Answer(4, []byte(`{"a":[1,"ü"]}`), true))
	keep("err", e.Error(4, "E_X", "text", "hint"))
	return all
}

func TestMessagesAreWhatThePageReads(t *testing.T) {
	for name, got := range serverMessages(t) {
		path := filepath.Join("testdata", name+".msgpack")
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs from %s; if that is meant, run with -update and look at the page's tests", name, path)
		}
	}
}

// say makes a message as the page does.
func say(t testing.TB, parts ...any) []byte {
	t.Helper()
	b, err := msgpack.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDecodeReadsWhatThePageSays(t *testing.T) {
	for _, c := range []struct {
		say  []any
		want wire.Message
	}{
		{[]any{"hello", 0, 2, "secret"}, wire.Hello{Version: 2, Token: "secret"}},
		{[]any{"hello", 1, 2, "secret", "abc123"}, wire.Hello{Ref: 1, Version: 2, Token: "secret", Trace: "abc123"}},
		{[]any{"open", 3, "abc", "e1", map[string]int{"actions": 12}, 4}, wire.Open{Ref: 3, Trace: "abc", Epoch: "e1", Rows: map[string]int{"actions": 12}, Patches: 4}},
		{[]any{"close", 3}, wire.Close{Ref: 3}},
		{[]any{"view", 5, 3, "events", 0, 12.5, 700}, wire.View{Ref: 5, Trace: 3, Table: "events", To: 12.5, Buckets: 700}},
		{[]any{"get", 6, 3, "action", 8, ""}, wire.Get{Ref: 6, Trace: 3, What: "action", Row: 8}},
		{[]any{"search", 7, 3, "pay", 100}, wire.Search{Ref: 7, Trace: 3, Query: "pay", Limit: 100}},
		{[]any{"cancel", 7}, wire.Cancel{Ref: 7}},
		{[]any{"credit", 0, 2}, wire.Credit{Frames: 2}},
	} {
		got, err := wire.Decode(say(t, c.say...))
		if err != nil {
			t.Errorf("%v: %v", c.say, err)
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%v: (-want +got)\n%s", c.say, d)
		}
	}
}

func TestDecodeTurnsDownWhatIsNoMessage(t *testing.T) {
	many := map[string]int{}
	for i := range 100 {
		many[strings.Repeat("x", i+1)] = i
	}
	for name, b := range map[string][]byte{
		"nothing":         {},
		"no array":        say(t, "x")[1:],
		"unknown op":      say(t, "drop", 1),
		"too short":       say(t, "get", 1, 2),
		"too long":        say(t, "close", 1, 2),
		"negative row":    say(t, "get", 1, 2, "action", -2, ""),
		"huge row":        say(t, "get", 1, 2, "action", int64(1)<<40, ""),
		"no time":         say(t, "view", 1, 2, "events", math.NaN(), 1.0, 10),
		"no buckets":      say(t, "view", 1, 2, "events", 0.0, 1.0, 0),
		"too many tables": say(t, "open", 1, "t", "", many, 0),
		"long text":       say(t, "search", 1, 2, strings.Repeat("x", 70_000), 10),
		"too much credit": say(t, "credit", 0, 1000),
		"false length":    {0x94, 0xdb, 0xff, 0xff, 0xff, 0xff, 'h'},
		"large":           make([]byte, wire.MaxFrame+1),
		"wrong type":      say(t, "get", "one", 2, "action", 1, ""),
	} {
		if m, err := wire.Decode(b); !errors.Is(err, wire.ErrMessage) {
			t.Errorf("%s: got %#v, %v, want ErrMessage", name, m, err)
		}
	}
}

func TestMomentsThatDoNotFitAreWide(t *testing.T) {
	near := []int64{1_000_000, 2_000_000}
	if got := wire.Moments(nil, wire.Base(none, near), near, none); len(got) != 8 {
		t.Errorf("near moments take %d bytes, want 8", len(got))
	}
	far := []int64{0, 72 * 60 * 1_000_000_000}
	if got := wire.Moments(nil, wire.Base(none, far), far, none); len(got) != 16 {
		t.Errorf("far moments take %d bytes, want 16", len(got))
	}
	if got := wire.Base(none, []int64{none}); got != 0 {
		t.Errorf("the base of no moments is %v, want 0", got)
	}
	if got := wire.Base(none, []int64{-1500}); got != -2 {
		t.Errorf("the base of -1500 ns is %v µs, want -2", got)
	}
}

// FuzzDecode: any bytes give a message or an error that says so, and a
// message says the same when it is said again.
func FuzzDecode(f *testing.F) {
	for _, parts := range [][]any{{"hello", 0, 1, "t"}, {"open", 1, "a", "", map[string]int{"actions": 1}, 0}, {"view", 1, 2, "events", 0.5, 2, 8}, {"get", 1, 2, "action", 3, "x"}, {"credit", 0, 1}} {
		f.Add(say(f, parts...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := wire.Decode(b)
		if err != nil {
			if !errors.Is(err, wire.ErrMessage) || m != nil {
				t.Fatalf("got %#v, %v", m, err)
			}
			return
		}
		if again, err := wire.Decode(b); err != nil || !cmp.Equal(m, again) {
			t.Fatalf("first %#v, then %#v, %v", m, again, err)
		}
	})
}

// BenchmarkRows encodes a frame of actions as the server does.
func BenchmarkRows(b *testing.B) {
	e := wire.NewEncoder()
	moments := make([]int64, wire.RowsPerFrame)
	words := make([]uint32, wire.RowsPerFrame)
	for i := range moments {
		moments[i], words[i] = int64(i)*1e6, uint32(i)
	}
	columns := make([][]byte, 8)
	b.ReportAllocs()
	for b.Loop() {
		base := wire.Base(none, moments)
		for c := range columns {
			if c < 2 {
				columns[c] = wire.Moments(columns[c][:0], base, moments, none)
			} else {
				columns[c] = wire.Words(columns[c][:0], words)
			}
		}
		b.SetBytes(int64(len(e.Rows(1, "actions", 0, len(words), base, columns))))
	}
}
