package project

import (
	"fmt"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/diff/blob/s3"
)

// Remote is the team's store of pictures, and nil if none is configured.
func (p *Project) Remote() (blob.Store, error) {
	r := p.Config.Storage.Remote
	switch r.Type {
	case "":
		return nil, nil
	case "folder":
		if r.Path == "" {
			return nil, p.lacks("path")
		}
		path := r.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(p.Dir), path)
		}
		return blob.NewDir(path), nil
	case "git":
		return p.branch(r)
	}
	return p.bucket(r)
}

func (p *Project) lacks(member string) error {
	return &ConfigError{Path: filepath.Join(p.Dir, configFile), Text: fmt.Sprintf("storage.remote.%s is not set", member), Kind: "E_CFG_SCHEMA", Next: "a remote of this type needs it"}
}

func (p *Project) bucket(r Remote) (blob.Store, error) {
	if r.Bucket == "" {
		return nil, p.lacks("bucket")
	}
	o := s3.Options{Bucket: r.Bucket, Region: r.Region, Prefix: r.Prefix, Endpoint: r.Endpoint}
	if strings.Contains(r.Endpoint, "://") {
		u, err := url.Parse(r.Endpoint)
		if err != nil {
			return nil, fmt.Errorf("storage.remote.endpoint: %w", err)
		}
		o.Endpoint, o.Insecure = u.Host, u.Scheme == "http"
	}
	return s3.New(o)
}

func (p *Project) branch(r Remote) (blob.Store, error) {
	if r.Branch == "" {
		r.Branch = "tracedeck-baselines"
	}
	if r.Repository == "" {
		r.Repository = "origin"
	}
	// A name such as "origin" means what it does in the project's own repository.
	if out, err := exec.Command("git", "-C", p.Dir, "remote", "get-url", r.Repository).Output(); err == nil {
		r.Repository = strings.TrimSpace(string(out))
	} else if !strings.ContainsAny(r.Repository, `/\:`) {
		return nil, fmt.Errorf("storage.remote.repository: this repository has no remote %q", r.Repository)
	}
	if strings.HasPrefix(r.Repository, ".") {
		r.Repository = filepath.Join(filepath.Dir(p.Dir), r.Repository)
	}
	b := blob.NewBranch(r.Repository, r.Branch, filepath.Join(p.Dir, "cache", "baselines.git"))
	// A CI machine's token is in the configuration of the checkout.
	if out, err := exec.Command("git", "-C", p.Dir, "config", "--get-urlmatch", "http.extraheader", r.Repository).Output(); err == nil {
		b.Header = strings.TrimSpace(string(out))
	}
	return b, nil
}
