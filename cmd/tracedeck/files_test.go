package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// An app that is a file needs no server, and may be built into another folder
// or be served the next time. One that is not there changes no baseline.
func TestProjectOfAFile(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"build", "other"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	app := strings.Replace(todoApp, "COLOR", "#1463d8", 1)
	write("build/app.html", app)
	write("other/app.html", app)
	write("other/index.html", strings.Replace(app, "#1463d8", "#d81463", 1))
	write("steps.json", strings.Replace(todoSteps, "URL", pageAddress(".", "build/app.html"), 1))
	for _, s := range []struct {
		line string
		code int
		says string
	}{
		{"init", exitOK, "made .tracedeck/config.json"},
		{"record --headless --script steps.json --url build/app.html -o .tracedeck/sessions/todos.zip", exitOK, "todos.zip: "},
		{"ci", exitOK, "looked for where it was recorded"},
		{"approve", exitOK, "approved"},
		{"ci --url other", exitOK, "No differences"},
		{"ci --url other/index.html", exitFound, "differ"},
		{"ci --url file:///nowhere/index.html", exitTrouble, "error"},
		{"approve", exitFound, "went wrong"},
		{"ci", exitOK, "No differences"},
	} {
		var out, errs bytes.Buffer
		code := dispatch(context.Background(), newEnv(nil, &out, &errs, os.Getenv), strings.Fields(s.line))
		if code != s.code || !strings.Contains(out.String()+errs.String(), s.says) {
			t.Fatalf("%s: exit %d\n%s%s", s.line, code, out.String(), errs.String())
		}
	}
}
