// Package chromium starts the browser in which tests look at pages.
package chromium

import (
	"os"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/launcher"
)

// Launch starts the machine's Chromium, headless and with a profile of its
// own, until the test ends.
func Launch(t testing.TB) *rod.Browser {
	t.Helper()
	path, found := launcher.LookPath()
	if !found {
		t.Fatal("there is no Chromium: make browser installs it")
	}
	l := launcher.New().Bin(path).Leakless(false).Headless(false).Set("headless", "new").Set("disable-gpu").Set("disable-quic").
		Set("no-first-run").Set("disable-background-networking").Set("disable-component-update").Set("disable-sync").NoSandbox(os.Geteuid() == 0)
	address, err := l.Launch()
	if err != nil {
		t.Fatal(err)
	}
	b := rod.New().ControlURL(address)
	t.Cleanup(func() {
		_ = b.Close()
		l.Kill()
		l.Cleanup()
	})
	if err := b.Connect(); err != nil {
		t.Fatal(err)
	}
	return b
}
