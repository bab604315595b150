package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/trace"
)

// version is set by the linker in releases.
var version = "devel"

func versionCommand() *command {
	return &command{name: "version", brief: true, short: "print the version of tracedeck and of the format it writes",
		flags: func(*pflag.FlagSet) runner {
			return func(_ context.Context, env *env, _ []string) (int, error) {
				v := map[string]any{"version": buildVersion(), "go": runtime.Version(),
					"traceVersion": trace.WriteVersion, "newestTraceVersion": trace.CurrentVersion}
				if env.json {
					return exitOK, env.printJSON(v)
				}
				fmt.Fprintf(env.out, "tracedeck %s (%s), writes trace version %d, reads 3 to %d and newer\n",
					buildVersion(), runtime.Version(), trace.WriteVersion, trace.CurrentVersion)
				return exitOK, nil
			}
		}}
}

func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "devel" && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return version
}

func completionCommand() *command {
	return &command{name: "completion", args: "bash|zsh|fish|powershell", short: "print a script that completes commands and flags in your shell",
		examples: []example{
			{"source <(tracedeck completion bash)", "completion for this shell; put the line into ~/.bashrc to keep it"},
			{"tracedeck completion fish > ~/.config/fish/completions/tracedeck.fish", "completion for fish"},
		},
		flags: func(*pflag.FlagSet) runner {
			return func(_ context.Context, env *env, args []string) (int, error) {
				if len(args) != 1 {
					return 0, usageError("which shell? bash, zsh, fish or powershell")
				}
				script, ok := completionScripts[args[0]]
				if !ok {
					return 0, usageError("no completion for %q: there is bash, zsh, fish and powershell", args[0])
				}
				fmt.Fprint(env.out, script)
				return exitOK, nil
			}
		}}
}

// completeCommand answers the scripts: the words that may stand next.
func completeCommand() *command {
	return &command{name: "__complete", hidden: true, short: "list what may stand next on the command line",
		flags: func(fs *pflag.FlagSet) runner {
			fs.SetInterspersed(false)
			return func(_ context.Context, env *env, args []string) (int, error) {
				for _, w := range completions(args) {
					fmt.Fprintln(env.out, w)
				}
				return exitOK, nil
			}
		}}
}

func completions(args []string) []string {
	if len(args) <= 1 {
		return withPrefix(append(names(), "help"), strings.Join(args, ""))
	}
	c := find(args[0])
	last := args[len(args)-1]
	if c == nil || !strings.HasPrefix(last, "-") {
		return nil
	}
	fs := newFlagSet(c)
	c.flags(fs)
	(&env{}).bind(fs)
	var flags []string
	fs.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			flags = append(flags, "--"+f.Name)
		}
	})
	return withPrefix(append(flags, "--help"), last)
}

func withPrefix(words []string, prefix string) []string {
	var fit []string
	for _, w := range words {
		if strings.HasPrefix(w, prefix) {
			fit = append(fit, w)
		}
	}
	return fit
}

var completionScripts = map[string]string{
	"bash": `_tracedeck() {
  local IFS=$'\n'
  COMPREPLY=($(tracedeck __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")); fi
}
complete -o filenames -F _tracedeck tracedeck
`,
	"zsh": `#compdef tracedeck
_tracedeck() {
  local -a found
  found=("${(@f)$(tracedeck __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _tracedeck tracedeck
`,
	"fish": `function __tracedeck_complete
  set -l words (commandline -opc) (commandline -ct)
  tracedeck __complete -- $words[2..-1] 2>/dev/null
end
complete -c tracedeck -a '(__tracedeck_complete)'
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName tracedeck -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  tracedeck __complete -- @words | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
}
