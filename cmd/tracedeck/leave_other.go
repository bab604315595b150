//go:build !linux

package main

// leaveStart gives back memory that only the start of the program needed, where
// that is known to help.
func leaveStart() {}
