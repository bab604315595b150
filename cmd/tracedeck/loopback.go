package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// listenLoopback listens on an address of this machine that only this machine
// reaches. A port alone will do.
func listenLoopback(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		host, port = "", address
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if !loopbackHost(host) {
		return nil, withHint(fmt.Errorf("%s is not an address of this machine alone", address), "recordings hold secrets: listen on 127.0.0.1, and use an SSH tunnel from elsewhere")
	}
	return net.Listen("tcp", net.JoinHostPort(host, port))
}

func loopbackHost(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// guardLoopback lets only requests through that name this machine, and no
// pages of other origins: a name that a stranger points to 127.0.0.1 must not
// get at recordings.
func guardLoopback(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if !loopbackHost(host) {
			http.Error(w, "unknown host", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if u, err := url.Parse(origin); err != nil || !loopbackHost(u.Hostname()) {
				http.Error(w, "pages of other origins may not ask", http.StatusForbidden)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// serveHTTP serves until ctx ends, and returns when all answers are over.
func serveHTTP(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: guardLoopback(h), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(l) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if srv.Shutdown(closing) != nil {
		srv.Close()
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
