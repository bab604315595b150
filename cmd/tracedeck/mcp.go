package main

import (
	"context"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/mcp"
	"github.com/tracedeck/tracedeck/trace"
)

func mcpCommand() *command {
	return &command{name: "mcp", args: "[TRACE…]", short: "serve traces to AI agents over the Model Context Protocol",
		long: `Speaks MCP on standard input and output, as agents start it, or over HTTP with
--http, which only programs of this machine can reach. There is a tool for each
thing that can be asked of a trace, resources for open traces and for what goes
wrong while one is recorded (they can be subscribed to), and prompts for common
jobs. Secrets are masked in every answer; answers are limited in size and say
what is left out. Traces that are named are opened at the start.`,
		examples: []example{
			{"claude mcp add tracedeck -- tracedeck mcp", "give an agent the tools"},
			{"tracedeck mcp --http 127.0.0.1:7711", "serve http://127.0.0.1:7711/mcp"},
			{"tracedeck mcp --folder test-results", "an agent may open only the traces in it"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			address := fs.String("http", "", "serve streamable HTTP at this address of this machine instead")
			var o mcp.Options
			fs.BoolVar(&o.NoPictures, "no-pictures", false, "show no pictures: they cannot be masked")
			fs.StringArrayVar(&o.Folders, "folder", nil, "open traces only from below this folder, and no addresses; may be given several times")
			return func(ctx context.Context, env *env, args []string) (int, error) {
				return runMCP(ctx, env, o, *address, args)
			}
		}}
}

func runMCP(ctx context.Context, env *env, o mcp.Options, address string, args []string) (int, error) {
	header, err := env.header()
	if err != nil {
		return 0, err
	}
	o.Version, o.Trace = buildVersion(), trace.Options{Header: header}
	s := mcp.New(o)
	defer s.Close()
	for _, name := range args {
		if err := s.Open(ctx, name); err != nil {
			return 0, err
		}
	}
	if address == "" {
		p := mcp.NewPending()
		err := s.Run(ctx, &sdk.IOTransport{Reader: p.In(env.in), Writer: p.Out(env.out)})
		if ctx.Err() != nil {
			err = nil
		}
		return exitOK, err
	}
	l, err := listenLoopback(address)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(env.out, "http://%s/mcp\n", l.Addr())
	return exitOK, serveHTTP(ctx, l, s.Handler())
}
