package codegen

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/redact"
	"github.com/tracedeck/tracedeck/trace/tracetest"
)

// read makes a scenario of the trace at path, without its secrets.
func read(t testing.TB, path string, o Options) (*Scenario, error) {
	t.Helper()
	ctx := context.Background()
	a, done, err := Redacted(ctx, tracetest.Open(t, path), redact.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	tr, err := trace.Load(ctx, a, trace.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Read(ctx, a, tr, o)
}

func mustRead(t testing.TB, path string, o Options) *Scenario {
	t.Helper()
	s, err := read(t, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// parses fails the test unless the text is TypeScript.
func parses(t testing.TB, name string, text []byte) {
	t.Helper()
	r := api.Transform(string(text), api.TransformOptions{Loader: api.LoaderTS, Format: api.FormatESModule})
	for _, m := range r.Errors {
		t.Errorf("%s: line %d: %s\n%s", name, m.Location.Line, m.Text, m.Location.LineText)
	}
}

func corpus(t testing.TB) []string {
	return append(tracetest.Corpus(t, "playwright/*.zip"), tracetest.Corpus(t, "vibium/*.zip")...)
}

func TestProgramsOfRealTracesParseAndAreTheSameTwice(t *testing.T) {
	empty := 0
	for i, path := range corpus(t) {
		o := DefaultOptions()
		o.Style, o.Screenshots, o.Fixtures = Full, true, []Fixtures{Mock, Seed, NoFixtures}[i%3]
		s, err := read(t, path, o)
		if err == ErrNoSteps {
			empty++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		test, script := s.Test(), s.Script()
		parses(t, filepath.Base(path)+" test", test)
		parses(t, filepath.Base(path)+" script", script)
		again := mustRead(t, path, o)
		if !bytes.Equal(test, again.Test()) || !bytes.Equal(script, again.Script()) {
			t.Errorf("%s: other bytes the second time", path)
		}
	}
	if n := len(corpus(t)); empty > n/2 {
		t.Errorf("%d of %d traces have no steps", empty, n)
	}
}

func TestGolden(t *testing.T) {
	for _, name := range []string{"basic", "pages", "forms", "console", "download", "frames", "input", "runner-passing-with-steps-smoke", "fail"} {
		t.Run(name, func(t *testing.T) {
			s := mustRead(t, filepath.Join("..", "..", "testdata", "corpus", "playwright", name+".zip"), DefaultOptions())
			tracetest.Golden(t, name+".spec.ts", string(s.Test()))
		})
	}
	s := mustRead(t, filepath.Join("..", "..", "testdata", "corpus", "playwright", "console.zip"), DefaultOptions())
	tracetest.Golden(t, "console.repro.ts", string(s.Script()))
}

// hostile is a trace whose every text tries to be code.
func hostile(text string) string {
	q := quoted(text)
	return fmt.Sprintf(`{"version":8,"type":"context-options","origin":"library","browserName":"chromium","options":{"locale":%[1]s,"timezoneId":%[1]s},"platform":"linux","wallTime":1700000000000,"monotonicTime":0,"sdkLanguage":"javascript","title":%[1]s}
{"type":"before","callId":"c1","startTime":1,"class":"Frame","method":"goto","params":{"url":%[1]s},"pageId":"p"}
{"type":"after","callId":"c1","endTime":2}
{"type":"before","callId":"g","startTime":2,"class":"Tracing","method":"tracingGroup","title":%[1]s,"params":{}}
{"type":"before","callId":"c2","parentId":"g","startTime":3,"class":"Frame","method":"fill","params":{"selector":%[1]s,"value":%[1]s},"pageId":"p"}
{"type":"after","callId":"c2","endTime":4,"error":{"message":%[1]s}}
{"type":"before","callId":"c3","startTime":5,"class":"Frame","method":"selectOption","params":{"selector":"#a","options":[{"valueOrLabel":%[1]s},{"index":1}]},"pageId":"p"}
{"type":"after","callId":"c3","endTime":6}
{"type":"before","callId":"c4","startTime":7,"class":"Frame","method":"expect","params":{"selector":"#a","expression":"to.have.text","expectedText":[{"regexSource":%[1]s,"regexFlags":%[1]s}]},"pageId":"p"}
{"type":"after","callId":"c4","endTime":8}
{"type":"before","callId":"c5","startTime":9,"class":"Frame","method":"evaluateExpression","params":{"expression":%[1]s},"pageId":"p"}
{"type":"after","callId":"c5","endTime":10}
{"type":"event","time":10,"class":"BrowserContext","method":"pageError","pageId":"p","params":{"error":{"error":{"message":%[1]s,"name":"Error"}}}}
{"type":"before","callId":"c6","startTime":11,"class":"Strange","method":%[1]s,"params":{},"pageId":"p"}
{"type":"after","callId":"c6","endTime":12,"error":{"message":%[1]s}}
`, q)
}

var hostileTexts = []string{"'); process.exit(1); ('", "`${process.exit(1)}`", "*/ process.exit(1) /*", "a\nprocess.exit(1)", "a\r\nb\u2028c\u2029d\u0085e", `\`, `\'`, `"`, "</script>", "${1}", "//x", "/", "[/", `\u0027`, "\x00\x01\x7f", "\u202e\u2066", "𝒳", "$", "é", "https://a.example/'x", "javascript:alert(1)"}

func TestTextsOfATraceAreNeverCode(t *testing.T) {
	for _, text := range hostileTexts {
		checkHostile(t, text)
	}
}

func checkHostile(t testing.TB, text string) {
	path := zipOf(t, hostile(text))
	s, err := read(t, path, DefaultOptions())
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	for name, program := range map[string][]byte{"test": s.Test(), "script": s.Script()} {
		parses(t, fmt.Sprintf("%s of %q", name, text), program)
		r := api.Transform(string(program), api.TransformOptions{Loader: api.LoaderTS, MinifyWhitespace: false})
		// What is left when literals and comments are gone must not call anything of the trace's.
		if strings.Contains(withoutLiterals(string(r.Code)), "process.exit(") {
			t.Errorf("%s of %q runs what the trace says:\n%s", name, text, program)
		}
	}
}

// withoutLiterals drops what stands in quotes; the code is esbuild's, which
// knows where they end.
func withoutLiterals(code string) string {
	var b strings.Builder
	var quote rune
	escaped := false
	for _, r := range code {
		switch {
		case quote == 0 && (r == '"' || r == '\'' || r == '`'):
			quote = r
		case quote != 0 && escaped:
			escaped = false
		case quote != 0 && r == '\\':
			escaped = true
		case r == quote:
			quote = 0
		case quote == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func FuzzProgramsParse(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		checkHostile(t, text)
	})
}

func TestPasswordsComeFromTheEnvironment(t *testing.T) {
	s := mustRead(t, filepath.Join("..", "..", "testdata", "corpus", "vibium", "v26.2.28-groups.zip"), DefaultOptions())
	test := string(s.Test())
	if strings.Contains(test, "hunter2") {
		t.Error("the password stands in the test")
	}
	for _, want := range []string{"TD_PASSWORD", "TD_USERNAME", ".fill(TD_PASSWORD)", ".fill(TD_USERNAME)"} {
		if !strings.Contains(test, want) {
			t.Errorf("the test does not hold %q:\n%s", want, test)
		}
	}
	if !slices.ContainsFunc(s.Needs, func(v Variable) bool { return v.Name == "TD_PASSWORD" }) {
		t.Errorf("needs %v", s.Needs)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []Options{{}, {Style: "grand"}, {Style: Smoke, Fixtures: "some"}, {Style: Smoke, Fixtures: Mock, Expect: "x"}, {Style: Smoke, Fixtures: Mock, Expect: Fixed, With: []Check{"y"}}} {
		if o.Valid() == nil {
			t.Errorf("%+v is valid", o)
		}
	}
}

// zipOf makes a trace zip whose only entry is the text.
func zipOf(t testing.TB, events string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.zip")
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("0-trace.trace")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(events)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// No mouse has a place to go to on a box without a size.
func TestBoxesWithoutASizeGetTheirClickAsAnEvent(t *testing.T) {
	for target, want := range map[string]Verb{
		`{"selector":"#a"}`: CheckBox,
		`{"selector":"#a","_target":{"box":{"x":4,"y":5,"width":13,"height":13}}}`: CheckBox,
		`{"selector":"#a","_target":{"box":{"x":4,"y":5,"width":0,"height":0}}}`:   Dispatch,
	} {
		step := elementCalls()["check"](paramsOf([]byte(target)))
		if step.Verb != want || want == Dispatch && step.Text != "click" {
			t.Errorf("%s: %s %q, want %s", target, step.Verb, step.Text, want)
		}
	}
}
