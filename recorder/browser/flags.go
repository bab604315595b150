package browser

import (
	"fmt"
	"sort"
	"strings"
)

// known are the flags of every browser that is started: nothing that phones
// home, asks or interrupts, and nothing that a page could tell from an ordinary
// browser or that makes it behave differently.
var known = []string{
	"allow-pre-commit-input",
	"disable-background-networking",
	"disable-background-timer-throttling", // a page in the background is recorded like any other
	"disable-backgrounding-occluded-windows",
	"disable-breakpad",
	"disable-client-side-phishing-detection",
	"disable-component-extensions-with-background-pages",
	"disable-component-update",
	"disable-default-apps",
	"disable-hang-monitor",
	"disable-prompt-on-repost",
	"disable-quic", // DevTools cannot tell all of what QUIC did
	"disable-renderer-backgrounding",
	"disable-search-engine-choice-screen",
	"disable-sync",
	"metrics-recording-only",
	"no-default-browser-check",
	"no-first-run",
	"no-service-autorun",
	"password-store=basic", // the desktop's would ask for a password
	"use-mock-keychain",
	"disable-features=AutofillServerCommunication,CertificateTransparencyComponentUpdater,DestroyProfileOnBrowserClose,MediaRouter,OptimizationHints,Translate",
}

// headless are the flags of browsers without a window.
var headless = []string{"headless=new", "hide-scrollbars", "mute-audio", "disable-gpu", "force-color-profile=srgb"}

// flags is a command line in the making.
type flags struct {
	values map[string]string
	set    map[string]bool // those that have a value, perhaps an empty one
}

// add takes in one flag, by the rules of Options.Flags.
func (f *flags) add(flag string) {
	if name, ok := strings.CutPrefix(flag, "!"); ok {
		name = strings.TrimLeft(name, "-")
		delete(f.values, name)
		delete(f.set, name)
		return
	}
	name, value, has := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	if name == "" {
		return
	}
	if old := f.values[name]; (name == "disable-features" || name == "enable-features") && old != "" {
		value = old + "," + value
	}
	f.values[name] = value
	f.set[name] = has
}

func (f *flags) args() []string {
	var args []string
	for name, value := range f.values {
		if f.set[name] {
			name += "=" + value
		}
		args = append(args, "--"+name)
	}
	sort.Strings(args)
	return args
}

// args is the command line for a profile, without the program's name.
func (o Options) args(profile string, sandbox bool) []string {
	f := &flags{values: map[string]string{}, set: map[string]bool{}}
	list := append([]string(nil), known...)
	width, height := o.size()
	list = append(list, fmt.Sprintf("window-size=%d,%d", width, height), "user-data-dir="+profile,
		fmt.Sprintf("remote-debugging-port=%d", o.Port))
	if lifeline {
		list = append(list, "remote-debugging-pipe")
	}
	if !o.Headed {
		list = append(list, headless...)
	}
	if !sandbox {
		list = append(list, "no-sandbox")
	}
	for _, flag := range append(list, o.Flags...) {
		f.add(flag)
	}
	return append(f.args(), "about:blank")
}
