package mcp

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/trace/tracetest"
)

func TestNoAnswerTellsOneOfAThousandSecrets(t *testing.T) {
	a, secrets := tracetest.Planted(t, 1)
	b, more := tracetest.Planted(t, 2)
	cs, _ := connect(t, Options{MaxAnswer: 1 << 20})
	var told strings.Builder
	ask := func(tool string, a args) { told.WriteString(call(t, cs, tool, a, nil) + "\n") }
	for _, path := range []string{a, b} {
		ask("open", args{"path": path})
	}
	for _, tool := range []string{"actions", "errors", "network", "console", "watch", "bugreport"} {
		ask(tool, args{"trace": "t1"})
	}
	var actions List[ActionItem]
	call(t, cs, "actions", args{"trace": "t1"}, &actions)
	for _, x := range actions.Items {
		ask("action", args{"trace": "t1", "action": x.ID})
		ask("snapshot", args{"trace": "t1", "action": x.ID})
	}
	var requests List[RequestItem]
	call(t, cs, "network", args{"trace": "t1"}, &requests)
	for _, r := range requests.Items {
		ask("request", args{"trace": "t1", "line": r.Line})
		for of := range strings.SplitSeq(r.Bodies, ", ") {
			if of == "request" || of == "response" {
				ask("body", args{"trace": "t1", "line": r.Line, "of": of, "limit": 30000})
			}
		}
	}
	for _, q := range []string{"saw", "password", "token", secrets[0].Value} {
		ask("search", args{"trace": "t1", "query": q})
	}
	ask("report", args{"budget": 20000})
	ask("diff", args{"before": "t1", "after": "t2"})
	ask("audit", args{"trace": "t1", "severity": "info", "limit": 500})
	ask("contract", args{"trace": "t1", "good": []string{"t2"}})
	ask("perf", args{"trace": "t1", "before": "t2"})
	for _, as := range []string{"test", "repro", "rod"} {
		ask("script", args{"trace": "t1", "as": as, "style": "full", "fixtures": map[string]string{"test": "mock"}[as]})
	}
	ask("verify_start", args{"trace": "t1", "label": "v"})
	ask("verify_compare", args{"verification": "v", "trace": "t2"})
	ask("verify_status", args{})
	ask("snapshot_capture", args{"trace": "t1", "name": "s"})
	ask("snapshot_compare", args{"a": "s", "b": "t2"})
	for _, uri := range []string{"tracedeck://trace/t1", "tracedeck://trace/t1/report", "tracedeck://events/t1"} {
		res, err := cs.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		told.WriteString(res.Contents[0].Text)
	}
	if len(actions.Items) < 5 || len(requests.Items) < 8 {
		t.Fatalf("%d actions and %d requests", len(actions.Items), len(requests.Items))
	}
	tracetest.Unspoken(append(secrets, more...))(t, "an answer", told.String())
}

func TestCallsAreTakenWithAHint(t *testing.T) {
	dir := tracetest.Corpus(t, "playwright/fail.zip")[0]
	cs, _ := connect(t, Options{Folders: []string{t.TempDir()}})
	refused := func(tool string, a args, want string) {
		t.Helper()
		res, err := cs.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: a})
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := res.Content[0].(*mcp.TextContent); !ok || !res.IsError || !strings.Contains(text.Text, want) {
			t.Errorf("%s %v: %+v", tool, a, res.Content[0])
		}
	}
	refused("open", args{"path": dir}, "is not in a folder that traces may be opened from")
	refused("open", args{"path": "http://a.test/trace.zip"}, "is not in a folder")
	refused("list", args{"folder": "/"}, "is not in a folder")
	refused("audit", args{"trace": dir}, "is not in a folder")
	refused("diff", args{"befor": "a"}, "diff takes after, before, from, limit, pictures; did you mean before?")

	cs, _ = connect(t, Options{})
	call(t, cs, "open", args{"path": dir}, nil)
	var actions List[ActionItem]
	call(t, cs, "actions", args{}, &actions)
	id := actions.Items[0].ID
	refused("action", args{"action": id + "x"}, "did you mean ")
	refused("errors", args{"trace": "t9"}, "open are t1")
}
