package heal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// changes are made to real pages, one after the other.
var changes = []struct{ name, script string }{
	{"ids removed", `all("[id]").forEach(e => e.removeAttribute("id"))`},
	{"test ids renamed", `all("[data-testid]").forEach((e, i) => e.dataset.testid = "renamed-" + (i * 7919) % 97)`},
	{"classes hashed", `all("[class]").forEach((e, i) => e.className = "css-" + (i * 7919 + 104729).toString(36) + "x1")`},
	{"wrapped in divs", `all("[data-truth]").forEach(e => { if (/^(OPTION|TD|TR|LI)$/.test(e.tagName)) return; const w = document.createElement("div"); e.replaceWith(w); w.append(e) })`},
	{"order changed", `for (const box of all("ul,ol,tbody,nav,form,[role=tablist]")) box.prepend(...[...box.children].reverse())`},
	{"texts changed in case and signs", `all("button,a,h1,h2").forEach(e => { if (!e.children.length) e.textContent = e.textContent.toUpperCase() + "!" })`},
	{"names and titles removed", `all("[name],[title],[placeholder]").forEach(e => { for (const a of ["name", "title", "placeholder"]) e.removeAttribute(a) })`},
	{"one of each list removed", `for (const box of all("ul,ol,tbody,section,form")) if (box.children.length > 1) box.lastElementChild.remove()`},
	{"translated", `const other = s => [...s].reverse().join("") + "en"; all("button,a,label,li,h1,h2,h3,span,p,td,th,[role=row],[draggable]").forEach(e => { for (const n of e.childNodes) if (n.nodeType === 3 && n.data.trim()) n.data = other(n.data) }); all("[aria-label]").forEach(e => e.setAttribute("aria-label", other(e.getAttribute("aria-label"))))`},
	{"another design", `all("button").forEach(e => { const b = document.createElement("div"); b.setAttribute("role", "button"); b.tabIndex = 0; b.innerHTML = e.innerHTML; b.dataset.truth = e.dataset.truth; e.replaceWith(b) })`},
}

// understood is how many of the changes leave something to know elements by.
const understood = 8

func TestNoElementOfRealPagesIsTakenForAnother(t *testing.T) {
	page := blank(t)
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) < 6 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	p, all, found := Rod(page), 0, 0
	for _, file := range files {
		html, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		show(t, page, string(html))
		targets := map[string]*Target{}
		for _, name := range value[[]string](t, p, `[...document.querySelectorAll("[data-truth]")].map(e => e.dataset.truth)`) {
			targets[name] = value[*Target](t, p, fmt.Sprintf(`__deckHeal.describe(document.querySelector("[data-truth=%s]"))`, name))
		}
		for _, broken := range []bool{false, true} {
			show(t, page, string(html))
			for i, s := range changes {
				value[bool](t, p, `(() => { const all = (s) => [...document.querySelectorAll(s)]; `+s.script+`; return true })()`)
				there, right := healAll(t, p, targets, broken, fmt.Sprintf("%s, change %d (%s)", filepath.Base(file), i+1, s.name))
				t.Logf("%-14s selector gone: %-5t %-32s %2d of %2d found", filepath.Base(file), broken, s.name, right, there)
				if i < understood {
					all, found = all+there, found+right
				}
			}
		}
	}
	if found*100 < all*80 {
		t.Errorf("only %d of %d were found", found, all)
	}
}

// healAll looks for each target and counts those that are there and those that
// were found. One that is found and is another is an error.
func healAll(t *testing.T, p *RodPage, targets map[string]*Target, broken bool, where string) (there, right int) {
	t.Helper()
	o := DefaultOptions()
	o.Patience = 0
	for name, full := range targets {
		target := *full
		if broken {
			target.Selector, target.Selectors = "#gone-"+name, nil
		}
		if value[bool](t, p, fmt.Sprintf(`!!document.querySelector("[data-truth=%s]")`, name)) {
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
			t.Errorf("%s: %s %q was healed into %q by %s (%.2f)", where, name, full.Selector, got, m.Strategy, m.Confidence)
		}
		right++
	}
	return there, right
}
