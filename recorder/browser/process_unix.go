//go:build unix

package browser

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// lifeline tells whether a browser is held by a pipe, at whose end it ends.
const lifeline = true

// tie puts the browser and its helpers into a process group of their own, and
// gives it a DevTools pipe on which nothing is ever said: when this program is
// gone, however it went, the pipe is closed and the browser ends. The caller
// closes theirs after the start and ours at the end.
func tie(cmd *exec.Cmd) (ours, theirs []*os.File, err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	toRead, toWrite, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	fromRead, fromWrite, err := os.Pipe()
	if err != nil {
		toRead.Close()
		toWrite.Close()
		return nil, nil, err
	}
	cmd.ExtraFiles = []*os.File{toRead, fromWrite} // 3 and 4, as Chromium expects
	return []*os.File{toWrite, fromRead}, []*os.File{toRead, fromWrite}, nil
}

// killGroup ends the browser and everything it started.
func killGroup(p *os.Process) {
	if err := syscall.Kill(-p.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		_ = p.Kill()
	}
}

// asked reports whether a process ended by a signal of who wanted it to end.
func asked(state *os.ProcessState) bool {
	s, ok := state.Sys().(syscall.WaitStatus)
	return ok && s.Signaled() && (s.Signal() == syscall.SIGINT || s.Signal() == syscall.SIGTERM || s.Signal() == syscall.SIGHUP)
}
