package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/contract"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

// learnAnswer is the answer of "contract learn --json".
type learnAnswer struct {
	File     string           `json:"file"`
	Traces   []contractLearnt `json:"traces"`
	Accepted []string         `json:"accepted,omitempty"`
}

type contractLearnt struct {
	Path string `json:"path"`
	*contract.Learnt
}

func learnContract(ctx context.Context, env *env, o contractFlags, args []string) (int, error) {
	if o.file == "" {
		return 0, withHint(errors.New("which file?"), "name the file to keep the contract in with --file")
	}
	c, err := readContract(o.file, !o.accept)
	if err != nil {
		return 0, err
	}
	if c == nil {
		c = &contract.Contract{}
	}
	answer := learnAnswer{File: o.file, Traces: []contractLearnt{}}
	err = eachTrace(ctx, env, args, func(arg string, a *trace.Archive) error {
		if o.accept {
			options := o.Options
			options.URL = template.Filter{}
			names, err := c.Accept(ctx, a, options, o.Options.URL)
			answer.Accepted = append(answer.Accepted, names...)
			return err
		}
		l, err := c.Learn(ctx, a, o.Options)
		answer.Traces = append(answer.Traces, contractLearnt{arg, l})
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := writeContract(env, o.file, c); err != nil {
		return 0, err
	}
	if env.json {
		return exitOK, env.printJSON(answer)
	}
	for _, l := range answer.Traces {
		fmt.Fprintf(env.out, "%s: %s, %s with a shape, %s known (%d new)\n", printable(l.Path), plural(l.Calls, "call"), plural(l.Answers, "answer"), plural(l.Endpoints, "endpoint"), l.New)
	}
	for _, name := range answer.Accepted {
		fmt.Fprintf(env.out, "accepted %s\n", printable(name))
	}
	if o.accept && len(answer.Accepted) == 0 {
		fmt.Fprintln(env.out, "nothing changed for good: that takes three answers in a row that agree")
	}
	return exitOK, nil
}
