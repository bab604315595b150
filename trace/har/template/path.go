// Package template folds what differs between requests for the same thing: ids
// in paths, ports of local servers, hashes in file names, and the one address
// that all GraphQL operations share. Two requests with equal endpoints are calls
// of the same operation of a server.
package template

import (
	"net/url"
	"strings"
)

// ID is what stands in a template for a part that names one thing of many.
const ID = ":id"

// Hash is what stands in a template for the hash in the name of a built file.
const Hash = "[hash]"

const (
	maxPath  = 8 << 10 // bytes that are looked at
	maxParts = 64
)

// Path returns the template of an URL's path, which may be escaped: parts that
// are numbers, UUIDs, hex digits, e-mail addresses or otherwise made up by a
// machine become ":id". Versions ("v1"), years with a month behind them and
// dates stay. What is longer than 8 KiB or 64 parts is cut, with "…" at its end.
// Path of a template is the template.
func Path(path string) string {
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	cut := len(path) > maxPath
	parts := strings.Split(path[:min(len(path), maxPath)], "/")
	if len(parts) > maxParts {
		parts, cut = parts[:maxParts], true
	}
	for i, p := range parts {
		if !dated(parts, i) {
			parts[i] = Part(p)
		}
	}
	s := strings.Join(parts, "/")
	if cut && !strings.HasSuffix(s, "…") {
		s += "…"
	}
	return s
}

// dated reports whether a part belongs to a date, as in "/2026/03/14".
func dated(parts []string, i int) bool {
	for first := i; first >= 0 && first >= i-2; first-- {
		if year(parts[first]) && first+1 < len(parts) && upTo(parts[first+1], 12) && (i < first+2 || upTo(parts[i], 31)) {
			return true
		}
	}
	return false
}

func year(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20")) && number(s)
}

// upTo reports whether s is a number of two digits from 01 to limit.
func upTo(s string, limit int) bool {
	if len(s) != 2 || !number(s) {
		return false
	}
	n := int(s[0]-'0')*10 + int(s[1]-'0')
	return n >= 1 && n <= limit
}

// Part returns the template of one part of a path: ID, or the part itself with
// a hash folded that stands in a file's name.
func Part(part string) string {
	plain, err := url.PathUnescape(part)
	if err != nil {
		plain = part
	}
	if Variable(plain) {
		return ID
	}
	return file(part)
}

// URL returns what addresses of the same operation share: scheme, host as
// [Host] returns it, and the template of the path. Of an address without a host,
// such as a data: or blob: one, it is the scheme with its colon.
func URL(raw string) string {
	u, err := url.Parse(raw[:min(len(raw), maxPath)])
	if err != nil || u.Host == "" {
		scheme, _, found := strings.Cut(raw[:min(len(raw), 32)], ":")
		if !found {
			return Path(raw)
		}
		return strings.ToLower(scheme) + ":"
	}
	return strings.ToLower(u.Scheme) + "://" + Host(u.Hostname()) + Path(u.EscapedPath())
}
