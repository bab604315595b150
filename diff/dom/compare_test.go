package dom_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/diff/dom"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// digits masks numbers of three digits and more.
type digits struct{}

func (digits) Text(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if j-i >= 3 {
			b.WriteString("#")
			i = j
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func (d digits) Attribute(field, value string) string {
	if field == "token" {
		return "#"
	}
	return d.Text(value)
}

// pages makes a trace of snapshots of one frame and reads it.
func pages(t testing.TB, budget int64, html ...string) (*dom.Pages, []trace.Position) {
	t.Helper()
	var b strings.Builder
	b.WriteString("== 0-trace.trace\ncontext-options\n\tversion: 8\n\torigin: library\n\twallTime: 1708000000000\n\tmonotonicTime: 0\n")
	for i, h := range html {
		fmt.Fprintf(&b, "before\n\tcallId: call@%d\n\tstartTime: %d\n\tclass: Frame\n\tmethod: click\n\tparams: {}\n", i, 10*i)
		fmt.Fprintf(&b, "frame-snapshot\n\tsnapshot: {\"callId\":\"call@%d\",\"snapshotName\":\"after@call@%d\",\"pageId\":\"p\",\"frameId\":\"f\",\"frameUrl\":\"http://x/\",\"html\":%s,\"viewport\":{\"width\":1,\"height\":1},\"timestamp\":%d,\"isMainFrame\":true,\"resourceOverrides\":[]}\n", i, i, h, 10*i+5)
		fmt.Fprintf(&b, "after\n\tcallId: call@%d\n\tendTime: %d\n\tafterSnapshot: after@call@%d\n", i, 10*i+6, i)
	}
	path := tracetest.Zip(t, b.String())
	a, tr := tracetest.Open(t, path), tracetest.Load(t, path)
	p, err := dom.Read(context.Background(), a, digits{}, budget)
	if err != nil {
		t.Fatal(err)
	}
	var at []trace.Position
	for _, s := range tr.Snapshots {
		at = append(at, s.Position)
	}
	if len(at) != len(html) {
		t.Fatalf("%d snapshots of %d", len(at), len(html))
	}
	return p, at
}

func compare(t testing.TB, a, b string) *dom.Diff {
	t.Helper()
	pa, x := pages(t, 0, a)
	pb, y := pages(t, 0, b)
	d, err := dom.Compare(context.Background(), pa, x[0], pb, y[0])
	if err != nil {
		t.Fatal(err)
	}
	masked, strict := dom.Equal(pa, x[0], pb, y[0])
	if masked != (d.Tree == nil) || strict && !masked {
		t.Errorf("hashes say same %v and %v, the comparison %v", masked, strict, d.Tree)
	}
	return d
}

func body(inside string) string { return `["HTML",{},["BODY",{},` + inside + `]]` }

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       string // lines joined by |
	}{
		{"the same", `["P",{},"a"]`, `["P",{},"a"]`, ""},
		{"blanks mean nothing", `["P",{},"a  b"],"\n "`, `"  ",["P",{}," a b "]`, ""},
		{"the order of attributes means nothing", `["P",{"id":"x","class":"y"}]`, `["P",{"class":"y","id":"x"}]`, ""},
		{"marks of the recorder mean nothing", `["P",{"__playwright_target__":"call@1"}]`, `["P",{}]`, ""},
		{"an open dialog is open, however it is noted", `["DIALOG",{"open":""},"a"]`, `["DIALOG",{"__playwright_dialog_open_":"true"},"a"]`, ""},
		{"a dialog is opened", `["DIALOG",{},"a"]`, `["DIALOG",{"__playwright_dialog_open_":"modal"},"a"]`, `html|body|~ dialog|+ open=""`},
		{"what is masked", `["P",{},"order 12345"]`, `["P",{},"order 777"]`, ""},
		{"a token in a field", `["INPUT",{"name":"token","value":"a"}]`, `["INPUT",{"name":"token","value":"b"}]`, ""},
		{"a text", `["P",{},"a"]`, `["P",{},"b"]`, "html|body|p|- a|+ b"},
		{"an attribute", `["A",{"href":"/a"},"x"]`, `["A",{"href":"/b","rel":"next"},"x"]`, `html|body|~ a|~ href: "/a" → "/b"|+ rel="next"`},
		{"one more", `["LI",{},"a"],["LI",{},"c"]`, `["LI",{},"a"],["LI",{},"b"],["LI",{},"c"]`, "html|body|+ <li>b"},
		{"one less", `["LI",{},"a"],["LI",{},"b"]`, `["LI",{},"b"]`, "html|body|- <li>a"},
		{"moved", `["LI",{},"a"],["LI",{},"b"],["LI",{},"c"]`, `["LI",{},"b"],["LI",{},"c"],["LI",{},"a"]`, "html|body|> li"},
		{"by key", `["LI",{"id":"x"},"a"],["LI",{"id":"y"},"b"]`, `["LI",{"id":"n"},"new"],["LI",{"id":"x"},"a2"],["LI",{"id":"y"},"b"]`, `html|body|+ <li id="n">new|li#x|- a|+ a2`},
		{"another element", `["B",{},"a"]`, `["I",{},"a"]`, "html|body|- <b>a|+ <i>a"},
		{"a field's value", `["INPUT",{"__playwright_value_":"Ada"}]`, `["INPUT",{"__playwright_value_":"Grace"}]`, `html|body|~ input|~ value: "Ada" → "Grace"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := compare(t, body(c.a), body(c.b))
			var got []string
			if d.Tree != nil {
				for _, l := range d.Tree.Lines() {
					got = append(got, strings.TrimSpace(l))
				}
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("%s\nnot %s", s, c.want)
			}
			if back := compare(t, body(c.b), body(c.a)); (back.Tree == nil) != (d.Tree == nil) {
				t.Errorf("the other way round %v", back.Tree)
			}
		})
	}
}

func TestHiddenDifferencesAreTold(t *testing.T) {
	d := compare(t, body(`["P",{"data-n":"4711"},"order 12345"]`), body(`["P",{"data-n":"4712"},"order 777"]`))
	if d.Tree != nil || len(d.Hidden) != 2 || d.Hidden[0] != (dom.Hidden{Field: "data-n", A: "4711", B: "4712"}) || d.Hidden[1].A != "order 12345" {
		t.Errorf("%+v", d)
	}
}

// References to earlier snapshots are followed, in whatever snapshot the parts
// of a page were written.
func TestReferencesAreFollowed(t *testing.T) {
	first := `["HTML",{},["BODY",{},["P",{},"a"],["DIV",{},["B",{},"deep"]]]]`
	// Numbered from the leaves up: "a" 0, P 1, "deep" 2, B 3, DIV 4, BODY 5, HTML 6.
	second := `["HTML",{},["BODY",{},["P",{},"b"],[[1,4]]]]`
	third := `[[1,3]]` // "b" 0, P 1, BODY 2, HTML 3 of the second
	for _, budget := range []int64{0, 1} {
		p, at := pages(t, budget, first, second, third)
		q, whole := pages(t, budget, `["HTML",{},["BODY",{},["P",{},"b"],["DIV",{},["B",{},"deep"]]]]`, `["HTML",{},["BODY",{},["P",{},"b"],["DIV",{},["B",{},"other"]]]]`)
		for _, i := range []int{1, 2} {
			if masked, strict := dom.Equal(p, at[i], q, whole[0]); !masked || !strict {
				t.Errorf("snapshot %d is not what it stands for", i)
			}
			d, err := dom.Compare(context.Background(), p, at[i], q, whole[1])
			if err != nil || d.Tree == nil || d.Changes != 1 || !strings.Contains(strings.Join(d.Tree.Lines(), "\n"), "- deep") {
				t.Errorf("snapshot %d: %+v, %v", i, d, err)
			}
		}
	}
}

func TestOutline(t *testing.T) {
	p, at := pages(t, 0, body(`["H1",{},"Shop"],["BUTTON",{"aria-label":"Close"},"x"],["A",{"href":"/"},"Home"],["A",{},"no link"],`+
		`["LABEL",{"for":"n"},"Name"],["INPUT",{"id":"n","type":"text"}],["INPUT",{"type":"checkbox","__playwright_checked_":"true","title":"Agree"}],`+
		`["IMG",{"alt":"Logo"}],["IMG",{"alt":""}],["DIV",{"aria-hidden":"true"},["BUTTON",{},"gone"]],["DIV",{"role":"alert"},"Saved"],["INPUT",{"type":"hidden"}],`+
		`["SPAN",{"id":"l"},"By id"],["NAV",{"aria-labelledby":"l"}],["BUTTON",{"disabled":"","aria-expanded":"true"},["B",{},"More"]]`))
	lines, err := p.Outline(context.Background(), at[0])
	if err != nil {
		t.Fatal(err)
	}
	want := `heading "Shop" [level=1]|button "Close"|link "Home"|textbox "Name"|checkbox "Agree" [checked]|img "Logo"|alert "Saved"|navigation "By id"|button "More" [expanded=true] [disabled]`
	if got := strings.Join(lines, "|"); got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
}

// A page that describes another without end is cut off, and told so.
func TestEndlessPagesAreCutOff(t *testing.T) {
	var a, b []string
	a, b = append(a, `["P",{},"a"]`), append(b, `["P",{},"b"]`)
	for i := 1; i < 40; i++ {
		root := 1 // of the page before: the number of its P or DIV
		if i > 1 {
			root = 0
		}
		h := fmt.Sprintf(`["DIV",{},[[1,%d]],[[1,%d]]]`, root, root)
		a, b = append(a, h), append(b, h)
	}
	pa, x := pages(t, 0, a...)
	pb, y := pages(t, 0, b...)
	d, err := dom.Compare(context.Background(), pa, x[39], pb, y[39])
	if err != nil || !d.CutOff || d.Tree == nil {
		t.Errorf("%v, %v", d.CutOff, err)
	}
	if _, err := pa.Outline(context.Background(), x[39]); err != nil {
		t.Error(err)
	}
}

// Whatever a snapshot holds, it is equal to itself, and comparing it with
// another ends the way hashes say.
func FuzzCompare(f *testing.F) {
	for _, s := range []string{body(`["P",{},"a"]`), `[[0,0]]`, `["A",{},[[0,0]]]`, `["HTML",{},["P"`, `"text"`, `[]`, `["A",["B"],{"x":1},null]`, body(`["TEMPLATE",{"__playwright_shadow_root_":"open"},"x"]`), `["A",{"b":"\ud800"}]`} {
		f.Add(s, body(`["P",{},"b"]`))
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		pa, pb := dom.ReadForTest(a, digits{}), dom.ReadForTest(b, digits{})
		at := trace.Position{File: "f", Line: 1}
		ctx := context.Background()
		if d, err := dom.Compare(ctx, pa, at, pa, at); err != nil || d.Tree != nil {
			t.Errorf("%q is not the same as itself: %v, %v", a, d, err)
		}
		d, err := dom.Compare(ctx, pa, at, pb, at)
		if masked, _ := dom.Equal(pa, at, pb, at); err == nil && pa.Has(at) && pb.Has(at) && masked && d.Tree != nil {
			t.Errorf("%q and %q have one hash, and differ: %v", a, b, d.Tree.Lines())
		}
		if _, err := pa.Outline(ctx, at); err != nil {
			t.Errorf("%q: %v", a, err)
		}
	})
}
