package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracedeck/tracedeck/cmd/tracedeck/internal/project"
)

// initAnswer is what "init --json" prints.
type initAnswer struct {
	Folder string   `json:"folder"`
	Made   []string `json:"made"`
}

func initCommand() *command {
	return &command{name: "init", args: "[FOLDER]", short: "make a .tracedeck folder for sessions, approved pictures and runs",
		long: `The folder's config.json, baselines.json and the recorded sessions belong into git;
pictures and runs stay out of it, which a .gitignore inside sees to. --github and
--gitlab add a workflow that runs "tracedeck ci" on several machines and puts
their results together. What is there already stays as it is.`,
		examples: []example{
			{"tracedeck init --url http://localhost:3000", "in the repository of the app that is served there"},
			{"tracedeck init --github", "add .github/workflows/tracedeck.yml"},
		},
		flags: func(fs *pflag.FlagSet) runner {
			target := fs.String("url", "", "where the app under test is served, or its file, from that folder")
			github := fs.Bool("github", false, "write a workflow for GitHub Actions, .github/workflows/tracedeck.yml")
			gitlab := fs.Bool("gitlab", false, "write a workflow for GitLab, .gitlab/tracedeck.yml")
			return func(_ context.Context, env *env, args []string) (int, error) {
				dir := "."
				switch len(args) {
				case 0:
				case 1:
					dir = args[0]
				default:
					return 0, usageError("which folder? one is expected, not %d", len(args))
				}
				p, made, err := project.Init(dir, configured(dir, *target))
				if err != nil {
					return 0, err
				}
				for w, wanted := range map[project.Workflow]bool{project.GitHub: *github, project.GitLab: *gitlab} {
					if !wanted {
						continue
					}
					file, err := p.AddWorkflow(w)
					if err != nil {
						return 0, err
					}
					if file != "" {
						made = append(made, file)
					}
				}
				answer := initAnswer{Folder: shown(p.Dir), Made: []string{}}
				for _, f := range made {
					answer.Made = append(answer.Made, shown(f))
				}
				if env.json {
					return exitOK, env.printJSON(answer)
				}
				for _, f := range answer.Made {
					fmt.Fprintln(env.out, "made "+f)
				}
				if len(made) == 0 {
					fmt.Fprintf(env.out, "%s is there already\n", answer.Folder)
				}
				env.report("next: tracedeck record --url URL -o %s", shown(p.Recordings())+"/NAME.zip")
				return exitOK, nil
			}
		}}
}

// configured is an address as the configuration keeps it. That of a file stays
// as it was typed, since the folder is another one on the next machine.
func configured(dir, typed string) string {
	if at := pageAddress(dir, typed); !strings.HasPrefix(at, "file:") {
		return at
	}
	return typed
}
