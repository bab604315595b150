// Package diff compares two traces of the same session: which steps both
// have, where they first part, and what became different in each step: the
// page, its pictures, requests, messages, errors and times.
//
// [Align] pairs the steps alone and is quick. [Traces] compares everything and
// gives a verdict for each section and for all. [New] gives a [Comparer], which
// compares one pair of steps at a time, for those who show them one by one.
//
// What differs from run to run without meaning anything (ids, times, tokens,
// hashes) is masked by named rules before two texts are compared. The result
// lists the rules with what they hid.
package diff
