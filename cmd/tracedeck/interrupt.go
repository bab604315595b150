package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// interrupt is a context that ends at SIGINT and SIGTERM. It listens for them
// from when its end is first asked for: until then they end the program as they
// end any other. A command of milliseconds that never asks is spared the
// goroutines and the thread, which are a tenth of what the program costs to start.
type interrupt struct {
	listen func() context.Context
}

// untilInterrupted returns the context. It holds the signals until the program ends.
func untilInterrupted() context.Context {
	return interrupt{sync.OnceValue(func() context.Context {
		ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		return ctx
	})}
}

// holdSignals makes signals end the context, from here on, and not the program.
func holdSignals(ctx context.Context) { ctx.Done() }

// Deadline is part of context.Context: there is none.
func (i interrupt) Deadline() (time.Time, bool) { return time.Time{}, false }

// Done is part of context.Context.
func (i interrupt) Done() <-chan struct{} { return i.listen().Done() }

// Err is part of context.Context.
func (i interrupt) Err() error { return i.listen().Err() }

// Value is part of context.Context. Contexts made of this one ask for it once they asked for its end.
func (i interrupt) Value(key any) any { return i.listen().Value(key) }
