package container

import (
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// decodeName makes text of a name's bytes: UTF-8 if it is that, whatever the
// flag says, and the code page of DOS otherwise.
func decodeName(raw []byte, flags uint16) string {
	name := string(raw)
	if utf8.ValidString(name) {
		return name
	}
	if flags&flagUTF8 == 0 {
		name, _ = charmap.CodePage437.NewDecoder().String(name)
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}

// safeName returns an entry's name in its one form. ok is false for a folder,
// and for a name that could lead out of one: such entries are left out.
func (c *Container) safeName(raw []byte, flags uint16) (name string, ok bool) {
	name = decodeName(raw, flags)
	if strings.Contains(name, `\`) {
		name = strings.ReplaceAll(name, `\`, "/") // as zippers of Windows write it
	}
	if !local(name) {
		c.warn("W_ZIP_NAME", name, "its name leads out of the zip; it is left out")
		return "", false
	}
	if name[len(name)-1] == '/' {
		return "", false
	}
	if strings.Contains(name, "//") || strings.HasPrefix(name, "./") || strings.Contains(name, "/./") {
		name = path.Clean(name)
	}
	return name, true
}

// local reports whether a name stays inside, on every operating system.
func local(name string) bool {
	if name == "" || name[0] == '/' || strings.ContainsRune(name, 0) || len(name) > 1 && name[1] == ':' {
		return false
	}
	if !strings.Contains(name, "..") {
		return true
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return false
		}
	}
	return true
}

// shorten makes a hostile name fit for a message.
func shorten(name string) string {
	const most = 120
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most], "") + "…"
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, name)
}
