package visual

import (
	"encoding/binary"
	"unsafe"
)

// A pixel is R, G, B and A from the lowest byte up; the pixels of RGB rows are given an alpha of 255.
type pixel = uint32

const opaque pixel = 0xff000000

func red(p pixel) float64   { return float64(p & 255) }
func green(p pixel) float64 { return float64(p >> 8 & 255) }
func blue(p pixel) float64  { return float64(p >> 16 & 255) }
func alpha(p pixel) float64 { return float64(p >> 24) }

// word loads four bytes at row+i. Rows have slack, so the last pixel of an RGB row can be loaded too.
func word(row unsafe.Pointer, i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(unsafe.Add(row, i))[:])
}

// quad loads eight bytes at row+i.
func quad(row unsafe.Pointer, i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(unsafe.Add(row, i))[:])
}

// luma8 is the brightness of an opaque pixel in units of 1e-8, times 8. These integers are exact, and no two colours
// have the same one, so comparing them orders pixels as pixelmatch's floating-point differences do.
func luma8(p pixel) int64 {
	return lumaRed[p&255] + lumaGreen[p>>8&255] + lumaBlue[p>>16&255]
}

// What each channel adds to luma8. Looking it up is quicker than multiplying: a machine loads more often at once than it
// multiplies.
var lumaRed, lumaGreen, lumaBlue [256]int64

func init() {
	for v := range int64(256) {
		lumaRed[v], lumaGreen[v], lumaBlue[v] = 8*29889531*v, 8*58662247*v, 8*11448223*v
	}
}

// A place is a pixel's position as the checkerboard sees it: its byte offset in an RGBA picture.
type place int

// checkerboard is the background that pixelmatch 7 puts behind translucent pixels at this place.
func (k place) checkerboard() (r, g, b float64) {
	// JavaScript's k/x|0 wraps to 32 bits.
	return float64(48 + 159*(int(k)%2)),
		float64(48 + 159*(int32(int64(float64(k)/1.618033988749895))%2)),
		float64(48 + 159*(int32(int64(float64(k)/2.618033988749895))%2))
}
