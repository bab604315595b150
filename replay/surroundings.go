package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracedeck/tracedeck/replay/determinism"
)

// What a recorded program did to the surroundings of its pages: permissions,
// the place on earth, storage, credentials, scripts and styles of its own.

// lasting are the verbs that hold for the pages that are opened later, too.
var lasting = map[string]bool{"addInitScript": true, "exposeBinding": true, "setGeolocation": true, "setExtraHTTPHeaders": true, "setOffline": true}

// spread has what was done to the whole context hold for a page.
func (r *run) spread(ctx context.Context, page *determinism.Page) error {
	for _, p := range r.lasts {
		if err := verbs()[p.verb](ctx, r, &doing{planned: p, page: page}); err != nil {
			return err
		}
	}
	return nil
}

// lasted keeps an action on the context for the pages that are and will be.
func (r *run) lasted(ctx context.Context, p *planned, on *determinism.Page) error {
	if !lasting[p.verb] || p.action.Before.Class != "BrowserContext" {
		return nil
	}
	r.lasts = append(r.lasts, p)
	for _, page := range r.pages {
		if page == on || page.Closed() {
			continue
		}
		if err := verbs()[p.verb](ctx, r, &doing{planned: p, page: page}); err != nil {
			return err
		}
	}
	return nil
}

// browser gives the browser itself a command about the session's context.
func (r *run) browser(ctx context.Context, method string, params object) error {
	params["browserContextId"] = r.s.Context
	_, err := r.b.Rod.Call(ctx, "", method, params)
	return err
}

func grantPermissions(ctx context.Context, r *run, d *doing) error {
	for _, name := range d.params.texts("permissions") {
		params := object{"permission": object{"name": name}, "setting": "granted"}
		if o := d.params.text("origin"); o != "" {
			params["origin"] = r.mapped(o)
		}
		if err := r.browser(ctx, "Browser.setPermission", params); err != nil {
			r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("%s: the permission %s cannot be granted: %v", d.planned.action.ID(), name, err))
		}
	}
	return nil
}

func clearPermissions(ctx context.Context, r *run, d *doing) error {
	return r.browser(ctx, "Browser.resetPermissions", object{})
}

func setGeolocation(ctx context.Context, r *run, d *doing) error {
	at, ok := d.params["geolocation"].(map[string]any)
	if !ok {
		return d.page.Call(ctx, "Emulation.clearGeolocationOverride", nil, nil)
	}
	p := params(at)
	return d.page.Call(ctx, "Emulation.setGeolocationOverride", object{"latitude": p.number("latitude"), "longitude": p.number("longitude"), "accuracy": p.number("accuracy")}, nil)
}

// webStorage changes localStorage or sessionStorage.
func webStorage(change string) verb {
	return func(ctx context.Context, r *run, d *doing) error {
		kind := "localStorage"
		if d.params.text("kind") == "session" {
			kind = "sessionStorage"
		}
		args, err := json.Marshal([]string{d.params.text("name"), d.params.text("value")})
		if err != nil {
			return err
		}
		_, err = d.page.Evaluate(ctx, fmt.Sprintf("((name, value) => { %s.%s })(...%s)", kind, change, args))
		return err
	}
}

// exposeBinding gives pages a function in the place of one of the recorded
// program, which is not here to answer.
func exposeBinding(ctx context.Context, r *run, d *doing) error {
	name, err := json.Marshal(d.params.text("name"))
	if err != nil {
		return err
	}
	source := fmt.Sprintf("globalThis[%s] ??= () => Promise.resolve()", name)
	if err := d.page.Call(ctx, "Page.addScriptToEvaluateOnNewDocument", object{"source": source}, nil); err != nil {
		return err
	}
	if d.action != nil {
		r.report.Warnings = append(r.report.Warnings, fmt.Sprintf("%s: the page's function %s was the recorded program's own; here it does nothing", d.planned.action.ID(), name))
	}
	_, err = d.page.Evaluate(ctx, source+"; 0")
	return err
}

// addTag adds a script or a style to the document, and waits until it is there.
func addTag(element, address string) verb {
	return func(ctx context.Context, r *run, d *doing) error {
		what := object{"element": element, "member": address, "url": d.params.text("url"), "type": d.params.text("type"), "content": d.params.text("content")}
		if element == "link" && d.params.text("url") == "" {
			what["element"] = "style"
		}
		data, err := json.Marshal(what)
		if err != nil {
			return err
		}
		return r.evaluated(ctx, d, fmt.Sprintf(`new Promise((yes, no) => {
const w = %s, e = document.createElement(w.element);
if (w.type) e.type = w.type;
if (w.element === "link") e.rel = "stylesheet";
if (w.url) { e.onload = () => yes(); e.onerror = () => no(new Error("Failed to load " + w.url)); e[w.member] = w.url; } else e.textContent = w.content;
document.head.append(e);
if (!w.url) yes();
})`, data))
	}
}

// drop lets files or data fall on an element, as if from another program.
func drop(ctx context.Context, r *run, d *doing) error {
	e, err := r.element(ctx, d, d.params.text("selector"), needs{visible: true, one: true})
	if err != nil {
		return err
	}
	if err := e.Reveal(ctx); err != nil {
		return err
	}
	what := object{"files": []object{}, "data": d.params.list("data")}
	for _, u := range names(d.params) {
		path, err := r.file(u, d)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		what["files"] = append(what["files"].([]object), object{"name": filepath.Base(u.name), "type": http.DetectContentType(content), "content": content})
	}
	return inPage(ctx, d, []*determinism.Handle{e}, `function (w, e) {
const t = new DataTransfer(), b = e.getBoundingClientRect();
for (const f of w.files) t.items.add(new File([Uint8Array.from(atob(f.content), c => c.charCodeAt(0))], f.name, { type: f.type }));
for (const x of w.data ?? []) t.setData(x.mimeType, x.value);
for (const type of ["dragenter", "dragover", "drop"])
	e.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer: t, clientX: b.x + b.width / 2, clientY: b.y + b.height / 2 }));
}`, object{"value": what})
}

// waitForState waits until an element is what the program waited for.
func waitForState(ctx context.Context, r *run, d *doing) error {
	want, not := d.params.text("state"), false
	n := needs{}
	switch want {
	case "visible", "stable":
		n.visible = true
	case "hidden":
		n.visible, not = true, true
	case "enabled":
		n.enabled = true
	case "disabled":
		n.enabled, not = true, true
	case "editable":
		n.editable = true
	default:
		return errorf("E_NOT_ACTIONABLE", "the state %q is not known", want)
	}
	return r.await(ctx, d.params.timeout(r.o.Limits.Patience), func() (bool, error, error) {
		list, err := r.query(ctx, d, d.params.text("selector"))
		if err != nil {
			return false, nil, err
		}
		if len(list) == 0 {
			return want == "hidden", errorf("E_NO_ELEMENT", "no element matches %s", d.params.text("selector")), nil
		}
		why, err := lacks(ctx, list[0], n)
		return (why != nil) == not, errorf("E_NOT_ACTIONABLE", "the element is not %s", want), err
	})
}

// lend gives the browser the cookies that a recorded navigation had and that
// nothing in the recording had set: they were the program's, from a stored
// state or from requests of its own.
func (r *run) lend(ctx context.Context, d *doing, address string) error {
	recorded := ""
	known := map[string]bool{}
	for _, q := range r.t.Network {
		for _, c := range q.Response.Cookies {
			known[c.Name] = true
		}
		for _, h := range q.Response.Headers {
			if strings.EqualFold(h.Name, "set-cookie") {
				for _, line := range strings.Split(h.Value, "\n") {
					name, _, _ := strings.Cut(line, "=")
					known[strings.TrimSpace(name)] = true
				}
			}
		}
		a := d.planned.action
		if recorded == "" && q.Start >= a.Start && q.Start <= a.End && r.mapped(withoutFragment(q.Entry.Request.URL)) == withoutFragment(address) {
			recorded = q.Entry.Request.Header("Cookie")
		}
	}
	if recorded == "" {
		return nil
	}
	var has struct{ Cookies []struct{ Name string } }
	if err := d.page.Call(ctx, "Network.getCookies", object{"urls": []string{address}}, &has); err != nil {
		return err
	}
	for _, c := range has.Cookies {
		known[c.Name] = true
	}
	for _, pair := range strings.Split(recorded, ";") {
		name, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		if !ok || name == "" || known[name] || strings.Trim(value, "*•") == "" {
			continue
		}
		if err := d.page.Call(ctx, "Network.setCookie", object{"name": name, "value": value, "url": address}, nil); err != nil {
			return err
		}
		r.o.Log("%s: the cookie %s is lent as it was recorded", d.planned.action.ID(), name)
	}
	return nil
}
