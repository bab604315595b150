package cdp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// Endpoint returns the ws:// address of a browser's DevTools endpoint, for a
// port, host:port, http:// or ws:// address.
func Endpoint(ctx context.Context, address string) (string, error) {
	if strings.HasPrefix(address, "ws://") || strings.HasPrefix(address, "wss://") {
		return address, nil
	}
	if port, err := strconv.Atoi(address); err == nil {
		address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	}
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("the browser's address %q: %w", address, err)
	}
	u.Path = "/json/version"
	var v struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if err := getJSON(ctx, u.String(), &v); err != nil {
		return "", err
	}
	if v.URL == "" {
		return "", fmt.Errorf("%s: no browser endpoint in the answer", u)
	}
	return v.URL, nil
}

func getJSON(ctx context.Context, address string, to any) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	// Chromium answers only to Host headers that are an address or localhost.
	if host, port, err := net.SplitHostPort(req.URL.Host); err == nil && net.ParseIP(host) == nil && host != "localhost" {
		if ips, err := net.DefaultResolver.LookupHost(ctx, host); err == nil && len(ips) > 0 {
			req.Host = net.JoinHostPort(ips[0], port)
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", address, resp.Status)
	}
	return json.NewDecoder(http.MaxBytesReader(nil, resp.Body, 1<<20)).Decode(to)
}

// errNoEndpoint is the cause of errors for browsers that cannot be reached by
// a second connection.
var errNoEndpoint = errors.New("the browser does not say where its DevTools endpoint is")

// EndpointOf finds the DevTools endpoint of a browser that rod has connected
// to, so that it can be recorded without getting in rod's way. It goes wrong
// for a browser on another machine and for one that listens on a pipe only.
func EndpointOf(ctx context.Context, b *rod.Browser) (string, error) {
	info, err := proto.SystemInfoGetInfo{}.Call(b.Context(ctx))
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNoEndpoint, err)
	}
	flags := info.CommandLine
	if port := flagValue(flags, "remote-debugging-port"); port != "" && port != "0" {
		if ws, err := Endpoint(ctx, port); err == nil {
			return ws, nil
		}
	}
	dir := flagValue(flags, "user-data-dir")
	if dir == "" {
		return "", errNoEndpoint
	}
	return readActivePort(filepath.Join(dir, "DevToolsActivePort"))
}

// readActivePort reads the file in which Chromium says where it listens.
func readActivePort(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNoEndpoint, err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	var got []string
	for len(got) < 2 && lines.Scan() {
		got = append(got, strings.TrimSpace(lines.Text()))
	}
	if len(got) < 2 || got[0] == "" {
		return "", fmt.Errorf("%w: %s is cut off", errNoEndpoint, name)
	}
	return "ws://127.0.0.1:" + got[0] + got[1], nil
}

// flagValue finds --name=value in a command line in which values may hold
// blanks: a value ends where the next flag begins.
func flagValue(line, name string) string {
	_, rest, ok := strings.Cut(line, "--"+name+"=")
	if !ok {
		return ""
	}
	if q, ok := strings.CutPrefix(rest, `"`); ok {
		value, _, _ := strings.Cut(q, `"`)
		return value
	}
	value, _, _ := strings.Cut(rest, " --")
	return strings.TrimSpace(value)
}
