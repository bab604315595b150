// Package tracedeck is the root of the module; it holds no code. The format
// is in package trace, the program in cmd/tracedeck.
package tracedeck
