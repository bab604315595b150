package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/nearest"
	"github.com/tracedeck/tracedeck/trace/code"
)

func codesCommand() *command {
	return &command{name: "codes", args: "[CODE…]", short: "say what the codes of errors and warnings mean, and what to do",
		long: "E_ codes are errors, W_ codes warnings. Messages may be worded anew; codes stay.",
		examples: []example{
			{"tracedeck codes E_DIMENSION_MISMATCH", "what it is about"},
			{"tracedeck codes --json", "all of them, for programs"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			markdown := fs.Bool("markdown", false, "print them as Markdown, as in docs/codes.md")
			return func(_ context.Context, env *env, args []string) (int, error) {
				list, err := codesNamed(args)
				switch {
				case err != nil:
					return 0, err
				case env.json:
					return exitOK, env.printJSON(list)
				case *markdown:
					return exitOK, codesMarkdown(env.out, list)
				}
				for _, c := range list {
					fmt.Fprintf(env.out, "%s  %s\n    %s\n", c.Name, env.paint(dim, c.Area), c.Means)
					if c.Next != "nothing" {
						fmt.Fprintf(env.out, "    hint: %s\n", c.Next)
					}
				}
				return exitOK, nil
			}
		}}
}

func codesNamed(names []string) ([]code.Code, error) {
	if len(names) == 0 {
		return code.All(), nil
	}
	var list []code.Code
	var known []string
	for _, c := range code.All() {
		known = append(known, c.Name)
	}
	for _, name := range names {
		c, ok := code.Find(strings.ToUpper(name))
		if !ok {
			err := fmt.Errorf("there is no code %q", name)
			if near := nearest.Word(strings.ToUpper(name), known); near != "" {
				return nil, withHint(err, "did you mean "+near+"?")
			}
			return nil, withHint(err, "tracedeck codes lists them")
		}
		list = append(list, c)
	}
	return list, nil
}

func codesMarkdown(w io.Writer, list []code.Code) error {
	_, err := fmt.Fprint(w, "# Codes\n\n<!-- Printed by `tracedeck codes --markdown`. -->\n\nErrors (`E_`) and warnings (`W_`) have codes that stay the same when messages are worded anew.\n`tracedeck codes CODE` says the same.\n")
	area := ""
	for _, c := range list {
		if c.Area != area {
			area = c.Area
			_, e := fmt.Fprintf(w, "\n## %s\n\n| code | means | what to do |\n| --- | --- | --- |\n", strings.ToUpper(area[:1])+area[1:])
			err = errors.Join(err, e)
		}
		_, e := fmt.Fprintf(w, "| `%s` | %s | %s |\n", c.Name, c.Means, c.Next)
		err = errors.Join(err, e)
	}
	return err
}
