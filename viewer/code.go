package viewer

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/codegen"
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/viewer/wire"
)

// codeAnswer is a program or a report that was made of a recording. Secrets
// are not in it.
type codeAnswer struct {
	Name     string             `json:"name"` // of the file
	Text     string             `json:"text"`
	Needs    []codegen.Variable `json:"needs"` // variables of the environment
	Warnings []string           `json:"warnings"`
}

// writers make what a page can ask for, by the name it asks with.
var writers = map[string]struct {
	file  string
	write func(context.Context, *codegen.Scenario) ([]byte, error)
}{
	"test":   {".spec.ts", plainly((*codegen.Scenario).Test)},
	"script": {".mts", plainly((*codegen.Scenario).Script)},
	"rod":    {".go", plainly((*codegen.Scenario).Go)},
	"report": {".md", func(ctx context.Context, s *codegen.Scenario) ([]byte, error) {
		return report(ctx, s, codegen.ReportOptions{Inline: true, NoPictures: true})
	}},
	"illustrated": {".md", func(ctx context.Context, s *codegen.Scenario) ([]byte, error) {
		return report(ctx, s, codegen.ReportOptions{Inline: true})
	}},
}

func plainly(write func(*codegen.Scenario) []byte) func(context.Context, *codegen.Scenario) ([]byte, error) {
	return func(_ context.Context, s *codegen.Scenario) ([]byte, error) { return write(s), nil }
}

func report(ctx context.Context, s *codegen.Scenario, o codegen.ReportOptions) ([]byte, error) {
	r, err := s.Report(ctx, o)
	if err != nil {
		return nil, err
	}
	return r.Markdown, nil
}

const mostCodeWarnings = 50

// code makes a program or a report. The question is its kind and, behind a
// line end, the call id of the last step that it takes in.
func (r *recording) code(ctx context.Context, question string) (any, error) {
	kind, last, _ := strings.Cut(question, "\n")
	w, ok := writers[kind]
	if !ok {
		return nil, fmt.Errorf("there is no writer for %.40q", kind)
	}
	if p := r.progress(); !p.done || p.err != nil {
		return nil, errReading
	}
	// A copy without secrets is as large as the recording: one at a time.
	select {
	case r.copying <- struct{}{}:
		defer func() { <-r.copying }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	a, done, err := codegen.Redacted(ctx, r.archive, redact.Options{})
	if err != nil {
		return nil, err
	}
	defer done()
	t, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		return nil, err
	}
	o := codegen.DefaultOptions()
	o.To = last
	s, err := codegen.Read(ctx, a, t, o)
	if errors.Is(err, codegen.ErrNoSteps) {
		return nil, errors.New("nothing was done in this recording that a program could do again")
	}
	if err != nil {
		return nil, err
	}
	text, err := w.write(ctx, s)
	if err == nil && len(text) > wire.MaxAnswer/2 {
		err = errors.New("this is too large for the viewer: tracedeck gen, repro and bugreport write files")
	}
	return newCodeAnswer(s, w.file, text), err
}

func newCodeAnswer(s *codegen.Scenario, ending string, text []byte) codeAnswer {
	a := codeAnswer{Name: fileName(s.Name) + ending, Text: string(text), Needs: s.Needs, Warnings: []string{}}
	if a.Needs == nil {
		a.Needs = []codegen.Variable{}
	}
	for _, w := range s.Warnings[:min(len(s.Warnings), mostCodeWarnings)] {
		a.Warnings = append(a.Warnings, w.String())
	}
	return a
}

// fileName makes a file's name of a title.
func fileName(title string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(title) {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 60 {
			break
		}
	}
	if name := strings.Trim(b.String(), "-"); name != "" {
		return name
	}
	return "session"
}
