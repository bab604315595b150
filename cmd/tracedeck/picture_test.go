package main

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tracedeck/tracedeck/trace"
)

// cmdShots writes a trace with screenshots: shots FILE KEY=COLOR[@WxH]…, where
// the colour is that of a button on a white page.
func cmdShots(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: shots FILE KEY=COLOR[@WxH]…")
	}
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o777))
	w, err := trace.CreateZip(ts.MkAbs(args[0]), trace.WriterOptions{})
	ts.Check(err)
	after := &trace.After{CallID: "call@1", EndTime: trace.Milliseconds(50)}
	for _, spec := range args[1:] {
		key, value, _ := strings.Cut(spec, "=")
		file, err := w.AddResource(buttonPage(ts, value), ".png")
		ts.Check(err)
		after.Attachments = append(after.Attachments, trace.Attachment{Name: key, ContentType: "image/png", File: file})
	}
	c, err := w.StartChunk(&trace.ContextOptions{Origin: "library", BrowserName: "chromium", Platform: "linux", Title: "pays", MonotonicTime: 1,
		Options: []byte(`{"viewport":{"width":60,"height":40}}`)})
	ts.Check(err)
	ts.Check(c.Write(&trace.Before{CallID: "call@1", StartTime: trace.Milliseconds(10), Class: "Page", Method: "click"}))
	ts.Check(c.Write(after))
	ts.Check(w.Close())
}

func buttonPage(ts *testscript.TestScript, spec string) []byte {
	name, size, _ := strings.Cut(spec, "@")
	width, height := 60, 40
	if size != "" {
		_, err := fmt.Sscanf(size, "%dx%d", &width, &height)
		ts.Check(err)
	}
	v, err := strconv.ParseUint(name, 16, 32)
	ts.Check(err)
	fill := color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.White)
			if image.Pt(x, y).In(image.Rect(10, 10, 30, 20)) {
				m.Set(x, y, fill)
			}
		}
	}
	var b bytes.Buffer
	ts.Check(png.Encode(&b, m))
	return b.Bytes()
}

// cmdHexFile writes bytes: hexfile FILE HEX.
func cmdHexFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hexfile FILE HEX")
	}
	data, err := hex.DecodeString(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o644))
}
