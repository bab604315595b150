package index

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// facts says what of a record its kind of row is made of. An unknown moment
// is zero for package trace.
func facts(r *record) string {
	when := func(t trace.Time) string {
		if t == trace.NoTime || t == 0 {
			return "-"
		}
		return fmt.Sprint(int64(t))
	}
	entry := string(cut(r.entry, MaxText))
	if r.hashed && entry != "" {
		entry = "resources/" + entry
	}
	s := func(list ...[]byte) string {
		for i, b := range list {
			list[i] = cut(b, MaxText)
		}
		return fmt.Sprintf("%q", list)
	}
	switch r.kind {
	case recordBefore:
		return s(r.callID, r.parentID, r.title, r.subtitle, r.class, r.method, r.group, r.pageID) + when(r.time)
	case recordAfter:
		return s(r.callID, r.message) + when(r.end) + fmt.Sprint(r.failed)
	case recordInput:
		return s(r.callID) // package trace keeps odd points apart; TestInputs compares the others
	case recordLog:
		return s(r.callID, r.message) + when(r.time)
	case recordEvent:
		return s(r.class, r.method, r.pageID, eventPage(r), eventText(r.params)) + when(r.time)
	case recordConsole:
		return s(r.level, r.message, r.pageID, r.url) + when(r.time) + fmt.Sprint(r.line, r.column)
	case recordError:
		return s(r.message)
	case recordFrame:
		return s(r.pageID) + entry + when(r.time) + fmt.Sprint(pixels(r.width), pixels(r.height))
	case recordSnapshot:
		return s(r.callID, r.pageID, r.frame, r.url) + fmt.Sprint(r.phase, r.main, pixels(r.width), pixels(r.height)) + when(r.time)
	case recordRequest:
		return s(r.requestMethod, r.url, r.mime, r.sort, r.message, r.frame, r.pageID) + fmt.Sprint(r.status, r.flags) + when(r.time) + entry + string(cut(r.sent, MaxText))
	}
	return fmt.Sprint(r.kind)
}

// compareScan checks that scan takes from a line what package trace takes
// from it, which parses all of it.
func compareScan(t *testing.T, version int, line []byte) (compared bool) {
	t.Helper()
	d := trace.NewDecoder("x.trace")
	if _, err := d.Line([]byte(fmt.Sprintf(`{"type":"context-options","version":%d,"origin":"library","monotonicTime":1}`, version)), trace.Position{}); err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(line)
	var got record
	ok := scan(line, &got)
	if !bytes.Equal(before, line) {
		t.Fatalf("scan changed the line: %.300q", before)
	}
	events, err := d.Line(line, trace.Position{})
	if err != nil || len(events) != 1 || strange(line) || older(line, version) {
		return false
	}
	if !ok {
		t.Fatalf("scan refuses %.500q", before)
	}
	var want record
	want.fill(events[0].Body)
	if want.kind == recordOther || want.kind == recordContext {
		return false
	}
	if a, b := facts(&want), facts(&got); a != b {
		t.Fatalf("version %d: %.600q\n parsed %s\nscanned %s", version, before, a, b)
	}
	return true
}

// older reports lines with members that the version had no more: scan takes
// them all the same.
func older(line []byte, version int) bool {
	return bytes.Contains(line, []byte(`"apiName"`)) || version > 8 && (bytes.Contains(line, []byte(`sha1"`)) || bytes.Contains(line, []byte(`"_apiRequest"`)))
}

// strange reports lines that no recorder writes and of which readers may
// think differently: members that are there twice, or names with escapes.
//
// encoding/json takes "heigHt" for "height"; names of sizes and points that
// are written otherwise are strange too.
func strange(line []byte) bool {
	var objects func(v []byte, depth int) bool
	objects = func(v []byte, depth int) bool {
		obj, err := rawjson.Parse(v)
		if err != nil || depth > 6 {
			return false
		}
		seen := map[string]bool{}
		for _, m := range obj {
			if seen[m.Key] || !sizes[m.Key] && sizes[strings.ToLower(m.Key)] || !bytes.Contains(v, []byte(`"`+m.Key+`"`)) || len(m.Value) > 0 && m.Value[0] == '{' && objects(m.Value, depth+1) {
				return true
			}
			seen[m.Key] = true
		}
		return false
	}
	return objects(line, 0)
}

var sizes = map[string]bool{"width": true, "height": true, "x": true, "y": true}

func corpusLines(t testing.TB) map[int][][]byte {
	t.Helper()
	lines := map[int][][]byte{}
	for _, pattern := range []string{"playwright/*.zip", "playwright/old/v8*.zip", "vibium/*.zip"} {
		paths, err := filepath.Glob(filepath.Join("../../testdata/corpus", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			version := 10
			if strings.Contains(path, "v8-") || strings.Contains(path, "vibium") {
				version = 8
			}
			z, err := zip.OpenReader(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range z.File {
				if strings.HasSuffix(f.Name, ".trace") || strings.HasSuffix(f.Name, ".network") {
					rc, err := f.Open()
					if err != nil {
						t.Fatal(err)
					}
					text, err := io.ReadAll(rc)
					if err != nil {
						t.Fatal(err)
					}
					lines[version] = append(lines[version], bytes.Split(text, []byte("\n"))...)
				}
			}
			z.Close()
		}
	}
	return lines
}

func TestScanAgreesWithParsing(t *testing.T) {
	compared := 0
	for version, lines := range corpusLines(t) {
		for _, line := range lines {
			if compareScan(t, version, line) {
				compared++
			}
		}
	}
	if compared < 4000 {
		t.Errorf("only %d lines compared", compared)
	}
}

func TestScanReadsUnusualLines(t *testing.T) {
	for _, line := range []string{
		`{"type":"log","callId":"a","time":1.5,"message":"x\u00e9\ud83d\ude00\b"}`,
		`{"type":"log","callId":"a","time":1.5,"message":"x","more":"y"}`,
		`{ "type" : "log" , "callId" : "a" , "time" : 15e-1 , "message" : "x" }`,
		`{"message":"x","time":1,"callId":"a","type":"log"}`,
		`{"callId":"a","type":"log","time":1,"message":"} \"type\":\"before\"}"}`,
		`{"type":"frame-snapshot","snapshot":{"html":["HTML",{}],"callId":"c","phase":"after","pageId":"p","frameId":"f","frameUrl":"u","viewport":{"width":1,"height":2},"timestamp":3,"isMainFrame":true}}`,
		`{"type":"frame-snapshot","snapshot":{"callId":"c","isMainFrame":true,"x":["a"],"html":[[1,2]],"y":["b",["c"]],"phase":"after","pageId":"p","frameId":"f","frameUrl":"u","viewport":{"width":1,"height":2},"timestamp":3}}`,
		`{"type":"frame-snapshot","snapshot":{"callId":"c","html":"none","phase":"before","timestamp":3},"after":{"a":1}}`,
		`{"type":"frame-snapshot","snapshot":{"frameUrl":"\"],[\"\\","html":["A",{},"\\\"]"],"viewport":{"width":1,"height":2},"timestamp":3,"isMainFrame":false,"pageId":"p\\","frameId":"f\\\\","callId":"c","resourceOverrides":[{"url":"]"}]}}`,
		`{"type":"resource-snapshot","snapshot":{"request":{"method":"GET","url":"u"},"response":{"status":-1,"_failureText":"f"},"time":-1}}`,
		`{"type":"resource-snapshot","snapshot":{"request":"none","response":null,"time":"x"}}`,
		`{"type":"after","callId":"a","endTime":1,"error":"plain"}`,
		`{"type":"after","callId":"a","endTime":1,"error":{"error":{"message":"deep"}}}`,
		`{"type":"before","callId":7,"startTime":"1","params":[]}`,
	} {
		for version := firstModern; version <= trace.CurrentVersion; version++ {
			if !compareScan(t, version, []byte(line)) {
				t.Errorf("not compared: %s", line)
			}
		}
	}
}

func TestScanRefusesBrokenLines(t *testing.T) {
	for _, line := range []string{``, `x`, `{`, `{"type":"log"`, `{"type":"log","callId":"a","time":1,"message":"x"`, `{"type":"log"}{"type":"log"}`, `[1]`,
		`{"type":"before","callId":"a","startTime":1,"class":"Fra`, `{"type":"frame-snapshot","snapshot":{"callId":"c","html":["HTML",{},["BO`, `{"type"}`} {
		var r record
		if scan([]byte(line), &r) {
			t.Errorf("taken: %q", line)
		}
	}
}

func FuzzScan(f *testing.F) {
	seen := map[string]int{}
	for version, lines := range corpusLines(f) {
		for _, line := range lines {
			kind := fmt.Sprint(version, kindOf(line))
			if seen[kind]++; seen[kind] <= 4 && len(line) < 20_000 {
				f.Add(line, uint8(version))
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte, version uint8) {
		compareScan(t, firstModern+int(version)%3, line)
	})
}

func FuzzDecodeIndex(f *testing.F) {
	for _, name := range []string{"playwright/empty.zip", "playwright/websocket.zip"} {
		a, err := trace.Open(f.Context(), "../../testdata/corpus/"+name, trace.Options{})
		if err != nil {
			f.Fatal(err)
		}
		x, err := Build(f.Context(), a, Options{})
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		if err := writeIndex(&b, x); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes(), false)
		f.Add(b.Bytes(), true)
		a.Close()
	}
	f.Fuzz(func(t *testing.T, b []byte, mend bool) {
		if mend && len(b) > 4 {
			b = append(bytes.Clone(b[:len(b)-4]), checksum(b[:len(b)-4])...)
		}
		x, err := decodeIndex(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		for r := range x.Len(Actions) {
			a := x.Action(Row(r))
			if a.Parent != NoRow {
				x.Action(a.Parent)
			}
		}
		for r := range x.Len(Snapshots) {
			x.Snapshot(Row(r))
		}
		for l := range Lane(Lanes) {
			x.View(l, 0, x.Clock().End, 10)
		}
	})
}

func FuzzSideDirectory(f *testing.F) {
	path := filepath.Join(f.TempDir(), "side")
	file, err := os.Create(path)
	if err != nil {
		f.Fatal(err)
	}
	s := newSideWriter(file)
	text := bytes.Repeat([]byte("some text of a line\n"), 1000)
	s.add("trace.trace", 0, text, func() {})
	s.add("trace.trace", int64(len(text)), text, func() {})
	if err := errors.Join(s.finish(), file.Close()); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, int64(30), 100)
	f.Fuzz(func(t *testing.T, b []byte, offset int64, n int) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		side := (&cache{dir: filepath.Dir(path), key: "x"}).openFile(path)
		if side == nil {
			return
		}
		defer side.close()
		if got, ok := side.read("trace.trace", offset&(1<<20-1), n&0xffff); ok && len(got) != n&0xffff {
			t.Fatalf("%d bytes of %d", len(got), n&0xffff)
		}
	})
}

func checksum(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(nil, crc32.Checksum(b, castagnoli))
}
