// Package verify says whether a change to the code helped: what went wrong
// before it, what goes wrong after it, and one verdict by one table.
//
// [Capture] sums a session up, or a span of one that is still recorded, as a
// [State]: errors and failing requests by their kind, endpoints, sockets, and
// how it performed. It holds no bodies and no secrets. [Verify] holds the state
// after a change against the one before, [Compare] any two. A [Desk] keeps
// verifications and named states on a [Shelf] until they expire.
//
// Kinds come from package diff's masks, so that an error that differs only in
// ids, times, or the line it was thrown in is the same. How often something
// happened never decides, unless asked for: polling and timing change that.
package verify
