package mcp

import (
	"cmp"
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/codegen"
)

func (s *Server) addCodeTools() {
	tool(s, readOnly("script", "A program that does the session again: a Playwright test with assertions (as=test), a script that says whether the failure shows again (as=repro), or a Go program for rod (as=rod). Secrets become variables of the environment, which needs names."), s.scriptTool)
	tool(s, readOnly("bugreport", "A bug report in Markdown that a person can read: steps, expected and actual, errors, environment, and a script."), s.bugreportTool)
}

type scriptArgs struct {
	TraceArg
	As       string `json:"as,omitempty" jsonschema:"test, repro or rod; repro unless told"`
	Style    string `json:"style,omitempty" jsonschema:"how much a test asserts: smoke, standard or full; standard unless told"`
	Fixtures string `json:"fixtures,omitempty" jsonschema:"data of the server: none, mock (recorded answers) or seed (requests that made it); none unless told"`
	Expect   string `json:"expect,omitempty" jsonschema:"where the session went wrong a test wants recorded (the same again) or fixed; recorded unless told"`
	BaseURL  string `json:"base_url,omitempty" jsonschema:"origin to run against, instead of the recorded one"`
	Last     int    `json:"last,omitempty" jsonschema:"only so many of the last actions"`
	Text     int    `json:"from,omitempty" jsonschema:"first letter of the text that is wanted"`
}

// Program is a program that was made of a session.
type Program struct {
	Name     string             `json:"name"`
	As       string             `json:"as"`
	Code     Text               `json:"code"`
	Steps    int                `json:"steps"`
	Needs    []codegen.Variable `json:"needs" jsonschema:"variables of the environment that must be set"`
	Warnings []string           `json:"warnings"`
}

func (p *Program) shrink() bool { return p.Code.shrink() }

func (s *Server) scriptTool(ctx context.Context, in scriptArgs) (Program, reply, error) {
	o := codegen.DefaultOptions()
	o.BaseURL, o.Last = in.BaseURL, in.Last
	o.Style, o.Fixtures, o.Expect = cmp.Or(codegen.Style(in.Style), o.Style), cmp.Or(codegen.Fixtures(in.Fixtures), codegen.NoFixtures), cmp.Or(codegen.Expectation(in.Expect), o.Expect)
	if err := o.Valid(); err != nil {
		return Program{}, reply{}, err
	}
	p := Program{As: cmp.Or(in.As, "repro"), Needs: []codegen.Variable{}, Warnings: []string{}}
	write := map[string]func(*codegen.Scenario) []byte{"test": (*codegen.Scenario).Test, "repro": (*codegen.Scenario).Script, "rod": (*codegen.Scenario).Go}[p.As]
	if write == nil {
		return Program{}, reply{}, fmt.Errorf("as is test, repro or rod, not %.40q", p.As)
	}
	t, err := s.scenario(ctx, in.Trace, o, func(c *codegen.Scenario) error {
		p.Name = c.Name
		p.Code = textPart(string(write(c)), in.Text, 30000)
		p.Steps, _ = c.Numbers()
		p.Needs = append(p.Needs, c.Needs...)
		for _, w := range c.Warnings[:min(len(c.Warnings), 10)] {
			p.Warnings = append(p.Warnings, w.String())
		}
		return nil
	})
	return p, reply{session: t, redacted: true, content: []mcp.Content{&mcp.TextContent{Text: p.Code.Text + note(p.Code.Note)}}}, err
}

// scenario reads a copy of a trace that holds no secrets.
func (s *Server) scenario(ctx context.Context, name string, o codegen.Options, do func(*codegen.Scenario) error) (*session, error) {
	t, _, err := s.load(ctx, name)
	if err != nil {
		return t, err
	}
	a, done, err := codegen.Redacted(ctx, t.archive, s.o.Redact)
	if err != nil {
		return t, err
	}
	defer done()
	tr, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		return t, err
	}
	c, err := codegen.Read(ctx, a, tr, o)
	if err != nil {
		return t, err
	}
	return t, do(c)
}

type bugreportArgs struct {
	TraceArg
	NoScript bool `json:"no_script,omitempty" jsonschema:"leave the script out"`
	From     int  `json:"from,omitempty" jsonschema:"first letter of the text that is wanted"`
}

func (s *Server) bugreportTool(ctx context.Context, in bugreportArgs) (Text, reply, error) {
	o := codegen.DefaultOptions()
	o.Fixtures = codegen.NoFixtures
	var text Text
	t, err := s.scenario(ctx, in.Trace, o, func(c *codegen.Scenario) error {
		r, err := c.Report(ctx, codegen.ReportOptions{Inline: true, NoPictures: true, NoScript: in.NoScript}) // snapshot shows pictures
		if err == nil {
			text = textPart(string(r.Markdown), in.From, 30000)
		}
		return err
	})
	return text, reply{session: t, redacted: true, content: []mcp.Content{&mcp.TextContent{Text: text.Text + note(text.Note)}}}, err
}
