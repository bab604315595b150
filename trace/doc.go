// Package trace reads and writes browser session traces: zips (or folders)
// of newline-delimited JSON events, HAR network lines and resources, as
// Playwright, Vibium and tracedeck's own recorder write them.
//
// [Open] opens a trace wherever it lies. [Archive.Events] yields its events
// one at a time; [Load] joins them into actions, pages, requests and messages
// on one clock; [Archive.Resource] streams a body or a picture. Events of
// older versions arrive in the shape of [CurrentVersion], with whatever this
// package does not know kept in Extra, so that nothing is lost when they are
// written again by a [Writer].
package trace

// CurrentVersion is the newest version of the trace format that this package
// understands in full. A newer one is read as far as it is understood.
const CurrentVersion = 10

// WriteVersion is the version a [Writer] writes unless told otherwise: the
// one that the most viewers open.
const WriteVersion = 8

// OldestVersion is the oldest version that is brought up to [CurrentVersion].
const OldestVersion = 3
