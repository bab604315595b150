package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/tracedeck/tracedeck/recorder/browser"
	"github.com/tracedeck/tracedeck/replay"
	"github.com/tracedeck/tracedeck/replay/determinism"
	"github.com/tracedeck/tracedeck/trace/code"
)

// env is where a command reads and prints, and the flags that all have.
type env struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	color    bool // whether out takes SGR colours
	width    int  // columns of the terminal behind out; 0 if it is none
	json     bool
	quiet    bool
	progress *progress

	colorWhen string
	headers   []string // for traces at an address
}

func newEnv(in io.Reader, out, errw io.Writer, getenv func(string) string) *env {
	e := &env{in: in, out: out, err: errw, getenv: getenv, progress: &progress{}}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			e.width = w
		}
	}
	return e
}

// bind adds the flags that every command has.
func (e *env) bind(fs *pflag.FlagSet) {
	if fs.Lookup("json") == nil {
		fs.BoolVar(&e.json, "json", false, "print the answer as JSON")
	}
	fs.BoolVarP(&e.quiet, "quiet", "q", false, "no progress and no warnings")
	fs.StringArrayVar(&e.headers, "header", nil, "sent when a trace is opened by its address, such as 'Authorization: Bearer …'")
	fs.StringVar(&e.colorWhen, "color", "auto", "colours: auto, always or never")
	_ = fs.MarkHidden("color")
}

// settle decides on colours and progress once the flags are known.
func (e *env) settle() {
	switch {
	case e.colorWhen == "always":
		e.color = true
	case e.colorWhen == "never", e.getenv("NO_COLOR") != "", e.getenv("TERM") == "dumb":
		e.color = false
	default:
		e.color = e.width > 0
	}
	if f, ok := e.err.(*os.File); ok && !e.quiet && term.IsTerminal(int(f.Fd())) {
		e.progress.to = f
	}
}

// fail prints an error and what to do next, and returns the exit code.
func (e *env) fail(c *command, err error) int {
	e.progress.done()
	fmt.Fprintf(e.err, "tracedeck %s: %v\n", c.name, err)
	name := codeNamed(err)
	h := hintOf(err)
	if c, ok := code.Find(name); ok && h == "" && c.Next != "nothing" {
		h = c.Next
	}
	if h != "" {
		fmt.Fprintf(e.err, "hint: %s\n", h)
	}
	if name != "" {
		fmt.Fprintf(e.err, "code: %s\n", name)
	}
	return exitTrouble
}

// warn prints a line on standard error unless the user wants none.
func (e *env) warn(format string, args ...any) {
	if !e.quiet {
		e.progress.clear()
		fmt.Fprintf(e.err, "warning: "+format+"\n", args...)
	}
}

// printJSON prints v, indented, as the whole answer.
func (e *env) printJSON(v any) error { return writeJSON(e.out, v) }

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// hinted is an error with what the user can do about it.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

// Hint returns what to do next.
func (h hinted) Hint() string { return h.hint }

func withHint(err error, hint string) error { return hinted{err, hint} }

func usageError(format string, args ...any) error {
	return withHint(fmt.Errorf(format, args...), "--help shows how it is called")
}

// codeNamed is the code of err in the registry, and empty if it has none.
func codeNamed(err error) string {
	var (
		coded interface{ Code() string }
		b     *browser.Error
		d     *determinism.Error
		r     *replay.Error
	)
	switch {
	case errors.As(err, &coded):
		return coded.Code()
	case errors.As(err, &b):
		return b.Code
	case errors.As(err, &d):
		return d.Code
	case errors.As(err, &r):
		return r.Code
	}
	return ""
}

// hintOf finds what to do about err: said by whoever knew, or by its cause.
func hintOf(err error) string {
	var h interface{ Hint() string }
	switch {
	case errors.As(err, &h):
		return h.Hint()
	case errors.Is(err, os.ErrNotExist):
		return missingHint(err)
	case errors.Is(err, os.ErrPermission):
		return "check who may read and write it"
	}
	return ""
}

// missingHint says what to do about a file that is not there. Traces and folders
// are told from other files by their names.
func missingHint(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		if ext := filepath.Ext(p.Path); ext != "" && ext != ".zip" && ext != ".recording" {
			return "check the path of " + p.Path
		}
	}
	return "check the path; a trace is a zip, a folder or an http(s) address"
}
