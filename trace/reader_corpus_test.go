package trace_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// Every line of the newest version comes back with all that it said after
// going through the Go types.
func TestBodiesKeepEverything(t *testing.T) {
	lines := 0
	for _, path := range tracetest.Traces(t) {
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			if strings.HasSuffix(f.Name, ".trace") || strings.HasSuffix(f.Name, ".network") {
				lines += checkBodies(t, path, f)
			}
		}
		z.Close()
	}
	if lines < 5000 {
		t.Errorf("only %d lines looked at", lines)
	}
}

func checkBodies(t *testing.T, path string, f *zip.File) (lines int) {
	rc, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer rc.Close()
	data, _ := io.ReadAll(rc)
	for i, line := range bytes.Split(data, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		lines++
		body, err := trace.DecodeBody(line)
		if err != nil {
			t.Fatalf("%s: %s:%d: %v", path, f.Name, i+1, err)
		}
		out, err := trace.AppendBody(nil, body)
		if err != nil {
			t.Fatalf("%s: %s:%d: %v", path, f.Name, i+1, err)
		}
		if !holdsJSON(t, out, line) {
			t.Errorf("%s: %s:%d: changed\n%.600s\n%.600s", path, f.Name, i+1, line, out)
		}
	}
	return lines
}

// holdsJSON reports whether everything that part says is said by whole.
func holdsJSON(t *testing.T, whole, part []byte) bool {
	var x, y any
	if err := json.Unmarshal(whole, &x); err != nil {
		t.Fatalf("%v: %.300s", err, whole)
	}
	if err := json.Unmarshal(part, &y); err != nil {
		t.Fatal(err)
	}
	return holds(x, y)
}

func holds(whole, part any) bool {
	switch p := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		for k, v := range p {
			if have, there := w[k]; !ok || !there || !holds(have, v) {
				return false
			}
		}
		return ok
	case []any:
		w, ok := whole.([]any)
		if !ok || len(w) != len(p) {
			return false
		}
		for i := range p {
			if !holds(w[i], p[i]) {
				return false
			}
		}
		return true
	}
	if p, ok := part.(float64); ok { // times are kept to the nanosecond
		w, ok := whole.(float64)
		return ok && math.Abs(w-p) <= 1e-6
	}
	return reflect.DeepEqual(whole, part)
}

func TestReaderGoesOnAfterBadLine(t *testing.T) {
	const text = `{"version":10,"type":"context-options","origin":"library"}
{"type":"before","callId":"a@1","startTime":1.5,"class":"Frame","method":"click"
not json at all

{"type":"after","callId":"a@1","endTime":2.25}`
	r := trace.NewReader(strings.NewReader(text), "trace.trace")
	var got []string
	for {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		var bad *trace.SyntaxError
		switch {
		case errors.As(err, &bad):
			got = append(got, "bad")
			if bad.File != "trace.trace" || bad.Line < 2 || bad.Line > 3 {
				t.Errorf("place of the bad line: %+v", bad.Position)
			}
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, e.Body.EventType())
			if int64(strings.Index(text, string(e.Raw))) != e.Position.Offset {
				t.Errorf("offset %d of %s", e.Position.Offset, e.Raw)
			}
		}
	}
	if want := "context-options bad bad after"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestReaderSkipsLineAboveLimit(t *testing.T) {
	const limit = 100_000
	text := `{"type":"context-options","version":10}` + "\n" + strings.Repeat("x", limit+10) + "\n" + `{"type":"log","callId":"c","time":1,"message":"m"}`
	r := trace.NewReader(strings.NewReader(text), "t.trace")
	r.LimitLines(limit)
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, trace.ErrLineTooLong) {
		t.Fatalf("err = %v", err)
	}
	e, err := r.Next()
	if err != nil || e.Position.Line != 3 || e.Position.Offset != int64(strings.LastIndex(text, "\n")+1) {
		t.Fatalf("%+v, %v", e, err)
	}
}
