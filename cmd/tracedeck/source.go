package main

import (
	"context"
	"net/http"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/index"
)

// openTrace opens the trace that an argument names and prints what was found
// wrong while opening it.
func (e *env) openTrace(ctx context.Context, arg string) (*trace.Archive, error) {
	e.progress.update("opening "+arg, -1)
	header, err := e.header()
	if err != nil {
		return nil, err
	}
	a, err := trace.Open(ctx, arg, trace.Options{Header: header, Stdin: e.in})
	if err != nil {
		return nil, err
	}
	for _, w := range a.Warnings() {
		e.warn("%s", w)
	}
	return a, nil
}

// header takes the --header flags apart.
func (e *env) header() (http.Header, error) {
	h := http.Header{}
	for _, line := range e.headers {
		name, value, ok := strings.Cut(line, ":")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, usageError("--header %q: it is written 'Name: value'", line)
		}
		h.Add(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return h, nil
}

// loadTrace opens a trace and joins all of it.
func (e *env) loadTrace(ctx context.Context, args []string) (*trace.Archive, *trace.Trace, error) {
	if len(args) != 1 {
		return nil, nil, usageError("which trace? one zip, folder or address is expected, not %d", len(args))
	}
	a, err := e.openTrace(ctx, args[0])
	if err != nil {
		return nil, nil, err
	}
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		a.Close()
		return nil, nil, err
	}
	return a, t, nil
}

// indexTrace opens a trace and its index, which holds a trace of any size.
func (e *env) indexTrace(ctx context.Context, arg string) (*trace.Archive, *index.Index, error) {
	a, err := e.openTrace(ctx, arg)
	if err != nil {
		return nil, nil, err
	}
	x, err := index.Open(ctx, a, index.Options{OnBatch: func(b index.Batch) {
		if b.Total > 0 {
			e.progress.update("indexing "+arg, float64(b.Bytes)/float64(b.Total))
		}
	}})
	if err != nil {
		a.Close()
		return nil, nil, err
	}
	return a, x, nil
}
