package viewer_test

import (
	"encoding/json"
	"net/http"
	"testing"
)

// opened opens all traces of a server on one connection and waits until they
// have been read; their refs are 1, 2, ….
func opened(t *testing.T, s *served) *page {
	t.Helper()
	p, w := s.enter(t)
	for i, tr := range w["traces"].([]any) {
		p.readAll(i+1, tr.(map[string]any)["id"].(string), "", nil)
	}
	return p
}

// lots collects the answers to a question until the last one.
func (p *page) lots(ref int, each func(body []byte)) (failure string) {
	p.t.Helper()
	for {
		m, ok := p.hear()
		switch {
		case !ok:
			p.t.Fatal("the server hung up")
		case m[0] == "res" && number(m[1]) == ref:
			each(m[2].([]byte))
			if m[3] == true {
				return ""
			}
		case m[0] == "err" && number(m[1]) == ref:
			return m[3].(string)
		}
	}
}

func TestTwoTracesAreAligned(t *testing.T) {
	p := opened(t, serve(t, corpusTrace("playwright/pair-a.zip"), corpusTrace("playwright/pair-b.zip")))
	p.say("diff", 9, 1, 2, "align", -1, "")
	kinds := map[string]int{}
	first := -2
	failure := p.lots(9, func(b []byte) {
		var a struct {
			Pairs []struct {
				Kind string `json:"kind"`
				A, B int
			}
			First *int
			Token string
		}
		if err := json.Unmarshal(b, &a); err != nil {
			t.Fatal(err)
		}
		for _, one := range a.Pairs {
			kinds[one.Kind]++
			if (one.A < 0) != (one.Kind == "only-b") || (one.B < 0) != (one.Kind == "only-a") {
				t.Errorf("a pair that is %s has the rows %d and %d", one.Kind, one.A, one.B)
			}
		}
		if a.First != nil {
			first = *a.First
		}
	})
	if failure != "" || kinds["same"] == 0 || kinds["only-b"]+kinds["only-a"] == 0 || first < 0 {
		t.Fatalf("%s: %v, first %d", failure, kinds, first)
	}
}

func TestCompareAnswersWhatCannotBe(t *testing.T) {
	p := opened(t, serve(t, corpusTrace("playwright/pair-a.zip"), corpusTrace("playwright/pair-b.zip")))
	for i, c := range []struct {
		b    int
		what string
		text string
		want string
	}{
		{1, "align", "", "a trace is not compared with itself"},
		{7, "align", "", "that trace is not open"},
		{2, "taste", "", `nothing is known of "taste"`},
		{2, "pixels", "\x00one", "two pictures are compared, not one"},
		{2, "pixels", "\x00../../etc/passwd\nx", "../../etc/passwd: the trace does not hold it"},
	} {
		p.say("diff", 20+i, 1, c.b, c.what, 0, c.text)
		if got := p.lots(20+i, func([]byte) {}); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.what, c.text, got, c.want)
		}
	}
	p.say("diff", 40, 1, 2, "align", -1, `[{"name":"x","pattern":"("}]`)
	if got := p.lots(40, func([]byte) {}); got == "" {
		t.Error("a rule that cannot be read was taken")
	}
	p.say("diff", 41, 1, 2, "align", -1, "")
	if got := p.lots(41, func([]byte) {}); got != "" {
		t.Error("after a wrong rule nothing is compared any more: " + got)
	}
}

func TestPixelsNeedTheToken(t *testing.T) {
	s := serve(t, corpusTrace("playwright/pair-a.zip"), corpusTrace("playwright/pair-b.zip"))
	r := get(t, "http://"+s.host+"/d/0123?a=x&b=y", nil)
	if r.StatusCode != http.StatusNotFound {
		t.Errorf("status %d", r.StatusCode)
	}
}
