package main

import (
	"os"
	"strconv"
	"syscall"
)

// modest is how nice the program is to a browser that it did not start.
const modest = 5

// yield lets other programs go first where the processors are all busy. Linux
// knows it of each thread; those that come later take it over.
func yield() {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			_ = syscall.Setpriority(syscall.PRIO_PROCESS, id, modest) // it is only a wish
		}
	}
}
