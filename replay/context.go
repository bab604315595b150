package replay

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/lazyregexp"
)

// What pages were told about the world, as far as traces do not say: newer
// versions of Playwright record little of a context's options.

// ContextOptions are options of the browser context that the recording does
// not hold, by the names of Playwright's `use`: locale, timezoneId,
// colorScheme, reducedMotion, viewport, deviceScaleFactor, isMobile, hasTouch,
// userAgent, and those of this type. Others are left alone.
type ContextOptions struct {
	raw json.RawMessage

	UserAgent   string            `json:"userAgent"`
	Permissions []string          `json:"permissions"`
	Headers     map[string]string `json:"extraHTTPHeaders"`
	Geolocation map[string]any    `json:"geolocation"`
	Credentials *struct {
		Username string `json:"username"`
		Password string `json:"password"`
	} `json:"httpCredentials"`
	Offline bool `json:"offline"`
	// ServiceWorkers "allow" lets pages have service workers, which are blocked
	// otherwise: what they do is not held to the session's clock.
	ServiceWorkers string `json:"serviceWorkers"`
	// Storage is what the browser remembered at the beginning, as Playwright's
	// storageState writes it.
	Storage *struct {
		Cookies []map[string]any `json:"cookies"`
		Origins []struct {
			Origin string `json:"origin"`
			Local  []struct {
				Name  string `json:"name"`
				Value string `json:"value"`
			} `json:"localStorage"`
		} `json:"origins"`
	} `json:"storageState"`
}

// ParseContextOptions reads them from JSON. A file that storageState names
// must have been put in its place before.
func ParseContextOptions(data []byte) (*ContextOptions, error) {
	c := &ContextOptions{raw: slices.Clone(data)}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("options of the context: %w", err)
	}
	return c, nil
}

// stock are the names that desktop browsers give themselves: a replay has its
// own, whose version the page may look at.
var stock = lazyregexp.New(`^Mozilla/5\.0 \([^)]*\) (AppleWebKit/[\d.]+ \(KHTML, like Gecko\) (Version/[\d.]+ )?((Headless)?Chrome/[\d.]+ )?Safari/[\d.]+( Edg/[\d.]+)?|Gecko/[\d.]+ Firefox/[\d.]+)$`)

// hollow reports a context without a browser: test runners make one for the
// requests of the test itself, and it comes before that of the pages.
func hollow(c *trace.Context) bool {
	return c.BrowserName == "" && (len(c.Options) == 0 || string(c.Options) == "{}")
}

// spoken are the languages that recorded requests asked for, the most wanted first.
func spoken(t *trace.Trace) (tags []string) {
	for _, q := range t.Network {
		accepted := q.Entry.Request.Header("Accept-Language")
		if accepted == "" || q.APIRequestRef != "" {
			continue
		}
		for tag := range strings.SplitSeq(accepted, ",") {
			tag, _, _ = strings.Cut(tag, ";")
			if tag = strings.TrimSpace(tag); !languageTag.MatchString(tag) || len(tags) == 20 {
				break
			}
			tags = append(tags, tag)
		}
		return tags
	}
	return nil
}

var languageTag = lazyregexp.New(`^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$`)

// given sets up what the caller says of the context, before its first page.
func (r *run) given(ctx context.Context) error {
	c := r.o.Context
	if c == nil {
		return nil
	}
	add := func(verb string, p params) {
		r.lasts = append(r.lasts, &planned{verb: verb, params: p, action: &trace.Action{}})
	}
	if len(c.Permissions) > 0 {
		names := []any{}
		for _, n := range c.Permissions {
			names = append(names, n)
		}
		if err := grantPermissions(ctx, r, &doing{planned: &planned{params: params{"permissions": names}, action: &trace.Action{Before: &trace.Before{CallID: "the options of the context"}}}}); err != nil {
			return err
		}
	}
	if c.Geolocation != nil {
		add("setGeolocation", params{"geolocation": c.Geolocation})
	}
	if headers := c.headers(); len(headers) > 0 {
		add("setExtraHTTPHeaders", params{"headers": headers})
	}
	if c.Offline {
		add("setOffline", params{"offline": true})
	}
	return nil
}

// cookies gives the browser those that it had at the beginning.
func (r *run) cookies(ctx context.Context, page *determinism.Page) error {
	c := r.o.Context
	if c == nil || c.Storage == nil || r.stored != nil {
		return nil
	}
	r.stored = map[string]bool{}
	list := []any{}
	for _, one := range c.Storage.Cookies {
		if domain, _ := one["domain"].(string); domain != "" {
			one["domain"] = r.movedHost(domain)
		}
		list = append(list, one)
	}
	return addCookies(ctx, r, &doing{planned: &planned{params: params{"cookies": list}}, page: page})
}

// movedHost is the host of now for a cookie of a recorded one.
func (r *run) movedHost(domain string) string {
	for _, scheme := range []string{"https://", "http://"} {
		for then, now := range r.o.Origins {
			from, err := url.Parse(then)
			to, err2 := url.Parse(now)
			if err == nil && err2 == nil && strings.HasPrefix(then, scheme) && from.Hostname() == strings.TrimPrefix(domain, ".") {
				return to.Hostname()
			}
		}
	}
	return domain
}

func (c *ContextOptions) headers() (list []any) {
	for name, value := range c.Headers {
		list = append(list, map[string]any{"name": name, "value": value})
	}
	if k := c.Credentials; k != nil {
		list = append(list, map[string]any{"name": "Authorization", "value": "Basic " + base64.StdEncoding.EncodeToString([]byte(k.Username+":"+k.Password))})
	}
	return list
}

// remembered puts into a page's local storage what it held when the recording
// began, while the page navigates to address; the function that is returned
// ends that. Each origin gets its own once: what the app deletes later stays
// deleted.
func (r *run) remembered(ctx context.Context, page *determinism.Page) (func() error, error) {
	if err := r.cookies(ctx, page); err != nil {
		return nil, err
	}
	left := map[string]map[string]string{}
	if c := r.o.Context; c != nil && c.Storage != nil {
		for _, o := range c.Storage.Origins {
			now := strings.TrimSuffix(r.mapped(o.Origin+"/"), "/")
			if r.stored[now] || len(o.Local) == 0 {
				continue
			}
			left[now] = map[string]string{}
			for _, kv := range o.Local {
				left[now][kv.Name] = kv.Value
			}
		}
	}
	if len(left) == 0 {
		return func() error { return nil }, nil
	}
	data, err := json.Marshal(left)
	if err != nil {
		return nil, err
	}
	var script struct{ Identifier string }
	source := fmt.Sprintf(`(all => { const mine = all[location.origin]; try { for (const k in mine) if (localStorage.getItem(k) === null) localStorage.setItem(k, mine[k]); } catch { /* it has none */ } })(%s)`, data)
	if err := page.Call(ctx, "Page.addScriptToEvaluateOnNewDocument", object{"source": source}, &script); err != nil {
		return nil, err
	}
	return func() error {
		if err := page.Call(ctx, "Page.removeScriptToEvaluateOnNewDocument", object{"identifier": script.Identifier}, nil); err != nil {
			return err
		}
		at, err := page.Evaluate(ctx, "location.origin")
		if err != nil {
			return err
		}
		var origin string
		_ = json.Unmarshal(at, &origin) // a text
		r.stored[origin] = true
		return nil
	}, nil
}
