//go:build !unix

package browser

import (
	"os"
	"os/exec"
	"strconv"
)

// lifeline: handles cannot be handed on under a number here.
const lifeline = false

func tie(*exec.Cmd) (ours, theirs []*os.File, err error) { return nil, nil, nil }

// killGroup ends the browser and everything it started.
func killGroup(p *os.Process) {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run() != nil {
		_ = p.Kill()
	}
}

func asked(*os.ProcessState) bool { return false }
