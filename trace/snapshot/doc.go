// Package snapshot rebuilds the pages of a trace from its frame snapshots.
//
// A frame snapshot is a tree of node arrays in which unchanged parts are
// references to earlier snapshots of the same frame. A [Store] knows where all
// snapshots of a trace stand and which responses the pages had; it reads the
// lines it needs, and writes a page as HTML, as text, or tells which snapshot
// a tab shows.
//
// The HTML is safe by construction: names of elements and attributes come from
// lists of what may stand there, all addresses go through [Addresses], and
// style sheets are written anew token by token. Nothing in it runs, navigates
// or loads from elsewhere. It needs no script either: field values are
// attributes, shadow roots are declarative, scroll positions are style rules.
package snapshot
