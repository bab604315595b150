package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

// docsCommand prints docs/commands.md, which a test compares with the file.
func docsCommand() *command {
	return &command{name: "__docs", hidden: true, short: "print the reference of all commands as Markdown",
		flags: func(*pflag.FlagSet) runner {
			return func(_ context.Context, env *env, _ []string) (int, error) {
				writeReference(env.out)
				return exitOK, nil
			}
		}}
}

func writeReference(w io.Writer) {
	fmt.Fprint(w, "# Commands\n\n<!-- Printed by `tracedeck __docs`; `make docs` writes it anew. -->\n\n")
	fmt.Fprint(w, "A trace is a zip, a folder (also one that is still being recorded into), an http(s) address\n(read by byte ranges), or `-` for standard input. `outer.zip!inner.zip` opens a zip inside a zip.\n\n")
	fmt.Fprint(w, "Answers are on standard output, everything else on standard error. Exit codes: 0 nothing\nchanged or found, 1 changed or found, 2 it could not be done. `--json` prints the answer for\nprograms; `tracedeck schema COMMAND` prints its JSON Schema.\n\n")
	for _, c := range commands() {
		if !c.hidden {
			fmt.Fprintf(w, "- [%s](#%s): %s\n", c.name, c.name, c.short)
		}
	}
	for _, c := range commands() {
		if !c.hidden {
			c.reference(w)
		}
	}
}

func (c *command) reference(w io.Writer) {
	fs := newFlagSet(c)
	c.flags(fs)
	(&env{}).bind(fs)
	var help bytes.Buffer
	printHelp(&help, c, fs)
	fmt.Fprintf(w, "\n## %s\n\n```text\n%s\n```\n", c.name, strings.TrimRight(help.String(), "\n"))
}
