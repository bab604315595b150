// Pictures takes a picture of every screen of the viewer, dark and light and in
// two sizes, into a folder, and those of the documentation into another:
//
//	go run ./viewer/internal/pictures -o out/pictures -docs docs/images
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace/index"
	"github.com/tracedeck/tracedeck/viewer"
)

const corpus = "testdata/corpus/playwright/"

// screen is what a picture shows: traces, and what is done before it is taken.
type screen struct {
	name   string
	paths  []string
	folder bool   // of runs: watched, or looked through for the last pass
	ready  string // expression that holds when all is there
	do     []string
	docs   string // name in the documentation, of the dark picture; "-" takes the light one too
}

// Steps are "key:…", "click:…" with a selector, "type:…" and "wait:…" with an
// expression.
var screens = []screen{
	{name: "failure", paths: []string{"runner-failing-assertion.zip"}, folder: true, ready: `document.querySelector(".sincepass")`, docs: "viewer"},
	{name: "main", paths: []string{"network.zip"}, do: []string{"more:network", `wait:document.querySelector("#detail .list .nrow")`, `click:#detail .list .nrow`, `wait:document.querySelector("#detail .below")`}},
	{name: "inspect", paths: []string{"forms.zip"}, do: []string{"key:i", `wait:document.querySelectorAll(".inspecttree .noderow").length > 3`, `click:.inspecttree .slot:nth-of-type(5) .noderow`, `wait:document.querySelector(".locatorline")`}, docs: "inspect"},
	{name: "performance", paths: []string{"network.zip"}, do: []string{"key:P", `wait:document.querySelector(".slowrow")`}, docs: "performance"},
	{name: "contract", paths: []string{"network.zip"}, do: []string{"key:C", `wait:document.querySelector("#detail table")`}},
	{name: "audit", paths: []string{"network.zip"}, do: []string{"more:audit", `wait:document.querySelector(".finding")`}},
	{name: "split", paths: []string{"runner-failing-assertion.zip"}, do: []string{"key:y", `wait:document.querySelector("#dock")`}},
	{name: "script", paths: []string{"runner-failing-assertion.zip"}, do: []string{"key:b", `wait:document.querySelector(".codetext")`}},
	{name: "search", paths: []string{"fail.zip"}, do: []string{"key:/", `wait:document.activeElement.type === "search"`, "type:click", `wait:document.querySelector(".choice")`}},
	{name: "keys", paths: []string{"fail.zip"}, do: []string{"key:?", `wait:document.querySelector(".keyrow")`}},
	{name: "compare", paths: []string{"pair-a.zip", "pair-b.zip"}, ready: `document.querySelector(".sides")?.textContent.includes("First divergence")`, docs: "compare"},
	{name: "swipe", paths: []string{"pair-a.zip", "pair-b.zip"}, ready: `document.querySelector(".sides")?.textContent.includes("First divergence")`, do: []string{"key:m", `wait:document.querySelector(".divider")`}},
	{name: "start", folder: true, ready: `document.querySelectorAll(".folder .trow").length > 5 && document.querySelectorAll(".folder .sign.unread").length === 0`, docs: "start"},
}

func main() {
	out := flag.String("o", "out/pictures", "folder of all pictures")
	docs := flag.String("docs", "", "folder of the documentation's pictures; none by default")
	only := flag.String("only", "", "screens to take, with commas between; all by default")
	flag.Parse()
	if err := run(*out, *docs, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out, docs, only string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "pictures-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	runs := filepath.Join(out, "ci-artifacts") // its name is in the picture: no temporary folder
	defer os.RemoveAll(runs)
	if err := layRuns(runs); err != nil {
		return err
	}
	browser, stop, err := chromium(work)
	if err != nil {
		return err
	}
	defer stop()
	for _, s := range screens {
		if only != "" && !strings.Contains(","+only+",", ","+s.name+",") {
			continue
		}
		if err := s.take(browser, runs, out, docs); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

func chromium(work string) (*rod.Browser, func(), error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		path, _ = launcher.LookPath()
	}
	l := launcher.New().Bin(path).Leakless(false).UserDataDir(filepath.Join(work, "profile")).Headless(false).NoSandbox(os.Geteuid() == 0).
		Set("headless", "new").Set("disable-gpu").Set("no-first-run").Set("disable-background-networking").Set("disable-sync")
	address, err := l.Launch()
	if err != nil {
		return nil, nil, err
	}
	b := rod.New().ControlURL(address)
	return b, func() { _ = b.Close(); l.Kill() }, b.Connect()
}

// take serves the traces and takes the screen's pictures.
func (s *screen) take(browser *rod.Browser, runs, out, docs string) error {
	o := viewer.Options{Index: index.Options{NoCache: true}, Compare: len(s.paths) == 2, Version: "1.0"}
	if s.folder {
		o.Folder = runs
	}
	for _, p := range s.paths {
		o.Paths = append(o.Paths, corpus+p)
	}
	var err error
	if o.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	if o.ContentListener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server, err := viewer.New(ctx, o)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx) }()
	for _, theme := range []string{"dark", "light"} {
		for _, size := range [][2]int{{1440, 900}, {1024, 700}} {
			png, err := s.shot(browser, server.URL(), theme, size)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(out, fmt.Sprintf("%s-%s-%d.png", s.name, theme, size[0])), png, 0o666); err != nil {
				return err
			}
			if docs != "" && s.docs != "" && size[0] == 1440 && (theme == "dark" || s.docs == "viewer") {
				if err := os.WriteFile(filepath.Join(docs, s.docs+"-"+theme+".png"), png, 0o666); err != nil {
					return err
				}
			}
		}
	}
	cancel()
	return <-ended
}

func (s *screen) shot(browser *rod.Browser, url, theme string, size [2]int) ([]byte, error) {
	own, err := browser.Incognito()
	if err != nil {
		return nil, err
	}
	defer own.Close()
	p, err := own.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		return nil, err
	}
	p = p.Timeout(time.Minute)
	if err := p.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: size[0], Height: size[1], DeviceScaleFactor: 1}); err != nil {
		return nil, err
	}
	if err := (proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: theme}}}).Call(p); err != nil {
		return nil, err
	}
	if err := p.Navigate(url); err != nil {
		return nil, err
	}
	ready := s.ready
	if ready == "" {
		ready = `document.querySelector("footer")?.textContent.includes("read in") && document.querySelector("#steps .row")`
	}
	for _, step := range append([]string{"wait:" + ready}, s.do...) {
		if err := do(p, step); err != nil {
			return nil, fmt.Errorf("%s: %w; the page says: %.300q", step, err, said(p))
		}
	}
	time.Sleep(900 * time.Millisecond) // for recorded pages and pictures to be drawn
	return p.Screenshot(false, &proto.PageCaptureScreenshot{Format: proto.PageCaptureScreenshotFormatPng})
}

// do carries out one step.
func do(p *rod.Page, step string) error {
	kind, what, _ := strings.Cut(step, ":")
	var err error
	switch kind {
	case "wait":
		err = p.Wait(rod.Eval("() => !!(" + what + ")"))
	case "key":
		_, err = p.Eval(`(k) => void dispatchEvent(new KeyboardEvent("keydown", { key: k, shiftKey: k !== k.toLowerCase(), bubbles: true }))`, what)
	case "type":
		err = p.InsertText(what)
	case "more":
		_, err = p.Eval(`(tab) => { const t = document.querySelector("#tab-" + tab); if (t) { t.click(); return; } const s = document.querySelector(".more select"); s.value = tab; s.dispatchEvent(new Event("change", { bubbles: true })); }`, what)
	case "click":
		_, err = p.Eval(`(q) => document.querySelector(q)?.click()`, what)
	}
	return err
}

// said is the text of a page that did not come to where it should.
func said(p *rod.Page) string {
	r, err := p.CancelTimeout().Timeout(5 * time.Second).Eval(`() => document.visibilityState + " " + location.hash + " " + document.body.innerText`)
	if err != nil {
		return err.Error()
	}
	return r.Value.Str()
}
