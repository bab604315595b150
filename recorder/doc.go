// Package recorder makes traces of browser sessions.
//
// [Start] records a browser or a page that rod drives, [Attach] one that
// anybody drives. A [Session] has one writer, one clock and one order: what
// the browser tells, what the caller does between [Session.Begin] and
// [Action.End], and groups around both. Everything goes to a folder at once,
// so that a recording survives the death of its recorder (trace.Pack makes a
// zip of such a folder) and can be watched while it grows.
package recorder
