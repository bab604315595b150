package watch

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/har/template"
)

func (d *Detector) longTask(e *trace.ContextEvent) {
	var p struct{ Duration float64 }
	if json.Unmarshal(e.Params, &p) == nil && p.Duration > longTask {
		d.tell(Finding{Category: Performance, Severity: Warning, Rule: "long-task", Message: fmt.Sprintf("Main thread blocked for %.0f ms", p.Duration)}, "")
	}
}

// vitals judges a load by its largest contentful paint, once: by itself, and
// against the median of earlier loads of the same page. A page tells its vitals
// again each time they change.
func (d *Detector) vitals(e *trace.ContextEvent) {
	var p struct {
		URL       string
		LCP, TTFB float64
	}
	if json.Unmarshal(e.Params, &p) != nil || p.LCP <= 0 {
		return
	}
	page := template.URL(p.URL)
	load := fmt.Sprintf("%s %.3f", p.URL, p.TTFB)
	before, _ := d.loads.get(page)
	if last, _ := d.counted.get(e.PageID); last == load {
		if len(before) > 0 {
			before[len(before)-1] = p.LCP // of the same load
			before = before[:len(before)-1]
		}
	} else {
		d.counted.put(e.PageID, load)
		const most = 50
		d.loads.put(page, append(before[max(0, len(before)-most):len(before):len(before)], p.LCP))
	}
	f := Finding{Category: Performance, Severity: Warning, Rule: "slow-load", URL: p.URL}
	base := median(before)
	switch {
	case len(before) >= 2 && p.LCP > slowFactor*base && p.LCP > slowLeast:
		f.Message = fmt.Sprintf("Performance regression: %s loaded in %.0f ms (baseline: %.0f ms)", p.URL, p.LCP, base)
	case p.LCP > slowLCP:
		f.Message = fmt.Sprintf("Slow load: %s showed its largest part after %.0f ms", p.URL, p.LCP)
	default:
		return
	}
	d.tell(f, load)
}

func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := append([]float64(nil), list...)
	sort.Float64s(sorted)
	return sorted[len(sorted)/2]
}
