package content

import (
	"bytes"
	"mime"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"
)

// unknownType is what browsers keep as a file.
const unknownType = "application/octet-stream"

// typeOf returns the type an entry is served as: what its bytes are if they
// tell, else what it was recorded as, else what its name says. Only pictures,
// fonts, sound, films and JSON keep their type. Everything else that is text is
// plain text: pages, scripts and style sheets are only ever read. opened
// tells that it would be a document, which no picture with markup may be.
func typeOf(name, recorded string, first []byte, opened bool) string {
	if kind := media(http.DetectContentType(first), opened); kind != "" {
		return kind
	}
	kind, params, err := mime.ParseMediaType(recorded)
	if err != nil || kind == unknownType {
		kind, params, _ = mime.ParseMediaType(mime.TypeByExtension(path.Ext(name)))
	}
	if known := media(fonts(kind, first), opened); known != "" && !text(first, kind) {
		return known
	}
	switch {
	case kind == "image/svg+xml" && !opened:
		return kind
	case kind == "application/json":
		return "application/json"
	case text(first, kind):
		return "text/plain; charset=" + charsetOf(params["charset"])
	}
	return unknownType
}

// media returns the type if it is one that holds no markup.
func media(kind string, opened bool) string {
	top, sub, _ := strings.Cut(kind, "/")
	switch top {
	case "image":
		if strings.Contains(sub, "svg") || strings.Contains(sub, "xml") {
			return ""
		}
		return kind
	case "font", "audio", "video":
		return kind
	}
	return ""
}

// fonts gives old names of font types their new ones.
func fonts(kind string, first []byte) string {
	switch {
	case bytes.HasPrefix(first, []byte("wOF2")):
		return "font/woff2"
	case bytes.HasPrefix(first, []byte("wOFF")):
		return "font/woff"
	case strings.HasPrefix(kind, "application/") && (strings.Contains(kind, "font") || strings.Contains(kind, "opentype") || strings.Contains(kind, "truetype")):
		return "font/sfnt"
	}
	return kind
}

// text reports whether bytes are text, which those of media types are not.
func text(first []byte, kind string) bool {
	if strings.HasPrefix(kind, "font/") {
		return false
	}
	if n := len(first); n >= 4 {
		for n > len(first)-4 && !utf8.RuneStart(first[n-1]) {
			n-- // the last character may be cut
		}
		first = first[:n-1]
	}
	if bytes.IndexByte(first, 0) >= 0 {
		return false
	}
	return utf8.Valid(first) || strings.HasPrefix(kind, "text/")
}

func charsetOf(name string) string {
	if name == "" || strings.ContainsFunc(name, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_')
	}) {
		return "utf-8"
	}
	return name
}
