// Package peak tells how much memory a process took.
package peak

import (
	"os"
	"syscall"
)

// Memory is the largest resident size of a process that has ended, in MiB.
func Memory(s *os.ProcessState) float64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(u.Maxrss) / 1024
}
