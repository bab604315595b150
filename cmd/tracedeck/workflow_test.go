package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// workflowFile reads what init writes for a service.
func workflowFile(t *testing.T, name string, into any) []byte {
	t.Helper()
	text, err := os.ReadFile("internal/project/workflows/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return text
}

// callable reports every call of tracedeck among the lines of a workflow that the program would refuse.
func callable(t *testing.T, lines []string) {
	t.Helper()
	calls := 0
	for _, line := range lines {
		line = strings.NewReplacer("${{ matrix.shard }}", "1", "$CI_NODE_INDEX", "1", "$CI_NODE_TOTAL", "2").Replace(line)
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "tracedeck" {
			continue
		}
		calls++
		c := find(words[1])
		if c == nil {
			t.Errorf("%q: there is no such command", line)
			continue
		}
		fs := newFlagSet(c)
		c.flags(fs)
		if err := fs.Parse(words[2:]); err != nil {
			t.Errorf("%q: %v", line, err)
		}
	}
	if calls < 3 {
		t.Errorf("only %d calls of tracedeck in %q", calls, lines)
	}
}

func TestTheGitHubWorkflowIsOne(t *testing.T) {
	var w struct {
		Name, On string
		Jobs     map[string]struct {
			RunsOn   string `yaml:"runs-on"`
			Needs    string
			If       string
			Strategy struct{ Matrix map[string][]int }
			Steps    []struct {
				Uses, Run, If string
				With          map[string]string
			}
		}
	}
	text := string(workflowFile(t, "github.yml", &w))
	if w.Name == "" || w.On != "pull_request" || len(w.Jobs) != 2 {
		t.Fatalf("%+v", w)
	}
	var lines, artifacts []string
	for name, job := range w.Jobs {
		if _, there := w.Jobs[job.Needs]; job.RunsOn == "" || job.Needs != "" && !there {
			t.Errorf("job %s: %+v", name, job)
		}
		for _, step := range job.Steps {
			if (step.Uses == "") == (step.Run == "") || step.Uses != "" && !strings.Contains(step.Uses, "@v") {
				t.Errorf("job %s: step %+v", name, step)
			}
			if strings.HasPrefix(step.Uses, "actions/upload-artifact@") {
				if artifacts = append(artifacts, step.With["path"]); step.If != "always()" {
					t.Errorf("job %s keeps nothing of a run that failed", name)
				}
			}
			lines = append(lines, step.Run)
		}
	}
	callable(t, lines)
	// The count of shards stands in two places.
	if n := len(w.Jobs["replay"].Strategy.Matrix["shard"]); n != 2 || !strings.Contains(text, "--shard ${{ matrix.shard }}/2 ") {
		t.Errorf("%d shards", n)
	}
	slices.Sort(artifacts)
	if !slices.Equal(artifacts, []string{"run", "shard-${{ matrix.shard }}"}) {
		t.Errorf("artifacts are %q", artifacts)
	}
}

func TestTheGitLabWorkflowIsOne(t *testing.T) {
	var jobs map[string]struct {
		Stage, Image string
		Parallel     int
		Script       []string
		Artifacts    struct {
			When    string
			Paths   []string
			Reports map[string]string
		}
	}
	workflowFile(t, "gitlab.yml", &jobs)
	var lines []string
	for name, job := range jobs {
		if job.Stage == "" || job.Image == "" || len(job.Script) == 0 || job.Artifacts.When != "always" || len(job.Artifacts.Paths) == 0 {
			t.Errorf("job %s: %+v", name, job)
		}
		lines = append(lines, job.Script...)
	}
	callable(t, lines)
	// What runs last is the stage of that name, and its results are shown.
	if v := jobs["verdict"]; len(jobs) != 2 || v.Stage != ".post" || v.Artifacts.Reports["junit"] != "run/junit.xml" || jobs["replay"].Parallel < 2 {
		t.Errorf("%+v", jobs)
	}
}
