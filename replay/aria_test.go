package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder/browser"
)

const heardPage = `<!doctype html><title>t</title><nav aria-label="Main"><a href="/a">One: two</a> <a href="/b?x=1">Three</a></nav>
<h1>Title</h1><p>Some   <b>bold</b> text</p><ul><li><label><input type="checkbox" checked> Milk</label> <button aria-label="Delete Milk">×</button></li><li>Bread</li></ul>
<input aria-label="Name" value="Ann"><button aria-pressed="true" aria-expanded="false" disabled>More "quoted"</button><div aria-hidden="true">unheard</div>
<details><summary>sum</summary>folded</details><div role="tablist"><div role="tab" aria-selected="true">A</div><div role="tab">B</div></div>`

func TestTreesOfRolesAreComparedAsPlaywrightDoes(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	b, err := browser.Launch(ctx, browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	page, err := b.Rod.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	if err := page.SetDocumentContent(heardPage); err != nil {
		t.Fatal(err)
	}
	if _, err := (proto.RuntimeEvaluate{Expression: finder()}).Call(page); err != nil {
		t.Fatal(err)
	}
	type object = map[string]any
	text := func(s string) object { return object{"kind": "text", "text": object{"raw": s, "normalized": s}} }
	for _, x := range []struct {
		want     any
		matches  bool
		unheard  bool // not understood, and so not known
		describe string
	}{
		{"- heading \"Title\" [level=1]", true, false, "one"},
		{"- heading \"Title\" [level=2]", false, false, "another level"},
		{"- heading /T.t/", true, false, "a pattern"},
		{"- heading \"Titl\"", false, false, "a part of a name"},
		{"- heading\n- list:\n  - listitem:\n    - checkbox \"Milk\" [checked]\n    - button \"Delete Milk\"\n  - listitem: Bread", true, false, "several, with others between"},
		{"- list\n- heading", false, false, "another order"},
		{"- list:\n  - /children: equal\n  - listitem: Bread", false, false, "not all of them"},
		{"- list:\n  - /children: contain\n  - listitem: Bread", true, false, "some of them"},
		{"- paragraph: Some bold text", true, false, "texts are joined where roles do not divide them"},
		{"- paragraph:\n  - text: Some\n  - strong: bold\n  - text: text", false, false, "b is no strong"},
		{"- paragraph: /Some bo/", true, false, "a pattern of a text"},
		{"- navigation \"Main\":\n  - 'link \"One: two\"':\n    - /url: /a\n  - link \"Three\":\n    - /url: /\\/b.*/", true, false, "quoted keys and addresses"},
		{"- link \"Three\":\n  - /url: /c", false, false, "another address"},
		{"- textbox \"Name\": Ann", true, false, "a value"},
		{"- button \"More \\\"quoted\\\"\" [disabled] [pressed]", true, false, "states"},
		{"- button \"More \\\"quoted\\\"\" [expanded]", false, false, "a state that is not"},
		{"- button [expanded=false]", true, false, "a state that is said not to be"},
		{"- text: unheard", false, false, "what is hidden"},
		{"- text: folded", false, false, "what is folded"},
		{"- tab \"A\" [selected]\n- tab \"B\"", true, false, "beside each other, deep"},
		{"# a remark\n\n- tab \"B\" [selected]", false, false, "not the selected one"},
		{"heading", false, true, "no list"},
		{"- text: |\n    block", false, true, "what is not read"},
		{object{"kind": "role", "role": "list", "children": []object{{"kind": "role", "role": "listitem", "children": []object{text("Bread")}}}}, true, false, "read already"},
		{object{"kind": "role", "role": "heading", "name": object{"pattern": "^Ti"}, "level": 1}, true, false, "read already, with a pattern"},
		{object{"kind": "role", "role": "heading", "name": "Other"}, false, false, "read already, another"},
	} {
		what, err := json.Marshal(object{"expression": "to.match.aria", "expectedValue": x.want})
		if err != nil {
			t.Fatal(err)
		}
		r, err := (proto.RuntimeEvaluate{Expression: fmt.Sprintf("JSON.stringify(__deckReplay.assert(%s, [document.body]))", what)}).Call(page)
		if err != nil {
			t.Fatal(err)
		}
		var o outcome
		if r.ExceptionDetails != nil || json.Unmarshal([]byte(r.Result.Value.Str()), &o) != nil {
			t.Fatalf("%s: %+v", x.describe, r)
		}
		if o.Known == x.unheard || o.Matches != x.matches {
			t.Errorf("%s: matches %t, known %t; heard\n%v", x.describe, o.Matches, o.Known, o.Received)
		}
	}
}
