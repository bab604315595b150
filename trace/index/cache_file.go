package index

import (
	"encoding/json"
	"hash/crc32"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

// A .tdx file is a magic number, the length of a JSON header, the header, the
// cells of all columns table by table, the strings, the places of the lines
// of each file, and a checksum over everything before it. Numbers are
// little-endian.
const (
	cacheMagic   = "tracedeck index\n"
	cacheVersion = 2 // of the columns and of how they are made
)

// cacheHeader is the part of an index that is not columns.
type cacheHeader struct {
	Version  int
	Rows     [Tables]int
	Strings  int
	Names    []cacheBlock
	Texts    []cacheBlock
	Files    []cacheEntry
	Contexts []cacheContext
	Counts   Counts
	Start    time.Time
	End      time.Duration
	Bad      []BadLine
	BadCount int
	Warnings []trace.Warning
}

// cacheBlock is a block of strings, packed where Packed is not 0.
type cacheBlock struct{ Size, Packed int }

type cacheEntry struct {
	Name    string
	Context int
	Lines   int
	Marks   int
}

type cacheContext struct {
	Options json.RawMessage
	File    string
	Shift   time.Duration
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)
