package rows

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"
)

// whole gives the rows of a picture that had to be decoded at once.
type whole struct {
	img image.Image
	y   int
	// clear is set for a PNG that names one colour as transparent: other readers give such pixels as all zeros.
	clear bool
}

// decoders returns how to read the size and the pixels of a picture that is decoded as a whole.
func decoders(data []byte) (config func() (image.Config, error), decode func() (image.Image, error), err error) {
	switch {
	case isPNG(data):
		config = func() (image.Config, error) { return png.DecodeConfig(bytes.NewReader(data)) }
		decode = func() (image.Image, error) { return png.Decode(bytes.NewReader(data)) }
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		config = func() (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(data)) }
		decode = func() (image.Image, error) { return jpeg.Decode(bytes.NewReader(data)) }
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		if animated(data) {
			return nil, nil, fmt.Errorf("%w but an animation", ErrFormat)
		}
		config = func() (image.Config, error) { return webp.DecodeConfig(bytes.NewReader(data)) }
		decode = func() (image.Image, error) { return webp.Decode(bytes.NewReader(data)) }
	default:
		return nil, nil, otherFormat(data)
	}
	return config, decode, nil
}

// animated is whether a WebP says that it has several frames, of which none is the picture.
func animated(webp []byte) bool {
	return len(webp) > 20 && string(webp[12:16]) == "VP8X" && webp[20]&2 != 0
}

// others are what files begin with that people take for pictures that can be read, from the byte at.
var others = []struct {
	at         int
	begin, say string
}{
	{0, "GIF8", "a GIF"}, {0, "BM", "a BMP"}, {0, "II*\x00", "a TIFF"}, {0, "MM\x00*", "a TIFF"},
	{4, "ftypavif", "an AVIF"}, {4, "ftypheic", "a HEIC"}, {0, "<svg", "an SVG"}, {0, "%PDF", "a PDF"}, {0, "PK\x03\x04", "a zip"},
}

// otherFormat is ErrFormat, with what the file is instead if that is known.
func otherFormat(data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("%w: the file is empty", ErrFormat)
	}
	for _, o := range others {
		if len(data) > o.at && bytes.HasPrefix(data[o.at:], []byte(o.begin)) {
			return fmt.Errorf("%w but %s", ErrFormat, o.say)
		}
	}
	return ErrFormat
}

// decodeWhole reads PNGs of the kinds that PNG does not, JPEG and WebP.
func decodeWhole(data []byte) (Source, error) {
	config, decode, err := decoders(data)
	if err != nil {
		return nil, err
	}
	c, err := config()
	if err != nil {
		return nil, &DamagedError{What: "header", Err: err}
	}
	if err := checkSize(uint64(max(c.Width, 0)), uint64(max(c.Height, 0)), MaxWhole); err != nil {
		return nil, err
	}
	img, err := decode()
	if err != nil {
		return nil, &DamagedError{What: "pixels", Err: err}
	}
	return &whole{img: img, clear: isPNG(data) && data[25] != 3 && hasChunk(data, "tRNS")}, nil
}

func hasChunk(data []byte, kind string) bool {
	for i := 8; i+12 <= len(data); {
		if string(data[i+4:i+8]) == kind {
			return true
		}
		i += 12 + int(binary.BigEndian.Uint32(data[i:]))
	}
	return false
}

func (w *whole) Header() Header {
	b := w.img.Bounds()
	return Header{Width: b.Dx(), Height: b.Dy(), Depth: 4}
}

func (w *whole) Rewind() error {
	w.y = 0
	return nil
}

func (w *whole) Seek(y int) (int, error) {
	w.y = y
	return y, nil
}

func (w *whole) Next(dst []byte) error {
	b := w.img.Bounds()
	dst = dst[:4*b.Dx()]
	y := b.Min.Y + w.y
	switch m := w.img.(type) {
	case *image.NRGBA:
		copy(dst, m.Pix[m.PixOffset(b.Min.X, y):])
	case *image.Paletted:
		w.palettedRow(dst, m, y)
	default:
		for i := 0; i < len(dst); i += 4 {
			c := eightBit(w.img.At(b.Min.X+i/4, y))
			dst[i], dst[i+1], dst[i+2], dst[i+3] = c.R, c.G, c.B, c.A
		}
	}
	if w.clear {
		for i := 0; i < len(dst); i += 4 {
			if dst[i+3] == 0 {
				dst[i], dst[i+1], dst[i+2] = 0, 0, 0
			}
		}
	}
	w.y++
	return nil
}

func (w *whole) palettedRow(dst []byte, m *image.Paletted, y int) {
	row := m.Pix[m.PixOffset(m.Rect.Min.X, y):]
	for i := 0; i < len(dst); i += 4 {
		// The decoder has checked that every index is in the palette.
		c := eightBit(m.Palette[row[i/4]])
		dst[i], dst[i+1], dst[i+2], dst[i+3] = c.R, c.G, c.B, c.A
	}
}

// eightBit rounds samples of 16 bits to the nearest, as the JavaScript readers do; the standard model cuts them off.
func eightBit(c color.Color) color.NRGBA {
	switch v := c.(type) {
	case color.NRGBA:
		return v
	case color.NRGBA64:
		return color.NRGBA{round(v.R), round(v.G), round(v.B), round(v.A)}
	case color.RGBA64:
		if v.A == 0xffff {
			return color.NRGBA{round(v.R), round(v.G), round(v.B), 255}
		}
	case color.Gray16:
		return color.NRGBA{round(v.Y), round(v.Y), round(v.Y), 255}
	}
	return color.NRGBAModel.Convert(c).(color.NRGBA)
}

func round(v uint16) byte { return byte((uint32(v)*255 + 0x7fff) / 0xffff) }
