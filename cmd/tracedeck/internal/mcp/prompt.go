package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// jobs are the prompts: what people want most, and how these tools do it.
var jobs = []struct {
	name, title, text string
	args              []string
}{
	{"why-did-it-fail", "Why did the session fail?",
		`Find out why the browser session recorded in %[1]s failed. Open it, read "errors", and follow the evidence: the failing action, the page at that moment ("snapshot"), the requests and console messages before it. Say what the cause is, what proves it (call ids, request lines, times), and what is only likely.`, []string{"trace"}},
	{"compare-runs", "What became different?",
		`Compare the browser sessions %[1]s (before) and %[2]s (after) with "diff". Say what got worse, what got better, and where they first part. Look closer at each regression with "action", "request" and "snapshot" in both.`, []string{"before", "after"}},
	{"watch-session", "Tell me of trouble while I click",
		`Open the recording folder %[1]s and subscribe to its events (or call "watch" with wait=30 and the cursor of the last answer, again and again). When something comes up, look at what led to it and tell me in a sentence or two, with what proves it.`, []string{"trace"}},
	{"reproduce", "How can it be reproduced?",
		`List the actions of the session in %[1]s, and write the shortest steps by which a person reproduces its first failure, with what is expected and what happens instead. "bugreport" has most of it, "script" makes a program that does it.`, []string{"trace"}},
	{"verify-fix", "Did the change help?",
		`Call "verify_start" with %[1]s before you change the code. Change it, call "verify_watch", have the session done again, and call "verify_compare". Report the verdict with what is gone, what is new, and what was not tried again; inconclusive means that it must be tried again.`, []string{"trace"}},
	{"security-review", "What does the session give away?",
		`Run "audit" on %[1]s, and "contract" for answers that changed their shape. Explain each critical finding and warning with what proves it and how to mend it. Say which checks were not recorded: they are not clean.`, []string{"trace"}},
	{"write-test", "Write a test of it",
		`Make a Playwright test of the session in %[1]s with "script" (as=test, style=standard). Look at what it asserts, take out what is not essential, and say which variables of the environment it needs.`, []string{"trace"}},
}

func (s *Server) addPrompts() {
	for _, j := range jobs {
		p := &mcp.Prompt{Name: j.name, Title: j.title}
		for _, a := range j.args {
			p.Arguments = append(p.Arguments, &mcp.PromptArgument{Name: a, Description: "path or id of a trace", Required: true})
		}
		s.sdk.AddPrompt(p, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			var values []any
			for _, a := range j.args {
				v := strings.TrimSpace(r.Params.Arguments[a])
				if v == "" {
					return nil, fmt.Errorf("%s: the argument %s is missing", j.name, a)
				}
				values = append(values, v)
			}
			return &mcp.GetPromptResult{Description: j.title, Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf(j.text, values...)}}}}, nil
		})
	}
}
