package main

import (
	"os"
	"syscall"
)

// peakMemory is the largest resident size of a process that has ended, in MiB.
func peakMemory(s *os.ProcessState) float64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(u.Maxrss) / 1024
}
