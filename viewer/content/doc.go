// Package content serves what was recorded so that nothing in it can run.
//
// Three things are served, below /c/<token>/<trace>/:
//
//	snapshot/<n>           the page of snapshot n, rebuilt
//	style/<n>/<address>    a style sheet of that page, rewritten; the address is base64
//	r/<entry>              an entry of the archive
//
// A token belongs to one trace and opens nothing else. Every answer gives its
// content an origin of its own and forbids it scripts, forms, plugins and
// requests to anywhere else, whatever its type and also in a tab of its own:
// the headers hold where a filter would fail, and the filter (package
// snapshot) where headers do not reach.
package content
