package heal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/snapshot"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func blank(t *testing.T) *rod.Page {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	b, err := browser.Launch(ctx, browser.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close(); cancel() })
	p, err := b.Rod.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	return p.Context(ctx)
}

// shop is a page of which each control says in data-truth, where healing does
// not look, which one it is.
const shop = `<!doctype html><title>Shop</title><style>button,a,input,select{margin:4px}</style>
<header><nav aria-label="Main"><a href="/home" data-truth="home" class="nav-link">Home</a> <a href="/cart" data-truth="cart" class="nav-link">Cart</a> <a href="/help" data-truth="help" class="nav-link">Help</a></nav></header>
<main id="main"><h1>Shop</h1>
<form id="search-form"><label>Search <input id="q" name="q" type="search" placeholder="Find a product" data-truth="q"></label> <button id="go" class="btn primary" data-testid="search-button" data-truth="go">Search</button></form>
<table id="items"><tr><th>Product<th>Price<th></tr>
<tr><td>Milk<td>1.20<td><button class="btn edit" data-truth="edit-milk">Edit</button> <button class="btn delete" data-truth="delete-milk">Delete</button></tr>
<tr><td>Bread<td>2.50<td><button class="btn edit" data-truth="edit-bread">Edit</button> <button class="btn delete" data-truth="delete-bread">Delete</button></tr>
<tr><td>Cheese<td>4.00<td><button class="btn edit" data-truth="edit-cheese">Edit</button> <button class="btn delete" data-truth="delete-cheese">Delete</button></tr></table>
<section id="ship" aria-label="Shipping"><h2>Shipping</h2><label>Street <input name="street" id="ship-street" data-truth="ship-street"></label><label>City <input name="city" id="ship-city" data-truth="ship-city"></label>
<label><input type="checkbox" id="gift" name="gift" data-truth="gift"> This is a gift</label> <button class="btn" id="ship-save" data-truth="ship-save">Save</button></section>
<section id="bill" aria-label="Billing"><h2>Billing</h2><label>Street <input name="street" id="bill-street" data-truth="bill-street"></label><label>City <input name="city" id="bill-city" data-truth="bill-city"></label>
<button class="btn" id="bill-save" data-truth="bill-save">Save</button></section>
<label>Country <select id="country" name="country" data-truth="country"><option>Norway<option>Chile</select></label>
<div class="actions"><button id="pay" data-testid="pay" class="btn primary" data-truth="pay">Pay now</button> <button id="cancel" class="btn" data-truth="cancel">Cancel</button></div></main>`

// steps take away, one after the other, what an element was known by.
var steps = []struct{ name, script string }{
	{"ids removed", `all("[id]").forEach(e => e.removeAttribute("id"))`},
	{"test ids removed", `all("[data-testid]").forEach(e => e.removeAttribute("data-testid"))`},
	{"classes hashed", `all("[class]").forEach((e, i) => e.className = "css-" + (i * 7919 + 104729).toString(36) + "x1")`},
	{"wrapped", `all("[data-truth]").forEach(e => { const w = document.createElement("span"); e.replaceWith(w); w.append(e) })`},
	{"order changed", `const rows = all("tr"); rows[0].parentNode.append(rows[2], rows[1]); const nav = all("nav span"); nav[0].parentNode.prepend(nav[2]); const s = all("section"); s[0].before(s[1]); const a = all(".actions span, main > div span"); if (a[1]) a[0].before(a[1])`},
	{"texts changed in case and signs", `all("button,a").forEach(e => e.textContent = e.textContent.toUpperCase() + "…")`},
	{"one row removed", `all("tr").find(r => r.textContent.includes("Cheese"))?.remove()`},
	{"names removed", `all("[name]").forEach(e => e.removeAttribute("name"))`},
	{"texts changed", `const to = {SEARCH: "Find", "PAY NOW": "Pay the order now", CANCEL: "Leave", SAVE: "Save address", HOME: "Start"}; all("button,a").forEach(e => { const w = to[e.textContent.replace("…", "")]; if (w) e.textContent = w })`},
	{"another design", `all("button").forEach(e => { const b = document.createElement("div"); b.setAttribute("role", "button"); b.tabIndex = 0; b.textContent = e.textContent; b.dataset.truth = e.dataset.truth; e.replaceWith(b) })`},
}

func value[T any](t *testing.T, p *RodPage, expression string) (v T) {
	t.Helper()
	raw, err := p.Evaluate(context.Background(), expression)
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func show(t *testing.T, p *rod.Page, html string) {
	t.Helper()
	if err := p.SetDocumentContent(html); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsHealedIsTheRightElement(t *testing.T) {
	page := blank(t)
	show(t, page, shop)
	p, targets := Rod(page), map[string]*Target{}
	for _, name := range value[[]string](t, p, `[...document.querySelectorAll("[data-truth]")].map(e => e.dataset.truth)`) {
		targets[name] = value[*Target](t, p, fmt.Sprintf(`__deckHeal.describe(document.querySelector("[data-truth=%s]"))`, name))
	}
	if len(targets) < 18 {
		t.Fatalf("only %d targets", len(targets))
	}
	o := DefaultOptions()
	o.Patience = 0
	for _, known := range []string{"all", "recorder", "selector"} {
		show(t, page, shop)
		for i, s := range steps {
			value[bool](t, p, `(() => { const all = (s) => [...document.querySelectorAll(s)]; `+s.script+`; return true })()`)
			healed, there := 0, 0
			for name, full := range targets {
				target := *full
				switch known {
				case "recorder": // knows less of what is around
					target.Around, target.Alike, target.Siblings = nil, 0, 0
				case "selector": // was broken for good
					target.Selector, target.Selectors = "#gone-"+name, nil
				}
				exists := value[bool](t, p, fmt.Sprintf(`!!document.querySelector("[data-truth=%s]")`, name))
				if exists {
					there++
				}
				m, err := Find(context.Background(), p, &target, o)
				if errors.Is(err, ErrNotFound) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if got := value[string](t, p, Element+".dataset.truth ?? ''"); got != name {
					t.Errorf("%s, step %d (%s): %s was healed into %q by %s (%.2f)", known, i+1, s.name, name, got, m.Strategy, m.Confidence)
				}
				if m.NewBox.Width <= 0 || m.Selector == "" || m.Confidence < o.Floor {
					t.Errorf("%s: %+v", name, m)
				}
				healed++
			}
			t.Logf("%-9s step %2d %-32s %2d of %2d found", known, i+1, s.name, healed, there)
			least := []int{20, 20, 20, 20, 20, 20, 20, 20, 16, 15}[i]
			if known == "recorder" { // cannot tell the two addresses apart
				least = []int{14, 14, 14, 14, 14, 14, 13, 13, 10, 9}[i]
			}
			if healed*20 < least*there {
				t.Errorf("%s, step %d (%s): only %d of %d found", known, i+1, s.name, healed, there)
			}
		}
	}
}

func TestNothingIsBetterThanTheWrongElement(t *testing.T) {
	page := blank(t)
	p := Rod(page)
	o := DefaultOptions()
	o.Patience = 0
	for _, x := range []struct{ name, then, now string }{
		{"the row is gone", `<ul><li>Milk <button id=x>Delete</button><li>Bread <button>Delete</button></ul>`, `<ul><li>Bread <button>Delete</button></ul>`},
		{"the rows have moved up", `<ul><li>Milk <button id=x>Delete</button><li>Bread <button>Delete</button><li>Eggs <button>Delete</button></ul>`, `<ul><li>Bread <button>Delete</button><li>Eggs <button>Delete</button></ul>`},
		{"the card is gone", `<div class=c><b>Basic plan</b><button id=x>Choose</button></div><div class=c><b>Gold for teams</b><button>Choose</button></div>`, `<div class=c><b>Gold for teams</b><button>Choose</button></div>`},
		{"the button became another", `<button id=x>Save draft</button><button>Publish</button>`, `<button>Publish</button><button>Discard all</button>`},
		{"a field is no button", `<button id=x>Name</button>`, `<label>Name <input></label>`},
		{"two are alike now", `<button id=x>Add</button>`, `<button>Add</button><button>Add</button>`},
		{"it is hidden", `<button id=x>Add</button><p>text`, `<button style="display:none">Add</button><p>text`},
		{"only the place is left", `<div><button id=x>Accept</button><button>Decline</button></div>`, `<div><button>Decline</button><button>Later</button></div>`},
		{"a numbered row is out of sight", `<div><div role=row>Row 502</div><div role=row id=x>Row 503</div><div role=row>Row 504</div></div>`, `<div><div role=row>Row 102</div><div role=row>Row 103</div><div role=row>Row 104</div></div>`},
		{"one page of several is left", `<a href=#>Page 1</a> <a href=# id=x>Page 2</a>`, `<a href=#>Page 1</a> <a href=#>Page 3</a>`},
		{"a counter of another", `<section><h2>Milk</h2><button id=x>Order 3</button></section><section><h2>Bread</h2><button>Order 5</button></section>`, `<section><h2>Bread</h2><button>Order 6</button></section>`},
		{"a number is what it is", `<p>Invoices</p><div><button id=x name=row-17>Open 17</button></div>`, `<p>Invoices</p><div><button name=row-17>Open 18</button></div><div><button>Open 19</button></div>`},
		{"a cell of another row", `<table><tr><td>Ada<td id=x>12.5<tr><td>Bob<td>3.1</table>`, `<table><tr><td>Bob<td>12.9<tr><td>Eve<td>7.0</table>`},
		{"the last row left is another", `<table><tr><td>row 143<td id=x>12.5<tr><td>row 144<td>3.1</table>`, `<table><tr><td>row 7<td>12.9</table>`},
		{"the name moved to another field", `<label>Mail <input id=x name=a></label><label>Phone <input name=b></label>`, `<label>Phone <input name=a></label><label>Fax <input name=b></label>`},
	} {
		show(t, page, x.then)
		target := value[*Target](t, p, `__deckHeal.describe(document.querySelector("#x"))`)
		for _, broken := range []bool{false, true} {
			show(t, page, x.now)
			one := *target
			if broken {
				one.Selector = "#gone"
			}
			if m, err := Find(context.Background(), p, &one, o); err == nil {
				t.Errorf("%s: found %s by %s (%.2f)", x.name, m.Selector, m.Strategy, m.Confidence)
			} else if !errors.Is(err, ErrNotFound) {
				t.Error(err)
			}
		}
	}
}

func TestNumbersThatChangeDoNotHideAnElement(t *testing.T) {
	page := blank(t)
	p := Rod(page)
	o := DefaultOptions()
	o.Patience, o.NoPrimary = 0, true
	for _, x := range []struct {
		name, then, now string
		recorder        bool // which knows less
		want            Strategy
	}{
		{"a counter with an id", `<button id=one>one 0</button><button id=two data-x>two 0</button>`, `<button id=one>one 7</button><button id=two data-truth>two 1</button>`, true, RoleText},
		{"a counter that is the only one", `<nav><a href=/a>Home</a><a href=/b data-x>Cart (2 items)</a></nav><button>Pay</button>`, `<nav><a href=/c>Home</a><a href=/d data-truth>Cart (31 items)</a></nav><button>Pay</button>`, false, RoleText},
		{"no role", `<div id=score data-x>12 points</div><div>text</div>`, `<div id=score data-truth>13 points</div><div>text</div>`, true, TextTag},
		{"a cell whose value is by chance", `<table><tr><td>Ada<td data-x>12.5<td>3.0<tr><td>Bob<td>3.1<td>8.8</table>`, `<table><tr><td>Bob<td>12.5<td>1.1<tr><td>Ada<td data-truth>9.8<td>7.7</table>`, true, ParentText},
		{"a cell with the name of its column", `<div role=grid><div role=row><div role=gridcell col-id=n>row 1</div><div role=gridcell col-id=p data-x>86.98</div></div><div role=row><div role=gridcell col-id=n>row 2 x</div><div role=gridcell col-id=p>5</div></div></div>`,
			`<div role=grid><div role=row><div role=gridcell col-id=n>row 2 x</div><div role=gridcell col-id=p>86.98</div></div><div role=row><div role=gridcell col-id=p data-truth>4.4</div><div role=gridcell col-id=n>row one 1</div></div></div>`, true, ""},
	} {
		show(t, page, x.then)
		target := value[*Target](t, p, `__deckHeal.describe(document.querySelector("[data-x]"))`)
		if x.recorder {
			target.Around, target.Alike, target.Siblings, target.Numbered = nil, 0, 0, 0
		}
		show(t, page, x.now)
		m, err := Find(context.Background(), p, target, o)
		switch {
		case x.want == "" && err == nil && !value[bool](t, p, Element+".hasAttribute('data-truth')"):
			t.Errorf("%s: a wrong one by %s", x.name, m.Strategy)
		case x.want == "":
		case err != nil:
			t.Errorf("%s: %v", x.name, err)
		case !value[bool](t, p, Element+".hasAttribute('data-truth')") || m.Strategy != x.want:
			t.Errorf("%s: %s (%.2f): %s", x.name, m.Strategy, m.Confidence, m.Selector)
		}
	}
}

func TestSelectorIsWaitedFor(t *testing.T) {
	page := blank(t)
	show(t, page, `<button>Go</button>`)
	p := Rod(page)
	target := value[*Target](t, p, `__deckHeal.describe(document.querySelector("button"))`)
	show(t, page, `<p>wait</p><script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<button>Go</button>"), 300)</script>`)
	o := DefaultOptions()
	o.Patience = 20 * time.Second
	m, err := Find(context.Background(), p, target, o)
	if err != nil || m.Strategy != Primary || m.Healed() {
		t.Fatalf("%+v %v", m, err)
	}
	e, err := p.Found(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := e.Text(); text != "Go" {
		t.Errorf("the element is %q", text)
	}
	o.Floor, o.NoPrimary = 0.99, true
	if _, err := Find(context.Background(), p, target, o); !errors.Is(err, ErrNotFound) {
		t.Errorf("below the floor: %v", err)
	}
}

// A trace of another recorder has selectors only: what they meant is in its
// snapshots.
func TestTargetsOfForeignTracesAreDescribed(t *testing.T) {
	page := blank(t)
	for _, file := range []string{"playwright/basic.zip", "playwright/forms.zip", "playwright/input.zip"} {
		path := tracetest.Corpus(t, file)[0]
		a := tracetest.Open(t, path)
		tr, err := trace.Load(context.Background(), a, trace.LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		store, n, healed := snapshot.FromTrace(a, tr), 0, 0
		for _, action := range tr.Actions {
			if SelectorOf(action) == "" || len(action.Snapshots) == 0 {
				continue
			}
			target, err := Describe(context.Background(), Rod(page), store, action)
			if errors.Is(err, ErrNotFound) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", file, action.ID(), err)
			}
			n++
			if target.Selector != SelectorOf(action) || target.Tag == "" || target.CSS == "" || len(target.Selectors) == 0 || strings.Contains(target.CSS, "tracedeck") {
				t.Errorf("%s: %s: %+v", file, action.ID(), target)
			}
			// What is found in the recorded page itself is the element.
			found := *target
			found.Selector = "#gone"
			o := DefaultOptions()
			o.Patience = 0
			if m, err := Find(context.Background(), Rod(page), &found, o); err == nil {
				healed++
				if now := value[string](t, Rod(page), fmt.Sprintf(`__deckHeal.describe(%s).css`, Element)); now != target.CSS {
					t.Errorf("%s: %s: found %s by %s, was %s", file, action.ID(), now, m.Strategy, target.CSS)
				}
			} else {
				t.Logf("%s: %s: %v", file, SelectorOf(action), err)
			}
		}
		if n == 0 {
			t.Errorf("%s: no target was described", file)
		}
		if healed*4 < n*3 {
			t.Errorf("%s: only %d of %d targets were found in their own pages", file, healed, n)
		}
	}
}
