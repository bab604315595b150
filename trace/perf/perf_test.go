package perf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func told(at int, method, params string) string {
	return fmt.Sprintf("event\n\ttime: %d\n\tclass: Performance\n\tmethod: %s\n\tpageId: p\n\tparams: %s\n", at, method, params)
}

func of(t *testing.T, events string) *Report {
	t.Helper()
	return Of(tracetest.Load(t, tracetest.Zip(t, tracetest.Head+events)))
}

func TestTheWorstLoadAndItsLastTellingCount(t *testing.T) {
	r := of(t, told(1, "vitals", `{"url":"http://a.test/","TTFB":10,"LCP":100,"CLS":0}`)+told(2, "vitals", `{"url":"http://a.test/","TTFB":10,"LCP":300,"CLS":0.02}`)+
		told(3, "vitals", `{"url":"http://a.test/","TTFB":20,"LCP":4200,"CLS":0}`)+told(4, "longtask", `{"duration":150}`)+told(5, "longtask", `{"duration":60}`))
	if len(r.Loads) != 2 || *r.Loads[0].LCP != 300 {
		t.Errorf("%+v", r.Loads)
	}
	for name, want := range map[string]string{"LCP": "4200 ms", "CLS": "0.020", "TTFB": "20 ms", "INP": "not recorded", "long tasks": "2", "TBT": "110 ms", "longest task": "150 ms", "requests": "not recorded"} {
		if got := r.Metric(name).String(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if r.Metric("LCP").Rating != "poor" || r.Metric("CLS").Rating != "good" {
		t.Errorf("%+v", r.Metrics)
	}
}

func TestWhatIsNotRecordedIsNotGood(t *testing.T) {
	r := of(t, "")
	b, err := ReadBudget(strings.NewReader(`{"lcp": 2500, "failed-requests": 0}`))
	if err != nil {
		t.Fatal(err)
	}
	if list := b.Exceeded(r); len(list) != 2 || list[0].Value != nil {
		t.Errorf("%+v", list)
	}
	if len(r.NotRecorded) != len(metrics) {
		t.Errorf("%v", r.NotRecorded)
	}
}

func TestComparingMirrorsAndLeavesSmallThingsAlone(t *testing.T) {
	with := func(lcp, cls float64) *Report {
		return of(t, told(1, "vitals", fmt.Sprintf(`{"url":"u","TTFB":1,"LCP":%v,"CLS":%v}`, lcp, cls)))
	}
	effect := func(a, b *Report, name string) string {
		for _, c := range Compare(a, b) {
			if c.Name == name {
				return c.Effect
			}
		}
		return ""
	}
	for _, c := range []struct {
		a, b             *Report
		name, want, back string
	}{{with(500, 0), with(900, 0), "LCP", "regressed", "improved"}, {with(500, 0), with(650, 0), "LCP", "same", "same"}, {with(2400, 0), with(4100, 0), "LCP", "regressed", "improved"},
		{with(1, 0.01), with(1, 0.08), "CLS", "regressed", "improved"}, {with(1, 0), of(t, ""), "LCP", "inconclusive", "inconclusive"}} {
		if got, back := effect(c.a, c.b, c.name), effect(c.b, c.a, c.name); got != c.want || back != c.back {
			t.Errorf("%s: %s and back %s, want %s and %s", c.name, got, back, c.want, c.back)
		}
		if got := effect(c.a, c.a, c.name); got != "same" {
			t.Errorf("with itself: %s", got)
		}
	}
}

func TestRealTracesAreMeasured(t *testing.T) {
	r := Of(tracetest.Load(t, tracetest.Corpus(t, "playwright/basic.zip")[0]))
	if m := r.Metric("requests"); m.Value == nil || *m.Value != 13 {
		t.Errorf("requests: %s", m)
	}
	if m := r.Metric("LCP"); m.Value != nil {
		t.Errorf("Playwright records no LCP: %s", m)
	}
	if len(r.SlowActions) == 0 || len(r.SlowRequest) == 0 || r.SlowActions[0].Took < r.SlowActions[1].Took {
		t.Errorf("%+v", r)
	}
}

func FuzzReadBudget(f *testing.F) {
	f.Add(`{"LCP": 2500}`)
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ReadBudget(strings.NewReader(s))
		for name, limit := range b {
			if err != nil || limit < 0 || !strings.Contains(strings.Join(Names(), "|"), name) {
				t.Errorf("%q: %v", s, b)
			}
		}
	})
}
