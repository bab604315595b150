package visual

import (
	"errors"
	"fmt"

	"github.com/tracedeck/tracedeck/diff/visual/internal/rows"
)

// Codes of the errors of this package, for the registry of errors.
const (
	CodeDimensionMismatch = "E_DIMENSION_MISMATCH"
	CodePictureFormat     = "E_PICTURE_FORMAT"
	CodePictureDamaged    = "E_PICTURE_DAMAGED"
	CodePictureTooLarge   = "E_PICTURE_TOO_LARGE"
	CodePictureOptions    = "E_PICTURE_OPTIONS"
)

// A SizeError says that two pictures have different sizes. It still explains the second by the first.
type SizeError struct {
	A, B Size
	// Result has the moves and the boxes, but no counts: those need pictures of one size.
	Result Result
}

func (e *SizeError) Error() string {
	s := fmt.Sprintf("sizes differ: %dx%d and %dx%d", e.A.Width, e.A.Height, e.B.Width, e.B.Height)
	if text := e.Result.Explain(); text != "" {
		s += " (" + text + ")"
	}
	return s
}

// Code is CodeDimensionMismatch.
func (e *SizeError) Code() string { return CodeDimensionMismatch }

// A PictureError says that a picture cannot be read.
type PictureError struct {
	Name string // of the picture: its path, or "first picture" and "second picture"
	Err  error
}

func (e *PictureError) Error() string { return e.Name + ": " + e.Err.Error() }

func (e *PictureError) Unwrap() error { return e.Err }

// Code is one of CodePictureFormat, CodePictureDamaged and CodePictureTooLarge, or empty if the bytes could not be had.
func (e *PictureError) Code() string {
	var damaged *rows.DamagedError
	var large *rows.SizeLimitError
	switch {
	case errors.Is(e.Err, rows.ErrFormat):
		return CodePictureFormat
	case errors.As(e.Err, &damaged):
		return CodePictureDamaged
	case errors.As(e.Err, &large):
		return CodePictureTooLarge
	}
	return ""
}

// An OptionsError says which option is wrong.
type OptionsError struct{ Err error }

func (e *OptionsError) Error() string { return "picture comparison: " + e.Err.Error() }

func (e *OptionsError) Unwrap() error { return e.Err }

// Code is CodePictureOptions.
func (e *OptionsError) Code() string { return CodePictureOptions }
