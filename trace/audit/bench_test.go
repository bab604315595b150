package audit

import (
	"fmt"
	"strings"
	"testing"
)

// Bodies are what takes time: nearly all of a script holds no secret, and it is
// the passing over it that has to be quick.
func BenchmarkInspect(b *testing.B) {
	program := strings.Repeat(`function t(e,n){var r=e.token||n.key,o=r?"a-b"+r:null;return o&&o.split("-").map(function(e){return e*1e3+0x1f})}`, 10_000)
	var records strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&records, `{"id":%d,"name":"Item %d","sku":"AB-%d-X","updated":"2026-01-02T03:04:05Z","price":%d.5}`+"\n", i, i, i*7, i)
	}
	for name, text := range map[string]string{"script": program, "json": records.String()} {
		kind := map[string]written{"script": script, "json": data}[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				inspect(text, kind)
			}
		})
	}
}
