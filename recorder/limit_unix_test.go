//go:build unix

package recorder

import (
	"os/signal"
	"syscall"
)

// limitFiles has the system refuse to make files longer, as a full disk would.
func limitFiles(bytes uint64) {
	signal.Ignore(syscall.SIGXFSZ)
	l := syscall.Rlimit{Cur: bytes, Max: bytes}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l); err != nil {
		panic(err)
	}
}
