//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// interruptedAs makes the test's own program stand for one that is interrupted.
const interruptedAs = "TRACEDECK_TEST_INTERRUPTED"

func TestInterruptEndsWhatAskedForIt(t *testing.T) {
	if how := os.Getenv(interruptedAs); how != "" {
		interrupted(how)
	}
	for how, want := range map[string]string{"asked": "exit status 7", "derived": "exit status 7", "polled": "exit status 7", "never": "signal: interrupt"} {
		c := exec.Command(os.Args[0], "-test.run=^TestInterruptEndsWhatAskedForIt$")
		c.Env = append(os.Environ(), interruptedAs+"="+how)
		if err := c.Run(); err == nil || err.Error() != want {
			t.Errorf("%s: %v, not %s", how, err, want)
		}
	}
}

// interrupted sends itself the signal, and exits with 7 if the context ends.
func interrupted(how string) {
	ctx := untilInterrupted()
	switch how {
	case "asked":
		ctx.Done()
	case "derived":
		derived, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		ctx = derived
	case "polled":
		if ctx.Err() != nil {
			os.Exit(1)
		}
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
	if how == "never" {
		time.Sleep(time.Minute)
		os.Exit(1)
	}
	select {
	case <-ctx.Done():
		os.Exit(7)
	case <-time.After(time.Minute):
		os.Exit(1)
	}
}
