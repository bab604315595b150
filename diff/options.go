package diff

import (
	"github.com/tracedeck/tracedeck/diff/visual"
	"github.com/tracedeck/tracedeck/trace"
)

// Side is one of the two traces that are compared. The archive must stay open
// for as long as the comparison is used.
type Side struct {
	Name    string // what reports call it
	Archive *trace.Archive
	Trace   *trace.Trace
}

// Options say how traces are compared. The zero value is what most want.
type Options struct {
	// Rules are added to the default ones, replace those of their name, or
	// switch them off.
	Rules []Rule
	// Hidden compares the calls too that lists of actions leave out: getters,
	// routes, configuration.
	Hidden bool
	// Pixels says how pictures are compared; nil means
	// [visual.DefaultOptions], with sizes that differ taken for a difference.
	Pixels *visual.Options
	// Skip names sections that are not compared.
	Skip []SectionName
	// StrictCounts takes an error that came at least twice as often for a
	// regression.
	StrictCounts bool
	// MaxChanges is how many changes a section keeps; 0 means 500. The rest
	// are counted.
	MaxChanges int
}

func (o *Options) pixels() visual.Options {
	if o.Pixels != nil {
		return *o.Pixels
	}
	v := visual.DefaultOptions()
	v.Sizes = visual.SizesDiffer
	return v
}

func (o *Options) maxChanges() int {
	if o.MaxChanges > 0 {
		return o.MaxChanges
	}
	return 500
}
