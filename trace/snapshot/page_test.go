package snapshot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// shelf holds snapshots in memory.
type shelf struct {
	t     testing.TB
	store *snapshot.Store
	list  []*trace.FrameSnapshot
}

func newShelf(t testing.TB) *shelf {
	s := &shelf{t: t}
	s.store = snapshot.NewStore(s)
	return s
}

func (s *shelf) SnapshotAt(_ context.Context, p trace.Position) (*trace.FrameSnapshot, error) {
	return s.list[p.Line-1], nil
}

// add adds a snapshot of the main frame and returns its number.
func (s *shelf) add(html string) int {
	return s.put(&trace.FrameSnapshot{HTML: []byte(html), FrameID: "frame@1", IsMainFrame: true})
}

func (s *shelf) put(b *trace.FrameSnapshot) int {
	n := len(s.list)
	if b.CallID == "" {
		b.CallID, b.Phase = fmt.Sprint("call@", n), trace.PhaseAfter
	}
	if b.FrameURL == "" {
		b.FrameURL = "https://page.test/dir/index.html"
	}
	b.Doctype, b.Timestamp, b.Viewport = "html", trace.Milliseconds(float64(100*(n+1))), &trace.Size{Width: 800, Height: 600}
	s.list = append(s.list, b)
	s.store.Add(&trace.Event{Body: b, Position: trace.Position{File: "trace.trace", Line: n + 1}})
	return n
}

// named gives addresses that tell what was asked for.
type named struct{ store *snapshot.Store }

func (named) Resource(address string, use snapshot.Use) string {
	if strings.Contains(address, "missing") {
		return ""
	}
	return "/r/" + strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
}
func (named) Entry(file string) string { return "/e/" + file }
func (named) Frame(f snapshot.Frame) string {
	if f.Known {
		return fmt.Sprintf("/f/%s@%g,%g", f.ID, f.Offset.X, f.Offset.Y)
	}
	return "/f/" + f.ID
}

// body renders a snapshot and returns what stands behind the head's own part.
func (s *shelf) body(n int, o snapshot.Options) (string, snapshot.Report) {
	s.t.Helper()
	if o.Addresses == nil {
		o.Addresses = named{s.store}
	}
	var b bytes.Buffer
	report, err := s.store.Render(context.Background(), &b, n, o)
	if err != nil {
		s.t.Fatal(err)
	}
	_, after, ok := strings.Cut(b.String(), "</style>")
	if !ok {
		s.t.Fatalf("no head: %s", b.String())
	}
	return after, report
}

func TestElementsAsHTML(t *testing.T) {
	for _, c := range []struct{ name, node, want string }{
		{"text is escaped", `["P",{},"a<b & \"c\" é\u0000"]`, "<p>a&lt;b &amp; \"c\" é\ufffd</p>"},
		{"attributes are escaped", `["P",{"title":"\"><x>&","class":""}]`, `<p title="&quot;&gt;&lt;x&gt;&amp;" class=""></p>`},
		{"no attributes", `["BR"],["HR",{}],["I",{},"x"]`, `<br><hr><i>x</i>`},
		{"script", `["SCRIPT",{},"x"],["svg",{},["script",{},"x"]]`, `<svg></svg>`},
		{"handlers", `["P",{"onclick":"x","ONLOAD":"x","data-on":"1"}]`, `<p data-on="1"></p>`},
		{"noscript", `["NOSCRIPT",{},["B",{},"x"]]`, `<x-noscript><b>x</b></x-noscript>`},
		{"links", `["A",{"href":"http://else.where/","target":"_top","ping":"x"},"a"],["A",{"href":"#there"},"b"]`, `<a href="#">a</a><a href="#there">b</a>`},
		{"framework attributes", `["DIV",{"_ngcontent-abc-c1":"","v-cloak":"","theme":"dark","x-y":"javascript:x","foo":"http://x"}]`,
			`<div _ngcontent-abc-c1="" v-cloak="" theme="dark" x-y="javascript:x"></div>`},
		{"odd names", `["P",{"a b":"1","x\"":"2","@click":"3"}],["A B"],["IMG/SRC=X"],["1"],["X-É",{},"ok"]`, "<p></p><x-É>ok</x-É>"},
		{"image", `["IMG",{"src":"a.png","srcset":"b.png 2x, missing.png 3x"}]`, `<img src="/r/page.test/dir/a.png" srcset="/r/page.test/dir/b.png 2x">`},
		{"missing image", `["IMG",{"src":"missing.png","alt":"x"}]`, `<img alt="x">`},
		{"data image", `["IMG",{"src":"data:image/png;base64,AA=="}],["IMG",{"src":"data:text/html,x"}]`, `<img src="data:image/png;base64,AA=="><img>`},
		{"current source", `["IMG",{"src":"a.png","srcset":"a.png, b.png 2x","__playwright_current_src__":"https://page.test/dir/b.png"}]`,
			`<img srcset="/r/page.test/dir/b.png 2x">`},
		{"picture", `["PICTURE",{"__playwright_current_src__":""},["SOURCE",{"srcset":"big.png"}],["IMG",{"src":"a.png","__playwright_current_src__":"https://page.test/big.png"}]],["SOURCE",{"srcset":"big.png"}]`,
			`<picture><source><img src="/r/page.test/big.png"></picture><source srcset="/r/page.test/dir/big.png">`},
		{"fields", `["INPUT",{"value":"old","__playwright_value_":"new"}],["INPUT",{"type":"file","__playwright_value_":"C:\\fakepath\\x"}],["TEXTAREA",{"__playwright_value_":"\nnew"},"old"],["TEXTAREA",{},"text"]`,
			"<input value=\"new\"><input type=\"file\"><textarea>\n\nnew</textarea><textarea>\ntext</textarea>"},
		{"checks", `["INPUT",{"type":"checkbox","checked":"","__playwright_checked_":"false"}],["INPUT",{"type":"radio","__playwright_checked_":"true"}]`,
			`<input type="checkbox"><input checked="" type="radio">`},
		{"options", `["SELECT",{},["OPTION",{"selected":"","__playwright_selected_":"false"},"a"],["OPTION",{"__playwright_selected_":"true"},"b"]]`,
			`<select><option>a</option><option selected="">b</option></select>`},
		{"no option", `["SELECT",{},["OPTION",{"__playwright_selected_":"false"},"a"]],["SELECT",{"multiple":""},["OPTION",{"__playwright_selected_":"false"},"a"]]`,
			`<select><option>a</option><option selected hidden></option></select><select multiple=""><option>a</option></select>`},
		{"shadow root", `["X-A",{},["template",{"__playwright_shadow_root_":"open"},["SLOT"],["template",{"__playwright_style_sheet_":"p{color:red}"}]],"light"]`,
			`<x-a><template shadowrootmode="open"><slot></slot><style>p{color:red}</style></template>light</x-a>`},
		{"adopted sheet", `["template",{"__playwright_style_sheet_":"a{background:url(x.png)}"}]`, `<style>a{background:url("/r/page.test/dir/x.png")}</style>`},
		{"plain template", `["TEMPLATE",{"shadowrootmode":"open"},"x"]`, `<template>x</template>`},
		{"frame", `["IFRAME",{"src":"/snapshot/frame@2","sandbox":"allow-scripts","srcdoc":"x","width":"5"},"inner"]`, `<iframe width="5" src="/f/frame@2" sandbox=""></iframe>`},
		{"frame in its place", `["IFRAME",{"src":"/snapshot/frame@2","__playwright_bounding_rect__":"{\"left\":5,\"top\":7,\"right\":9,\"bottom\":9}"}]`,
			`<iframe src="/f/frame@2@5,7" sandbox=""></iframe>`},
		{"style sheet", `["LINK",{"rel":"StyleSheet","href":"/a.css","media":"print"}],["LINK",{"rel":"icon","href":"/i.png"}],["LINK",{"rel":"alternate stylesheet","href":"/b.css"}]`,
			`<link rel="stylesheet" href="/r/page.test/a.css" media="print">`},
		{"style", `["STYLE",{"media":"screen"},"a::before{content:'</style><b>'}"]`, `<style media="screen">a::before{content:"\3c /style\3e \3c b\3e "}</style>`},
		{"style that is none", `["STYLE",{"type":"text/less"},"@x: 1"]`, ``},
		{"inline style", `["P",{"style":"color:red;background:url('i.png')"}]`, `<p style="color:red;background:url(&quot;/r/page.test/dir/i.png&quot;)"></p>`},
		{"svg", `["svg",{"viewBox":"0 0 1 1"},["use",{"href":"#a"}],["use",{"xlink:href":"sprite.svg#a"}],["image",{"href":"i.png"}],["rect",{"fill":"url(#g)","filter":"url(f.svg#x)"}]]`,
			`<svg viewbox="0 0 1 1"><use href="#a"></use><use></use><image href="/r/page.test/dir/i.png"></image><rect fill="url(&quot;#g&quot;)" filter="url(&quot;/r/page.test/dir/f.svg#x&quot;)"></rect></svg>`},
		{"animation", `["svg",{},["animate",{"attributeName":"href","to":"javascript:x"}],["animate",{"attributeName":"x","to":"5"}]]`, `<svg><animate attributename="x" to="5"></animate></svg>`},
		{"meta", `["META",{"http-equiv":"refresh","content":"0"}],["META",{"name":"viewport","content":"width=device-width"}]`, `<meta name="viewport" content="width=device-width">`},
		{"object", `["OBJECT",{"data":"x.swf"},["P",{},"no flash"]],["EMBED",{"src":"x"}]`, `<x-object><p>no flash</p></x-object><x-embed></x-embed>`},
		{"open dialog", `["DIALOG",{"__playwright_dialog_open_":"true"},"x"],["DIALOG",{"__playwright_dialog_open_":"modal"},"y"],["DIALOG",{},"z"]`,
			`<dialog open="">x</dialog><dialog open="" data-tracedeck-modal="">y</dialog><dialog>z</dialog>`},
		{"scrolled", `["DIV",{"__playwright_scroll_top_":"40","style":"color:red"},"x"]`,
			`<div data-tracedeck-scroll="" style="--tracedeck-x:0px;--tracedeck-y:40px;color:red">x</div>`},
		{"pre", `["PRE",{},"\nx"]`, "<pre>\n\nx</pre>"},
		{"values that are no nodes", `1,null,{"a":1},["P",{},true,"x"],[],[1],["I",null,"y"]`, `<p>x</p><i>y</i>`},
		{"values of other types", `["P",{"title":5,"id":{},"lang":null}]`, `<p title="5" id="" lang="null"></p>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf(t)
			n := s.add(`["HTML",{},["HEAD"],["BODY",{},` + c.node + `]]`)
			got, _ := s.body(n, snapshot.Options{})
			if want := "</head><body>" + c.want + "</body></html>"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestReferences(t *testing.T) {
	s := newShelf(t)
	// Post-order: 0 "a", 1 B, 2 "b{}" , 3 STYLE, 4 BODY, 5 HTML.
	s.add(`["HTML",{},["BODY",{},["B",{},"a"],["STYLE",{},"b{}"]]]`)
	s.add(`[[1,5]]`)
	s.add(`["HTML",{},["BODY",{},[[2,1]],["I",{},[[2,0]]],[[0,1]],[[2,3]]]]`)
	n := s.add(`["HTML",{},[[1,1]],[[3,1]]]`)
	for i, want := range []string{
		0: `</head><body><b>a</b><style>b{}</style></body></html>`,
		1: `</head><body><b>a</b><style>b{}</style></body></html>`,
		2: `</head><body><b>a</b><i>a</i><style>b{}</style></body></html>`,
		3: `</head><body><b>a</b><i>a</i><style>b{}</style></body><b>a</b></html>`,
	} {
		got, report := s.body(i, snapshot.Options{})
		if got != want {
			t.Errorf("%d: %s\nwant %s", i, got, want)
		}
		if bad := len(report.Warnings); (bad > 0) != (i >= 2) {
			t.Errorf("%d: %v", i, report.Warnings)
		}
	}
	if text, err := s.store.Text(context.Background(), n); err != nil || text != "a a a" {
		t.Errorf("text %q, %v", text, err)
	}
}

func TestReferenceInsideItsOwnSnapshot(t *testing.T) {
	s := newShelf(t)
	n := s.add(`["HTML",{},["BODY",{},["X-A",{},["template",{"__playwright_shadow_root_":"open"},["template",{"__playwright_style_sheet_":"b{}"}]]],["X-B",{},["template",{"__playwright_shadow_root_":"open"},[[0,0]]]]]]`)
	got, report := s.body(n, snapshot.Options{})
	want := `</head><body><x-a><template shadowrootmode="open"><style>b{}</style></template></x-a><x-b><template shadowrootmode="open"><style>b{}</style></template></x-b></body></html>`
	if got != want || len(report.Warnings) > 0 {
		t.Errorf("%s %v", got, report.Warnings)
	}
}

func TestBadReferencesAreLeftOut(t *testing.T) {
	for _, bad := range []string{`[[0,0]]`, `[[0,1]]`, `[[1,0]]`, `[[0,99]]`, `[[-1,0]]`, `[["a",0]]`, `[[0]]`, `[[0,0,0]]`, `[[99999999999,0]]`, `[[0.5,1]]`, `[[]]`, `[[0,1],"x"]`} {
		s := newShelf(t)
		n := s.add(`["HTML",{},["BODY",{},` + bad + `,"kept"]]`)
		got, _ := s.body(n, snapshot.Options{})
		if want := `</head><body>kept</body></html>`; got != want {
			t.Errorf("%s: %s", bad, got)
		}
	}
}

// A few kilobytes of references describe a page without end.
func TestReferenceBombEnds(t *testing.T) {
	s := newShelf(t)
	s.store.LimitNodes(50_000)
	for _, leaf := range []string{`["P",{},"boom"]`, `["SCRIPT",{},"x"]`} {
		s.add(`["HTML",{},["BODY",{},` + leaf + `]]`)
		for range 40 {
			s.add(`["HTML",{},["BODY",{},[[1,2]],[[1,2]],[[1,2]],[[1,2]]]]`)
		}
		n := s.add(`["HTML",{},["BODY",{},[[1,0]],[[2,0]]]]`)
		for range 60 {
			n = s.add(`["HTML",{},["BODY",{},["DIV",{},[[1,0]],[[1,0]]]]]`)
		}
		var b bytes.Buffer
		report, err := s.store.Render(context.Background(), &b, n, snapshot.Options{MaxBytes: 1 << 20})
		if err != nil || b.Len() > 1<<20+1000 {
			t.Errorf("%d bytes, %v, %+v", b.Len(), err, report)
		}
	}
}

func TestDoublingReferencesAreCutOff(t *testing.T) {
	s := newShelf(t)
	s.store.LimitNodes(50_000)
	n := s.add(`["HTML",{},"x"]`)
	for range 60 {
		// Node 1 is the whole page of the snapshot before, twice.
		n = s.add(`["DIV",{},[[1,` + map[bool]string{true: "1", false: "0"}[n == 0] + `]],[[1,` + map[bool]string{true: "1", false: "0"}[n == 0] + `]]]`)
	}
	for _, o := range []snapshot.Options{{MaxBytes: 1 << 12}, {}} {
		var b bytes.Buffer
		report, err := s.store.Render(context.Background(), &b, n, o)
		if err != nil || !report.CutOff || len(report.Warnings) == 0 {
			t.Errorf("%d bytes, %v, %+v", b.Len(), err, report)
		}
	}
	if _, err := s.store.Text(context.Background(), n); err == nil {
		t.Error("the text has no end either")
	}
}

func TestDeepNesting(t *testing.T) {
	const depth = 100_000
	s := newShelf(t)
	n := s.add(strings.Repeat(`["B",{},`, depth) + `"x"` + strings.Repeat("]", depth))
	got, _ := s.body(n, snapshot.Options{})
	if strings.Count(got, "<b>") != depth || strings.Count(got, "</b>") != depth {
		t.Errorf("%d of %d", strings.Count(got, "<b>"), depth)
	}
}

func TestCutOffNodesKeepWhatCameBefore(t *testing.T) {
	whole := `["HTML",{"lang":"en"},["BODY",{"class":"a\"b"},["P",{},"one"],[[1,2]],"two"]]`
	for i := range whole {
		s := newShelf(t)
		n := s.add(whole[:i])
		var b bytes.Buffer
		if _, err := s.store.Render(context.Background(), &b, n, snapshot.Options{}); err == nil && !strings.Contains(b.String(), "<html") && i > 8 {
			t.Errorf("%d: %s", i, b.String())
		}
	}
}

func TestResponsesByTimeAndFrame(t *testing.T) {
	s := newShelf(t)
	for i := range 3 {
		s.add(`["HTML"]`)
		_ = i
	}
	for _, r := range []snapshot.Resource{
		{URL: "https://page.test/a", Method: "GET", FrameID: "frame@1", File: "own-0", Start: trace.Milliseconds(50)},
		{URL: "https://page.test/a", Method: "GET", FrameID: "frame@1", File: "own-1", Start: trace.Milliseconds(150)},
		{URL: "https://page.test/a", Method: "GET", FrameID: "frame@2", File: "other-2", Start: trace.Milliseconds(160)},
		{URL: "https://page.test/a", Method: "POST", FrameID: "frame@1", File: "posted", Start: trace.Milliseconds(170)},
		{URL: "https://page.test/b?x=1", Method: "GET", FrameID: "frame@2", File: "b", Start: trace.Milliseconds(1)},
		{URL: "https://page.test/old", Method: "GET", Start: trace.Milliseconds(1), Next: func(context.Context) string { return "/a" }},
		{URL: "https://page.test/ring", Method: "GET", Start: trace.Milliseconds(1), Next: func(context.Context) string { return "/ring" }},
	} {
		s.store.AddResource(r)
	}
	for _, c := range []struct {
		n         int
		url, want string
	}{
		{0, "https://page.test/a", "own-0"}, {1, "https://page.test/a#x", "own-1"}, {2, "https://page.test/a", "own-1"},
		{0, "HTTPS://PAGE.test:443/b?x=1", "b"}, {2, "https://page.test/b", ""}, {1, "https://page.test/old", "own-1"}, {1, "https://page.test/ring", ""},
	} {
		r, ok := s.store.Resource(context.Background(), c.n, c.url)
		if r.File != c.want || ok != (c.want != "") {
			t.Errorf("snapshot %d, %s: %+v, want %q", c.n, c.url, r, c.want)
		}
	}
}

func TestOverrides(t *testing.T) {
	s := newShelf(t)
	one, two := 1, 2
	s.put(&trace.FrameSnapshot{HTML: []byte(`["HTML"]`), FrameID: "f", ResourceOverrides: []trace.ResourceOverride{{URL: "https://page.test/a.css", File: "resources/new.css"}}})
	s.put(&trace.FrameSnapshot{HTML: []byte(`["HTML"]`), FrameID: "f", ResourceOverrides: []trace.ResourceOverride{{URL: "https://page.test/a.css", Ref: &one}}})
	s.put(&trace.FrameSnapshot{HTML: []byte(`["HTML"]`), FrameID: "f", ResourceOverrides: []trace.ResourceOverride{{URL: "https://page.test/a.css", Ref: &two}, {URL: "https://page.test/b.css", Ref: &two}}})
	for n := range 3 {
		r, ok := s.store.Resource(context.Background(), n, "https://page.test/a.css")
		if !ok || r.File != "resources/new.css" {
			t.Errorf("%d: %+v, %v", n, r, ok)
		}
	}
	if r, ok := s.store.Resource(context.Background(), 2, "https://page.test/b.css"); ok {
		t.Errorf("an override that leads nowhere gave %+v", r)
	}
}

func TestTargetsOfOtherActionsAreNotOutlined(t *testing.T) {
	s := newShelf(t)
	put := func(mark string) int {
		html, _ := json.Marshal([]any{"HTML", map[string]string{}, []any{"P", map[string]string{"__playwright_target__": mark}}})
		return s.add(string(html))
	}
	for _, c := range []struct {
		mark string
		want bool
	}{{"", true}, {"call@1", true}, {"call@77", false}} {
		got, _ := s.body(put(c.mark), snapshot.Options{})
		if strings.Contains(got, "data-tracedeck-target") != c.want {
			t.Errorf("%q: %s", c.mark, got)
		}
		if got, _ := s.body(len(s.list)-1, snapshot.Options{NoTarget: true}); strings.Contains(got, "outline") {
			t.Errorf("%q: %s", c.mark, got)
		}
	}
}

func TestCanvasShowsTheScreencast(t *testing.T) {
	s := newShelf(t)
	n := s.add(`["HTML",{},["HEAD"],["BODY",{},["CANVAS",{"width":"9","__playwright_bounding_rect__":"{\"left\":10,\"top\":20,\"right\":110,\"bottom\":70}"},"fallback"]]]`)
	for i, file := range []string{"early.jpeg", "near.jpeg", "late.jpeg"} {
		s.store.AddPicture(snapshot.Picture{File: file, Time: trace.Milliseconds(float64(10 + 85*i)), Viewport: trace.Size{Width: 800, Height: 600}})
	}
	got, _ := s.body(n, snapshot.Options{})
	for _, want := range []string{"width:100px!important;height:50px!important", `background:url(&quot;/e/near.jpeg&quot;) -10px -20px/800px 600px no-repeat`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if got, _ := s.body(n, snapshot.Options{NoCanvas: true}); strings.Contains(got, "jpeg") || strings.Contains(got, "fallback") {
		t.Error(got)
	}
}

func TestCanvasAndVideoShowTheirOwnPixels(t *testing.T) {
	s := newShelf(t)
	name := strings.Repeat("a", 40)
	n := s.add(`["HTML",{},["HEAD"],["BODY",{},["CANVAS",{"__playwright_bounding_rect__":"{\"left\":10,\"top\":20,\"right\":110,\"bottom\":70}","__tracedeck_picture_":"` + name + `.png"}],` +
		`["VIDEO",{"poster":"p.png","__tracedeck_picture_":"` + name + `.jpeg"}],["VIDEO",{"__tracedeck_picture_":"../../secret.png"}]]]`)
	got, _ := s.body(n, snapshot.Options{})
	for _, want := range []string{`background:url(&quot;/e/resources/` + name + `.png&quot;) 0 0/100% 100%`, `<video poster="/e/resources/` + name + `.jpeg"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(got, "secret") || strings.Contains(got, "tracedeck_picture") || strings.Contains(got, "p.png") {
		t.Error(got)
	}
}

func TestVersion3IsFoundByName(t *testing.T) {
	s := newShelf(t)
	s.put(&trace.FrameSnapshot{HTML: []byte(`["HTML"]`), FrameID: "f", IsMainFrame: true, CallID: " ", Name: "x"})
	b := &trace.FrameSnapshot{HTML: []byte(`["HTML"]`), FrameID: "f", IsMainFrame: true, Name: "action@call@8"}
	s.store.Add(&trace.Event{Body: b, Position: trace.Position{File: "trace.trace", Line: 2}})
	n, ok := s.store.LookupName("action@call@8")
	if p, _ := s.store.Place(n); !ok || p.CallID != "call@8" || p.Phase != trace.PhaseAction {
		t.Errorf("%d %v %+v", n, ok, p)
	}
}

type entries map[string]string

func (e entries) Resource(_ context.Context, file string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(e[file])), nil
}

func TestPartsOfOtherSVGFilesAreTakenAlong(t *testing.T) {
	s := newShelf(t)
	s.store.OpenEntries(entries{"sprite": `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><symbol id="a" viewBox="0 0 9 9" onload="x"><script>x</script>
<path d="M0 0"/><image href="i.png"/><foreignObject><p>x</p></foreignObject><use href="http://evil/"/></symbol><g id="b"/></svg>`})
	s.store.AddResource(snapshot.Resource{URL: "https://page.test/sprite.svg", Method: "GET", File: "sprite", Start: 1})
	n := s.add(`["HTML",{},["BODY",{},["svg",{},["use",{"href":"/sprite.svg#a","x":"1"}]],["svg",{},["use",{"xlink:href":"/sprite.svg#none"}]]]]`)
	got, _ := s.body(n, snapshot.Options{})
	want := `</head><body><svg><use x="1" href="#tracedeck-sprite-1"><defs><symbol id="tracedeck-sprite-1" viewbox="0 0 9 9">` + "\n" +
		`<path d="M0 0"></path><image href="/r/page.test/i.png"></image></symbol></defs></use></svg><svg><use></use></svg></body></html>`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
