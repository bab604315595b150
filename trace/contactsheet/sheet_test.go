package contactsheet_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"io"
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace/contactsheet"
)

func picture(c color.Color, w, h int) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		for i := range w * h {
			img.Set(i%w, i/w, c)
		}
		var b bytes.Buffer
		err := png.Encode(&b, img)
		return io.NopCloser(&b), err
	}
}

func TestSheetShowsEveryPictureInOrder(t *testing.T) {
	red, blue := color.RGBA{200, 0, 0, 255}, color.RGBA{0, 0, 200, 255}
	frames := []contactsheet.Frame{
		{Time: time.Second, Open: picture(red, 640, 360)},
		{Time: 2 * time.Second, Open: func(context.Context) (io.ReadCloser, error) { return nil, errors.New("gone") }},
		{Time: 3 * time.Second, Open: picture(blue, 640, 360)},
	}
	img, problems, err := contactsheet.Draw(context.Background(), frames, contactsheet.Options{Columns: 3, Width: 100})
	if err != nil || len(problems) != 1 || problems[0].Frame != 1 {
		t.Fatal(problems, err)
	}
	if img.RGBAAt(8+50, 8+20) != red || img.RGBAAt(8+2*108+50, 8+20) != blue {
		t.Errorf("%v %v", img.RGBAAt(58, 28), img.RGBAAt(274, 28))
	}
}

func TestSheetRefusesHugePictures(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	copy(data[16:], []byte{0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60}) // 60,000 × 60,000
	open := func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	_, problems, err := contactsheet.Draw(context.Background(), []contactsheet.Frame{{Open: open}}, contactsheet.Options{})
	if err != nil || len(problems) != 1 {
		t.Errorf("%v, %v", problems, err)
	}
}
