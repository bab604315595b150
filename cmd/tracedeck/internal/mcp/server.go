// Package mcp offers what tracedeck can tell of traces to AI agents, over the
// Model Context Protocol: tools, resources that can be subscribed to, and
// prompts. Every answer is without secrets and of limited size; what is left out
// is said.
package mcp

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
)

// Options say what a server offers.
type Options struct {
	Version    string
	Trace      trace.Options
	Redact     redact.Options
	NoPictures bool // pictures can show secrets, and cannot be masked
	MaxAnswer  int  // bytes of an answer's text; 0 means 48 KiB
	// Folders are where traces may be opened from; anywhere if there are none.
	Folders []string
}

// Server is an MCP server. Close it.
type Server struct {
	o      Options
	sdk    *mcp.Server
	deck   *deck
	states *states
	takes  map[string][]string // names of arguments by tool
}

const instructions = `tracedeck reads recorded browser sessions (traces of Playwright, Vibium and tracedeck).
Open a trace with "open" (a zip, a folder that is being recorded into, or an http address); every other tool takes its id or path.
To find why a session failed: "errors" gives each failure with evidence and hints; then "action", "snapshot", "request" and "body" look closer.
To see whether a change to the code helped: "verify_start" before it, "verify_watch" after it, "verify_compare" once the session was done again.
To hear of trouble while a session is recorded: open its folder and subscribe to tracedeck://events/{id}, or call "watch" with the cursor of the last answer.
Secrets are masked as redacted-N: the same number is the same value.`

// New returns a server that has no trace open.
func New(o Options) *Server {
	if o.MaxAnswer <= 0 {
		o.MaxAnswer = 48 << 10
	}
	s := &Server{o: o, states: newStates(), takes: map[string][]string{}}
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: "tracedeck", Title: "tracedeck", Version: o.Version}, &mcp.ServerOptions{
		Instructions:       instructions,
		SubscribeHandler:   func(ctx context.Context, r *mcp.SubscribeRequest) error { return s.deck.subscribed(ctx, r.Params.URI) },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		Capabilities:       &mcp.ServerCapabilities{Resources: &mcp.ResourceCapabilities{Subscribe: true, ListChanged: true}},
	})
	s.deck = newDeck(s)
	s.addTools()
	s.addResources()
	s.addPrompts()
	s.sdk.AddReceivingMiddleware(s.explain)
	return s
}

// Open opens a trace before any client asks for it.
func (s *Server) Open(ctx context.Context, path string) error {
	_, err := s.deck.open(ctx, path)
	return err
}

// Run serves one client over the transport until it goes or ctx ends.
func (s *Server) Run(ctx context.Context, t mcp.Transport) error { return s.sdk.Run(ctx, t) }

// Handler serves any number of clients over streamable HTTP. The caller keeps
// strangers out.
func (s *Server) Handler() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.sdk }, nil)
}

// Close lets go of all traces.
func (s *Server) Close() { s.deck.close() }
