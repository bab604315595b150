package recorder

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"

	"github.com/tracedeck/tracedeck/trace"
)

// Each chunk is a zip of its own, in which the pages that were open are known
// and the bodies of earlier chunks are found.
func TestChunksAreZipsOfTheirOwn(t *testing.T) {
	site, browser := serveSite(t), launchBrowser(t)
	ctx, dir := context.Background(), t.TempDir()
	page := browser.MustPage("about:blank")
	o := DefaultOptions("")
	o.Dir = filepath.Join(dir, "recording")
	s, err := Start(ctx, page, o)
	if err != nil {
		t.Fatal(err)
	}
	page.MustNavigate(site.URL + "/second.html").MustWaitLoad()
	if err := s.StopChunk(ctx, filepath.Join(dir, "1.zip")); err != nil {
		t.Fatal(err)
	}
	if err := s.StopChunk(ctx, ""); err != ErrNoChunk {
		t.Errorf("stopping a chunk twice: %v", err)
	}
	page.MustNavigate(site.URL + "/inner.html").MustWaitLoad() // between chunks
	if err := s.StartChunk("the second"); err != nil {
		t.Fatal(err)
	}
	page.MustNavigate(site.URL + "/target").MustWaitLoad()
	if err := s.StopChunk(ctx, filepath.Join(dir, "2.zip")); err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	_, first := loadTrace(t, filepath.Join(dir, "1.zip"))
	a, second := loadTrace(t, filepath.Join(dir, "2.zip"))
	if requestTo(first, "/second.html") == nil || requestTo(first, "/target") != nil {
		t.Error("the first chunk does not hold its request and no other")
	}
	if len(second.Pages) != 1 || second.Contexts[0].Title != "the second" {
		t.Errorf("pages %d, title %q", len(second.Pages), second.Contexts[0].Title)
	}
	for end, want := range map[string]string{"/second.html": "Second", "/inner.html": "inner", "/target": "moved"} {
		q := requestTo(second, end)
		if q == nil {
			t.Errorf("no request to %s in the second chunk", end)
			continue
		}
		if !strings.Contains(resource(t, a, q.Response.Content.File), want) {
			t.Errorf("%s is not in the second chunk: %s %+v", end, q.Extra("_bodyNote"), q.Response.Content)
		}
	}
	if len(second.Actions) != 1 {
		t.Errorf("%d actions in the second chunk", len(second.Actions))
	}
	if _, err := Start(ctx, page, o); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("recording over a recording: %v", err)
	}
}

// A page's popups belong to its recording, other pages do not.
func TestPageIsRecordedWithItsPopups(t *testing.T) {
	site, browser := serveSite(t), launchBrowser(t)
	ctx := context.Background()
	page, other := browser.MustPage("about:blank"), browser.MustPage("about:blank")
	out := filepath.Join(t.TempDir(), "t.zip")
	s, err := Start(ctx, page, DefaultOptions(out))
	if err != nil {
		t.Fatal(err)
	}
	page.MustNavigate(site.URL + "/inner.html").MustWaitLoad()
	other.MustNavigate(site.URL + "/target").MustWaitLoad()
	wait := page.MustWaitOpen()
	page.MustEval("() => { window.open('/second.html') }")
	popup := wait()
	popup.MustWaitLoad()
	popup.MustClose()
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	if requestTo(tr, "/second.html") == nil {
		t.Error("the popup's first request is missing")
	}
	if q := requestTo(tr, "/target"); q != nil {
		t.Error("another page is recorded")
	}
	if len(tr.Pages) != 2 || tr.Pages[1].OpenerID != tr.Pages[0].ID {
		for _, p := range tr.Pages {
			t.Errorf("page %+v", p)
		}
	}
	if !has(tr, "pageClosed") {
		t.Error("the popup was not closed")
	}
}

func has(tr *trace.Trace, method string) bool { return happening(tr, method) != nil }

func happening(tr *trace.Trace, method string) *trace.Happening {
	for _, e := range tr.Events {
		if e.Method == method {
			return e
		}
	}
	return nil
}

// Dialogs, crashes and the end of the browser are told, and nothing hangs.
func TestDialogsCrashesAndTheEnd(t *testing.T) {
	site, browser := serveSite(t), launchBrowser(t)
	ctx := context.Background()
	out := filepath.Join(t.TempDir(), "t.zip")
	o := DefaultOptions(out)
	o.Browser.Dialog = func(kind, message, preset string) (bool, string) { return true, "Ada" }
	s, err := Start(ctx, browser, o)
	if err != nil {
		t.Fatal(err)
	}
	page := browser.MustPage(site.URL + "/second.html").MustWaitLoad()
	if name := page.MustEval(`() => prompt('Who?', 'nobody')`).Str(); name != "Ada" {
		t.Errorf("the prompt was answered %q", name)
	}
	go func() { _ = proto.PageCrash{}.Call(page) }()
	eventually(t, "the crash is recorded", func() bool {
		_ = s.w.Flush()
		data, _ := os.ReadFile(filepath.Join(s.Dir(), "0-trace.trace"))
		return strings.Contains(string(data), `"crash"`)
	})
	_ = browser.Close()
	<-s.Done()
	if err := s.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	_, tr := loadTrace(t, out)
	if d := happening(tr, "dialog"); d == nil || !strings.Contains(string(d.Params), `"message":"Who?"`) {
		t.Errorf("the dialog: %v", d)
	}
	if d := happening(tr, "dialogClosed"); d == nil || !strings.Contains(string(d.Params), `"text":"Ada"`) {
		t.Errorf("the dialog's end: %v", d)
	}
	if !has(tr, "disconnected") {
		t.Error("the end of the browser is not told")
	}
}
