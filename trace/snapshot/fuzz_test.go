package snapshot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/tracedeck/tracedeck/trace/snapshot"
)

// FuzzRender gives any bytes for a snapshot's nodes. What comes out must hold
// nothing active, read as HTML is read, and not grow without bound.
func FuzzRender(f *testing.F) {
	for _, s := range []string{
		`["HTML",{},["BODY",{},"x"]]`, `[[1,0]]`, `[[0,0]]`, `["IMG",{"src":"x","onerror":"y"}]`, `["STYLE",{},"</style><script>"]`,
		`["svg",{},["style",{},"<img src=x onerror=y>"]]`, `["TEXTAREA",{"__playwright_value_":"</textarea>"}]`, `["a b"]`, `["IFRAME",{"src":"/snapshot/f\" onload=\"x"}]`,
		`["math",{},["mtext",{},["TABLE",{},["mglyph",{},["style",{},"<!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">"]]]]]`,
		`["template",{"__playwright_shadow_root_":"open"},["template",{"__playwright_style_sheet_":"a{b:url(x)}</style>"}]]`,
		`["META",{"http-equiv":"refresh"}]`, `["LINK",{"rel":"stylesheet","href":"data:text/css,@import 'x'"}]`, `["P",{"style":"a:url(x"}]`, `["CANVAS",{"__playwright_bounding_rect__":"{\"left\":1e99,\"right\":2e99}"}]`,
		`["svg",{},["set",{"attributeName":"href","to":"javascript:x"}],["use",{"href":" #a"}]]`, `["SELECT",{},["TEMPLATE",{},["SCRIPT",{},"x"]]]`, `["TITLE",{},["B",{},"</title>"],"</title><script>"]`,
		`["IMG",{"srcset":"a 1x, b\" onerror=\"x 2x,,c"}]`, `["FRAMESET",{},["FRAME",{"src":"/snapshot/frame@2"}]]`, `["NOSCRIPT",{},"<p title=\"</noscript><img src=x onerror=y>\">"]`,
	} {
		f.Add([]byte(s), []byte(`["HTML",{},["BODY",{},[[1,0]],[[1,1]],[[0,0]],[[1,2]]]]`))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		if len(first) > 1<<16 || len(second) > 1<<16 {
			return
		}
		s := newShelf(t)
		s.add(string(first))
		n := s.add(string(second))
		s.store.AddPicture(snapshot.Picture{File: "p.jpeg"})
		for i := 0; i <= n; i++ {
			var b bytes.Buffer
			if _, err := s.store.Render(context.Background(), &b, i, snapshot.Options{Addresses: named{s.store}, MaxBytes: 1 << 20}); err == nil {
				checkPage(t, b.Bytes())
			}
			if _, err := s.store.Text(context.Background(), i); err != nil && !json.Valid(first) {
				continue
			}
		}
	})
}

// inertNames are elements that load or run by being there.
var inertNames = map[string]bool{"script": true, "object": true, "embed": true, "applet": true, "base": true, "portal": true, "fencedframe": true,
	"noscript": true, "bgsound": true, "track": true, "handler": true, "listener": true, "xmp": true, "plaintext": true, "noembed": true, "noframes": true}

// checkPage fails if a page holds anything that acts, or that loads from
// elsewhere.
func checkPage(t *testing.T, page []byte) {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		if strings.Contains(err.Error(), "depth") || strings.Contains(err.Error(), "stack") {
			return
		}
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Type == html.CommentNode {
			t.Fatalf("a comment %q in %s", n.Data, page)
		}
		if n.Type == html.ElementNode {
			checkElement(t, n, page)
		}
	}
}

func checkElement(t *testing.T, n *html.Node, page []byte) {
	t.Helper()
	name := strings.ToLower(n.Data)
	if inertNames[name] {
		t.Fatalf("<%s> in %s", name, page)
	}
	if name == "style" && n.FirstChild != nil {
		checkSheet(t, n.FirstChild.Data)
	}
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case strings.HasPrefix(key, "on"), strings.HasPrefix(key, "__playwright"), key == "srcdoc", key == "http-equiv", key == "ping", key == "target", key == "autofocus", key == "manifest", key == "formaction", key == "action":
			t.Fatalf("<%s %s=%q> in %s", name, key, a.Val, page)
		case key == "style", key == "fill" && strings.Contains(a.Val, "("):
			checkSheet(t, a.Val)
		case key == "src", key == "poster", key == "background", key == "href", key == "data":
			if !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") && !strings.HasPrefix(strings.ToLower(a.Val), "data:") || strings.HasPrefix(a.Val, "//") {
				t.Fatalf("<%s %s=%q> in %s", name, key, a.Val, page)
			}
		case key == "srcset":
			for _, one := range strings.Split(a.Val, ", ") {
				if !strings.HasPrefix(one, "/r/") && !strings.HasPrefix(strings.ToLower(one), "data:") {
					t.Fatalf("srcset %q in %s", a.Val, page)
				}
			}
		}
		if strings.HasPrefix(strings.TrimSpace(strings.ToLower(a.Val)), "javascript:") && (key == "href" || key == "src" || key == "to" || key == "values") && name != "a" {
			if key == "href" || key == "src" {
				t.Fatalf("<%s %s=%q> in %s", name, key, a.Val, page)
			}
		}
	}
}
