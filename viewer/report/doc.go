// Package report says what came of a run: one or many traces, and what the
// test runner reported of them. [Read] puts a run together; the other functions
// write it as text, Markdown, JUnit XML, or as context for a language model.
//
// All texts of a [Run] are without secrets.
package report
