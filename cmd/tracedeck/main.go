// Tracedeck records, replays, compares and shows browser session traces.
package main

import "os"

func main() {
	os.Exit(start(os.Args[1:]))
}

func start(args []string) int {
	return dispatch(untilInterrupted(), newEnv(os.Stdin, os.Stdout, os.Stderr, os.Getenv), args)
}
