// Tracedeck records, replays, compares and shows browser session traces.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(start(os.Args[1:]))
}

func start(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return dispatch(ctx, newEnv(os.Stdin, os.Stdout, os.Stderr, os.Getenv), args)
}
