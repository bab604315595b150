// Package redact makes a copy of a trace without its secrets: passwords,
// tokens, keys, cookies and whatever else it is told, in every place where a
// trace can hold them. What a value is is learnt where its place gives it
// away; then it is replaced everywhere, in all the ways it can be written.
//
// It does not look into pictures: see [Options.NoPictures].
package redact

import (
	"context"
	"fmt"
	"regexp"

	"github.com/tracedeck/tracedeck/trace"
)

// Options say what is a secret besides what always is: values of
// authorization headers and cookies, of members, parameters, fields and
// attributes with names such as "password" or "access_token", of password
// fields, and tokens of known forms.
type Options struct {
	Values    []string         // secrets by value
	Names     []string         // more names whose values are secrets; case, "-" and "_" do not matter
	KeepNames []string         // names whose values are none
	Patterns  []*regexp.Regexp // more forms of secrets; where there is a group, the first is the secret
	// TypedText takes all text for secret that was typed or stands in a form
	// field, not only that of password fields.
	TypedText bool
	// NoPictures leaves out the screencast and all screenshots, in which a
	// page may show anything.
	NoPictures bool
}

// Report says what was replaced, and never a secret.
type Report struct {
	Secrets  int            `json:"secrets"`  // different values
	Replaced int            `json:"replaced"` // places
	Rules    map[string]int `json:"rules"`    // by what gave the value away
	Places   []Place        `json:"places"`
	Hidden   int            `json:"hidden"` // places beyond the first 1000
	// Pictures are entries that were not looked into.
	Pictures        int             `json:"pictures"`
	DroppedPictures int             `json:"droppedPictures"`
	Warnings        []trace.Warning `json:"warnings"`
}

// Place is where something was replaced.
type Place struct {
	Place string `json:"place"` // entry, or entry:line
	What  string `json:"what"`  // such as "header authorization"
	With  string `json:"with"`  // what stands there now
}

const maxPlaces = 1000

// Run writes a redacted copy of src to dst, which the caller closes. If it
// goes wrong, what was written must be thrown away.
func Run(ctx context.Context, dst *trace.Writer, src *trace.Archive, o Options) (*Report, error) {
	r := newRedactor(o)
	run := &run{ctx: ctx, dst: dst, src: src, r: r, done: map[string]bool{}}
	if err := run.learn(); err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name(), err)
	}
	r.learned()
	if err := run.entries(); err != nil {
		return nil, fmt.Errorf("%s: %w", src.Name(), err)
	}
	copied, err := trace.Copy(ctx, dst, src, trace.CopyOptions{Line: run.line, Entry: func(e trace.Entry) bool { return !run.done[e.Name] }})
	if err != nil {
		return nil, err
	}
	r.report.Warnings = append(r.report.Warnings, copied.Warnings...)
	r.report.Secrets = r.vault.used()
	return &r.report, nil
}
