// Package dom compares pages as traces record them: trees in which unchanged
// parts are references to earlier snapshots of the same frame.
//
// [Read] goes over a trace once and gives every node a hash of all below it,
// so that equal parts of two pages are never looked into again. [Compare] says
// what became of the rest, as a tree of what differs.
package dom
