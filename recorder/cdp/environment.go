package cdp

import (
	"context"
	"encoding/json"
	"strings"
	"time"
)

// Environment is what a browser and its first page say about themselves.
type Environment struct {
	Context ContextInfo
	Browser BrowserInfo
}

// ContextInfo is about the page, by the names of Playwright's context options.
type ContextInfo struct {
	Viewport    *viewport `json:"viewport,omitempty"`
	Scale       float64   `json:"deviceScaleFactor,omitempty"`
	Screen      *viewport `json:"screen,omitempty"`
	IsMobile    bool      `json:"isMobile"`
	HasTouch    bool      `json:"hasTouch"`
	UserAgent   string    `json:"userAgent,omitempty"`
	Locale      string    `json:"locale,omitempty"`
	Languages   []string  `json:"languages,omitempty"`
	Timezone    string    `json:"timezoneId,omitempty"`
	ColorScheme string    `json:"colorScheme,omitempty"`
	Reduced     string    `json:"reducedMotion,omitempty"`
}

type viewport struct {
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// BrowserInfo is about the browser.
type BrowserInfo struct {
	Product  string   `json:"product"`
	Revision string   `json:"revision"`
	Agent    string   `json:"userAgent"`
	V8       string   `json:"jsVersion"`
	Protocol string   `json:"protocolVersion"`
	Flags    []string `json:"flags,omitempty"`
}

// describePage is evaluated in the page. It changes nothing there.
const describePage = `JSON.stringify({viewport: {width: innerWidth, height: innerHeight}, deviceScaleFactor: devicePixelRatio,
screen: {width: screen.width, height: screen.height}, isMobile: !!navigator.userAgentData?.mobile, hasTouch: navigator.maxTouchPoints > 0,
userAgent: navigator.userAgent, locale: navigator.language, languages: navigator.languages,
timezoneId: Intl.DateTimeFormat().resolvedOptions().timeZone,
colorScheme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'reduce' : 'no-preference'})`

// Describe asks the browser what it is, before anything is recorded. A page
// that does not answer, such as one that shows a dialog, leaves its part empty.
func Describe(ctx context.Context, c *Conn, scope Scope) (*Environment, error) {
	e := &Environment{}
	if err := c.Call(ctx, "", "Browser.getVersion", nil, &e.Browser); err != nil {
		return nil, err
	}
	e.Context.UserAgent = e.Browser.Agent
	var info struct {
		Line string `json:"commandLine"`
	}
	if c.Call(ctx, "", "SystemInfo.getInfo", nil, &info) == nil {
		e.Browser.Flags = publicFlags(info.Line)
	}
	e.askPage(ctx, c, scope)
	return e, nil
}

// askPage fills in what only a page knows.
func (e *Environment) askPage(ctx context.Context, c *Conn, scope Scope) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	var list struct {
		Infos []targetInfo `json:"targetInfos"`
	}
	if c.Call(ctx, "", "Target.getTargets", nil, &list) != nil {
		return
	}
	for _, t := range list.Infos {
		if t.Type != "page" || scope.Target != "" && t.ID != scope.Target || scope.BrowserContext != "" && t.Context != scope.BrowserContext {
			continue
		}
		e.ask(ctx, c, t.ID)
		return
	}
}

func (e *Environment) ask(ctx context.Context, c *Conn, target string) {
	var s struct {
		ID string `json:"sessionId"`
	}
	if c.Call(ctx, "", "Target.attachToTarget", object{"targetId": target, "flatten": true}, &s) != nil {
		return
	}
	var v struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	if c.Call(ctx, s.ID, "Runtime.evaluate", object{"expression": describePage, "returnByValue": true}, &v) == nil {
		_ = json.Unmarshal([]byte(v.Result.Value), &e.Context) // what is not there stays empty
	}
	_ = c.Call(ctx, "", "Target.detachFromTarget", object{"sessionId": s.ID}, nil)
}

// privateFlags name places on the machine, which are nobody's business.
var privateFlags = []string{"--user-data-dir", "--disk-cache-dir", "--crash-dumps-dir", "--proxy-server", "--load-extension", "--remote-debugging", "--log-file", "--data-path", "--homedir"}

func publicFlags(line string) []string {
	var list []string
	for i, part := range strings.Split(line, " --") {
		if i == 0 {
			continue
		}
		flag := "--" + strings.TrimSpace(part)
		private := false
		for _, p := range privateFlags {
			private = private || strings.HasPrefix(flag, p)
		}
		if !private {
			list = append(list, flag)
		}
	}
	return list
}

// environment records what a page says about itself when it has first loaded.
// The header of the trace was written before there was a page, perhaps.
func (r *Recorder) environment(p *page) {
	if p.described || p.url == "" || p.url == "about:blank" {
		return
	}
	p.described = true
	at := r.sink.Now()
	r.conn.Send(p.session.id, "Runtime.evaluate", object{"expression": describePage, "returnByValue": true}, func(result raw, err error) {
		var v struct {
			Result struct {
				Value string `json:"value"`
			} `json:"result"`
		}
		var info map[string]any
		if err == nil && json.Unmarshal(result, &v) == nil && json.Unmarshal([]byte(v.Result.Value), &info) == nil {
			r.happened(at, "environment", p.id, info)
		}
	})
}
