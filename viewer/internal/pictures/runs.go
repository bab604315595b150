package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// layRuns makes a folder as CI leaves it: an earlier run in which all passed,
// and a later one.
func layRuns(dir string) error {
	for to, from := range map[string]string{
		"run-2041/counts-chromium/trace.zip": "runner-passing-with-steps-smoke.zip", "run-2041/checkout-flow/trace.zip": "pair-a.zip", "run-2042/checkout-flow/trace.zip": "pair-b.zip",
		"run-2042/counts-chromium/trace.zip": "runner-passing-with-steps-smoke.zip", "run-2042/fails-chromium/trace.zip": "runner-failing-assertion.zip",
		"run-2042/fails-chromium-retry1/trace.zip": "runner-failing-assertion-retry1.zip", "run-2042/times-out-chromium/trace.zip": "runner-timeout-in-an-action.zip", "run-2042/forms/trace.zip": "forms.zip",
	} {
		if err := copyTrace(corpus+from, filepath.Join(dir, filepath.FromSlash(to)), func(line map[string]any) bool { return true }); err != nil {
			return err
		}
	}
	return copyTrace(corpus+"runner-failing-assertion.zip", filepath.Join(dir, "run-2041", "fails-chromium", "trace.zip"), passed)
}

// passed takes the errors out of a trace, which is of an hour before then.
func passed(line map[string]any) bool {
	delete(line, "error")
	if wall, ok := line["wallTime"].(json.Number); ok {
		at, _ := wall.Float64()
		line["wallTime"] = at - 3_600_000
	}
	return line["type"] != "error"
}

// copyTrace copies a trace with the lines that keep says.
func copyTrace(from, to string, keep func(line map[string]any) bool) error {
	r, err := zip.OpenReader(from)
	if err != nil {
		return err
	}
	defer r.Close()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			return err
		}
		b, err := io.ReadAll(rc)
		rc.Close()
		if err != nil {
			return err
		}
		if strings.HasSuffix(f.Name, ".trace") {
			b = lines(b, keep)
		}
		e, err := w.Create(f.Name)
		if err != nil {
			return err
		}
		if _, err := e.Write(b); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o666)
}

func lines(b []byte, keep func(line map[string]any) bool) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		v := map[string]any{}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if d.Decode(&v) != nil {
			continue
		}
		before, _ := json.Marshal(v) // what was JSON is JSON
		if !keep(v) {
			continue
		}
		if after, _ := json.Marshal(v); !bytes.Equal(before, after) {
			line = append(after, '\n')
		}
		out.Write(line)
	}
	return out.Bytes()
}
