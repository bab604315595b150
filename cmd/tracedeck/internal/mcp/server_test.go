package mcp

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/diff/verify"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// connect returns a client of a new server, and the addresses it was told of.
func connect(t *testing.T, o Options) (*mcp.ClientSession, <-chan string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	s := New(o)
	updates := make(chan string, 100)
	here, there := mcp.NewInMemoryTransports()
	done := make(chan struct{})
	go func() { defer close(done); _ = s.Run(ctx, there) }()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updates <- r.Params.URI }})
	cs, err := c.Connect(ctx, here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cs.Close(); cancel(); <-done; s.Close() })
	return cs, updates
}

// call calls a tool and puts its structured output into out.
func call(t *testing.T, cs *mcp.ClientSession, name string, args any, out any) string {
	t.Helper()
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	text := ""
	for _, c := range res.Content {
		if tc, ok := c.(*mcp.TextContent); ok {
			text += tc.Text
		}
	}
	if res.IsError {
		t.Fatalf("%s: %s", name, text)
	}
	b, err := json.Marshal(res.StructuredContent)
	if err == nil && out != nil {
		err = json.Unmarshal(b, out)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return string(b) + text
}

type args map[string]any

func TestAnAgentFindsWhyItFailed(t *testing.T) {
	cs, _ := connect(t, Options{})
	var sum Summary
	call(t, cs, "open", args{"path": tracetest.Corpus(t, "playwright/runner-failing-assertion.zip")[0]}, &sum)
	if sum.ID != "t1" || sum.Failures != 2 || !strings.Contains(sum.Next, "errors") {
		t.Errorf("%+v", sum)
	}
	var errs struct {
		Items []struct {
			Action, Waited string
			Hints          []struct{ Rule string }
		}
	}
	call(t, cs, "errors", args{}, &errs)
	last := errs.Items[len(errs.Items)-1]
	if !strings.Contains(last.Waited, "never had the expected value") || last.Hints[0].Rule != "wrong-value" {
		t.Errorf("%+v", last)
	}
	var act ActionDetail
	call(t, cs, "action", args{"trace": "t1", "action": last.Action}, &act)
	if act.Call == "" || act.Message == "" || len(act.Log) == 0 {
		t.Errorf("%+v", act)
	}
	var page PageView
	call(t, cs, "snapshot", args{"action": last.Action}, &page)
	if !strings.Contains(page.Content.Text, "1") || page.URL == "" {
		t.Errorf("%+v", page)
	}
	var reqs List[RequestItem]
	call(t, cs, "network", args{"grep": "localhost"}, &reqs)
	i := slices.IndexFunc(reqs.Items, func(r RequestItem) bool { return strings.Contains(r.Bodies, "response") })
	if i < 0 {
		t.Fatalf("no request with a body: %+v", reqs)
	}
	var body Text
	call(t, cs, "body", args{"line": reqs.Items[i].Line}, &body)
	var detail RequestDetail
	call(t, cs, "request", args{"line": reqs.Items[i].Line}, &detail)
	if body.Total == 0 || len(detail.Received) == 0 {
		t.Errorf("%+v, %+v", body, detail)
	}
	if text := call(t, cs, "report", args{"budget": 200}, nil); !strings.Contains(text, "## Failure: suite.spec.mjs:26") {
		t.Error(text)
	}
	var hits List[HitItem]
	call(t, cs, "search", args{"query": "toHaveText"}, &hits)
	if hits.Total == 0 {
		t.Error("nothing found")
	}
}

func TestEveryToolAnswersOnEveryKindOfTrace(t *testing.T) {
	cs, _ := connect(t, Options{})
	for _, path := range tracetest.Corpus(t, "vibium/v26.8.21-*.zip") {
		var sum Summary
		call(t, cs, "open", args{"path": path}, &sum)
		for _, tool := range []string{"actions", "errors", "network", "console", "report", "watch"} {
			a := args{"trace": sum.ID}
			if tool == "report" {
				a = args{"traces": []string{sum.ID}}
			}
			call(t, cs, tool, a, nil)
		}
	}
	var cmp Comparison
	pair := append(tracetest.Corpus(t, "playwright/pair-a.zip"), tracetest.Corpus(t, "playwright/pair-b.zip")...)
	call(t, cs, "diff", args{"before": pair[0], "after": pair[1]}, &cmp)
	if cmp.Verdict == "" || cmp.Verdict == "same" || len(cmp.Sections) == 0 || cmp.Changes.Total == 0 {
		t.Errorf("%+v", cmp)
	}
}

func TestAPictureIsShownUnlessForbidden(t *testing.T) {
	path := tracetest.Corpus(t, "playwright/basic.zip")[0]
	for _, forbidden := range []bool{false, true} {
		cs, _ := connect(t, Options{NoPictures: forbidden})
		var list List[ActionItem]
		call(t, cs, "open", args{"path": path}, nil)
		call(t, cs, "actions", args{}, &list)
		res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "snapshot", Arguments: args{"action": list.Items[len(list.Items)-1].ID, "as": "picture"}})
		if err != nil {
			t.Fatal(err)
		}
		img, ok := res.Content[0].(*mcp.ImageContent)
		if ok == forbidden || res.IsError != forbidden {
			t.Errorf("forbidden %v: %+v", forbidden, res.Content[0])
		}
		if ok && len(img.Data) < 500 {
			t.Errorf("%d bytes", len(img.Data))
		}
	}
}

const secret = "Xk42-violet-lantern-93"

// secretive is a trace that shows a secret in many places.
func secretive(t *testing.T) string {
	request := fmt.Sprintf(`{"startedDateTime":"2023-11-14T22:13:20Z","time":5,"request":{"method":"POST","url":"http://a.test/x?access_token=%[1]s","headers":[{"name":"Authorization","value":"Bearer %[1]s"}],"postData":{"mimeType":"application/json","text":"{\"password\":\"%[1]s\"}"}},"response":{"status":500,"headers":[{"name":"Set-Cookie","value":"sid=%[1]s; Path=/"}],"content":{"mimeType":"text/plain","text":"wrong: %[1]s"}},"_monotonicTime":2}`, secret)
	return tracetest.Zip(t, `== trace.trace
context-options
	version: 8
	origin: library
	browserName: chromium
	platform: linux
	wallTime: 1700000000000
	monotonicTime: 1
	sdkLanguage: javascript
	title: "session `+secret+`"
	options: {}
before
	callId: call@1
	startTime: 1
	class: Frame
	method: fill
	params: {"selector":"#password","value":"`+secret+`"}
log
	callId: call@1
	time: 2
	message: fill("`+secret+`")
console
	time: 3
	messageType: error
	text: "the token `+secret+` is old"
	location: {"url":"http://a.test/?token=`+secret+`","lineNumber":0,"columnNumber":0}
after
	callId: call@1
	endTime: 4
	error: {"name":"Error","message":"no element for `+secret+`"}
frame-snapshot
	snapshot: {"callId":"call@1","snapshotName":"after@call@1","pageId":"p","frameId":"f","frameUrl":"http://a.test/#`+secret+`","html":["HTML",{},["BODY",{},"it is `+secret+`"]],"timestamp":4,"isMainFrame":true,"resourceOverrides":[]}

== trace.network
resource-snapshot
	snapshot: `+request+`
`)
}

// tells reports whether a text tells the secret in any way it can be written.
func tells(text string) bool {
	for _, form := range []string{"violet", "lantern", hex.EncodeToString([]byte(secret)), url.QueryEscape(secret), strings.TrimRight(base64.StdEncoding.EncodeToString([]byte(secret)), "=")[:24]} {
		if strings.Contains(strings.ToLower(text), strings.ToLower(form)) {
			return true
		}
	}
	return false
}

func TestNoAnswerTellsASecret(t *testing.T) {
	cs, _ := connect(t, Options{})
	path := secretive(t)
	asked := map[string]bool{}
	call(t, cs, "open", args{"path": path}, nil)
	for _, c := range []struct {
		tool string
		args args
	}{{"open", args{"path": path}}, {"list", args{}}, {"actions", args{}}, {"action", args{"action": "call@1"}}, {"errors", args{}}, {"network", args{}}, {"request", args{"line": "trace.network:1"}},
		{"body", args{"line": "trace.network:1"}}, {"body", args{"line": "trace.network:1", "of": "request"}}, {"console", args{}}, {"snapshot", args{"action": "call@1"}},
		{"search", args{"query": "violet"}}, {"search", args{"query": secret}}, {"report", args{}}, {"watch", args{}}, {"diff", args{"before": path, "after": tracetest.Corpus(t, "playwright/fail.zip")[0]}},
		{"audit", args{"trace": "t1", "severity": "info"}}, {"contract", args{"trace": "t1", "good": []string{path}}}, {"perf", args{"trace": "t1", "before": path}},
		{"script", args{"trace": "t1"}}, {"script", args{"trace": "t1", "as": "test", "style": "full", "fixtures": "mock"}}, {"script", args{"trace": "t1", "as": "rod"}}, {"bugreport", args{"trace": "t1"}},
		{"verify_start", args{"trace": "t1", "label": "v"}}, {"verify_watch", args{"verification": "v", "place": path}}, {"verify_compare", args{"verification": "v"}},
		{"verify_status", args{}}, {"verify_cancel", args{"verification": "v"}}, {"snapshot_capture", args{"trace": "t1", "name": "s"}}, {"snapshot_compare", args{"a": "s", "b": "current"}},
		{"snapshot_list", args{}}, {"snapshot_delete", args{"name": "s"}}} {
		asked[c.tool] = true
		if text := call(t, cs, c.tool, c.args, nil); tells(text) {
			t.Errorf("%s tells the secret: %s", c.tool, text)
		}
		if c.tool == "report" { // two are open from now on, and the others name theirs
			call(t, cs, "open", args{"path": path}, nil)
		}
	}
	for tool, err := range cs.Tools(context.Background(), nil) {
		if err != nil || !asked[tool.Name] {
			t.Errorf("%s was not asked: %v", tool.Name, err)
		}
	}
	for _, uri := range []string{"tracedeck://trace/t1", "tracedeck://trace/t1/report", "tracedeck://events/t1"} {
		res, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		if tells(res.Contents[0].Text) || res.Contents[0].Text == "" {
			t.Errorf("%s: %s", uri, res.Contents[0].Text)
		}
	}
}

func TestAnswersFitAndSayWhatIsLeftOut(t *testing.T) {
	cs, _ := connect(t, Options{MaxAnswer: 3000})
	call(t, cs, "open", args{"path": tracetest.Corpus(t, "playwright/big-dom.zip")[0]}, nil)
	seen := 0
	for from := 0; ; {
		var list List[ActionItem]
		call(t, cs, "actions", args{"from": from, "limit": 500, "all": true}, &list)
		if b, _ := json.Marshal(list); len(b) > 3000 {
			t.Errorf("%d bytes", len(b))
		}
		seen += len(list.Items)
		from += len(list.Items)
		if (list.Left > 0) != (list.Note != "") || from+list.Left != list.Total {
			t.Fatalf("%+v", list)
		}
		if list.Left == 0 {
			if seen != list.Total {
				t.Errorf("%d of %d", seen, list.Total)
			}
			break
		}
	}
}

func TestASubscriberHearsOfANewError(t *testing.T) {
	cs, updates := connect(t, Options{})
	dir := t.TempDir()
	write := func(lines string) {
		f, err := os.OpenFile(filepath.Join(dir, "trace.trace"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = f.WriteString(lines)
		}
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	write(`{"version":8,"type":"context-options","origin":"library","browserName":"chromium","platform":"linux","wallTime":1,"monotonicTime":1,"options":{}}` + "\n")
	var sum Summary
	call(t, cs, "open", args{"path": dir}, &sum)
	if !sum.Recording {
		t.Errorf("%+v", sum)
	}
	uri := "tracedeck://events/" + sum.ID
	if err := cs.Subscribe(context.Background(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	write(`{"type":"console","messageType":"error","text":"the cart is gone","time":2,"location":{"url":"","lineNumber":0,"columnNumber":0}}` + "\n")
	select {
	case got := <-updates:
		if got != uri {
			t.Errorf("told of %s", got)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was told")
	}
	res, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
	if err != nil || !strings.Contains(res.Contents[0].Text, "the cart is gone") {
		t.Errorf("%v %v", res, err)
	}
	write(`{"type":"console","messageType":"error","text":"and the till","time":3,"location":{"url":"","lineNumber":0,"columnNumber":0}}` + "\n")
	var news News
	call(t, cs, "watch", args{"trace": sum.ID, "cursor": 1, "wait": 30}, &news)
	if len(news.Findings) != 1 || !strings.Contains(news.Findings[0].Message, "till") || news.Cursor != 2 {
		t.Errorf("%+v", news)
	}
	var list List[ConsoleItem]
	call(t, cs, "console", args{"trace": sum.ID}, &list)
	if list.Total != 2 {
		t.Errorf("%+v", list)
	}
}

func TestAnAgentVerifiesAFix(t *testing.T) {
	cs, _ := connect(t, Options{})
	broken, good := tracetest.Corpus(t, "playwright/console.zip")[0], tracetest.Corpus(t, "playwright/basic.zip")[0]
	var sum Summary
	call(t, cs, "open", args{"path": broken}, &sum)
	var began VerifyStarted
	call(t, cs, "verify_start", args{"trace": sum.ID, "label": "fix"}, &began)
	if began.Baseline.Kinds != 4 || began.Baseline.Issues.Total != 4 || began.Status != "baseline_captured" {
		t.Errorf("%+v", began)
	}
	res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "verify_compare", Arguments: args{"verification": "fix"}})
	if err != nil || !res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "E_VERIFY_NOT_WATCHING") {
		t.Errorf("%+v %v", res, err)
	}
	call(t, cs, "verify_watch", args{"verification": "fix", "place": broken}, nil)
	var v Verification
	if call(t, cs, "verify_compare", args{"verification": began.ID}, &v); v.Verdict != "unchanged" || len(v.Changes) != 4 {
		t.Errorf("%+v", v)
	}
	if call(t, cs, "verify_compare", args{"verification": "fix", "trace": good}, &v); v.Kinds.Resolved != 4 || v.Kinds.New != 0 {
		t.Errorf("%+v", v)
	}
	call(t, cs, "snapshot_capture", args{"name": "good", "trace": good}, nil)
	var d StateDifference
	if call(t, cs, "snapshot_compare", args{"a": "good", "b": sum.ID}, &d); d.Summary.Verdict != "regressed" && d.Summary.Verdict != "mixed" || d.Summary.NewErrorKinds != 4 {
		t.Errorf("%+v", d)
	}
	var kept List[verify.Listed]
	if call(t, cs, "snapshot_list", args{}, &kept); kept.Total != 1 || kept.Items[0].Name != "good" {
		t.Errorf("%+v", kept)
	}
}

func TestAnAgentReviewsASession(t *testing.T) {
	cs, _ := connect(t, Options{})
	path := secretive(t)
	var a Audit
	call(t, cs, "audit", args{"trace": path}, &a)
	if a.Worst != "critical" || a.Findings.Total == 0 || a.Findings.Items[0].Code == "" || len(a.Checks) == 0 {
		t.Errorf("%+v", a)
	}
	network := tracetest.Corpus(t, "playwright/network.zip")[0]
	var p Performance
	call(t, cs, "perf", args{"trace": network, "before": network, "budget": map[string]float64{"requests": 1, "LCP": 2500}}, &p)
	if len(p.Exceeded) != 2 || len(p.Changes) == 0 || len(p.NotRecorded) == 0 {
		t.Errorf("%+v", p)
	}
	var c ContractCheck
	if call(t, cs, "contract", args{"trace": network, "good": []string{network}}, &c); c.Calls == 0 || c.Violations.Total != 0 {
		t.Errorf("%+v", c)
	}
	form := tracetest.Corpus(t, "playwright/forms.zip")[0]
	for as, want := range map[string]string{"test": "import { test, expect } from '@playwright/test'", "repro": "chromium", "rod": "package main"} {
		var prog Program
		if call(t, cs, "script", args{"trace": form, "as": as}, &prog); !strings.Contains(prog.Code.Text, want) || prog.Steps == 0 || prog.Code.Left != 0 {
			t.Errorf("%s: %d steps, %d left:\n%.300s", as, prog.Steps, prog.Code.Left, prog.Code.Text)
		}
	}
	var report Text
	if call(t, cs, "bugreport", args{"trace": tracetest.Corpus(t, "playwright/runner-failing-assertion.zip")[0]}, &report); !strings.Contains(report.Text, "## Steps") {
		t.Errorf("%.500s", report.Text)
	}
}

func TestPromptsAndToolsAreDescribed(t *testing.T) {
	cs, _ := connect(t, Options{})
	for tool, err := range cs.Tools(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if len(tool.Description) < 20 || tool.OutputSchema == nil || tool.Annotations == nil {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
	}
	p, err := cs.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: "compare-runs", Arguments: map[string]string{"before": "a.zip", "after": "b.zip"}})
	if err != nil || !strings.Contains(p.Messages[0].Content.(*mcp.TextContent).Text, "b.zip") {
		t.Errorf("%v %v", p, err)
	}
	if _, err := cs.GetPrompt(context.Background(), &mcp.GetPromptParams{Name: "compare-runs"}); err == nil {
		t.Error("a prompt without its arguments")
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	cs, _ := connect(t, Options{})
	for _, c := range []struct {
		tool, want string
		args       args
	}{{"errors", "call open", args{}}, {"open", "a trace is a zip", args{"path": "/nothing/there.zip"}}} {
		res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
		if err != nil {
			t.Fatal(err)
		}
		if text := res.Content[0].(*mcp.TextContent).Text; !res.IsError || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s", c.tool, text)
		}
	}
}
