package trace_test

import (
	"testing"
	"time"

	"github.com/tracedeck/tracedeck/trace"
)

func TestCallsThatTookAllTheirTimeAreSuspectWhereErrorsAreNotWritten(t *testing.T) {
	for _, c := range []struct {
		method, params string
		took           time.Duration
		limit          time.Duration
		untold         bool
	}{
		{"vibium:click", `{"timeout":1500}`, 1500 * time.Millisecond, 1500 * time.Millisecond, true},
		{"vibium:click", `{"timeout":1500}`, 1499 * time.Millisecond, 1500 * time.Millisecond, false},
		{"vibium:click", `{}`, time.Hour, 0, false},
		{"vibium:click", `{"timeout":0}`, time.Hour, 0, false},
		{"vibium:click", `{"timeout":"soon"}`, time.Hour, 0, false},
		{"vibium:click", `[1]`, time.Hour, 0, false},
		{"click", `{"timeout":1500}`, time.Hour, 1500 * time.Millisecond, false},
	} {
		b := &trace.Before{Method: c.method, Params: []byte(c.params)}
		if got := b.Limit(); got != c.limit {
			t.Errorf("%s %s: limit %v, want %v", c.method, c.params, got, c.limit)
		}
		if got := b.Untold(c.took); got != c.untold {
			t.Errorf("%s %s after %v: %v", c.method, c.params, c.took, got)
		}
	}
}
