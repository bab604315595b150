package cdp

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
)

// Text that was decoded on its way here is what was sent again.
func TestDecodedTextIsWhatWasSent(t *testing.T) {
	var all []byte
	for i := range 256 {
		all = append(all, byte(i))
	}
	decoded := func(sent []byte) (text string) { // as browsers do
		for _, b := range sent {
			c := charmap.Windows1252.DecodeByte(b)
			if c == '\ufffd' {
				c = rune(b)
			}
			text += string(c)
		}
		return text
	}
	kanji, err := japanese.ShiftJIS.NewEncoder().String("漢字")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, got, sent, kind string }{
		{"UTF-8 taken for Windows-1252", decoded([]byte("é ✓ ”")), "é ✓ ”", "text/plain"},
		{"each byte", decoded(all), string(all), "text/plain"},
		{"as it was", "é ✓", "é ✓", "text/plain; charset=utf-8"},
		{"a mark in front", "é", "\xef\xbb\xbfé", "text/csv"},
		{"declared", "漢字", kanji, "text/html; charset=Shift_JIS"},
		{"unknown", "é", "1234567", "text/plain; charset=what"},
	} {
		want := c.sent
		if c.name == "unknown" {
			want = c.got
		}
		if got := original([]byte(c.got), int64(len(c.sent)), c.kind); string(got) != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}
