package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracedeck/tracedeck/diff/blob"
	"github.com/tracedeck/tracedeck/trace/wholefile"
)

// Codes of the errors of this package, for the registry of errors.
const (
	CodeManifest = "E_BASELINE_MANIFEST" // the file cannot be understood
	CodeConflict = "E_BASELINE_CONFLICT" // the file holds the marks of a merge conflict
	CodeChanged  = "E_BASELINE_CHANGED"  // the file was written by somebody else in between
)

// maxFile is the longest manifest that is read: 64 MiB.
const maxFile = 64 << 20

// A FileError says what is wrong with a manifest, and in which line.
type FileError struct {
	Path string
	Line int // from 1; 0 if it is about all of the file
	Kind string
	Text string
	Next string // what the user can do
}

func (e *FileError) Error() string {
	place := e.Path
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", e.Path, e.Line)
	}
	return place + ": " + e.Text
}

// Code is one of the codes of this package.
func (e *FileError) Code() string { return e.Kind }

// Hint says what to do next.
func (e *FileError) Hint() string { return e.Next }

// Load reads the manifest at path. A file that is not there is a manifest
// without baselines. Anything that Save would not write is a *FileError, so
// that nothing is lost by writing it again.
func Load(path string) (*Manifest, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return New(), nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, &FileError{Path: path, Kind: CodeManifest, Text: "is longer than 64 MiB", Next: "this is not a manifest that tracedeck wrote; restore it from git"}
	}
	m, err := Parse(path, data)
	if err == nil {
		m.read = blob.Of(data)
	}
	return m, err
}

// Parse reads a manifest. name is what errors call it.
func Parse(name string, data []byte) (*Manifest, error) {
	if line := conflict(data); line > 0 {
		return nil, &FileError{name, line, CodeConflict, "holds the marks of a merge conflict",
			"two branches approved pictures; keep the right lines, or take one side with git checkout --ours/--theirs and approve again"}
	}
	r := &reader{name: name, data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	m := New()
	if err := r.manifest(m); err != nil {
		return nil, r.explain(err)
	}
	if err := r.check(m); err != nil {
		return nil, err
	}
	return m, nil
}

// conflict is the first line that git left where it could not merge, or 0.
func conflict(data []byte) int {
	line := 0
	for text := range bytes.Lines(data) {
		line++
		for _, mark := range []string{"<<<<<<< ", ">>>>>>> ", "||||||| "} {
			if bytes.HasPrefix(text, []byte(mark)) {
				return line
			}
		}
	}
	return 0
}

// reader reads the one shape that a manifest has, and nothing else.
type reader struct {
	name string
	data []byte
	dec  *json.Decoder
}

type wrong struct{ text string }

func (w wrong) Error() string { return w.text }

func (r *reader) explain(err error) error {
	text := err.Error()
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		text = "is not JSON: " + text
	}
	return &FileError{r.name, r.line(r.dec.InputOffset()), CodeManifest, text, "mend the line, or restore the file from git"}
}

func (r *reader) line(offset int64) int {
	return 1 + bytes.Count(r.data[:min(int(offset), len(r.data))], []byte("\n"))
}

// members calls do for each member of the object that comes next.
func (r *reader) members(what string, do func(name string) error) error {
	token, err := r.dec.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('{') {
		return wrong{what + " is not an object"}
	}
	seen := map[string]bool{}
	for r.dec.More() {
		token, err := r.dec.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if seen[name] {
			return wrong{fmt.Sprintf("%s has %q twice", what, name)}
		}
		seen[name] = true
		if err := do(name); err != nil {
			return err
		}
	}
	_, err = r.dec.Token()
	return err
}

func (r *reader) manifest(m *Manifest) error {
	version := 0
	err := r.members("the file", func(name string) error {
		switch name {
		case "version":
			return r.dec.Decode(&version)
		case "renderers":
			return r.members("renderers", func(id string) error { return r.renderer(m, id) })
		case "baselines":
			return r.members("baselines", func(session string) error { return r.session(m, session) })
		}
		return wrong{fmt.Sprintf("%q is not known here: there are version, renderers and baselines", name)}
	})
	if err != nil {
		return err
	}
	if version != Version {
		return wrong{fmt.Sprintf("version %d is not known; this program writes version %d", version, Version)}
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return wrong{"something follows the end of the manifest"}
	}
	return nil
}

// strict decodes the value that comes next and refuses members that v lacks.
func (r *reader) strict(v any) error {
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(v)
}

func (r *reader) renderer(m *Manifest, id string) error {
	var v Renderer
	if err := r.strict(&v); err != nil {
		return fmt.Errorf("renderer %q: %w", id, err)
	}
	if is := v.ID(); is != id {
		return wrong{fmt.Sprintf("renderer %q: its values belong to %q", id, is)}
	}
	m.Renderers[id] = v
	return nil
}

func (r *reader) session(m *Manifest, session string) error {
	keys := map[string]map[string]Baseline{}
	m.Baselines[session] = keys
	return r.members("session "+session, func(key string) error {
		keys[key] = map[string]Baseline{}
		return r.members(session+" "+key, func(id string) error {
			var b Baseline
			if err := r.strict(&b); err != nil {
				return fmt.Errorf("%s %s: %w", session, key, err)
			}
			if b.Digest.IsZero() || b.Width < 1 || b.Height < 1 || b.Width > MaxSide || b.Height > MaxSide {
				return wrong{fmt.Sprintf("%s %s: a picture has a digest, a width and a height", session, key)}
			}
			keys[key][id] = b
			return nil
		})
	})
}

// check says which renderer is named but not described.
func (r *reader) check(m *Manifest) error {
	for e := range m.All() {
		if _, ok := m.Renderers[e.Renderer]; !ok {
			return &FileError{r.name, 0, CodeManifest, fmt.Sprintf("%s %s: renderer %q is not described in renderers", e.Session, e.Key, e.Renderer),
				"restore the line from git, or remove the baseline and approve again"}
		}
	}
	return nil
}

// Format writes a manifest: sorted, one picture a line, so that branches that
// approve different pictures merge by themselves.
func (m *Manifest) Format() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"version\": %d,\n  \"renderers\": {", Version)
	ids := slices.Sorted(func(yield func(string) bool) {
		for id := range m.Renderers {
			if !yield(id) {
				return
			}
		}
	})
	for i, id := range ids {
		fmt.Fprintf(&b, "%s\n    %s: %s", comma(i), quote(id), encode(m.Renderers[id]))
	}
	b.WriteString(newline(len(ids), "\n  ") + "},\n  \"baselines\": {")
	m.writeSessions(&b)
	b.WriteString("}\n}\n")
	return b.Bytes()
}

func (m *Manifest) writeSessions(b *bytes.Buffer) {
	var session, key string
	first, depth := true, 0
	for e := range m.All() {
		switch {
		case e.Session != session || first:
			if !first {
				b.WriteString("\n      }\n    },")
			}
			fmt.Fprintf(b, "\n    %s: {\n      %s: {", quote(e.Session), quote(e.Key))
			depth = 0
		case e.Key != key:
			fmt.Fprintf(b, "\n      },\n      %s: {", quote(e.Key))
			depth = 0
		}
		fmt.Fprintf(b, "%s\n        %s: %s", comma(depth), quote(e.Renderer), encode(e.Baseline))
		session, key, first = e.Session, e.Key, false
		depth++
	}
	if !first {
		b.WriteString("\n      }\n    }\n  ")
	}
}

func comma(i int) string { return strings.Repeat(",", min(i, 1)) }

func newline(n int, s string) string { return strings.Repeat(s, min(n, 1)) }

func quote(s string) string { return string(encode(s)) }

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // none of the types here can fail
	}
	return bytes.TrimSpace(b.Bytes())
}

// Save writes the manifest to path. If the file is not the one that Load read
// any more, nothing is written and the error is a *FileError.
func (m *Manifest) Save(path string) error {
	now, err := os.ReadFile(path)
	switch {
	case err == nil && (m.read.IsZero() || blob.Of(now) != m.read), errors.Is(err, fs.ErrNotExist) && !m.read.IsZero():
		return &FileError{path, 0, CodeChanged, "was changed since it was read", "run the command again"}
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	data := m.Format()
	if err := write(path, data); err != nil {
		return err
	}
	m.read = blob.Of(data)
	return nil
}

// write makes the file whole or not at all.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return wholefile.Write(path, data, 0o644)
}
