package trace

import (
	"encoding/json"
	"strings"
	"time"
)

// Limit is how long the call was to wait at most by its own parameters, and 0
// where these do not say.
func (b *Before) Limit() time.Duration {
	var params struct {
		Timeout float64 `json:"timeout"`
	}
	if json.Unmarshal(b.Params, &params) != nil || params.Timeout < 1 || params.Timeout > 1e9 {
		return 0 // not a limit that anybody waits for
	}
	return time.Duration(params.Timeout * float64(time.Millisecond))
}

// Untold reports whether a call that is over after it took that long probably
// failed though its line does not say so. Vibium's recorder writes no errors
// down: a click that found nothing looks like one that went well, but for its
// duration.
func (b *Before) Untold(took time.Duration) bool {
	limit := b.Limit()
	return strings.HasPrefix(b.Method, "vibium:") && limit > 0 && took >= limit
}
