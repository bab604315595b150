package main

import (
	"archive/zip"
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// million writes a trace of about a million rows: dense is mostly protocol
// events and log lines of few steps, otherwise every row is a step.
func million(path string, dense bool) error {
	return synthetic(path, func(w io.Writer) {
		const inside = 28
		t := 1000.0
		if !dense {
			for i := range 1_000_000 {
				t++
				step(w, i, t, 0.8, nil)
			}
			return
		}
		for i := range 1_000_000 / (inside + 2) {
			t += 30
			step(w, i, t, inside, func() {
				for k := range inside {
					if at := t + 0.9*float64(k); k%2 == 0 {
						fmt.Fprintf(w, `{"type":"event","time":%f,"class":"Page","method":"request","params":{"n":%d}}`+"\n", at, k)
					} else {
						fmt.Fprintf(w, `{"type":"log","callId":"call@%d","time":%f,"message":"  waiting for locator %d"}`+"\n", i, at, k)
					}
				}
			})
		}
	})
}

// steps writes a trace of n steps, of which the one at odd is another one.
func steps(path string, n, odd int) error {
	return synthetic(path, func(w io.Writer) {
		for i := range n {
			number := i
			if i == odd {
				number = n + 7
			}
			step(w, number, 1000+10*float64(i), 8, nil)
		}
	})
}

func step(w io.Writer, i int, t, took float64, inside func()) {
	fmt.Fprintf(w, `{"type":"before","callId":"call@%d","startTime":%f,"class":"Frame","method":"click","params":{"selector":"#element-%d"},"pageId":"page@1"}`+"\n", i, t, i%997)
	if inside != nil {
		inside()
	}
	fmt.Fprintf(w, `{"type":"after","callId":"call@%d","endTime":%f}`+"\n", i, t+took)
}

const header = `{"version":8,"type":"context-options","origin":"library","browserName":"chromium","platform":"linux","wallTime":1700000000000,"monotonicTime":1000,"options":{},"contextId":"context@1"}` + "\n"

func synthetic(path string, lines func(w io.Writer)) error {
	f, err := os.Create(filepath.Clean(path))
	if err != nil {
		return err
	}
	defer f.Close()
	z := zip.NewWriter(f)
	e, err := z.Create("trace.trace")
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(e, 1<<20)
	fmt.Fprint(w, header)
	lines(w)
	if err := w.Flush(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}
