package diff

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// environment compares where the sessions ran: browser, platform, viewport and
// options. Who recorded them is told and decides nothing.
func (c *Comparer) environment() Section {
	a, b := c.surroundings(0), c.surroundings(1)
	if len(a) == 0 || len(b) == 0 {
		return unrecorded(Environment, len(a) > 0, len(b) > 0)
	}
	var changes []Change
	others := tool(a["recorder"]) != tool(b["recorder"]) // what one of them writes, another never does
	for _, k := range sortedKeys(union(a, b)) {
		v, inA := a[k]
		w, inB := b[k]
		if v == w && inA == inB || inA != inB && (others || unset(v+w)) {
			continue
		}
		e := neutral
		if k == "recorder" || k == "language" {
			e = told
		}
		if c.masks.Field(InStep, k, v) == c.masks.Field(InStep, k, w) && inA && inB {
			c.hid.hid(c.masks, InStep, k, v, w)
			continue
		}
		changes = append(changes, Change{Kind: kindOf(inA, inB), Effect: e, What: k, A: clip(v, maxShown), B: clip(w, maxShown)})
	}
	return section(Environment, changes)
}

// tool is a recorder's name without its version.
func tool(recorder string) string {
	name, _, _ := strings.Cut(recorder, " ")
	return name
}

// unset is whether an option says as little as one that is not there: recorders of one version write it and those of
// another do not.
func unset(v string) bool { return v == "" || v == "[]" || v == "false" || v == "null" }

// surroundings returns what a trace says of where it was recorded.
func (c *Comparer) surroundings(side int) map[string]string {
	all := map[string]string{}
	set := func(k, v string) {
		if v != "" {
			all[k] = v
		}
	}
	t := c.sides[side].Trace
	for _, ctx := range t.Contexts {
		if ctx.Runner() {
			continue
		}
		set("recorder", t.Producer())
		set("browser", ctx.BrowserName)
		set("channel", ctx.Channel)
		set("platform", ctx.Platform)
		set("language", ctx.SDKLanguage)
		var browser struct{ Product string }
		if json.Unmarshal(ctx.Get("_browser"), &browser) == nil {
			set("browser version", browser.Product)
		}
		var options map[string]any
		if json.Unmarshal(ctx.Options, &options) == nil {
			flatten(all, "", options, 0)
		}
	}
	for _, r := range t.Network {
		if all["browser version"] != "" {
			break
		}
		if agent := r.Request.Header("user-agent"); agent != "" {
			set("browser version", browserVersion.FindString(agent))
			break
		}
	}
	return all
}

var browserVersion = lazyregexp.New(`(?:HeadlessChrome|Chrome|Firefox|Version|Edg)/[\d.]+`)

// flatten names members of options by their path: "viewport.width".
func flatten(all map[string]string, path string, v any, deep int) {
	o, ok := v.(map[string]any)
	if !ok || deep > 5 {
		if path != "" && v != nil {
			all[path] = scalar(v)
		}
		return
	}
	for k, inner := range o {
		if k == "storageState" || k == "extraHTTPHeaders" || k == "httpCredentials" || strings.HasPrefix(k, "_") || k == "recordVideo" || k == "tracesDir" {
			continue
		}
		at := k
		if path != "" {
			at = fmt.Sprintf("%s.%s", path, k)
		}
		flatten(all, at, inner, deep+1)
	}
}
