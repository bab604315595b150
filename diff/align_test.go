package diff_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/diff"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// session makes a trace of calls, one a line: "click #a", "fill #a=text",
// "goto URL", "{ title" and "}" for groups; "!" in front makes a call fail.
func session(t testing.TB, lines ...string) *trace.Trace {
	t.Helper()
	return tracetest.Load(t, tracetest.Zip(t, sessionText(lines...)))
}

func sessionText(lines ...string) string {
	var b strings.Builder
	b.WriteString("== 0-trace.trace\ncontext-options\n\tversion: 8\n\torigin: library\n\tbrowserName: chromium\n\twallTime: 1708000000000\n\tmonotonicTime: 0\n")
	var open []string
	for i, line := range lines {
		id, at := fmt.Sprintf("call@%d", i+1), 10*i
		if line == "}" {
			last := len(open) - 1
			fmt.Fprintf(&b, "after\n\tcallId: %s\n\tendTime: %d\n", open[last], at)
			open = open[:last]
			continue
		}
		line, failed := strings.CutPrefix(line, "!")
		method, rest, _ := strings.Cut(line, " ")
		fmt.Fprintf(&b, "before\n\tcallId: %s\n\tstartTime: %d\n", id, at)
		if len(open) > 0 {
			fmt.Fprintf(&b, "\tparentId: %s\n", open[len(open)-1])
		}
		switch method {
		case "{":
			fmt.Fprintf(&b, "\tclass: Tracing\n\tmethod: tracingGroup\n\ttitle: %s\n\tparams: {}\n", rest)
			open = append(open, id)
			continue
		case "goto":
			fmt.Fprintf(&b, "\tclass: Frame\n\tmethod: goto\n\tparams: {\"url\":%q}\n", rest)
		case "fill":
			sel, value, _ := strings.Cut(rest, "=")
			fmt.Fprintf(&b, "\tclass: Frame\n\tmethod: fill\n\tparams: {\"selector\":%q,\"value\":%q}\n", sel, value)
		case "expect":
			fmt.Fprintf(&b, "\tclass: Frame\n\tmethod: expect\n\tparams: %s\n", rest)
		default:
			fmt.Fprintf(&b, "\tclass: Frame\n\tmethod: %s\n\tparams: {\"selector\":%q}\n", method, rest)
		}
		fmt.Fprintf(&b, "after\n\tcallId: %s\n\tendTime: %d\n", id, at+5)
		if failed {
			b.WriteString("\terror: {\"name\":\"Error\",\"message\":\"Timeout 5000ms exceeded.\"}\n")
		}
	}
	return b.String()
}

func align(t testing.TB, a, b *trace.Trace) *diff.Alignment {
	t.Helper()
	al, err := diff.Align(context.Background(), a, b, diff.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return al
}

func signs(al *diff.Alignment) string {
	var b strings.Builder
	for _, p := range al.Pairs {
		b.WriteString(p.Kind.Sign())
	}
	return b.String()
}

func TestAlign(t *testing.T) {
	for _, c := range []struct {
		name, a, b, want string
		first            int
	}{
		{"nothing", "", "", "", -1},
		{"the same", "goto http://x/|click #a|click #b", "goto http://x/|click #a|click #b", "===", -1},
		{"one more at the end", "click #a", "click #a|click #b", "=+", 1},
		{"one more between the same", "click #a|click #b", "click #a|click #a|click #b", "=+=", 1},
		{"one less", "click #a|hover #h|click #b", "click #a|click #b", "=−=", 1},
		{"another value", "fill #a=Ada", "fill #a=Grace", "~", 0},
		{"another locator of the same call", "click #a|click #save|click #z", "click #a|click #store|click #z", "=~=", 1},
		{"the spelling of a locator means nothing", `click css=#a >> nth=0`, `click #a>>nth=0`, "=", -1},
		{"values that moved up", "fill #q=1|fill #q=2|fill #q=3", "fill #q=2|fill #q=3", "−==", 0},
		{"another id in the address", "goto http://x/users/17", "goto http://x/users/18?t=1", "~", 0},
		{"another port of this machine", "goto http://localhost:8080/a", "goto http://localhost:9090/a", "=", -1},
		{"it fails now", "click #a", "!click #a", "~", 0},
		{"groups", "{ Log in|click #a|}|click #b", "{ Log in|click #a|click #c|}|click #b", "==+=", 2},
		{"other steps", "click #a|click #b", "hover #c|press #d", "−−++", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := session(t, split(c.a)...), session(t, split(c.b)...)
			al := align(t, a, b)
			if got := signs(al); got != c.want || al.FirstDivergence != c.first {
				t.Errorf("%s, first %d; not %s, first %d", got, al.FirstDivergence, c.want, c.first)
			}
			if got, back := mirrored(signs(al)), signs(align(t, b, a)); len([]rune(got)) != len([]rune(back)) || strings.Count(got, "+") != strings.Count(back, "+") {
				t.Errorf("mirrored %s, the other way round %s", got, back)
			}
		})
	}
}

func split(lines string) []string {
	if lines == "" {
		return nil
	}
	return strings.Split(lines, "|")
}

func mirrored(s string) string { return strings.NewReplacer("−", "+", "+", "−").Replace(s) }

// long makes a session of many steps, some of them different in each variant.
func long(steps, variant int) []string {
	var list []string
	for i := range steps {
		switch {
		case i%50 == 0:
			list = append(list, fmt.Sprintf("goto http://localhost/page/%d", i))
		case i%997 == 500 && variant > 0:
			list = append(list, fmt.Sprintf("click #new-%d", i))
		case i%7 == 3:
			list = append(list, fmt.Sprintf("fill #field-%d=%d", i%40, i))
		default:
			list = append(list, fmt.Sprintf("click #button-%d", i%300))
		}
	}
	return list
}

func BenchmarkAlign5000(b *testing.B) {
	x, y := session(b, long(5000, 0)...), session(b, long(5000, 1)...)
	for b.Loop() {
		started := time.Now()
		if al := align(b, x, y); al.FirstDivergence != 1497 {
			b.Fatal(al.FirstDivergence)
		}
		b.ReportMetric(float64(time.Since(started).Milliseconds()), "ms/first")
	}
}

func TestOrderOfMembersIsNoChange(t *testing.T) {
	a := session(t, `expect {"selector":"#a","expectedText":[{"string":"1 < 2","normalizeWhiteSpace":true}],"isNot":false}`)
	b := session(t, `expect {"isNot":false,"expectedText":[{"normalizeWhiteSpace":true,"string":"1 < 2"}],"selector":"#a"}`)
	if got := signs(align(t, a, b)); got != "=" {
		t.Errorf("the same members in another order: %s", got)
	}
	c := session(t, `expect {"selector":"#a","expectedText":[{"string":"1 < 3","normalizeWhiteSpace":true}],"isNot":false}`)
	if got := signs(align(t, a, c)); got != "~" {
		t.Errorf("another text: %s", got)
	}
}

func TestStepsOfOlderVersionsAreTheSame(t *testing.T) {
	const call = "before\n\tcallId: call@%d\n\tstartTime: %d\n\tclass: %s\n\tmethod: %s\n\tparams: %s\n%safter\n\tcallId: call@%[1]d\n\tendTime: %[2]d\n"
	head := "== 0-trace.trace\ncontext-options\n\tversion: %d\n\torigin: library\n\tbrowserName: chromium\n\twallTime: 1708000000000\n\tmonotonicTime: 0\n"
	old := fmt.Sprintf(head, 7) + fmt.Sprintf(call, 1, 1, "BrowserContext", "newPage", "{}", "\tapiName: browserContext.newPage\n") +
		fmt.Sprintf(call, 2, 2, "Frame", "click", `{"selector":"#a"}`, "\tapiName: page.click\n")
	now := fmt.Sprintf(head, 8) + fmt.Sprintf(call, 1, 1, "BrowserContext", "newPage", "{}", "") +
		fmt.Sprintf(call, 2, 2, "Frame", "click", `{"selector":"#a","timeout":5000}`, "")
	a, b := tracetest.Load(t, tracetest.Zip(t, old)), tracetest.Load(t, tracetest.Zip(t, now))
	if got := signs(align(t, a, b)); got != "==" {
		t.Errorf("of versions 7 and 8: %s", got)
	}
	other := strings.ReplaceAll(now, "timeout\":5000", "timeout\":5000,\"button\":\"right\"")
	if got := signs(align(t, b, tracetest.Load(t, tracetest.Zip(t, other)))); got != "=~" {
		t.Errorf("another button: %s", got)
	}
}
