package viewer_test

import (
	"bytes"
	"context"
	"image/png"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// chromium is started by the first test that wants it, and shared.
var chromium struct {
	once    sync.Once
	browser *rod.Browser
	err     error
	stop    func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

func startChromium() {
	path, err := exec.LookPath("chromium")
	if err != nil {
		var found bool
		if path, found = launcher.LookPath(); !found {
			chromium.err = err
			return
		}
	}
	profile, err := os.MkdirTemp("", "viewer-test-")
	if err != nil {
		chromium.err = err
		return
	}
	// Sandboxed frames in the page's own process, so that the test can look into them.
	l := launcher.New().Bin(path).Leakless(false).UserDataDir(profile).Headless(false).Set("headless", "new").Set("disable-gpu").Set("disable-quic").
		Set("no-first-run").Set("disable-background-networking").Set("disable-component-update").Set("disable-sync").
		Set("disable-features", "IsolateSandboxedIframes").NoSandbox(os.Geteuid() == 0)
	address, err := l.Launch()
	if err != nil {
		chromium.err = err
		return
	}
	chromium.browser = rod.New().ControlURL(address)
	chromium.err = chromium.browser.Connect()
	chromium.stop = func() {
		_ = chromium.browser.Close()
		l.Kill()
		l.Cleanup()
	}
}

// screen is the page in Chromium.
type screen struct {
	*rod.Page
	t *testing.T
}

// open shows an address in a tab whose storage nobody else sees.
func open(t *testing.T, address string) *screen {
	t.Helper()
	chromium.once.Do(startChromium)
	if chromium.err != nil {
		t.Fatalf("Chromium is needed for this test: %v", chromium.err)
	}
	own, err := chromium.browser.Incognito()
	if err != nil {
		t.Fatal(err)
	}
	p, err := own.Page(proto.TargetCreateTarget{URL: "about:blank"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	t.Cleanup(func() {
		cancel()
		_ = p.Close()
		_ = own.Close()
	})
	s := &screen{p.Context(ctx), t}
	s.size(1440, 900)
	go s.EachEvent(func(e *proto.RuntimeExceptionThrown) {
		t.Errorf("the page threw: %s", e.ExceptionDetails.Exception.Description)
	})()
	if err := (proto.RuntimeEnable{}).Call(s); err != nil {
		t.Fatal(err)
	}
	if err := s.Navigate(address); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *screen) size(width, height int) {
	s.t.Helper()
	if err := s.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1}); err != nil {
		s.t.Fatal(err)
	}
}

// eval returns what a JavaScript expression gives, as text.
func (s *screen) eval(js string) string {
	s.t.Helper()
	r, err := s.Eval("() => { const $ = (q) => document.querySelector(q), all = (q) => [...document.querySelectorAll(q)]; return String(" + js + "); }")
	if err != nil {
		s.t.Fatalf("%s: %v", js, err)
	}
	return r.Value.Str()
}

// wait waits until an expression gives what is wanted.
func (s *screen) wait(js, want string) {
	s.t.Helper()
	got := ""
	for end := time.Now().Add(45 * time.Second); time.Now().Before(end); time.Sleep(25 * time.Millisecond) {
		if got = s.eval(js); got == want {
			return
		}
	}
	s.t.Fatalf("%s is %q, want %q", js, got, want)
}

// press presses keys one after the other.
func (s *screen) press(keys ...input.Key) {
	s.t.Helper()
	for _, k := range keys {
		if err := s.Keyboard.Type(k); err != nil {
			s.t.Fatal(err)
		}
	}
}

// hold presses a key while another is held.
func (s *screen) hold(modifier, k input.Key) {
	s.t.Helper()
	if err := s.Keyboard.Press(modifier); err != nil {
		s.t.Fatal(err)
	}
	s.press(k)
	if err := s.Keyboard.Release(modifier); err != nil {
		s.t.Fatal(err)
	}
}

// tab opens tab n of the details by its key.
func (s *screen) tab(n int) {
	s.t.Helper()
	s.hold(input.AltLeft, input.Key('0'+rune(n)))
}

func (s *screen) click(selector string) {
	s.t.Helper()
	e, err := s.Timeout(10 * time.Second).Element(selector)
	if err == nil {
		err = e.Click(proto.InputMouseButtonLeft, 1)
	}
	if err != nil {
		s.t.Fatalf("clicking %s: %v", selector, err)
	}
}

// read is what the page's status line says when the trace is there.
func (s *screen) loaded() {
	s.t.Helper()
	s.wait(`$("footer")?.textContent.includes("read in")`, "true")
	s.wait(`$("#steps .row.sel") !== null`, "true") // which it is once all rows are here
}

const selected = `$("#steps .row.sel .name")?.textContent`

// colours counts the colours in a picture of an element.
func (s *screen) colours(selector string) int {
	s.t.Helper()
	e, err := s.Timeout(10 * time.Second).Element(selector)
	if err != nil {
		s.t.Fatal(err)
	}
	b, err := e.Screenshot(proto.PageCaptureScreenshotFormatPng, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		s.t.Fatal(err)
	}
	seen := map[[3]uint32]bool{}
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
		}
	}
	return len(seen)
}

// inFrame evaluates an expression in the recorded page.
func (s *screen) inFrame(js string) string {
	s.t.Helper()
	e, err := s.Timeout(5 * time.Second).Element("#stage iframe.shown")
	if err != nil {
		s.t.Fatal(err)
	}
	f, err := e.Frame()
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := f.Eval("() => String(" + js + ")")
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Value.Str()
}

// frameText is the text of the recorded page.
func (s *screen) frameText() string {
	s.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		e, err := s.Timeout(5 * time.Second).Element("#stage iframe.shown")
		if err != nil {
			continue
		}
		f, err := e.Frame()
		if err != nil {
			continue
		}
		body, err := f.Timeout(2 * time.Second).Element("body")
		if err != nil {
			continue
		}
		if text, err := body.Text(); err == nil && strings.TrimSpace(text) != "" {
			return text
		}
	}
	s.t.Fatal("the recorded page shows no text")
	return ""
}
