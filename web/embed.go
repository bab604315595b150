// Package web holds the front end: the viewer's page, and the scripts that run
// inside pages that are being recorded. Sources are TypeScript; what is built
// from them lies in dist, is committed, and is embedded here.
package web

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Dist returns the built files: viewer.html, viewer.js, viewer.css, in inject
// one script for each source of that folder, and in report the script and the
// style of reports.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant and valid
	}
	return sub
}
