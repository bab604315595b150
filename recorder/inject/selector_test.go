package inject

import (
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"
)

const hygiene = `<!doctype html><title>hygiene</title><style>.need::after { content: " *" } .hint:hover::after, .lit::after { content: " Press to select" }</style>
<div id=app><section>
<div class="sc-gtsusp hIkgGf"><h3>Alpha</h3><button><svg></svg></button><button><svg></svg></button><span>Price 5</span></div>
<div class="sc-gtsusp hIkgGf"><h3>Beta</h3><button><svg></svg></button><button id=":r1:"><svg></svg></button><span>Price 5</span></div></section>
<div style="position:relative;height:90px"><div data-index=3 style="position:absolute;transform:translateY(0px)"><span>Item 4</span> <button>Pick</button></div>
<div data-index=39 style="position:absolute;transform:translateY(30px)"><span>Item 40</span> <button>Pick</button></div></div>
<ul><li style="position:absolute;top:0px">Row 3 <a href="#x">open</a></li><li style="position:absolute;top:20px">Row 30 <a href="#y">open</a></li></ul>
<div class="tiptap ProseMirror css-1q2w3e4" contenteditable><p>What was written</p><p>so far</p></div>
<div role=spinbutton contenteditable id=radix-1 aria-label="day, " aria-labelledby="radix-1 radix-2" aria-valuetext=Empty>dd</div><span id=radix-2>Born</span>
<label><span class=need>Username</span> <input></label>
<div role=listbox><div role=option class=lit>Basel</div><div role=option class=hint>Bern</div></div>
<div class="ant-select ant-cascader css-0"><input readonly autocomplete=off></div><input readonly autocomplete=off>
<table><tr><td title="2026-11-10"><div>11</div></td><td title="2026-11-11"><div>11</div></td></tr></table>
<div class=choices><div>T1</div><div>T2</div></div><button aria-label="J">?</button>
<div class="chakra-stepper css-9"><div role=button aria-hidden=true></div><div role=button aria-hidden=true></div></div></div>`

// What a selector says is not what programs make up, what was typed, what the
// mouse brings about, nor a number of a list whose items take turns.
func TestSelectorsSayWhatLasts(t *testing.T) {
	f := open(t, DefaultOptions(), hygiene)
	role := "internal:role="
	for css, want := range map[string]string{
		"section div:nth-child(2) button:nth-of-type(2)": `div:has(> h3) >> internal:has-text="Beta"i >> ` + role + `button >> nth=1`,
		"section div:nth-child(1) span":                  `div:has(> h3) >> internal:has-text="Alpha"i >> internal:text="Price 5"i`,
		"[data-index='3'] button":                        `div[data-index] >> internal:has="internal:text=\"Item 4\"s" >> ` + role + `button[name="Pick"i]`,
		"li:nth-child(2) a":                              role + `listitem >> internal:has-text="Row 30"i >> ` + role + `link[name="open"i]`,
		".tiptap":                                        `div.tiptap.ProseMirror`,
		"[role=spinbutton]":                              role + `spinbutton[name="day, Born"i]`,
		"label input":                                    role + `textbox[name="Username"i]`,
		".lit":                                           role + `option[name="Basel"i]`,
		".ant-cascader input":                            `div.ant-select.ant-cascader >> input[autocomplete="off"]`,
		"[title='2026-11-11'] div":                       `internal:attr=[title="2026-11-11"i] >> internal:text="11"i`,
		".choices":                                       `div.choices`,
		".chakra-stepper div:nth-child(2)":               `div.chakra-stepper >> div[role=button] >> nth=1`,
	} {
		var got string
		var found int
		f.in(f.world, "(t => { const list = __deck.find(t.selector), e = document.querySelector("+quote(css)+"); globalThis.__found = list.length === 1 && list[0] === e ? 1 : 0; return t.selector })(__deck.describe(document.querySelector("+quote(css)+")))", &got)
		f.in(f.world, "globalThis.__found", &found)
		if got != want || found != 1 {
			t.Errorf("%s:\n got %s (finds it alone: %d)\nwant %s", css, got, found, want)
		}
	}
}

const patterned = `<!doctype html><title>patterned</title><input aria-label=Phone><input aria-label=Digits><div contenteditable role=spinbutton aria-label=Month>mm</div><div contenteditable role=textbox aria-label=Board>x</div><script>
const [phone, digits] = document.querySelectorAll('input'), [month, board] = document.querySelectorAll('div');
phone.onkeydown = e => { if (/^\d$/.test(e.key)) { e.preventDefault(); phone.value = (phone.value + e.key).replace(/^(\d{2})(\d)$/, '$1-$2'); } };
digits.onkeypress = e => { if (!/\d/.test(e.key)) e.preventDefault(); };
month.onbeforeinput = e => { e.preventDefault(); setTimeout(() => { month.textContent = e.data; }, 5); };
board.onbeforeinput = e => { e.preventDefault(); document.title = 'took ' + e.data; };
</script>`

// Fields with a pattern, dates of several parts and editors keep the browser
// from writing, and write by themselves, or take letters for something else.
func TestLettersThatPagesTakeAreTold(t *testing.T) {
	f, h := heard(t, DefaultOptions(), patterned)
	for _, at := range []struct {
		css  string
		keys []input.Key
	}{{"[aria-label=Phone]", []input.Key{input.Digit1, input.Digit2, input.Digit3}}, {"[aria-label=Digits]", []input.Key{input.KeyQ, input.Digit7}}, {"[aria-label=Month]", []input.Key{input.Digit5}}, {"[aria-label=Board]", []input.Key{input.KeyB}}} {
		f.page.MustElement(at.css).MustFocus()
		for _, k := range at.keys {
			f.page.Keyboard.MustType(k)
			time.Sleep(200 * time.Millisecond) // letters that come at once are one
		}
	}
	role := "internal:role="
	h.expect(t, []string{`fill ` + role + `textbox[name="Phone"i] 1`, "value 12", "value 12-3", `press ` + role + `textbox[name="Digits"i] q`, `fill ` + role + `textbox[name="Digits"i] 7`,
		`fill ` + role + `spinbutton[name="Month"i] 5`, `press ` + role + `textbox[name="Board"i] b`})
}
