package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// Branch is a store in a branch of a git repository, beside the code and out
// of its history. What is put is gathered and goes to the repository with one
// commit by Flush; somebody else's commits in between are kept.
type Branch struct {
	// Header, if not empty, is sent with each request to a repository behind http, as git's http.extraHeader.
	Header string

	remote, branch string
	cache          string // a bare repository that holds the branch's newest commit

	mu      sync.Mutex
	fetched bool
	pending map[Ref]string // git's own name of the object; "" to delete
}

// NewBranch is the store in the branch of the repository at remote, which is
// whatever git understands: an address or a path. cache is a folder of this
// store's own; it is made if it is not there.
func NewBranch(remote, branch, cache string) *Branch {
	return &Branch{remote: remote, branch: branch, cache: cache, pending: map[Ref]string{}}
}

// Name is the repository and the branch.
func (b *Branch) Name() string { return b.remote + "#" + b.branch }

func (b *Branch) ref() string { return "refs/heads/" + b.branch }

// git runs git in the cache.
func (b *Branch) git(ctx context.Context, in io.Reader, env []string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"--git-dir", b.cache}, args...)...)
	c.Env = append(os.Environ(), append(env, "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")...)
	if b.Header != "" { // by the environment, because everybody can read the arguments of a process
		c.Env = append(c.Env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0="+b.Header)
	}
	c.Stdin = in
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return nil, &gitError{store: b.Name(), verb: args[0], err: err, says: strings.TrimSpace(errs.String())}
	}
	return out.Bytes(), nil
}

type gitError struct {
	store, verb, says string
	err               error
}

func (e *gitError) Error() string {
	says := e.says
	if says == "" {
		says = e.err.Error()
	}
	return fmt.Sprintf("%s: git %s: %s", e.store, e.verb, says)
}
func (e *gitError) Unwrap() error { return e.err }

// Hint says what to look at.
func (e *gitError) Hint() string {
	if errors.Is(e.err, exec.ErrNotFound) {
		return "install git"
	}
	return "check that the repository is there and may be read and written with the git command"
}

// fetch brings the branch's newest commit, once. A branch that is not there
// yet is an empty store.
func (b *Branch) fetch(ctx context.Context) error {
	if b.fetched {
		return nil
	}
	if _, err := os.Stat(filepath.Join(b.cache, "HEAD")); err != nil {
		if err := os.MkdirAll(b.cache, 0o777); err != nil {
			return err
		}
		if _, err := b.git(ctx, nil, nil, "init", "--quiet", "--bare"); err != nil {
			return err
		}
	}
	heads, err := b.git(ctx, nil, nil, "ls-remote", "--heads", "--", b.remote, b.ref())
	if err != nil {
		return err
	}
	if len(heads) == 0 {
		_, err = b.git(ctx, nil, nil, "update-ref", "-d", b.ref())
	} else {
		_, err = b.git(ctx, nil, nil, "fetch", "--quiet", "--depth", "1", "--force", "--no-tags", "--", b.remote, b.ref()+":"+b.ref())
	}
	b.fetched = err == nil
	return err
}

// tip is the commit of the branch, and "" if it is not there.
func (b *Branch) tip(ctx context.Context) string {
	out, err := b.git(ctx, nil, nil, "rev-parse", "--quiet", "--verify", b.ref()+"^{commit}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// Put is part of Store. The bytes arrive with Flush.
func (b *Branch) Put(ctx context.Context, ref Ref, r io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return err
	}
	if is := Ref(sha256.Sum256(data)); is != ref {
		return &AlteredError{Ref: ref, Is: is, Store: b.Name()}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fetch(ctx); err != nil {
		return err
	}
	object, err := b.git(ctx, bytes.NewReader(data), nil, "hash-object", "-w", "--stdin")
	if err != nil {
		return err
	}
	b.pending[ref] = strings.TrimSpace(string(object))
	return nil
}

// object is git's name for a blob, and "" if there is none.
func (b *Branch) object(ctx context.Context, ref Ref) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fetch(ctx); err != nil {
		return "", err
	}
	if name, ok := b.pending[ref]; ok {
		return name, nil
	}
	if b.tip(ctx) == "" {
		return "", nil
	}
	out, err := b.git(ctx, nil, nil, "ls-tree", "--format=%(objectname)", b.ref(), "--", ref.Path())
	return strings.TrimSpace(string(out)), err
}

// Open is part of Store.
func (b *Branch) Open(ctx context.Context, ref Ref) (io.ReadCloser, error) {
	object, err := b.object(ctx, ref)
	if err != nil {
		return nil, err
	}
	if object == "" {
		return nil, &MissingError{Ref: ref, Store: b.Name()}
	}
	data, err := b.git(ctx, nil, nil, "cat-file", "blob", object)
	if err != nil {
		return nil, err
	}
	return Checked(b.Name(), ref, io.NopCloser(bytes.NewReader(data))), nil
}

// Has is part of Store.
func (b *Branch) Has(ctx context.Context, ref Ref) (bool, error) {
	object, err := b.object(ctx, ref)
	return object != "", err
}

// List is part of Store.
func (b *Branch) List(ctx context.Context) iter.Seq2[Ref, error] {
	return func(yield func(Ref, error) bool) {
		all, err := b.all(ctx)
		if err != nil {
			yield(Ref{}, err)
			return
		}
		for ref := range all {
			if !yield(ref, nil) {
				return
			}
		}
	}
}

func (b *Branch) all(ctx context.Context) (map[Ref]bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.fetch(ctx); err != nil {
		return nil, err
	}
	all := map[Ref]bool{}
	if b.tip(ctx) != "" {
		out, err := b.git(ctx, nil, nil, "ls-tree", "-r", "-z", "--name-only", b.ref())
		if err != nil {
			return nil, err
		}
		for name := range strings.SplitSeq(string(out), "\x00") {
			if ref, err := ParseHex(filepath.Base(name)); err == nil && ref.Path() == name {
				all[ref] = true
			}
		}
	}
	for ref, object := range b.pending {
		if all[ref] = object != ""; object == "" {
			delete(all, ref)
		}
	}
	return all, nil
}

// Delete is part of Store. It takes effect with Flush.
func (b *Branch) Delete(_ context.Context, ref Ref) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending[ref] = ""
	return nil
}

// Flush commits what was put and deleted and pushes it. If somebody else was
// faster it takes their commit and tries again.
func (b *Branch) Flush(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending) == 0 {
		return nil
	}
	var err error
	for range 5 {
		if err = b.fetch(ctx); err != nil {
			return err
		}
		if err = b.push(ctx); err == nil {
			clear(b.pending)
			return nil
		}
		b.fetched = false
	}
	return err
}

func (b *Branch) push(ctx context.Context) error {
	index := filepath.Join(b.cache, fmt.Sprintf("tracedeck-index-%d", os.Getpid()))
	defer os.Remove(index)
	env := []string{"GIT_INDEX_FILE=" + index}
	old := b.tip(ctx)
	if old != "" {
		if _, err := b.git(ctx, nil, env, "read-tree", old); err != nil {
			return err
		}
	}
	var lines strings.Builder
	for ref, object := range b.pending {
		if object == "" {
			fmt.Fprintf(&lines, "0 %040d\t%s\n", 0, ref.Path())
		} else {
			fmt.Fprintf(&lines, "100644 %s\t%s\n", object, ref.Path())
		}
	}
	if _, err := b.git(ctx, strings.NewReader(lines.String()), env, "update-index", "--add", "--index-info"); err != nil {
		return err
	}
	tree, err := b.git(ctx, nil, env, "write-tree")
	if err != nil {
		return err
	}
	return b.commit(ctx, old, strings.TrimSpace(string(tree)))
}

func (b *Branch) commit(ctx context.Context, old, tree string) error {
	args := []string{"-c", "user.name=tracedeck", "-c", "user.email=tracedeck@localhost", "commit-tree", tree, "-m", fmt.Sprintf("tracedeck: %d blobs", len(b.pending))}
	if old != "" {
		args = append(args, "-p", old)
	}
	commit, err := b.git(ctx, nil, nil, args...)
	if err != nil {
		return err
	}
	name := strings.TrimSpace(string(commit))
	if _, err := b.git(ctx, nil, nil, "push", "--quiet", "--", b.remote, name+":"+b.ref()); err != nil {
		return err
	}
	_, err = b.git(ctx, nil, nil, "update-ref", b.ref(), name)
	return err
}
