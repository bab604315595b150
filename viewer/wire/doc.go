// Package wire is the language that the viewer's server and page speak over
// one WebSocket.
//
// Every message is one binary WebSocket message: a msgpack array that begins
// with the op, a string, and a ref, a number that the page chose and by which
// answers name what they answer. A message that begins a conversation of its
// own has ref 0. Times are microseconds since the recording's start.
//
// # What the page says
//
//	["hello",  ref, version, token, trace]         first, within two seconds
//	                                               with a ref it opens that trace, or, with "", the one that is shown first
//	["open",   ref, trace, epoch, {table: rows}, patches]
//	                                               sends rows from there on; ref names the trace from now on
//	["close",  ref]
//	["view",   ref, trace, table, from, to, buckets]   one answer: a lod
//	["get",    ref, trace, what, row, text]            one answer: a res or an err
//	["search", ref, trace, query, limit]               res after res, the last one done
//	["diff",   ref, traceA, traceB, what, pair, text]  about two traces: res after res, the last one done
//	["shelf",  ref, what, text]                        the start page: res after res, the last one done
//	["cancel", ref]                                    no more answers to ref
//	["credit", 0, n]                               n more frames of rows and strings may come
//
// # What the server says
//
//	["welcome", 0, version, {…}]           what traces there are, and what columns each table has
//	["meta",    ref, {…}]                  what the trace says about itself
//	["state",   ref, {…}]                  how far reading has come, what is wrong
//	["reset",   ref, epoch]                what was sent before is void: the trace was begun anew
//	["strs",    ref, numbers, lengths, text]
//	["rows",    ref, table, first, count, base, [column, …]]
//	["patch",   ref, table, to, base, rows, [column, …]]
//	["lod",     ref, table, from, width, [counts, flags]]
//	["res",     ref, json, done]
//	["err",     ref, code, text, hint]
//
// # Columns
//
// A column is a msgpack bin: its cells one behind the other, little-endian.
// The cells of a byte column have 8 bits, those of all others 32, but:
//
//   - a moment is a u32, microseconds from the frame's base, and 0xffffffff
//     where there is none. In a frame with moments that do not fit (beyond 71
//     minutes) they are f64, microseconds from 0, and NaN where there is none;
//     the column's length tells which it is.
//   - a count of bytes is a f64, -1 where it is not known.
//   - a column with one cell, of neither of these kinds, has that cell in all
//     rows of the frame.
//
// A string column holds numbers of strings; 0 is the empty string. A string
// comes once, before the first row that uses it: numbers and lengths (in
// bytes) are columns of u32, text is the UTF-8 of all, one behind the other.
//
// # Flow
//
// Rows and strings cost a credit a frame; the first frame of a table is small,
// so that something can be shown. The page grants credits as it takes frames
// in, so a page that stops reading makes the server stop sending, and
// the server keeps cursors into its tables, not queues. Tables only grow.
// What the page has is therefore told by counts of rows, and after a lost
// connection the page opens the trace again with the counts it has. Patches
// are counted too; epoch names the index that all counts are of. If it is not
// the server's, the server begins anew with a reset.
package wire
