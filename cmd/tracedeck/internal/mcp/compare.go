package mcp

import (
	"context"

	"github.com/tracedeck/tracedeck/diff"
)

type diffArgs struct {
	Before   string `json:"before" jsonschema:"id or path of the first session"`
	After    string `json:"after" jsonschema:"id or path of the second"`
	Pictures bool   `json:"pictures,omitempty" jsonschema:"compare screenshots too, which takes longer"`
	Range
}

// Comparison is how two sessions differ.
type Comparison struct {
	Verdict  string             `json:"verdict" jsonschema:"same, improved, regressed, mixed, changed or inconclusive"`
	Sections []SectionItem      `json:"sections"`
	Changes  List[ChangeItem]   `json:"changes" jsonschema:"those that matter first"`
	Steps    map[string]float64 `json:"steps"`
}

func (c *Comparison) shrink() bool { return c.Changes.shrink() }

// SectionItem is the verdict of a part of the comparison.
type SectionItem struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Changes int    `json:"changes"`
}

// ChangeItem is a difference.
type ChangeItem struct {
	Section string `json:"section"`
	Kind    string `json:"kind"`
	Effect  string `json:"effect"`
	What    string `json:"what"`
	Path    string `json:"path,omitempty"`
	A       string `json:"a,omitempty"`
	B       string `json:"b,omitempty"`
	Note    string `json:"note,omitempty"`
	CallA   string `json:"callA,omitempty"`
	CallB   string `json:"callB,omitempty"`
}

func (s *Server) diffTool(ctx context.Context, in diffArgs) (Comparison, reply, error) {
	a, at, err := s.load(ctx, in.Before)
	if err != nil {
		return Comparison{}, reply{session: a}, err
	}
	b, bt, err := s.load(ctx, in.After)
	if err != nil {
		return Comparison{}, reply{session: b}, err
	}
	o := diff.Options{}
	if !in.Pictures {
		o.Skip = []diff.SectionName{diff.Screenshots}
	}
	r, err := diff.Traces(ctx, diff.Side{Name: a.Path, Archive: a.archive, Trace: at}, diff.Side{Name: b.Path, Archive: b.archive, Trace: bt}, o)
	if err != nil {
		return Comparison{}, reply{session: a}, err
	}
	out := Comparison{Verdict: string(r.Verdict), Sections: []SectionItem{}, Steps: map[string]float64{"first divergence": float64(r.FirstDivergence)}}
	var all []ChangeItem
	for _, sec := range r.Sections {
		out.Sections = append(out.Sections, SectionItem{string(sec.Name), string(sec.Verdict), len(sec.Changes)})
		for _, c := range sec.Changes {
			all = append(all, ChangeItem{string(sec.Name), string(c.Kind), string(c.Effect), both(a, b, c.What, 200), both(a, b, c.Path, 200), a.short(c.A, 300), b.short(c.B, 300), both(a, b, c.Note, 200), c.CallA, c.CallB})
		}
	}
	rank := map[string]int{"regressed": 0, "mixed": 0, "improved": 1, "changed": 2, "inconclusive": 3}
	sortBy(all, func(c ChangeItem) int {
		if n, ok := rank[c.Effect]; ok {
			return n
		}
		return 4
	})
	out.Changes = part(all, in.Range)
	return out, reply{session: a}, nil
}

// both masks what either trace knows for a secret.
func both(a, b *session, s string, most int) string { return b.short(a.masker.Text(s), most) }
