package replay

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace/locator"
)

// value is what is to be written, which the recording may have masked.
func (r *run) value(d *doing, name string) (string, error) {
	v, selector := d.params.text(name), d.params.text("selector")
	code := locator.Describe(selector, locator.JavaScript)
	for _, key := range []string{d.planned.action.ID(), selector, code} {
		if given, ok := r.o.Values[key]; ok {
			return given, nil
		}
	}
	if v != "" && strings.Trim(v, "•") == "" {
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("%s: what was written into %s was masked in the recording; dots are written, unless a value is given: --value %s=…", d.planned.action.ID(), code, d.planned.action.ID()))
	}
	return v, nil
}

func fill(ctx context.Context, r *run, d *doing) error {
	value, err := r.value(d, "value")
	if err != nil {
		return err
	}
	e, err := r.element(ctx, d, d.params.text("selector"), needs{visible: true, enabled: true, one: true})
	if err != nil {
		return err
	}
	if err := e.Reveal(ctx); err != nil {
		return err
	}
	var how string
	if err := e.Call(ctx, "function (v) { return __deckReplay.fill(this, v) }", &how, value); err != nil || how != "type" {
		return unfit(err)
	}
	if value != "" {
		return d.page.InsertText(ctx, value)
	}
	return r.strike(ctx, d, named()["Delete"])
}

// unfit is the error of what the page's element is not made for.
func unfit(err error) error {
	if err == nil {
		return nil
	}
	for _, s := range []string{"is not an <input>", "is not a <select>", "cannot be filled", "malformed value", "cannot type text"} {
		if strings.Contains(err.Error(), s) {
			return &Error{Code: "E_NOT_ACTIONABLE", Err: err}
		}
	}
	return err
}

// strike presses a key and lets it go.
func (r *run) strike(ctx context.Context, d *doing, k determinism.Key) error {
	if err := d.page.KeyDown(ctx, k); err != nil {
		return err
	}
	return d.page.KeyUp(ctx, k)
}

func (r *run) focused(ctx context.Context, d *doing) (*determinism.Handle, error) {
	e, err := r.element(ctx, d, d.params.text("selector"), needs{one: true})
	if err != nil {
		return nil, err
	}
	return e, e.Call(ctx, "function (start) { __deckReplay.focus(this, start) }", nil, d.verb != "focus" && d.foreign())
}

func focus(ctx context.Context, r *run, d *doing) error {
	_, err := r.focused(ctx, d)
	return err
}

func blur(ctx context.Context, r *run, d *doing) error {
	e, err := r.element(ctx, d, d.params.text("selector"), needs{one: true})
	if err != nil {
		return err
	}
	return e.Call(ctx, "function () { this.blur() }", nil)
}

func selectText(ctx context.Context, r *run, d *doing) error {
	e, err := r.element(ctx, d, d.params.text("selector"), needs{visible: true, one: true})
	if err != nil {
		return err
	}
	return e.Call(ctx, "function () { if (this.select) this.select(); else getSelection().selectAllChildren(this) }", nil)
}

func typeText(ctx context.Context, r *run, d *doing) error {
	text, err := r.value(d, "text")
	if err != nil {
		return err
	}
	if _, err := r.focused(ctx, d); err != nil {
		return err
	}
	return r.write(ctx, d, text)
}

// pace is how long after a letter the next one follows.
const pace = 20 * time.Millisecond

// write writes text key by key, and what no key writes as a whole.
func (r *run) write(ctx context.Context, d *doing, text string) error {
	for _, c := range text {
		var err error
		if k, ok := named()[string(c)]; ok {
			k.Modifiers = r.held
			err = r.strike(ctx, d, k)
		} else {
			err = d.page.InsertText(ctx, string(c))
		}
		if err != nil {
			return err
		}
		if err := r.s.Advance(ctx, max(pace, time.Duration(d.params.number("delay"))*time.Millisecond)); err != nil {
			return err
		}
	}
	return nil
}

func press(ctx context.Context, r *run, d *doing) error {
	if d.params.text("selector") != "" && d.params.text("selector") != "body" {
		if _, err := r.focused(ctx, d); err != nil {
			return err
		}
	}
	return keyboardPress(ctx, r, d)
}

func keyboardPress(ctx context.Context, r *run, d *doing) error {
	names, key, ok := chord(d.params.text("key"))
	if !ok {
		return errorf("E_KEY", "there is no key %q", d.params.text("key"))
	}
	key.Modifiers |= r.held
	return hold(ctx, d, names, func() error { return r.strike(ctx, d, key) })
}

func keyboardDown(ctx context.Context, r *run, d *doing) error {
	key, ok := keyNamed(d.params.text("key"))
	if !ok {
		return errorf("E_KEY", "there is no key %q", d.params.text("key"))
	}
	r.held |= modifierOf[key.Key]
	key.Modifiers = r.held
	if r.held&(determinism.Control|determinism.Alt|determinism.Meta) != 0 {
		key.Text = ""
		key.Commands = editing[strings.ToLower(key.Key)]
	}
	return d.page.KeyDown(ctx, key)
}

func keyboardUp(ctx context.Context, r *run, d *doing) error {
	key, _ := keyNamed(d.params.text("key"))
	r.held &^= modifierOf[key.Key]
	key.Modifiers = r.held
	return d.page.KeyUp(ctx, key)
}

func keyboardType(ctx context.Context, r *run, d *doing) error {
	return r.write(ctx, d, d.params.text("text"))
}

func insertText(ctx context.Context, r *run, d *doing) error {
	return d.page.InsertText(ctx, d.params.text("text"))
}

// check makes a box, a radio button or a switch be as wanted, by a click where it is
// not yet. Whether it is then is asked of the element that was clicked: what is called
// "not chosen" may be called "chosen" by now.
func check(wanted bool) verb {
	return func(ctx context.Context, r *run, d *doing) error {
		e, err := r.element(ctx, d, d.params.text("selector"), needs{one: true})
		if err != nil {
			return err
		}
		const ask = "function () { return [__deckReplay.isChecked(this), this.isConnected] }"
		var is [2]bool // checked, and still there
		if err := e.Call(ctx, ask, &is); err != nil || is[0] == wanted {
			return err
		}
		if err := click(ctx, r, d); err != nil {
			return err
		}
		if err := r.s.Advance(ctx, 50*time.Millisecond); err != nil {
			return err
		}
		err = e.Call(ctx, ask, &is)
		if err == nil && is[0] != wanted && !is[1] { // another may stand in its place
			var list []*determinism.Handle
			if list, err = r.query(ctx, d, d.params.text("selector")); err != nil || len(list) != 1 {
				return ignore(err)
			}
			err = list[0].Call(ctx, ask, &is)
		}
		if err == nil && is[0] != wanted {
			return errorf("E_NOT_ACTIONABLE", "clicking did not change its state")
		}
		return ignore(err)
	}
}

// ignore leaves out the error of a page that is just going elsewhere, as what was
// done may have led there.
func ignore(err error) error {
	if err != nil && transient(err) {
		return nil
	}
	return err
}

func selectOption(ctx context.Context, r *run, d *doing) error {
	choices := d.params.list("options")
	if elements := d.params.list("elements"); len(elements) > 0 {
		return errorf("E_SELECTOR", "the trace does not say which options were chosen")
	}
	if v, ok := d.params["value"].(string); ok && choices == nil { // Vibium
		choices = []any{object{"valueOrLabel": v}}
	}
	if choices == nil { // nothing is chosen
		choices = []any{}
	}
	e, err := r.element(ctx, d, d.params.text("selector"), needs{visible: true, enabled: true, one: true})
	if err != nil {
		return err
	}
	return r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
		var chosen any
		err := unfit(e.Call(ctx, "function (list) { return __deckReplay.select(this, list) }", &chosen, choices))
		if s, none := chosen.(string); err == nil && none && s == "" {
			return false, errorf("E_NO_ELEMENT", "the option is not there"), nil
		}
		return true, nil, err
	})
}

// setFiles gives files to a field. Traces do not hold what is in them, so they
// are those that the caller gave, or stand-ins of the recorded size.
func setFiles(ctx context.Context, r *run, d *doing) error {
	paths := []string{}
	for _, name := range names(d.params) {
		path, err := r.file(name, d)
		if err != nil {
			return err
		}
		paths = append(paths, path)
	}
	if d.params.text("selector") == "" {
		return d.page.ChooseFiles(ctx, paths)
	}
	e, err := r.element(ctx, d, d.params.text("selector"), needs{one: true})
	if err != nil {
		return err
	}
	field, err := e.Get(ctx, "function () { return __deckReplay.control(this) }")
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return field.Call(ctx, `function () { this.value = ""; for (const t of ["input", "change"]) this.dispatchEvent(new Event(t, { bubbles: true, composed: t === "input" })) }`, nil)
	}
	return field.SetFiles(ctx, paths)
}

// upload is a file that a recorded action gave to a field.
type upload struct {
	name string
	size int
}

func names(p params) []upload {
	var out []upload
	for _, member := range []string{"_files", "payloads", "files"} {
		for _, v := range p.list(member) {
			switch f := v.(type) {
			case map[string]any:
				out = append(out, upload{params(f).text("name"), int(params(f).number("size"))})
			case string:
				out = append(out, upload{filepath.Base(f), 0})
			}
		}
		if out != nil {
			return out
		}
	}
	for _, path := range append(p.texts("localPaths"), p.texts("paths")...) {
		out = append(out, upload{filepath.Base(path), 0})
	}
	return out
}

// largestFile is how many bytes of a stand-in are made at most.
const largestFile = 64 << 20

func (r *run) file(u upload, d *doing) (string, error) {
	if path, ok := r.o.Files[u.name]; ok {
		return filepath.Abs(path)
	}
	r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("%s: what is in %q was not recorded; a stand-in is given, or the file of --file %[2]s=PATH", d.planned.action.ID(), u.name))
	name := filepath.Base(filepath.Clean("/" + u.name))
	if name == "/" || name == "." {
		name = "file"
	}
	content := []byte("a stand-in for " + name + "\n")
	if u.size > 0 && u.size <= largestFile {
		for len(content) < u.size {
			content = append(content, content...)
		}
		content = content[:u.size]
	}
	path := filepath.Join(r.scratch, name)
	return path, os.WriteFile(path, content, 0o600)
}
