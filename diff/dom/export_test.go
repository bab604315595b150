package dom

import "github.com/tracedeck/tracedeck/trace"

// ReadForTest reads one snapshot, which stands at line 1 of the file f.
func ReadForTest(html string, m Mask) *Pages {
	p := &Pages{mask: m, budget: DefaultBudget, byLine: map[place]*page{}, frames: map[frame][]*page{}, known: map[string]hashes{}}
	p.add("f", trace.Position{File: "f", Line: 1}, &trace.FrameSnapshot{HTML: []byte(html)})
	return p
}
