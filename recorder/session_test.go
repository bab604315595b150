package recorder

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace"
)

// A session with rod holds what the page did and what the program did.
func TestSessionHoldsWhatHappened(t *testing.T) {
	site, browser := serveSite(t), launchBrowser(t)
	ctx := context.Background()
	out := filepath.Join(t.TempDir(), "session.zip")
	s, err := Start(ctx, browser, DefaultOptions(out))
	if err != nil {
		t.Fatal(err)
	}
	page, err := browser.Page(proto.TargetCreateTarget{})
	if err != nil {
		t.Fatal(err)
	}
	s.StartGroup("Order")
	page.MustNavigate(site.URL + "/").MustWaitLoad()
	page.MustElement("#name").MustInput("Ada")
	page.MustElement("#buy").MustClick()
	eventually(t, "the order is shown", func() bool { return page.MustElement("#out").MustText() == "order-7" })
	eventually(t, "the worker is done", func() bool { return page.MustHas("[data-worker=done]") })
	s.StopGroup()
	page.MustNavigate(site.URL + "/second.html").MustWaitLoad()
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	a, tr := loadTrace(t, out)
	if keep := os.Getenv("KEEP_TRACE"); keep != "" {
		data, _ := os.ReadFile(out)
		_ = os.WriteFile(keep, data, 0o644)
	}
	checkActions(t, tr)
	checkNetwork(t, a, tr)
	checkConsole(t, tr)
	if e := happening(tr, "environment"); e == nil || !strings.Contains(string(e.Params), `"timezoneId"`) {
		t.Errorf("the page's environment: %v", e)
	}
	if e := happening(tr, "storage"); e == nil || !strings.Contains(string(e.Params), `"sid"`) {
		t.Errorf("the origin's storage: %v", e)
	}
	if len(tr.Frames) == 0 {
		t.Error("no pictures")
	}
	noSecrets(t, a)
}

func checkActions(t *testing.T, tr *trace.Trace) {
	t.Helper()
	var titles []string
	for _, a := range tr.Tree() {
		titles = append(titles, a.Title().String())
		if a.Unfinished {
			t.Errorf("%s is unfinished", a.Title())
		}
		if a.Title().Text == "Navigate" && strings.HasSuffix(a.Title().Detail, "/") && (a.Parent == nil || a.Parent.Before.Title != "Order") {
			t.Error("the navigation is not in its group")
		}
		if a.Title().Text == "Navigate" && (len(a.Stack) == 0 || !strings.HasSuffix(a.Stack[0].File, "session_test.go")) {
			t.Errorf("call stack of the navigation: %v", a.Stack)
		}
	}
	all := strings.Join(titles, "\n")
	for _, want := range []string{"Create page", "Order", "Navigate", "second.html"} {
		if !strings.Contains(all, want) {
			t.Errorf("no action %q in\n%s", want, all)
		}
	}
}

func checkNetwork(t *testing.T, a *trace.Archive, tr *trace.Trace) {
	t.Helper()
	for end, want := range map[string]string{"/": "Shop", "/style.css": "teal", "/inner.html": "inner", "/worker.js": "worker",
		"/from-worker": "for the worker", "/target": "moved", "/api/order?x=1": "order-7", "/second.html": "Second", "/ws": "pong ping", "/events": `"id":"2"`} {
		q := requestTo(tr, end)
		if q == nil {
			t.Errorf("no request to %s", end)
			continue
		}
		if body := resource(t, a, q.Response.Content.File); !strings.Contains(body, want) {
			t.Errorf("%s: the body is %q (%s)", end, body, q.Extra("_bodyNote"))
		}
	}
	if q := requestTo(tr, "/moved"); q == nil || q.Response.Status != 302 || !strings.HasSuffix(q.Response.RedirectURL, "/target") {
		t.Errorf("the redirect: %+v", q)
	}
	if q := requestTo(tr, "/missing"); q == nil || q.Response.Status != 404 {
		t.Error("no 404")
	}
	if q := requestTo(tr, ":9/refused"); q == nil || !strings.Contains(q.Response.FailureText, "net::ERR_") {
		t.Errorf("the refused request: %+v", q)
	}
	order := requestTo(tr, "/api/order?x=1")
	if order == nil || order.Request.PostData == nil || resource(t, a, order.Request.PostData.File) != `{"name":"Ada"}` {
		t.Error("the order's body is not there")
	} else if !strings.HasPrefix(order.Request.Header("Authorization"), "Bearer redacted-") || order.Request.Header("Cookie") == "" {
		t.Errorf("the order's headers: %+v", order.Request.Headers)
	}
	if order != nil && (order.Timings.Wait < 0 || order.Time < order.Timings.Wait || order.ServerIPAddress == "" || order.FrameRef == "" || order.PageRef == "") {
		t.Errorf("the order's measures: %+v %v", order.Timings, order.Time)
	}
}

func resource(t *testing.T, a *trace.Archive, file string) string {
	t.Helper()
	if file == "" {
		return ""
	}
	r, err := a.Resource(context.Background(), file)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return ""
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Errorf("%s: %v", file, err)
	}
	return string(data)
}

func checkConsole(t *testing.T, tr *trace.Trace) {
	t.Helper()
	var texts []string
	for _, m := range tr.Console {
		texts = append(texts, m.Kind+" "+m.Text)
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"log hello {a: 1, list: Array(2)} 42", "error Error: shown", "info from the frame", "log from the worker", "error Failed to load resource"} {
		if !strings.Contains(all, want) {
			t.Errorf("no message %q in\n%s", want, all)
		}
	}
	var errs []string
	for _, e := range tr.Errors {
		errs = append(errs, e.Name+": "+e.Message)
	}
	all = strings.Join(errs, "\n")
	for _, want := range []string{"TypeError: thrown later", "Error: nobody cares"} {
		if !strings.Contains(all, want) {
			t.Errorf("no error %q in\n%s", want, all)
		}
	}
}

// noSecrets makes sure that no credential is in any file but the bodies.
func noSecrets(t *testing.T, a *trace.Archive) {
	t.Helper()
	for _, e := range a.Entries() {
		if strings.HasSuffix(e.Name, ".trace") || strings.HasSuffix(e.Name, ".network") {
			if text := resource(t, a, e.Name); strings.Contains(text, "very-secret") {
				i := strings.Index(text, "very-secret")
				t.Errorf("%s holds a secret: …%s…", e.Name, text[max(0, i-80):i+20])
			}
		}
	}
}
