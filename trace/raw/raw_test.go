package raw_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/raw"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// Every real trace comes back from text as it was.
func TestTextComesBackAsItWas(t *testing.T) {
	blocks, quoted := 0, 0
	for _, path := range tracetest.Traces(t) {
		a := tracetest.Open(t, path)
		var text bytes.Buffer
		if err := raw.Format(context.Background(), &text, a, raw.Options{Bodies: true}); err != nil {
			t.Fatal(path, err)
		}
		blocks += strings.Count(text.String(), "\nbefore\n")
		quoted += strings.Count(text.String(), "\n!\"")
		d, err := raw.Parse(&text)
		if err != nil {
			t.Fatal(path, err)
		}
		got := map[string][]byte{}
		for _, e := range d.Entries {
			got[e.Name] = e.Data
		}
		for _, e := range a.Entries() {
			want := read(t, a, e.Name)
			have := got[e.Name]
			if strings.HasSuffix(e.Name, ".trace") || strings.HasSuffix(e.Name, ".network") {
				want, have = bytes.TrimSuffix(want, []byte("\n")), bytes.TrimSuffix(have, []byte("\n"))
			}
			if !bytes.Equal(want, have) {
				t.Errorf("%s: %s is another: %d bytes, were %d", path, e.Name, len(have), len(want))
			}
		}
	}
	if blocks < 500 || quoted > blocks {
		t.Errorf("%d events in blocks, %d lines quoted", blocks, quoted)
	}
}

func read(t testing.TB, a *trace.Archive, name string) []byte {
	t.Helper()
	rc, err := a.Resource(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(rc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const byHand = `# a small trace
== trace.trace
context-options
	version: 10
	origin: library
	options:
		viewport: {"width":800,"height":600}
before
	callId: c@1
	startTime: 5.5
	title: Click the "Pay" button
	params: {}
!not an event

after
	callId: c@1
	endTime: 6

== resources/a.css text
|body { color: red }
\

== resources/b.bin base64
|AAEC
`

const byHandWant = `{"type":"context-options","version":10,"origin":"library","options":{"viewport":{"width":800,"height":600}}}
{"type":"before","callId":"c@1","startTime":5.5,"title":"Click the \"Pay\" button","params":{}}
not an event
{"type":"after","callId":"c@1","endTime":6}
`

func TestParseWhatPeopleWrite(t *testing.T) {
	d, err := raw.Parse(strings.NewReader(byHand))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Entries) != 3 || string(d.Entries[0].Data) != byHandWant || string(d.Entries[1].Data) != "body { color: red }" || string(d.Entries[2].Data) != "\x00\x01\x02" {
		t.Errorf("%+v", d.Entries)
	}
	path := filepath.Join(t.TempDir(), "x.zip")
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(w); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := raw.Format(context.Background(), &again, tracetest.Open(t, path), raw.Options{Bodies: true}); err != nil {
		t.Fatal(err)
	}
	if want := "before\n\tcallId: c@1\n\tstartTime: 5.5\n\ttitle: Click the \"Pay\" button\n\tparams: {}\n!\"not an event\"\n"; !strings.Contains(again.String(), want) {
		t.Errorf("%s", again.String())
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for text, line := range map[string]int{
		"before\n":                            1,
		"== a\n\tcallId: x\n":                 2,
		"== a\nbefore\n\t\tcallId: x\n":       3,
		"== a\nbefore\n\tno member\n":         3,
		"== a strange\n":                      1,
		"== a text\nx\n":                      2,
		"== a base64\n|?\n== b\n":             3,
		"== a\nnot a type at all:::\n":        2,
		"== a\n{\"type\":\n":                  2,
		"== \n":                               1,
		"== a\nbefore\n\tx:\n\t\t\ty: deep\n": 4,
	} {
		_, err := raw.Parse(strings.NewReader(text))
		var bad *raw.SyntaxError
		if !errors.As(err, &bad) || bad.Line != line {
			t.Errorf("%q: %v, want an error in line %d", text, err, line)
		}
	}
}

func TestOmittedBodies(t *testing.T) {
	var text bytes.Buffer
	a := tracetest.Open(t, filepath.Join("..", "..", "testdata", "corpus", "playwright", "basic.zip"))
	if err := raw.Format(context.Background(), &text, a, raw.Options{}); err != nil {
		t.Fatal(err)
	}
	d, err := raw.Parse(&text)
	if err != nil {
		t.Fatal(err)
	}
	w, err := trace.NewWriter(&bytes.Buffer{}, trace.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	if err := d.Write(w); !errors.Is(err, raw.ErrOmitted) {
		t.Errorf("err = %v", err)
	}
}

// Whatever a line is, it comes back from text as it was.
func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"type":"before","callId":"c","params":{"a":[1,2,{"b":null}]}}`))
	f.Add([]byte(`{"a":" x","type":"b","b":"\u003c","c":"1"}`))
	f.Add([]byte("{bad"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.ContainsAny(line, "\n") || !bytes.Equal(bytes.ToValidUTF8(line, nil), line) || len(line) == 0 {
			return
		}
		d, err := raw.Parse(strings.NewReader("== x\n" + raw.Line(line)))
		if err != nil {
			t.Fatalf("%v in %q", err, raw.Line(line))
		}
		if got := bytes.TrimSuffix(d.Entries[0].Data, []byte("\n")); !bytes.Equal(got, line) {
			t.Errorf("%q came back as %q by\n%s", line, got, raw.Line(line))
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(byHand)
	f.Fuzz(func(t *testing.T, text string) {
		d, err := raw.Parse(strings.NewReader(text))
		if err != nil {
			return
		}
		dir := t.TempDir()
		for _, e := range d.Entries {
			if e.Name == "trace.trace" {
				if err := os.WriteFile(filepath.Join(dir, e.Name), e.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
