package recorder

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/go-rod/rod"

	"github.com/tracedeck/tracedeck/recorder/cdp"
	"github.com/tracedeck/tracedeck/trace"
)

// Target is what rod drives and a Session records.
type Target interface{ *rod.Browser | *rod.Page }

// Start records a browser, with all pages of its context, or a page with its
// popups. What the program does with rod from then on is recorded as actions
// by itself. The browser must be on this machine and listen on a port, as
// those that rod launches do.
func Start[T Target](ctx context.Context, target T, o Options) (*Session, error) {
	var browser *rod.Browser
	var scope cdp.Scope
	switch t := any(target).(type) {
	case *rod.Browser:
		browser = t
		scope.BrowserContext = string(t.BrowserContextID)
	case *rod.Page:
		browser = t.Browser()
		scope.Target = string(t.TargetID)
	}
	endpoint, err := cdp.EndpointOf(ctx, browser)
	if err != nil {
		return nil, fmt.Errorf("recording: %w", err)
	}
	s, err := attach(ctx, endpoint, scope, o)
	if err != nil {
		return nil, err
	}
	s.tap = newTap(s, browser, scope)
	return s, nil
}

// Attach records all pages of the browser at a DevTools endpoint (a port,
// host:port, http:// or ws:// address), whoever drives it.
func Attach(ctx context.Context, address string, o Options) (*Session, error) {
	endpoint, err := cdp.Endpoint(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("attaching to the browser at %s: %w", address, err)
	}
	return attach(ctx, endpoint, cdp.Scope{}, o)
}

func attach(ctx context.Context, endpoint string, scope cdp.Scope, o Options) (*Session, error) {
	conn, err := cdp.Dial(ctx, endpoint)
	if err != nil {
		return nil, err
	}
	info, err := cdp.Describe(ctx, conn, scope)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("asking the browser what it is: %w", err)
	}
	s, err := New(o, headerOf(info))
	if err != nil {
		conn.Close()
		return nil, err
	}
	if o.Browser.Asked == nil {
		o.Browser.Asked = s.obey
	}
	if s.rec, err = cdp.Start(ctx, conn, s, scope, o.Browser); err != nil {
		s.abandon()
		return nil, err
	}
	go func() {
		<-s.rec.Done()
		s.overOnce.Do(func() { close(s.over) })
	}()
	return s, nil
}

// abandon lets go of a session that did not come to life.
func (s *Session) abandon() {
	close(s.done)
	s.flushing.Wait()
	s.w.Discard()
}

// platforms are Node's names of operating systems, which traces use.
var platforms = map[string]string{"windows": "win32"}

func headerOf(info *cdp.Environment) trace.ContextOptions {
	platform := runtime.GOOS
	if p := platforms[platform]; p != "" {
		platform = p
	}
	h := trace.ContextOptions{Origin: "library", BrowserName: "chromium", LibraryName: "tracedeck", Platform: platform, SDKLanguage: "javascript"}
	h.Options, _ = json.Marshal(info.Context)
	if data, err := json.Marshal(info.Browser); err == nil {
		h.Set("_browser", data)
	}
	return h
}
