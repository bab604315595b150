package redact

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/internal/rawjson"
)

// run is the redaction of one trace.
type run struct {
	ctx  context.Context
	dst  *trace.Writer
	src  *trace.Archive
	r    *redactor
	done map[string]bool // entries that are written, or not to be
}

// maxText is how long a text may be to be looked into as a whole; a longer
// one is looked into line by line.
const maxText = 64 << 20

// learn goes over everything once.
func (x *run) learn() error {
	for _, f := range x.src.Files() {
		for _, name := range []string{f.Trace, f.Network} {
			if name == "" {
				continue
			}
			err := x.src.Lines(x.ctx, name, func(number int, line []byte, err error) error {
				if err == nil {
					x.line(name, number, line)
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return x.eachText(func(e trace.Entry, text []byte) error {
		x.r.place = x.plainName(e.Name)
		x.r.body(text, e.Name)
		return nil
	})
}

// line returns a line without its secrets; nil leaves it out.
func (x *run) line(entry string, number int, line []byte) []byte {
	r := x.r
	r.place = fmt.Sprintf("%s:%d", entry, number)
	obj, err := rawjson.Parse(line)
	if err != nil {
		return []byte(r.text(string(line), prose, 0))
	}
	typ := obj.Text("type")
	if r.o.NoPictures && (typ == "screencast-frame" || typ == "screenshot" || typ == "video") {
		return nil
	}
	r.call, r.typing, r.page = obj.Text("callId"), typing(obj.Text("method")), typ == "frame-snapshot"
	out, ok := r.json(line, 0)
	if !ok {
		return []byte(r.text(string(line), prose, 0))
	}
	out = x.quotedTyped(out)
	r.call, r.typing, r.page = "", false, false
	return bytes.ReplaceAll(out, []byte{'\n'}, []byte{' '})
}

// typing holds for methods that type text.
func typing(method string) bool {
	m := strings.ToLower(method)
	return strings.HasSuffix(m, "fill") || strings.HasSuffix(m, "type") || strings.HasSuffix(m, "inserttext") || strings.HasSuffix(m, "selectoption")
}

// quotedTyped replaces what a call typed where its title or log quotes it.
func (x *run) quotedTyped(line []byte) []byte {
	for _, s := range x.r.typed[x.r.call] {
		quote := []byte(`\"` + quoted(s) + `\"`)
		if n := bytes.Count(line, quote); n > 0 {
			marker := x.r.vault.marker(s, false)
			line = bytes.ReplaceAll(line, quote, []byte(`\"`+marker+`\"`))
			for range n {
				x.r.count("typed text", marker)
			}
		}
	}
	return line
}

// eachText calls do with each entry that is text and not lines of events.
func (x *run) eachText(do func(e trace.Entry, text []byte) error) error {
	events := map[string]bool{}
	for _, f := range x.src.Files() {
		events[f.Trace], events[f.Network] = true, true
	}
	for _, e := range x.src.Entries() {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		if events[e.Name] {
			continue
		}
		text, ok, err := x.read(e)
		if err != nil {
			x.warn(e.Name, err)
		}
		if !ok {
			continue
		}
		if err := do(e, text); err != nil {
			return err
		}
	}
	return nil
}

func (x *run) warn(entry string, err error) {
	if x.r.finder != nil {
		x.r.report.Warnings = append(x.r.report.Warnings, trace.Warning{Code: "W_DAMAGED_ENTRY", Place: entry, Text: err.Error()})
	}
}

// read returns an entry's bytes. ok is false for pictures and the like, which
// are not looked into.
func (x *run) read(e trace.Entry) (text []byte, ok bool, err error) {
	rc, err := x.src.Resource(x.ctx, e.Name)
	if err != nil {
		return nil, false, err
	}
	defer rc.Close()
	br := bufio.NewReader(rc)
	head, _ := br.Peek(512)
	if media(head) {
		if x.r.finder != nil {
			x.r.report.Pictures++
		}
		return nil, false, nil
	}
	text, err = io.ReadAll(io.LimitReader(br, maxText+1))
	if len(text) > maxText {
		err = errors.Join(err, fmt.Errorf("only its first %d MiB are kept", maxText>>20))
		text = text[:maxText]
	}
	return text, true, err
}

// media reports whether an entry is a picture, a font, a film or an archive:
// compressed, so that a secret cannot be found in its bytes.
func media(head []byte) bool {
	for _, magic := range []string{"\xff\xd8\xff", "\x89PNG", "GIF8", "wOF", "PK\x03\x04", "\x1f\x8b", "\x1a\x45\xdf\xa3", "OggS", "ID3", "(\xb5/\xfd"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return len(head) > 12 && (string(head[:4]) == "RIFF" || string(head[4:8]) == "ftyp")
}

// entries writes the entries that hold secrets, without them, and decides on
// the names that they have now.
func (x *run) entries() error {
	if x.r.o.NoPictures {
		x.dropPictures()
	}
	err := x.eachText(func(e trace.Entry, text []byte) error {
		if x.done[e.Name] {
			return nil
		}
		x.r.place = x.plainName(e.Name)
		out := x.r.body(text, e.Name)
		if bytes.Equal(out, text) {
			return nil
		}
		name := x.plainName(hashName(e.Name, out))
		x.done[e.Name] = true
		if name != e.Name {
			x.rename(e.Name, name)
		}
		return x.dst.AddEntry(name, bytes.NewReader(out))
	})
	if err != nil {
		return err
	}
	return x.renameEntries()
}

// renameEntries gives those entries other names whose names hold secrets.
func (x *run) renameEntries() error {
	for _, e := range x.src.Entries() {
		name := x.plainName(e.Name)
		if x.done[e.Name] || name == e.Name || x.isEvents(e.Name) {
			continue
		}
		x.r.place = name
		x.done[e.Name] = true
		x.rename(e.Name, name)
		if err := x.copyAs(e, name); err != nil {
			return err
		}
	}
	return nil
}

func (x *run) isEvents(name string) bool {
	for _, f := range x.src.Files() {
		if name == f.Trace || name == f.Network {
			return true
		}
	}
	return false
}

func (x *run) copyAs(e trace.Entry, name string) error {
	rc, err := x.src.Resource(x.ctx, e.Name)
	if err != nil {
		x.warn(name, err)
		return nil
	}
	defer rc.Close()
	return x.dst.AddEntry(name, rc)
}

// plainName is an entry's name without the secrets in it.
func (x *run) plainName(name string) string {
	dir, base := path.Split(name)
	return dir + x.r.forms(x.r.known(base))
}

// hashName is the name that an entry has with other bytes: a hash of the old
// ones would tell of them.
func hashName(name string, data []byte) string {
	dir, base := path.Split(name)
	hash, ext, dotted := strings.Cut(base, ".")
	if _, err := hex.DecodeString(hash); err != nil || len(hash) != 2*sha1.Size || strings.HasSuffix(dir, "src/") {
		return name
	}
	sum := sha1.Sum(data)
	out := dir + hex.EncodeToString(sum[:])
	if dotted {
		out += "." + ext
	}
	return out
}

// rename remembers the new name in the two ways that lines say it.
func (x *run) rename(from, to string) {
	x.r.renamed[from] = to
	for _, dir := range []string{"resources/"} {
		i, k := strings.LastIndex(from, dir), strings.LastIndex(to, dir)
		if i >= 0 && k >= 0 {
			x.r.renamed[from[i:]] = to[k:]
			x.r.renamed[from[i+len(dir):]] = to[k+len(dir):]
		}
	}
	if i := strings.LastIndex(from, "attachments/"); i >= 0 {
		x.r.renamed[from[i:]] = to[strings.LastIndex(to, "attachments/"):]
	}
}

// dropPictures decides on the entries that show pages.
func (x *run) dropPictures() {
	shown := map[string]bool{}
	for e, err := range x.src.Events(x.ctx) {
		if err != nil {
			continue
		}
		switch b := e.Body.(type) {
		case *trace.ScreencastFrame, *trace.Screenshot:
			trace.EachFile(e.Body, func(file *string) { shown[*file] = true })
		case *trace.FrameSnapshot:
			for _, o := range b.ResourceOverrides {
				shown[o.File] = shown[o.File] || strings.HasPrefix(o.URL, "data:image/")
			}
		}
	}
	for file, is := range shown {
		if !is {
			continue
		}
		if e, ok := x.src.Resolve(file); ok && !x.done[e.Name] {
			x.done[e.Name] = true
			x.r.report.DroppedPictures++
		}
	}
}

// body returns the bytes of an entry without its secrets.
func (r *redactor) body(data []byte, name string) []byte {
	switch {
	case len(data) == 0:
		return data
	case !utf8.Valid(data) || bytes.IndexByte(data[:min(len(data), 8192)], 0) >= 0:
		return r.binary(data)
	}
	kind := prose
	switch ext := strings.ToLower(path.Ext(name)); ext {
	case ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".css", ".py", ".java", ".cs":
		kind = script
	case ".txt": // sources of tests have that name, and so have texts
		if strings.HasPrefix(path.Base(name), "src@") || strings.HasSuffix(path.Dir(name), "src") {
			kind = script
		}
	case ".jsonl":
		return r.lines(data)
	}
	trimmed := bytes.TrimSpace(data)
	if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		if out, ok := r.json(data, 0); ok {
			return []byte(r.known(string(out)))
		}
		if bytes.IndexByte(trimmed, '\n') > 0 {
			if first, _, _ := bytes.Cut(trimmed, []byte{'\n'}); rawjson.Valid(first) {
				return r.lines(data)
			}
		}
	}
	if kind == prose && looksLikeScript(trimmed) {
		kind = script
	}
	return []byte(r.text(string(data), kind, 0))
}

// looksLikeScript is for bodies whose names do not tell.
func looksLikeScript(text []byte) bool {
	head := string(text[:min(len(text), 4096)])
	if strings.HasPrefix(head, "<") {
		return false
	}
	n := 0
	for _, word := range []string{"function", "=>", "const ", "var ", "let ", "return ", "import ", "{color", "display:", "();"} {
		if strings.Contains(head, word) {
			n++
		}
	}
	return n >= 2
}

// lines is for lines of JSON, such as the messages of a socket.
func (r *redactor) lines(data []byte) []byte {
	list := bytes.Split(data, []byte{'\n'})
	for i, line := range list {
		if out, ok := r.json(line, 0); ok {
			list[i] = []byte(r.known(string(out)))
		} else {
			list[i] = []byte(r.text(string(line), prose, 0))
		}
	}
	return bytes.Join(list, []byte{'\n'})
}

// binary blanks known secrets and keeps the length: what surrounds them may
// count bytes.
func (r *redactor) binary(data []byte) []byte {
	if r.finder == nil {
		return data
	}
	out := data
	for _, s := range r.vault.anywhere() {
		if n := bytes.Count(out, []byte(s)); n > 0 {
			out = bytes.ReplaceAll(out, []byte(s), bytes.Repeat([]byte{'*'}, len(s)))
			r.vault.seen[r.vault.numbers[s]] = true
			for range n {
				r.count("known value in binary data", r.vault.marker(s, false))
			}
		}
	}
	return out
}
