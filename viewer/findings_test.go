package viewer_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"

	"github.com/tracedeck/tracedeck/trace/contract"
	"github.com/tracedeck/tracedeck/trace/perf"
	"github.com/tracedeck/tracedeck/viewer"
)

// rewritten writes a copy of a trace in which change has had each line of its
// .trace files; a nil line is left out.
func rewritten(t *testing.T, from, to string, change func(line map[string]any) map[string]any) {
	t.Helper()
	r, err := zip.OpenReader(from)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(rc)
		rc.Close()
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name, ".trace") {
			b = rewriteLines(t, b, change)
		}
		e, err := w.Create(f.Name)
		if err == nil {
			_, err = e.Write(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func rewriteLines(t *testing.T, b []byte, change func(line map[string]any) map[string]any) []byte {
	t.Helper()
	var out bytes.Buffer
	for line := range bytes.Lines(b) {
		v := map[string]any{}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		if v = change(v); v == nil {
			continue
		}
		if err := json.NewEncoder(&out).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// earlier says that a trace was recorded an hour before.
func earlier(line map[string]any) map[string]any {
	if n, ok := line["wallTime"].(json.Number); ok {
		wall, _ := n.Float64()
		line["wallTime"] = wall - 3_600_000
	}
	return line
}

// passing takes the errors out of a trace, which was recorded earlier then.
func passing(line map[string]any) map[string]any {
	if line["type"] == "error" {
		return nil
	}
	delete(line, "error")
	return earlier(line)
}

func TestFailureTellsWhatDiffersFromTheLastPass(t *testing.T) {
	runs := t.TempDir()
	failing := corpusTrace("playwright/runner-failing-assertion.zip")
	rewritten(t, failing, filepath.Join(runs, "run-1", "fails-chromium", "trace.zip"), passing)
	copyTo(t, corpusTrace("playwright/runner-passing-with-steps-smoke.zip"), filepath.Join(runs, "run-1", "counts-chromium", "trace.zip"))
	s := open(t, serveWith(t, viewer.Options{Paths: []string{failing}, Folder: runs, ContentListener: listen(t)}).url)
	s.loaded()
	s.wait(`$(".sincepass")?.textContent.includes("run-1/fails-chromium/trace.zip")`, "true")
	s.wait(`$(".sincepass").textContent.includes("toHaveText")`, "true")
	s.click(".sincepass .cause.pass")
	s.wait(`location.hash.startsWith("#/c/")`, "true")
	s.wait(`all(".prow.sel").length > 0 && $(".prow.sel").textContent.includes("toEqual")`, "true")
}

func TestNothingIsToldOfALastPassThatIsNotKnown(t *testing.T) {
	runs := t.TempDir()
	failing := corpusTrace("playwright/runner-failing-assertion.zip")
	copyTo(t, corpusTrace("playwright/runner-passing-with-steps-smoke.zip"), filepath.Join(runs, "run-1", "counts-chromium", "trace.zip"))
	rewritten(t, failing, filepath.Join(runs, "run-1", "fails-chromium", "trace.zip"), earlier)
	srv := serveWith(t, viewer.Options{Paths: []string{failing}, Folder: runs, ContentListener: listen(t)})
	s := open(t, srv.url)
	s.loaded()
	s.wait(`$(".failcard") !== null`, "true")
	p, w := srv.enter(t)
	p.readAll(1, firstID(w), "", nil)
	got := map[string]any{"reading": true}
	for ref := 10; got["reading"] == true; ref++ {
		got, _ = p.ask(ref, "lastpass", -1, "")
		time.Sleep(20 * time.Millisecond)
	}
	if got["id"] != "" || s.eval(`$(".sincepass")`) != "null" {
		t.Errorf("a run that failed counts as the last pass: %+v", got)
	}
}

func TestFindingsHavePanelsOfTheirOwn(t *testing.T) {
	limit := 1.0
	s := open(t, serveWith(t, viewer.Options{Paths: []string{corpusTrace("playwright/network.zip")}, ContentListener: listen(t),
		Known: viewer.Known{Contract: &contract.Contract{Version: contract.Version}, Budget: perf.Budget{"requests": limit}}}).url)
	s.loaded()
	s.hold(input.ShiftLeft, 'C')
	s.wait(`$("#details [aria-selected=true]").id`, "tab-contract")
	s.wait(`$("#detail").textContent.includes("held against the contract") && $("#detail").textContent.includes("GET localhost/json")`, "true")
	s.hold(input.ShiftLeft, 'P')
	s.wait(`$("#detail .failcard")?.textContent.includes("requests: 44, at most 1")`, "true")
	s.eval(`all("#detail .slowrow").at(-1).click()`)
	s.wait(`$("#details [aria-selected=true]").id`, "tab-network")
	s.tab(0)
	s.wait(`all("#detail .finding").length > 3`, "true")
	all := s.eval(`all("#detail .finding").length`)
	s.click("#detail .pill")
	s.wait(`all("#detail .finding").length < `+all+` && $("#detail .finding .linkish").textContent`, "show where")
	s.click("#detail .finding .linkish")
	s.wait(`$("#details [aria-selected=true]").id`, "tab-network")
	s.wait(`$("#detail .below") !== null`, "true")
}

func TestScriptAndBugReportAreMadeWithoutSecrets(t *testing.T) {
	secret := "hunter2-of-the-trace"
	path := filepath.Join(t.TempDir(), "typed.zip")
	rewritten(t, corpusTrace("playwright/forms.zip"), path, func(line map[string]any) map[string]any {
		if params, ok := line["params"].(map[string]any); ok && line["method"] == "fill" {
			params["value"], params["selector"] = secret, "internal:attr=[type=\"password\"]"
		}
		return line
	})
	s := open(t, serve(t, path).url)
	s.loaded()
	s.press('b')
	s.wait(`$(".codetext")?.textContent.includes("Steps to reproduce")`, "true")
	s.click(".segments button:nth-of-type(2)")
	s.wait(`$(".codetext")?.getAttribute("aria-label").endsWith(".mts") && $(".codetext").textContent.includes("chromium")`, "true")
	if got := s.eval(`$(".codetext").textContent`); strings.Contains(got, secret) {
		t.Errorf("the script holds what was typed as a password:\n%s", got)
	}
	whole := s.eval(`$(".codetext").textContent.length`)
	s.press(input.Escape)
	s.wait(`$("dialog") === null`, "true")
	s.press(input.Home)
	s.press('b')
	s.click(".segments button:nth-of-type(3)")
	s.click(".codebar input[type=checkbox]")
	s.wait(`$(".codetext, dialog .banner") !== null && ($(".codetext")?.textContent.length ?? 0) < `+whole, "true")
}
