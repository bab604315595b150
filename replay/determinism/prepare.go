package determinism

import (
	"context"
	"strings"
	"time"
)

// setUp prepares the page before it runs anything, and once: time runs double
// in a page that is set up twice.
func (p *Page) setUp() {
	defer close(p.ready)
	ctx, cancel := p.s.ctx()
	defer cancel()
	p.prepare(ctx)
	p.tree(ctx)
}

// prepare gives the page the commands of its preparation and then lets it go.
// A page that is opened without its opener's knowledge has no process before
// that, and answers none of them: they are sent one after the other without
// waiting for answers, and the process carries them out when it comes.
func (p *Page) prepare(ctx context.Context) {
	list := append(p.preparation(), command{"Runtime.runIfWaitingForDebugger", nil, false})
	answers := make([]chan error, len(list))
	patient := 500 * time.Millisecond
	for i, c := range list {
		answer := make(chan error, 1)
		answers[i] = answer
		p.s.background(func() { answer <- p.call(ctx, c.method, c.params, nil) })
		select {
		case err := <-answer:
			answer <- err
		case <-time.After(patient):
			patient = 10 * time.Millisecond // long enough to be sent
		case <-p.left:
			return
		}
	}
	for i, answer := range answers {
		select {
		case err := <-answer:
			if err != nil && list[i].needed && !p.closed() {
				p.setupErr = err
				p.s.log("page %s: %s: %v", p.target, list[i].method, err)
			}
		case <-p.left:
			return
		case <-ctx.Done():
			p.setupErr = ctx.Err()
			return
		}
	}
}

type command struct {
	method string
	params any
	needed bool
}

func (p *Page) preparation() []command {
	o := p.s.o
	list := []command{
		{"Inspector.enable", nil, false}, {"Page.enable", nil, true}, {"Network.enable", nil, true}, {"Runtime.enable", nil, true}, {"Performance.enable", nil, false},
		{"Runtime.addBinding", object{"name": "__tracedeckTell"}, true},
		{"Page.addScriptToEvaluateOnNewDocument", object{"source": p.s.script("", 0), "runImmediately": true}, true},
		{"Fetch.enable", object{"patterns": []object{{"urlPattern": "*"}}}, true},
		{"Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}, true},
		{"Page.setInterceptFileChooserDialog", object{"enabled": true}, false}, {"Input.setInterceptDrags", object{"enabled": true}, false},
	}
	if p.s.virtual() {
		list = append(list, command{"Debugger.enable", nil, true})
	}
	if o.Hear != nil {
		list = append(list, command{"Runtime.addBinding", object{"name": Teller}, true})
	}
	for _, script := range p.s.scripts() {
		list = append(list, command{"Page.addScriptToEvaluateOnNewDocument", object{"source": script, "runImmediately": true}, true})
	}
	list = append(list, p.emulation()...)
	if !o.ServiceWorkers {
		list = append(list, command{"Network.setBypassServiceWorker", object{"bypass": true}, false})
	}
	if o.Coverage {
		list = append(list, command{"Profiler.enable", nil, true},
			command{"Profiler.startPreciseCoverage", object{"callCount": true, "detailed": true, "allowTriggeredUpdates": false}, true})
	}
	return list
}

func (p *Page) emulation() []command {
	o := p.s.o
	metrics := object{"width": o.Width, "height": o.Height, "deviceScaleFactor": o.Scale, "mobile": o.Mobile}
	o.screen(metrics)
	list := []command{{"Emulation.setFocusEmulationEnabled", object{"enabled": true}, false},
		{"Emulation.setLocaleOverride", object{"locale": o.Locale}, false}, {"Emulation.setTimezoneOverride", object{"timezoneId": o.Timezone}, false},
		{"Network.setCacheDisabled", object{"cacheDisabled": true}, true}}
	if p.opener == "" || p.s.b.Regime != Frames {
		list = append(list, command{"Emulation.setDeviceMetricsOverride", metrics, true})
	}
	media := []object{}
	if o.ColorScheme != "" {
		media = append(media, object{"name": "prefers-color-scheme", "value": o.ColorScheme})
	}
	if o.ReducedMotion {
		media = append(media, object{"name": "prefers-reduced-motion", "value": "reduce"})
	}
	list = append(list, command{"Emulation.setEmulatedMedia", object{"features": media}, false})
	agent := o.UserAgent
	if agent == "" && p.s.b.Version.UserAgent != "" {
		agent = reducedAgent(p.s.b.Version.UserAgent)
	}
	languages := o.Locale
	if len(o.Languages) > 0 {
		languages = strings.Join(o.Languages, ",")
	}
	list = append(list, command{"Emulation.setUserAgentOverride", object{"userAgent": agent, "acceptLanguage": languages}, false})
	if o.Touch {
		list = append(list, command{"Emulation.setTouchEmulationEnabled", object{"enabled": true, "maxTouchPoints": 1}, false})
	}
	return list
}

// Resize changes the size of the viewport, in CSS pixels.
func (p *Page) Resize(ctx context.Context, width, height int) error {
	o := p.s.o
	metrics := object{"width": width, "height": height, "deviceScaleFactor": o.Scale, "mobile": o.Mobile}
	o.screen(metrics)
	return p.Call(ctx, "Emulation.setDeviceMetricsOverride", metrics, nil)
}
