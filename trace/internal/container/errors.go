package container

import (
	"errors"
	"fmt"
	"strings"
)

// Errors that have no data.
var (
	ErrNotThere       = errors.New("no such entry")
	ErrTooManyEntries = errors.New("more entries than the limit")
	ErrNotAZip        = errors.New("not a zip file")
	ErrEncrypted      = errors.New("it is encrypted")
	// ErrTruncated is for a file of a folder that has become shorter than the
	// offset that is asked for: it is to be read again from its beginning.
	ErrTruncated = errors.New("the file became shorter")
)

// Warning is something that is not as it should be, and did not prevent
// reading. Entry is empty where it is about the whole container.
type Warning struct{ Code, Entry, Text string }

// DamagedError ends the reading of an entry of which a part is lost. What was
// read before it is good as far as can be told.
type DamagedError struct {
	Entry  string
	Offset int64 // inflated bytes before the damage
	Reason string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s: damaged after %d bytes: %s", shorten(e.Entry), e.Offset, e.Reason)
}

var methodNames = map[uint16]string{1: "Shrink", 6: "Implode", 9: "Deflate64", 14: "LZMA", 95: "XZ", 97: "WavPack", 98: "PPMd", 99: "AES"}

// MethodError is for an entry that is compressed in a way that is not read.
type MethodError struct {
	Entry  string
	Method uint16
}

func (e *MethodError) Error() string {
	name := methodNames[e.Method]
	if name == "" {
		name = fmt.Sprintf("method %d", e.Method)
	}
	return fmt.Sprintf("%s: compressed with %s", shorten(e.Entry), name)
}

// Hint says what to do about it.
func (e *MethodError) Hint() string { return "unpack it and zip it again with deflate" }

// NestedError is for a zip that holds several zips and no trace.
type NestedError struct {
	Name string
	Zips []string
}

func (e *NestedError) Error() string {
	return fmt.Sprintf("%s: it holds %d zips", e.Name, len(e.Zips))
}

// Hint says how one of them is opened.
func (e *NestedError) Hint() string {
	list := e.Zips
	if len(list) > 5 {
		list = append(append([]string(nil), list[:5]...), "…")
	}
	return fmt.Sprintf("name one: '%s!%s' (there is %s)", e.Name, e.Zips[0], strings.Join(list, ", "))
}
