package project

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed workflows
var workflows embed.FS

// Workflow is a service that runs the sessions for each change.
type Workflow string

// The services for which there is a workflow.
const (
	GitHub Workflow = "github"
	GitLab Workflow = "gitlab"
)

// file is where the service expects the workflow, from the root of the repository.
func (w Workflow) file() string {
	if w == GitLab {
		return filepath.Join(".gitlab", "tracedeck.yml")
	}
	return filepath.Join(".github", "workflows", "tracedeck.yml")
}

// AddWorkflow writes the workflow of a service into the repository around the
// project, and returns its path. One that is there already stays as it is; then
// the path is empty.
func (p *Project) AddWorkflow(w Workflow) (string, error) {
	text, err := workflows.ReadFile("workflows/" + string(w) + ".yml")
	if err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(p.Dir), w.file())
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return "", err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	return file, errors.Join(err, f.Close())
}
