package codegen

import (
	_ "embed"
	"fmt"
	"go/format"
	"strconv"
	"strings"
	"time"
)

var (
	//go:embed rod/helper.go.txt
	rodHelper string
	//go:embed rod/find.js
	rodFind string
)

// Go writes the scenario as a Go program for rod that does the steps again and
// says whether it met the failure, with the exit codes of [Scenario.Script].
// Answers are not given from the recording: it needs the server.
func (s *Scenario) Go() []byte {
	w := &rodWriter{s: s, used: map[string]bool{"page": true}}
	for i := range s.Steps {
		w.step(i)
	}
	var b strings.Builder
	w.head(&b)
	b.WriteString("func main() { os.Exit(run()) }\n\nfunc run() (code int) {\n\ts, page := start()\n\tdefer s.stop()\n")
	w.judge(&b)
	b.WriteString(w.body.String())
	if f := s.Failure; f != nil && failureKinds[f.Kind] != "" {
		fmt.Fprintf(&b, "\tif s.saw(%s, %s) {\n\t\treturn 1\n\t}\n", goString(failureKinds[f.Kind]), w.failureText())
	}
	b.WriteString("\tfmt.Println(\"not reproduced: all steps went through\")\n\treturn 0\n}\n\n")
	b.WriteString(rodHelper + "\n// findScript finds the elements that a way leads to.\nconst findScript = `" + rodFind + "`\n")
	text, err := format.Source([]byte(b.String()))
	if err != nil {
		return []byte(b.String()) // a test sees to it that this does not happen
	}
	return text
}

// failureKinds are the failures that a program watches for, by the words it
// notes them with.
var failureKinds = map[string]string{"page error": "page error", "console": "console", "answer": "answer"}

// failureText is what a program looks for among what it noted.
func (w *rodWriter) failureText() string {
	f := w.s.Failure
	if f.Kind == "answer" {
		for _, r := range w.s.Requests {
			if r.Status >= 500 {
				return goString(r.Method+" ") + " + address(" + w.address(r.URL) + ")"
			}
		}
	}
	text := f.Message
	if len(text) > 100 {
		text, _, _ = strings.Cut(text, " at ") // the stack is another one
	}
	return w.text(text)
}

type rodWriter struct {
	s       *Scenario
	body    strings.Builder
	answers int
	used    map[string]bool
	group   string
}

func (w *rodWriter) line(format string, args ...any) {
	w.body.WriteString("\t" + fmt.Sprintf(format, args...) + "\n")
}

func (w *rodWriter) head(b *strings.Builder) {
	s := w.s
	fmt.Fprintf(b, "// %s\n//\n// Made by tracedeck from %s", oneLine(s.Name), oneLine(baseName(s.Source)))
	if !s.Recorded.IsZero() {
		fmt.Fprintf(b, ", recorded %s", s.Recorded.UTC().Format(time.RFC3339))
	}
	fmt.Fprintf(b, " by %s.\n", oneLine(s.Producer))
	if f := s.Failure; f != nil {
		fmt.Fprintf(b, "// What went wrong then: %s\n", cut(oneLine(s.values.safe(f.Message)), 200))
	}
	for _, v := range s.Needs {
		fmt.Fprintf(b, "// Needs %s in the environment: %s.\n", v.Name, oneLine(v.What))
	}
	b.WriteString("//\n// Run it with: go mod init repro && go mod tidy && go run .\n// It exits with 1 if the failure shows, 0 if it does not, 125 if it did not get there.\n")
	b.WriteString("package main\n\nimport (\n")
	for _, name := range []string{"encoding/json", "fmt", "net/url", "os", "path/filepath", "regexp", "slices", "strings", "sync", "time", "unicode/utf8", "",
		"github.com/go-rod/rod", "github.com/go-rod/rod/lib/input", "github.com/go-rod/rod/lib/launcher", "github.com/go-rod/rod/lib/proto"} {
		if name != "" {
			name = strconv.Quote(name)
		}
		b.WriteString("\t" + name + "\n")
	}
	fmt.Fprintf(b, ")\n\nconst width, height = %s, %s\n\nvar base = orElse(os.Getenv(\"BASE_URL\"), %s)\n\nfunc orElse(s, or string) string {\n\tif s == \"\" {\n\t\treturn or\n\t}\n\treturn s\n}\n\n",
		number(s.Settings.Viewport.Width), number(s.Settings.Viewport.Height), goString(s.BaseURL))
	for _, v := range s.Needs {
		fmt.Fprintf(b, "var %s = env(%q)\n", v.Name, v.Name)
	}
	b.WriteString("\n")
}

// judge says what it means that a step failed.
func (w *rodWriter) judge(b *strings.Builder) {
	b.WriteString("\tdefer func() {\n\t\tr := recover()\n\t\tif r == nil {\n\t\t\treturn\n\t\t}\n\t\tcode = 125\n")
	if f := w.s.Failure; f != nil && f.Kind == "action" {
		fmt.Fprintf(b, "\t\tif s.at == %d {\n\t\t\tfmt.Printf(\"reproduced: step %%d failed as it did when it was recorded: %%v\\n\", s.at, r)\n\t\t\tcode = 1\n\t\t\treturn\n\t\t}\n", f.Step+1)
	} else if f != nil && failureKinds[f.Kind] != "" {
		fmt.Fprintf(b, "\t\tif s.saw(%s, %s) {\n\t\t\tcode = 1\n\t\t\treturn\n\t\t}\n", goString(failureKinds[f.Kind]), w.failureText())
	}
	b.WriteString("\t\tfmt.Printf(\"step %d did not go through: %v\\n\", s.at, r)\n\t}()\n")
}

// goString writes a text as a literal of Go.
func goString(s string) string { return strconv.Quote(strings.ToValidUTF8(s, "\ufffd")) }

func (w *rodWriter) text(s string) string { return goText(w.s.values.text(s)) }

func (w *rodWriter) address(url string) string {
	return goText(w.s.values.address(w.s.relative(url)))
}

// goText writes a text of which parts are given at run time.
func goText(pieces []Piece) string {
	var parts []string
	literal := ""
	flush := func() {
		if literal != "" {
			parts = append(parts, goString(literal))
			literal = ""
		}
	}
	for _, p := range pieces {
		switch {
		case p.Env != "":
			flush()
			parts = append(parts, p.Env)
		case p.ID != "":
			literal += p.ID
		default:
			literal += p.Literal
		}
	}
	flush()
	if len(parts) == 0 {
		return `""`
	}
	return strings.Join(parts, " + ")
}
