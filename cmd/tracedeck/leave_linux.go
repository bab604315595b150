package main

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// leaveStart gives back the pages of the program itself, 14 MB of the 17 MB that
// it has in memory after its start. Starting runs a little of every package,
// and the kernel maps what lies around it; what is needed again comes back from
// the file, at 2 µs for 64 KiB.
func leaveStart() {
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	// The program comes first, in three parts: code, constants, variables.
	lines := bufio.NewScanner(maps)
	for n := 0; n < 3 && lines.Scan(); n++ {
		if from, to, ok := constant(lines.Bytes(), program); ok {
			// Refused or not, the pages hold the same.
			_ = unix.Madvise(unsafe.Slice((*byte)(from), to), unix.MADV_DONTNEED)
		}
	}
}

// constant is where a line of the kernel's list of mappings says that code or
// constants of the program are, and how many bytes.
func constant(line []byte, program string) (from unsafe.Pointer, size int, ok bool) {
	fields := bytes.Fields(line)
	if len(fields) < 6 || fields[1][1] != '-' || string(fields[5]) != program {
		return nil, 0, false
	}
	a, b, _ := bytes.Cut(fields[0], []byte("-"))
	start, err := strconv.ParseUint(string(a), 16, 64)
	end, err2 := strconv.ParseUint(string(b), 16, 64)
	if err != nil || err2 != nil || end <= start {
		return nil, 0, false
	}
	return unsafe.Add(nil, uintptr(start)), int(end - start), true
}
