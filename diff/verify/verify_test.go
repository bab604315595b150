package verify

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har/template"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func said(kind, text string, at float64) string {
	return fmt.Sprintf("console\n\ttime: %v\n\tmessageType: %s\n\tpageId: p\n\ttext: %q\n\tlocation: {\"url\":\"http://a.test/app.js\",\"lineNumber\":1,\"columnNumber\":2}\n", at, kind, text)
}

func requested(method, address string, status int, at float64) string {
	return fmt.Sprintf("resource-snapshot\n\tsnapshot: {\"pageref\":\"p\",\"startedDateTime\":\"2023-11-14T22:13:20Z\",\"time\":5,\"request\":{\"method\":%q,\"url\":%q,\"headers\":[]},\"response\":{\"status\":%d,\"headers\":[],\"content\":{\"mimeType\":\"text/html\"}},\"_monotonicTime\":%v,\"_resourceType\":\"document\"}\n", method, address, status, at)
}

func captured(t testing.TB, events, requests string) *State {
	t.Helper()
	return capturedFile(t, tracetest.Zip(t, tracetest.Head+events+"\n== trace.network\n"+requests))
}

func capturedFile(t testing.TB, path string) *State {
	t.Helper()
	a := tracetest.Open(t, path)
	tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := Capture(context.Background(), a, tr, Options{Now: time.Unix(1700000000, 0)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheSameErrorIsOneKind(t *testing.T) {
	for _, p := range []struct {
		a, b string
		same bool
	}{
		{"Cannot read property 'x' of undefined at line 42", "Cannot read property 'x' of undefined at line 45", true},
		{"order 6ba7b810-9dad-11d1-80b4-00c04fd430c8 is gone", "order 1b4e28ba-2fa1-11d2-883f-0016d3cca427 is gone", true},
		{"boom at http://a.test/app.js:3:5", "boom at http://a.test/app.js:9:1", true},
		{"failed at 2024-05-01T10:00:00Z", "failed at 2025-06-02T11:11:11Z", true},
		{"Cannot read 'user'", "Cannot read 'cart'", false},
		{"HTTP 500", "HTTP 404", false},
	} {
		x, y := captured(t, said("error", p.a, 10), ""), captured(t, said("error", p.b, 99), "")
		if got := x.Issues[0].Key == y.Issues[0].Key; got != p.same {
			t.Errorf("%q and %q: the same is %v", p.a, p.b, got)
		}
	}
}

func TestAMessageOfARequestIsNotToldTwice(t *testing.T) {
	s := captured(t, said("error", "Failed to load resource: the server responded with a status of 500 ()", 20), requested("GET", "http://a.test/api", 500, 10))
	if len(s.Issues) != 1 || s.Issues[0].Category != Network {
		t.Errorf("%+v", s.Issues)
	}
	if s = captured(t, said("error", "Failed to load resource: the server responded with a status of 500 ()", 20), ""); len(s.Issues) != 1 {
		t.Errorf("%+v", s.Issues)
	}
}

func TestAFailedTryBeforeAGoodOneIsStillSeen(t *testing.T) {
	s := captured(t, "", requested("GET", "http://a.test/api/7?x=1", 503, 10)+requested("GET", "http://a.test/api/8?x=2", 200, 20))
	if len(s.Issues) != 1 || s.Endpoints[0].Calls != 2 || s.Endpoints[0].Failed != 1 || s.Endpoints[0].Status != 200 || s.Issues[0].Calls != 2 {
		t.Errorf("%+v %+v", s.Issues, s.Endpoints)
	}
}

func TestTheFilterHoldsForErrorsToo(t *testing.T) {
	a := tracetest.Open(t, tracetest.Zip(t, tracetest.Head+said("error", "boom", 10)+"\n== trace.network\n"+requested("GET", "http://b.test/", 500, 5)))
	tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for filter, want := range map[string]int{"b.test": 2, "a.test": 1, "c.test": 0} { // the error came from a.test, on the page of b.test
		o := Options{URLText: filter}
		if o.URL, err = template.ParseFilter(filter); err != nil {
			t.Fatal(err)
		}
		if s, err := Capture(context.Background(), a, tr, o); err != nil || len(s.Issues) != want {
			t.Errorf("%s: %+v, %v", filter, s.Issues, err)
		}
	}
}

// shuffled is a session of random trouble, in a random order.
func shuffled(t testing.TB, r *rand.Rand) (*State, *State) {
	var lines, requests []string
	for i := range 1 + r.IntN(5) {
		lines = append(lines, said("error", fmt.Sprintf("trouble %c", 'a'+rune(r.IntN(4))), float64(20+i)))
		requests = append(requests, requested("GET", fmt.Sprintf("http://a.test/%c", 'a'+rune(r.IntN(3))), []int{200, 500, 404}[r.IntN(3)], float64(100+10*i)))
	}
	first := captured(t, strings.Join(lines, ""), strings.Join(requests, ""))
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	r.Shuffle(len(requests), func(i, j int) { requests[i], requests[j] = requests[j], requests[i] })
	return first, captured(t, strings.Join(lines, ""), strings.Join(requests, ""))
}

func TestVerdictsKeepToTheirLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	mirror := map[string]string{"improved": "regressed", "regressed": "improved", "mixed": "mixed", "unchanged": "unchanged"}
	for range 60 {
		x, again := shuffled(t, r)
		y, _ := shuffled(t, r)
		if v := Verify(x, x, VerifyOptions{StrictCounts: true}).Verdict; v != Unchanged && v != NoIssues {
			t.Fatalf("a session against itself: %s", v)
		}
		if _, s := Compare(x, x); s.Verdict != "unchanged" {
			t.Fatalf("a session against itself: %+v", s)
		}
		there, back := Verify(x, y, VerifyOptions{}), Verify(y, x, VerifyOptions{})
		if there.Verdict == Fixed && back.Verdict == Fixed {
			t.Fatal("fixed both ways")
		}
		if there.Kinds.New != back.Kinds.Resolved || there.Kinds.Resolved != back.Kinds.New {
			t.Fatalf("not mirrored: %+v, %+v", there.Kinds, back.Kinds)
		}
		d, s := Compare(x, y)
		_, m := Compare(y, x)
		// What fails in an endpoint that only one side called is worse there, and
		// not better where it was not called: that has no mirror.
		if n := d.Network; len(n.NewEndpoints)+len(n.MissingEndpoints) == 0 && m.Verdict != mirror[s.Verdict] || s.Verdict == "improved" && m.Verdict == "improved" {
			t.Fatalf("%s, and the other way %s", s.Verdict, m.Verdict)
		}
		if d := cmp.Diff(there, Verify(again, y, VerifyOptions{})); d != "" {
			t.Fatalf("the order of lines matters: %s", d)
		}
	}
}

func TestTheTableIsTotal(t *testing.T) {
	for b := range 4 {
		for p := 0; p <= b; p++ {
			for n := range 4 {
				for x := 0; x <= b-p; x++ {
					v, row := Judge(Kinds{Before: b, After: p + n, Resolved: b - p, NotExercised: x, New: n})
					if v == "" || row < RowNoIssues || row > RowOthers {
						t.Errorf("before %d, persisting %d, new %d: %q", b, p, n, v)
					}
					if n > 0 && (v == Fixed || v == Improved || v == NoIssues) {
						t.Errorf("%d new, and %s", n, v)
					}
				}
			}
		}
	}
}

func TestRealTracesAgainstThemselves(t *testing.T) {
	for _, path := range append(tracetest.Corpus(t, "playwright/*.zip"), tracetest.Corpus(t, "vibium/*.zip")...) {
		s := capturedFile(t, path)
		r := Verify(s, s, VerifyOptions{StrictCounts: true})
		if len(s.Issues) > 0 && r.Verdict != Unchanged || len(s.Issues) == 0 && s.Happened > 0 && r.Verdict != NoIssues {
			t.Errorf("%s: %s", path, r.Verdict)
		}
		b, err := json.Marshal(s)
		var back State
		if err == nil {
			err = json.Unmarshal(b, &back)
		}
		if err != nil {
			t.Fatal(err)
		}
		if again := Verify(&back, s, VerifyOptions{}); again.Verdict != r.Verdict {
			t.Errorf("%s: kept it is %s", path, again.Verdict)
		}
	}
}

func TestBeyondTheLimitVerdictsStayRight(t *testing.T) {
	var a strings.Builder
	for i := range 80 {
		a.WriteString(said("error", "trouble "+strings.Repeat("x", i+1), float64(10+i)))
	}
	x := captured(t, a.String(), "")
	y := captured(t, a.String()+said("error", "another one", 500), "")
	listed := 0
	for _, i := range x.Issues {
		if i.Message != "" {
			listed++
		}
	}
	if len(x.Issues) != 80 || listed != MostErrors || len(x.LeftOut) != 1 || !strings.HasPrefix(x.LeftOut[0], "30 more errors") {
		t.Errorf("%d, %d, %v", len(x.Issues), listed, x.LeftOut)
	}
	if r := Verify(x, y, VerifyOptions{}); r.Verdict != Regressed || r.Kinds.New != 1 {
		t.Errorf("%s %+v", r.Verdict, r.Kinds)
	}
}

func TestNoStateTellsASecret(t *testing.T) {
	const secret = `hunter2"Very/Secret+42`
	s := captured(t, said("error", "login failed: password="+secret+" token ghp_0123456789abcdefghijABCDEFGHIJ012345", 10)+
		said("warning", `{"password":"hunter2\"Very/Secret+42"}`, 11),
		requested("GET", "http://a.test/login?password="+url.QueryEscape(secret), 500, 5)+requested("GET", "http://a.test/ghp_0123456789abcdefghijABCDEFGHIJ012345/x", 500, 6))
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{secret, "ghp_0123456789abcdefghijABCDEFGHIJ012345"} {
		quoted, _ := json.Marshal(v)
		for _, form := range []string{v, url.QueryEscape(v), string(quoted[1 : len(quoted)-1]), base64.StdEncoding.EncodeToString([]byte(v))} {
			if strings.Contains(string(b), form) {
				t.Errorf("%s stands in %s", form, b)
			}
		}
	}
}

// shelves are the kinds of shelf that there are.
func shelves(t *testing.T) map[string]Shelf {
	return map[string]Shelf{"memory": &Memory{}, "folder": Folder{Dir: t.TempDir()}}
}

func TestADeskKeepsToItsLimits(t *testing.T) {
	for name, shelf := range shelves(t) {
		now := time.Unix(1700000000, 0)
		d := &Desk{Shelf: shelf, Now: func() time.Time { return now }}
		state := captured(t, said("error", "boom", 10), "")
		var ids []string
		for i := range 3 {
			now = now.Add(time.Second)
			s, evicted, err := d.Start(state, fmt.Sprint("label", i), 0)
			if err != nil || evicted != "" {
				t.Fatal(name, evicted, err)
			}
			ids = append(ids, s.ID)
		}
		if _, _, err := d.Compare(ids[0], state, VerifyOptions{}); err == nil || !strings.Contains(err.Error(), "E_VERIFY_NOT_WATCHING") {
			t.Errorf("%s: compare before watch: %v", name, err)
		}
		now = now.Add(time.Second)
		if _, err := d.Watch(ids[0], Bound{Place: "x"}); err != nil {
			t.Fatal(err)
		}
		for range 2 { // it may be repeated
			if s, r, err := d.Compare(ids[0], state, VerifyOptions{}); err != nil || r.Verdict != Unchanged || s.Status != Compared {
				t.Fatal(name, r, err)
			}
		}
		if _, evicted, err := d.Start(state, "", 0); err != nil || evicted != ids[1] {
			t.Errorf("%s: evicted %q, %v: want the one that was not compared for the longest time", name, evicted, err)
		}
		if s, err := d.Session("label1"); err != nil || s.Status != Evicted {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		now = now.Add(SessionTTL)
		if s, err := d.Session(ids[0]); err != nil || s.Status != Expired {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		now = now.Add(2 * tombstonesKept)
		if _, err := d.Session(ids[0]); err == nil || !strings.Contains(err.Error(), "E_VERIFY_UNKNOWN") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamedStatesAreKeptForAWhile(t *testing.T) {
	for name, shelf := range shelves(t) {
		now := time.Unix(1700000000, 0)
		d := &Desk{Shelf: shelf, Now: func() time.Time { return now }}
		for i := range MostSnapshots + 1 {
			now = now.Add(time.Second)
			state := &State{CapturedAt: now}
			_, evicted, err := d.Keep(fmt.Sprint("Name/", i), state, 0)
			if err != nil || (evicted == "Name/0") != (i == MostSnapshots) {
				t.Fatal(name, i, evicted, err)
			}
			if _, evicted, err := d.Keep(fmt.Sprint("Name/", i), state, 0); evicted != "" || err != nil {
				t.Fatal(name, i, evicted, err) // in the place of the one of that name
			}
		}
		if _, err := d.Snapshot("name/3"); err == nil {
			t.Errorf("%s: names are told apart by case", name)
		}
		if all, err := d.Snapshots(); err != nil || len(all) != MostSnapshots || all[0].Name != "Name/1" {
			t.Errorf("%s: %v, %v", name, all, err)
		}
		if err := d.Drop("Name/3"); err != nil {
			t.Error(err)
		}
		now = now.Add(SnapshotTTL)
		if all, err := d.Snapshots(); err != nil || len(all) != 0 {
			t.Errorf("%s: %v, %v", name, all, err)
		}
	}
}

func FuzzFilesOfADesk(f *testing.F) {
	f.Add([]byte(`{"session_id":"verify-1","status":"watching","baseline":{"issues":[{"key":"a"}]},"watch":{"place":"/"},"expires_at":"2100-01-01T00:00:00Z"}`), "verify-1")
	f.Add([]byte(`{"name":"a","snapshot":{"endpoints":[{"name":"GET /"}],"performance":{"metrics":[]}},"expires_at":"2100-01-01T00:00:00Z"}`), "snapshot-61")
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		d := &Desk{Shelf: &Memory{}}
		_ = d.Shelf.Put(name, data) // it never goes wrong
		sessions, err := d.Sessions()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sessions {
			if s.Baseline != nil {
				Verify(s.Baseline, s.Baseline, VerifyOptions{})
			}
		}
		named, err := d.Snapshots()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range named {
			if _, s := Compare(n.Snapshot, n.Snapshot); s.NewErrorKinds+s.ResolvedKinds > 0 {
				t.Fatalf("%+v", s)
			}
		}
	})
}

func FuzzParseSpan(f *testing.F) {
	for _, s := range []string{"", "2s..5s", "..1m", "1ms..", "5s..2s", "x..y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := ParseSpan(text); err == nil && (s.From < 0 || s.To != 0 && s.To <= s.From) {
			t.Fatalf("%q: %+v", text, s)
		}
	})
}
