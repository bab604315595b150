package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Connect connects to a Chromium that runs and listens for DevTools: address
// is a ws:// address, an http:// one, host:port, or a port of this machine.
// [Browser.Close] then disconnects and lets it run.
func Connect(ctx context.Context, address string) (*Browser, error) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	endpoint, err := resolve(ctx, address)
	if err == nil {
		b := &Browser{Endpoint: endpoint}
		if err = b.attach(ctx); err == nil {
			return b, nil
		}
	}
	return nil, &Error{Code: "E_BROWSER_CONNECT", Err: fmt.Errorf("connecting to the browser at %s: %w", address, err),
		hint: "is it still there? it has to be started with --remote-debugging-port=9222 and a --user-data-dir of its own"}
}

// resolve finds the ws:// address of a browser.
func resolve(ctx context.Context, address string) (string, error) {
	if strings.HasPrefix(address, "ws://") || strings.HasPrefix(address, "wss://") {
		return address, nil
	}
	if _, err := strconv.ParseUint(address, 10, 16); err == nil {
		address = net.JoinHostPort("127.0.0.1", address)
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", fmt.Errorf("%q is no address of a browser: it is a port, host:port, http:// or ws://", address)
	}
	u.Path, u.RawQuery = "/json/version", ""
	return askEndpoint(ctx, u)
}

func askEndpoint(ctx context.Context, u *url.URL) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", err
	}
	// Chromium answers only to hosts that are an address or localhost.
	if net.ParseIP(u.Hostname()) == nil && u.Hostname() != "localhost" && u.Scheme == "http" {
		if ips, err := net.DefaultResolver.LookupHost(ctx, u.Hostname()); err == nil && len(ips) > 0 {
			req.Host = net.JoinHostPort(ips[0], u.Port())
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var answer struct {
		Endpoint string `json:"webSocketDebuggerUrl"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, resp.Body, 1<<20)).Decode(&answer); err != nil {
		return "", fmt.Errorf("%s: %s is no answer of a browser", u, resp.Status)
	}
	ws, err := url.Parse(answer.Endpoint)
	if err != nil || ws.Scheme != "ws" && ws.Scheme != "wss" {
		return "", fmt.Errorf("%s: %q is no address of a browser", u, answer.Endpoint)
	}
	// Behind a forwarded port the browser tells the name it has on its side.
	ws.Host = u.Host
	if u.Scheme == "https" {
		ws.Scheme = "wss"
	}
	if req.Host != "" && ws.Scheme == "ws" {
		ws.Host = req.Host
	}
	return ws.String(), nil
}
