package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/nearest"
)

// Exit codes. When several apply the highest wins.
const (
	exitOK      = 0 // nothing changed, nothing found
	exitFound   = 1 // changed, or something was found
	exitTrouble = 2 // it could not be done
)

// command is one row of the table of commands.
type command struct {
	name     string
	args     string // how the arguments are written in the usage line
	short    string // one line, no full stop
	long     string // paragraphs for --help
	examples []example
	hidden   bool
	brief    bool // calls holdSignals itself, if at all
	// flags binds the command's flags and returns what runs with them.
	flags func(fs *pflag.FlagSet) runner
}

// runner does a command's work. It prints answers on env.out and the rest on
// env.err, and returns the exit code where err is nil.
type runner func(ctx context.Context, env *env, args []string) (int, error)

type example struct{ line, says string }

// commands returns the table, in the order that help shows it.
func commands() []*command {
	return []*command{
		viewCommand(),
		recordCommand(),
		replayCommand(),
		healCommand(),
		initCommand(),
		ciCommand(),
		approveCommand(),
		statusCommand(),
		baselineCommand(),
		mergeCommand(),
		pruneCommand(),
		watchCommand(),
		mcpCommand(),
		infoCommand(),
		actionsCommand(),
		networkCommand(),
		consoleCommand(),
		errorsCommand(),
		reportCommand(),
		perfCommand(),
		searchCommand(),
		snapshotCommand(),
		framesCommand(),
		eventsCommand(),
		extractCommand(),
		exportCommand(),
		genCommand(),
		reproCommand(),
		bugreportCommand(),
		diffCommand(),
		verifyCommand(),
		auditCommand(),
		contractCommand(),
		checkCommand(),
		fixCommand(),
		upgradeCommand(),
		slimCommand(),
		redactCommand(),
		packCommand(),
		browserCommand(),
		codesCommand(),
		schemaCommand(),
		completionCommand(),
		versionCommand(),
		completeCommand(),
		docsCommand(),
	}
}

func dispatch(ctx context.Context, env *env, args []string) int {
	if len(args) == 0 {
		printUsage(env.err)
		return exitTrouble
	}
	switch args[0] {
	case "-h", "--help", "help":
		return help(env, args[1:])
	case "--version", "-v":
		args = []string{"version"}
	}
	c := find(args[0])
	if c == nil {
		fmt.Fprintf(env.err, "tracedeck: there is no command %q\n", args[0])
		if near := nearest.Word(args[0], names()); near != "" {
			fmt.Fprintf(env.err, "hint: did you mean %q?\n", near)
		} else {
			fmt.Fprintln(env.err, "hint: tracedeck help lists the commands")
		}
		return exitTrouble
	}
	return execute(ctx, env, c, args[1:])
}

func execute(ctx context.Context, env *env, c *command, args []string) int {
	fs := newFlagSet(c)
	do := c.flags(fs)
	env.bind(fs)
	err := fs.Parse(args)
	switch {
	case errors.Is(err, pflag.ErrHelp):
		printHelp(env.out, c, fs)
		return exitOK
	case err != nil:
		return env.fail(c, withHint(err, "tracedeck "+c.name+" --help lists the flags"))
	}
	env.settle()
	if !c.brief {
		holdSignals(ctx)
	}
	code, err := do(ctx, env, fs.Args())
	env.progress.done()
	if err != nil {
		return env.fail(c, err)
	}
	return code
}

func newFlagSet(c *command) *pflag.FlagSet {
	fs := pflag.NewFlagSet(c.name, pflag.ContinueOnError)
	fs.SortFlags = false
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

func find(name string) *command {
	for _, c := range commands() {
		if c.name == name {
			return c
		}
	}
	return nil
}

func names() []string {
	var all []string
	for _, c := range commands() {
		if !c.hidden {
			all = append(all, c.name)
		}
	}
	return all
}

func help(env *env, args []string) int {
	if len(args) == 0 {
		printUsage(env.out)
		return exitOK
	}
	return dispatch(context.Background(), env, []string{args[0], "--help"})
}

func printUsage(w io.Writer) {
	fmt.Fprint(w, "tracedeck opens, checks, repairs and shows browser session traces.\n\nusage: tracedeck COMMAND [flags] [arguments]\n\n")
	width := 0
	for _, n := range names() {
		width = max(width, len(n))
	}
	for _, c := range commands() {
		if !c.hidden {
			fmt.Fprintf(w, "  %-*s  %s\n", width, c.name, c.short)
		}
	}
	fmt.Fprint(w, "\ntracedeck COMMAND --help shows a command's flags and examples.\nA trace is a zip, a folder, an http(s) address, or - for standard input.\n")
}

func printHelp(w io.Writer, c *command, fs *pflag.FlagSet) {
	fmt.Fprintf(w, "%s\n\nusage: tracedeck %s", upperFirst(c.short)+".", c.name)
	if fs.HasFlags() {
		fmt.Fprint(w, " [flags]")
	}
	if c.args != "" {
		fmt.Fprint(w, " "+c.args)
	}
	fmt.Fprintln(w)
	if c.long != "" {
		fmt.Fprintf(w, "\n%s\n", strings.TrimSpace(c.long))
	}
	if fs.HasFlags() {
		fmt.Fprintf(w, "\nflags:\n%s", fs.FlagUsages())
	}
	if len(c.examples) > 0 {
		fmt.Fprintln(w, "\nexamples:")
		for _, e := range c.examples {
			fmt.Fprintf(w, "  %s\n      %s\n", e.line, e.says)
		}
	}
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
