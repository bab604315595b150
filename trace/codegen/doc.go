// Package codegen makes programs and reports of what a trace tells: a script
// that reproduces a bug, a test for Playwright, a Go program for rod, and a bug
// report in Markdown.
//
// Read turns a trace into a [Scenario]: steps with the elements they are about,
// what was observed after each of them, and what the requests were for.
// [Scenario.Test], [Scenario.Script], [Scenario.Go] and [Scenario.Report] write
// it down. All of it is rules over recorded data: the same trace gives the same
// bytes.
//
// What a trace says is never code. It is written as literals, so that a trace
// from a stranger cannot put a statement into a program.
package codegen
