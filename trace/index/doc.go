// Package index turns a trace into tables: columns of rows with times on one
// clock, made in one streaming pass over the archive and kept on disk.
//
// [Open] takes the index from the cache or builds it; [Build] always builds.
// While it is being built the index can be read already: tables only grow,
// and what changes in a row that is out (an action that ends, a step and a
// call that turn out to be the same) is told in a [Batch].
//
//	x, err := index.Open(ctx, archive, index.Options{})
//	for r := range x.Len(index.Actions) {
//		a := x.Action(index.Row(r))
//		fmt.Println(a.Start, a.Title, a.Detail)
//	}
//
// Rows hold what lists and timelines show. Everything else (parameters, DOM,
// headers, stacks) stays in the archive, and [Index.Line] reaches it by the
// row's position without reading the whole entry.
package index
