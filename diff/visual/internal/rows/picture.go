// Package rows reads pictures one row at a time, top to bottom: 8-bit RGB and RGBA PNGs, which browsers write, by
// streaming them through a small window; other PNGs, JPEG and WebP through the decoders of the Go project.
package rows

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Slack is how many bytes a row given to Next must have behind its pixels: pixels are loaded as whole words.
const Slack = 16

const (
	// MaxPixels is the largest picture that is streamed: 16,384 by 16,384, more than Chromium can capture.
	MaxPixels = 1 << 28
	// MaxSide is the longest side.
	MaxSide = 1 << 18
	// MaxWhole is the largest picture of the kinds that have to be decoded as a whole, 8 bytes a pixel at worst.
	MaxWhole = 1 << 26
)

// ErrFormat says that the bytes are no picture of a kind that can be read.
var ErrFormat = errors.New("not a PNG, JPEG or WebP picture")

// A DamagedError says that a picture cannot be read to its end.
type DamagedError struct {
	What string // what is wrong, with its place
	Err  error  // the cause, if another reader found it
}

func (e *DamagedError) Error() string {
	if e.Err != nil {
		return e.What + ": " + e.Err.Error()
	}
	return e.What
}

func (e *DamagedError) Unwrap() error { return e.Err }

// A SizeLimitError says that a picture declares more pixels than will be read.
type SizeLimitError struct {
	Width, Height uint64
	Pixels        uint64 // the most that would be
}

func (e *SizeLimitError) Error() string {
	return fmt.Sprintf("declares %dx%d pixels; the limit is %d pixels and %d a side", e.Width, e.Height, e.Pixels, MaxSide)
}

// Header is what a picture says of itself.
type Header struct {
	Width, Height int
	// Depth is how many bytes a pixel takes in the rows that Next gives: 3 (RGB) or 4 (RGBA, not premultiplied).
	Depth int
}

// Source gives the rows of one picture.
type Source interface {
	Header() Header
	// Next puts the next row into dst, which must have Slack bytes more than the row. A source may look at dst
	// once more when it makes the row after it: until then it must stay as it is.
	Next(dst []byte) error
	// Rewind makes Next begin at the first row again.
	Rewind() error
	// Seek makes Next go on at row y or, if that cannot be done, at one before it, which it returns.
	Seek(y int) (int, error)
}

// Open finds out what data is and returns its rows. reuse is a source of an earlier picture whose buffers may be
// taken over, or nil. With own set, data is taken over as well: it will be overwritten.
func Open(data []byte, own bool, reuse *PNG) (Source, error) {
	if isPNG(data) {
		if reuse == nil {
			reuse = new(PNG)
		}
		ok, err := reuse.open(data, own)
		if err != nil {
			return nil, err
		}
		if ok {
			return reuse, nil
		}
	}
	return decodeWhole(data)
}

// checkSize refuses pictures before anything is allocated for them.
func checkSize(w, h, most uint64) error {
	if w == 0 || h == 0 {
		return &DamagedError{What: fmt.Sprintf("declares %dx%d pixels", w, h)}
	}
	if w > MaxSide || h > MaxSide || w*h > most {
		return &SizeLimitError{Width: w, Height: h, Pixels: most}
	}
	return nil
}

const pngSignature = "\x89PNG\r\n\x1a\n"

func isPNG(data []byte) bool { return len(data) >= 8 && string(data[:8]) == pngSignature }

// pngSize is the size that a PNG of at least 24 bytes declares.
func pngSize(data []byte) (w, h uint64) {
	return uint64(binary.BigEndian.Uint32(data[16:])), uint64(binary.BigEndian.Uint32(data[20:]))
}

// Config returns the size of a picture without decoding it.
func Config(data []byte) (Header, error) {
	if isPNG(data) && len(data) >= 33 {
		w, h := pngSize(data)
		err := checkSize(w, h, MaxPixels)
		return Header{Width: int(w), Height: int(h)}, err
	}
	config, _, err := decoders(data)
	if err != nil {
		return Header{}, err
	}
	c, err := config()
	if err != nil {
		return Header{}, &DamagedError{What: "header", Err: err}
	}
	return Header{Width: c.Width, Height: c.Height}, checkSize(uint64(max(c.Width, 0)), uint64(max(c.Height, 0)), MaxWhole)
}
