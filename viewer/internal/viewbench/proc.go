package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/launcher/flags"
)

func launcherFlag(name string) flags.Flag { return flags.Flag(name) }

// memoryOf returns the bytes of memory that a process and all it has started
// have for themselves: not the code of the browser, which they share.
func memoryOf(pid int) int64 {
	if pid == 0 {
		return 0
	}
	children := childrenOf()
	var total int64
	list := []int{pid}
	for len(list) > 0 {
		p := list[0]
		list = append(list[1:], children[p]...)
		total += resident(p)
	}
	return total
}

// resident is a process's own memory and what it shares with others on
// purpose, or all it has in memory where the system does not tell them apart.
func resident(pid int) int64 {
	var total int64
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
		for line := range strings.Lines(string(b)) {
			if name, rest, _ := strings.Cut(line, ":"); name == "RssAnon" || name == "RssShmem" {
				kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
				total += kb << 10
			}
		}
	}
	if total > 0 {
		return total
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func childrenOf() map[int][]int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, s := range stats {
		b, err := os.ReadFile(s)
		if err != nil {
			continue
		}
		text := string(b)
		rest := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(s)))
		if len(rest) > 1 {
			parent, _ := strconv.Atoi(rest[1])
			children[parent] = append(children[parent], pid)
		}
	}
	return children
}

// idle reports whether a process tree does nothing: a viewer that neither
// shows rows nor works will never show any.
func idle(pid int) bool {
	before := cpuOf(pid)
	time.Sleep(2 * time.Second)
	return cpuOf(pid)-before < 20
}

// cpuOf returns the clock ticks that a process tree has used.
func cpuOf(pid int) int64 {
	children := childrenOf()
	var total int64
	list := []int{pid}
	for len(list) > 0 {
		p := list[0]
		list = append(list[1:], children[p]...)
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p))
		if err != nil {
			continue
		}
		rest := strings.Fields(string(b)[strings.LastIndexByte(string(b), ')')+1:])
		for _, i := range []int{11, 12} {
			if i < len(rest) {
				n, _ := strconv.ParseInt(rest[i], 10, 64)
				total += n
			}
		}
	}
	return total
}
