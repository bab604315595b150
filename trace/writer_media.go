package trace

import "bytes"

// sniffLength is how many bytes of a file tell whether it is compressed.
const sniffLength = 16

// compressed reports whether a file that begins with head is compressed
// already, so that deflating it again would only cost time.
func compressed(head []byte) bool {
	for _, magic := range compressedMagic {
		if bytes.HasPrefix(head, magic) {
			return true
		}
	}
	switch {
	case len(head) >= 12 && string(head[:4]) == "RIFF":
		return string(head[8:12]) == "WEBP"
	case len(head) >= 8 && string(head[4:8]) == "ftyp": // MP4, AVIF, HEIC
		return true
	}
	return false
}

var compressedMagic = [][]byte{
	{0xff, 0xd8, 0xff},       // JPEG
	[]byte("\x89PNG\r\n"),    //
	[]byte("GIF8"),           //
	[]byte("wOFF"),           // fonts
	[]byte("wOF2"),           //
	[]byte("PK\x03\x04"),     // zip
	{0x1f, 0x8b},             // gzip
	{0x28, 0xb5, 0x2f, 0xfd}, // zstd
	{0x1a, 0x45, 0xdf, 0xa3}, // WebM
	[]byte("OggS"),           //
	[]byte("ID3"),            // MP3
	{0xfd, '7', 'z', 'X', 'Z', 0},
	[]byte("BZh"),
	{'7', 'z', 0xbc, 0xaf, 0x27, 0x1c},
}
