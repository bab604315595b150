package container

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// safeName decodes an entry's name. ok is false for a name that could lead out
// of a folder: such entries are left out, with a warning.
func (c *Container) safeName(raw []byte, flags uint16) (name string, ok bool) {
	name = string(raw)
	if flags&flagUTF8 == 0 && !utf8.ValidString(name) {
		name, _ = charmap.CodePage437.NewDecoder().String(name)
	}
	name = strings.ToValidUTF8(name, "\uFFFD")
	if strings.Contains(name, `\`) {
		name = strings.ReplaceAll(name, `\`, "/") // as zippers of Windows write it
	}
	if !local(name) {
		c.warn("W_ZIP_NAME", shorten(name), "its name leads out of the zip; it is left out")
		return "", false
	}
	return name, true
}

func local(name string) bool {
	if name == "" || name[0] == '/' || strings.ContainsRune(name, 0) || len(name) > 1 && name[1] == ':' {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return false
		}
	}
	return true
}

func shorten(name string) string {
	const most = 120
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}
