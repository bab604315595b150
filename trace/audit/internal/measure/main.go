//go:build unix

// Command measure says how good and how quick an audit is on real text. It puts
// the scripts, texts and data of a folder, which hold no secrets, into a trace as
// answers to requests, audits it with the program that is named, and prints how
// many findings are wrong, when the first one came, and what it took.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"
	"time"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har"
)

// kinds are the files that browsers load, with how they are sent.
var kinds = map[string]string{".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html", ".json": "application/json", ".svg": "image/svg+xml", ".txt": "text/plain"}

func main() {
	program := flag.String("program", "bin/tracedeck", "the tracedeck to measure")
	limit := flag.Int64("bytes", 100<<20, "how much text is taken")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: measure [-program tracedeck] [-bytes n] FOLDER")
		os.Exit(2)
	}
	ok, err := measure(*program, flag.Arg(0), *limit)
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func measure(program, folder string, limit int64) (bool, error) {
	dir, err := os.MkdirTemp("", "measure")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "texts.zip")
	files, size, err := write(path, folder, limit, 0)
	if err != nil {
		return false, err
	}
	mega := float64(size) / (1 << 20)
	texts, err := told(program, path, fmt.Sprintf("%d texts, %.0f MiB", files, mega), mega)
	if err != nil {
		return false, err
	}
	if mega < float64(limit)/(1<<20)*0.95 {
		fmt.Printf("  too little text: %.0f MiB are wanted\n", float64(limit)/(1<<20))
		texts = false
	}
	fill := limit - int64(sizeOf(path)*(1<<20))
	path = filepath.Join(dir, "zip.zip")
	if files, size, err = write(path, folder, limit, fill); err != nil {
		return false, err
	}
	whole, err := told(program, path, fmt.Sprintf("the same with pictures and scripts that do not compress, %d bodies, %.0f MiB", files, float64(size)/(1<<20)), mega)
	return texts && whole, err
}

// told audits a trace, prints its figures, and says whether all hold. mega is how
// much text of packages, in MiB, is in it.
func told(program, path, what string, mega float64) (held bool, err error) {
	r, err := audit(program, path)
	if err != nil {
		return false, err
	}
	for _, text := range r.critical {
		fmt.Println("critical:", text)
	}
	fmt.Printf("a trace of %s, as a zip of %.0f MiB:\n", what, sizeOf(path))
	held = true
	for _, f := range []figure{
		{"critical findings, all of them false, for 10 MiB", float64(len(r.critical)) * 10 / mega, 1, ""},
		{"first finding after", r.first.Seconds(), 1, " s"},
		{"whole audit after", r.all.Seconds(), 10, " s"},
		{"memory at the most", float64(r.memory >> 20), 300, " MiB"},
	} {
		held = f.print() && held
	}
	return held, nil
}

// figure is a number with the most that it may be.
type figure struct {
	name        string
	value, most float64
	unit        string
}

func (f figure) print() bool {
	said := "held"
	if f.value > f.most {
		said = "missed"
	}
	fmt.Printf("  %-50s %7.2f%s (at most %g%s): %s\n", f.name, f.value, f.unit, f.most, f.unit, said)
	return f.value <= f.most
}

func sizeOf(path string) float64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return float64(info.Size()) / (1 << 20)
}

// write makes the trace. Its first answer is a page without headers, about which
// there is always something to find. After the texts come so many bytes that do
// not compress.
func write(path, folder string, limit, fill int64) (files int, size int64, err error) {
	names, err := list(folder)
	if err != nil {
		return 0, 0, err
	}
	w, err := trace.CreateZip(path, trace.WriterOptions{})
	if err != nil {
		return 0, 0, err
	}
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium"})
	if err != nil {
		return 0, 0, err
	}
	add := func(name, kind string, text []byte) error {
		file, err := w.AddResource(text, filepath.Ext(name))
		if err != nil {
			return err
		}
		return c.Write(&trace.ResourceSnapshot{Entry: har.Entry{
			Request:  har.Request{Method: "GET", URL: "https://cdn.example.com/" + filepath.ToSlash(name)},
			Response: har.Response{Status: 200, Headers: []har.NameValue{{Name: "Content-Type", Value: kind}}, Content: har.Content{MimeType: kind, File: file, Size: len(text)}}}})
	}
	if err := add("", "text/html", []byte("<!doctype html><title>Texts</title>")); err != nil {
		return 0, 0, err
	}
	for _, name := range names {
		if size >= limit {
			break
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return 0, 0, err
		}
		if len(text) > 2<<20 {
			text = text[:2<<20] // more of a body is not looked at
		}
		if err := add(name, kinds[filepath.Ext(name)], text); err != nil {
			return 0, 0, err
		}
		files, size = files+1, size+int64(len(text))
	}
	noise := rand.New(rand.NewPCG(1, 2))
	for ; fill > 0; fill -= freshBytes {
		name, kind, body := fresh(noise, files)
		if err := add(name, kind, body); err != nil {
			return 0, 0, err
		}
		files, size = files+1, size+int64(len(body))
	}
	return files, size, w.Close()
}

const freshBytes = 150 << 10

// fresh makes a body like no other: a picture, or a script with a font in it.
func fresh(noise *rand.Rand, n int) (name, kind string, body []byte) {
	body = make([]byte, freshBytes)
	for i := range body {
		body[i] = byte(noise.Uint32())
	}
	if n%2 == 0 {
		return fmt.Sprintf("pictures/%d.png", n), "image/png", append([]byte("\x89PNG\r\n\x1a\n"), body...)
	}
	return fmt.Sprintf("scripts/%d.js", n), "text/javascript", fmt.Appendf(nil, "export const font%d = %q;\n", n, "data:font/woff2;base64,"+base64.StdEncoding.EncodeToString(body))
}

func list(folder string) (names []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "test" || d.Name() == "tests") {
			return fs.SkipDir // their keys are real ones
		}
		if err == nil && d.Type().IsRegular() && kinds[filepath.Ext(path)] != "" {
			name, _ := filepath.Rel(folder, path)
			names = append(names, name)
		}
		return err
	})
	// In an order that mixes packages: the limit would take those of the letter a.
	sort.Slice(names, func(i, j int) bool { return order(names[i]) < order(names[j]) })
	return names, err
}

func order(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

type result struct {
	critical   []string
	first, all time.Duration
	memory     int64 // bytes at the most
}

func audit(program, path string) (r result, err error) {
	cmd := exec.Command(program, "audit", "--lines", "--limit", "-1", path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if r.first == 0 {
			r.first = time.Since(began)
		}
		if text := critical(lines.Bytes()); text != "" {
			r.critical = append(r.critical, text)
		}
	}
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() != 1 {
		return r, err
	}
	r.all = time.Since(began)
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.memory = int64(usage.Maxrss) << 10
	}
	return r, lines.Err()
}

func critical(line []byte) string {
	var l struct {
		Finding struct {
			Severity, Code string
			Evidence       struct{ Pattern, URL, Resource string }
		}
	}
	if json.Unmarshal(line, &l) != nil || l.Finding.Severity != "critical" {
		return ""
	}
	return strings.Join([]string{l.Finding.Code, l.Finding.Evidence.Pattern, l.Finding.Evidence.URL}, " ")
}
