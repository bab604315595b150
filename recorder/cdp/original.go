package cdp

import (
	"bytes"
	"mime"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// original is a body as it was sent. Pages hand text over decoded, as the
// declared encoding says or else as Windows-1252, and without a mark in front;
// which of these it was is told by how long it was, in bytes.
func original(data []byte, size int64, contentType string) []byte {
	if size == 0 || int64(len(data)) == size {
		return data
	}
	if marked := append(bytes.Clone(byteOrderMark), data...); int64(len(marked)) == size {
		return marked
	}
	if sent, ok := latin(data); ok && int64(len(sent)) == size {
		return sent
	}
	if _, params, err := mime.ParseMediaType(contentType); err == nil && params["charset"] != "" {
		if declared, err := htmlindex.Get(params["charset"]); err == nil {
			if sent, err := declared.NewEncoder().Bytes(data); err == nil && int64(len(sent)) == size {
				return sent
			}
		}
	}
	return data
}

// latin writes text as Windows-1252 in the way of browsers, in which each byte
// has a meaning.
func latin(text []byte) (sent []byte, ok bool) {
	for _, c := range string(text) {
		b := byte(c)
		if c >= 0x100 || c >= 0x80 && c < 0xa0 {
			if b, ok = charmap.Windows1252.EncodeRune(c); !ok {
				if c >= 0x100 {
					return nil, false
				}
				b = byte(c) // browsers have no gaps
			}
		}
		sent = append(sent, b)
	}
	return sent, true
}
