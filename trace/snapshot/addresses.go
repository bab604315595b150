package snapshot

import (
	"strings"

	"github.com/tracedeck/tracedeck/trace"
)

// Use says what a page loads an address for.
type Use uint8

// What pages load addresses for.
const (
	UseImage Use = iota
	UseStyle
	UseFont
	UseMedia
)

// Addresses gives what a recorded page loads a place to be loaded from.
type Addresses interface {
	// Resource returns where the resource of an absolute address is served;
	// with "" the page does without it. The result is written as it is: it
	// must be an address of the caller's own.
	Resource(address string, use Use) string
	// Entry returns where an entry of the archive is served, or "".
	Entry(file string) string
	// Frame returns where the snapshot of a child frame is served, or "".
	Frame(f Frame) string
}

// Frame is a frame inside a page.
type Frame struct {
	ID string
	// Offset is where the frame's box begins in the top page's viewport, in
	// CSS pixels, where Known.
	Offset trace.Point
	Known  bool
}

// nowhere is where nothing is loaded from.
type nowhere struct{}

func (nowhere) Resource(string, Use) string { return "" }
func (nowhere) Entry(string) string         { return "" }
func (nowhere) Frame(Frame) string          { return "" }

// loads returns what to write for an address that a page loads, and "" to
// leave it out.
func loads(a Addresses, base, address string, use Use) string {
	address = tidy(address)
	switch {
	case address == "":
		return ""
	case address[0] == '#':
		return address
	case scheme(address) == "data":
		return dataAddress(address, use)
	}
	abs := resolve(base, address)
	if abs == "" || scheme(abs) == "javascript" || scheme(abs) == "about" {
		return ""
	}
	fragment := ""
	if i := strings.IndexByte(abs, '#'); i >= 0 {
		abs, fragment = abs[:i], abs[i:]
	}
	to := a.Resource(abs, use)
	if to == "" || use == UseStyle || scheme(to) == "data" {
		return to
	}
	return to + fragment
}

// dataAddress lets data: addresses through whose type fits their use.
func dataAddress(address string, use Use) string {
	kind := strings.ToLower(address[len("data:"):])
	if i := strings.IndexAny(kind, ",;"); i >= 0 {
		kind = kind[:i]
	}
	top, _, _ := strings.Cut(strings.TrimSpace(kind), "/")
	switch use {
	case UseImage:
		if top == "image" || top == "font" || strings.Contains(kind, "font") || kind == "application/octet-stream" {
			return address
		}
	case UseFont:
		if top == "font" || strings.Contains(kind, "font") || kind == "application/octet-stream" {
			return address
		}
	case UseMedia:
		if top == "audio" || top == "video" || top == "image" {
			return address
		}
	}
	return ""
}
