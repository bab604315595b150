package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracedeck/tracedeck/trace/index"
)

func search(t testing.TB, x *index.Index, query string) (hits []index.Hit) {
	t.Helper()
	q, err := index.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	err = x.Search(t.Context(), q, index.SearchOptions{}, func(h index.Hit) bool {
		hits = append(hits, h)
		if h.From > h.To || h.To > len(h.Snippet) {
			t.Errorf("%s: place of the match: %+v", query, h)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

func tally(hits []index.Hit) map[string]int {
	n := map[string]int{}
	for _, h := range hits {
		n[h.Kind]++
	}
	return n
}

func TestSearchFinds(t *testing.T) {
	basic := build(t, corpus+"/playwright/basic.zip")
	network := build(t, corpus+"/playwright/network.zip")
	fail := build(t, corpus+"/playwright/fail.zip")
	consoles := build(t, corpus+"/playwright/console.zip")
	for _, c := range []struct {
		x     *index.Index
		query string
		want  map[string]int
	}{
		{basic, "kind:action click", map[string]int{"action": 4}},
		{basic, "kind:action CLICK -double", map[string]int{"action": 3}},
		{basic, `kind:action "Click getByRole('button', { name: 'Increment' })"`, map[string]int{"action": 1}},
		{basic, "kind:action /^Navi/", map[string]int{"action": 1}},
		{network, "status:404", map[string]int{"request": 3}},
		{network, "status:4xx,5xx method:get", nil},
		{network, "is:pending", nil},
		{network, "kind:request /\\/redirect2?$/", nil},
		{fail, "kind:error timeout", nil},
		{fail, `kind:action is:failed`, map[string]int{"action": 8}},
		{consoles, `kind:console level:warning`, map[string]int{"console": 1}},
		{consoles, `kind:console -level:log,info`, map[string]int{"console": 11}},
		{basic, "nothing-says-this", map[string]int{}},
	} {
		hits := search(t, c.x, c.query)
		if c.want == nil {
			if len(hits) == 0 {
				t.Errorf("%s: nothing found", c.query)
			}
			continue
		}
		if diff := cmp.Diff(c.want, tally(hits)); diff != "" {
			t.Errorf("%s (-want +got):\n%s%v", c.query, diff, hits)
		}
	}
}

// What a page shows is found in its snapshots, whatever the recorder.
func TestSearchFindsTextOfPages(t *testing.T) {
	for path, text := range map[string]string{
		"playwright/basic.zip": "ready", "playwright/shadow.zip": "second card", "playwright/old/v3-pw-1.20.2.zip": "ready",
	} {
		hits := search(t, build(t, filepath.Join(corpus, path)), "kind:dom "+`"`+text+`"`)
		if path == "playwright/shadow.zip" {
			hits = append(hits, search(t, build(t, filepath.Join(corpus, path)), "kind:dom second card")...)
		}
		if len(hits) == 0 {
			t.Errorf("%s: %q is not found", path, text)
		}
		for _, h := range hits {
			if h.Table != index.Snapshots || !strings.EqualFold(h.Snippet[h.From:h.To], text) && h.Snippet[h.From:h.To] != "second" && h.Snippet[h.From:h.To] != "Second" {
				t.Errorf("%s: %+v", path, h)
			}
		}
	}
}

func TestSearchReadsBodiesAndSources(t *testing.T) {
	x := build(t, corpus+"/playwright/basic.zip")
	hits := search(t, x, "kind:body,source doctype")
	if n := tally(hits); n["body"] == 0 {
		t.Errorf("found %v", n)
	}
	hits = search(t, x, "kind:source tracing")
	if len(hits) != 1 || hits[0].Line == 0 || hits[0].Row != index.NoRow || !strings.HasPrefix(hits[0].Entry, "src/") {
		t.Errorf("sources: %+v", hits)
	}
}

func TestSearchTellsTheLine(t *testing.T) {
	var body strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&body, "line %d of the body\n", i+1)
	}
	dir := writeFolder(t, map[string]string{"trace.trace": `{"version":10,"type":"context-options","origin":"library","monotonicTime":0,"wallTime":1,"options":{}}` + "\n",
		"trace.network": `{"type":"resource-snapshot","snapshot":{"time":1,"request":{"method":"GET","url":"http://a/"},"response":{"status":200,"content":{"size":1,"mimeType":"text/plain","_file":"resources/body.txt"}},"_monotonicTime":5}}` + "\n"})
	if err := os.Mkdir(filepath.Join(dir, "resources"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "resources", "body.txt"), body.String())
	hits := search(t, build(t, dir), `"line 150001 of"`)
	if len(hits) != 1 || hits[0].Line != 150001 || hits[0].Kind != "body" {
		t.Fatalf("%+v", hits)
	}
}

func TestSearchStopsWhenTold(t *testing.T) {
	x := build(t, corpus+"/playwright/console.zip")
	q, err := index.ParseQuery("e")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := x.Search(t.Context(), q, index.SearchOptions{}, func(index.Hit) bool { n++; return n < 3 }); err != nil || n != 3 {
		t.Errorf("%d hits, %v", n, err)
	}
	n = 0
	if err := x.Search(t.Context(), q, index.SearchOptions{MaxHits: 2}, func(h index.Hit) bool {
		if h.Kind == "log" {
			n++
		}
		return true
	}); err != nil || n != 2 {
		t.Errorf("%d log lines, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Search(ctx, q, index.SearchOptions{}, func(index.Hit) bool { return true }); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}

func TestParseQueryRefuses(t *testing.T) {
	for _, bad := range []string{"status:abc", "kind:nonsense", "slower-than:soon", "/(/", "method:", "larger-than:big", "is:sad"} {
		var wrong *index.QueryError
		if _, err := index.ParseQuery(bad); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	for text, terms := range map[string]int{"http://localhost:80/x": 1, "/path/to": 1, `"a b" c -"d e"`: 3, "/a b/i x": 2, "- x": 2, "method:post": 0, `url:"a b" c`: 1} {
		if q, err := index.ParseQuery(text); err != nil || len(q.Terms) != terms {
			t.Errorf("%s: %+v, %v", text, q, err)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{`status:5xx "a b" -/x.*y/i`, `kind:log,dom -x`, `url:"`, `//`, `-`, `"`} {
		f.Add(s)
	}
	x := build(f, corpus+"/playwright/console.zip")
	f.Fuzz(func(t *testing.T, text string) {
		q, err := index.ParseQuery(text)
		if err != nil {
			return
		}
		if err := x.Search(t.Context(), q, index.SearchOptions{MaxHits: 5}, func(h index.Hit) bool {
			if h.From > h.To || h.To > len(h.Snippet) || len(h.Snippet) > 4096 {
				t.Fatalf("%q: %+v", text, h)
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
	})
}
