package determinism

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed script/world.js
var worldScript string

//go:embed script/keys.js
var keysScript string

//go:embed script/timing.js
var timingScript string

//go:embed script/popup.js
var popupScript string

//go:embed script/pending.js
var pendingScript string

//go:embed script/clock.js
var clockScript string

// script returns what runs in a realm before anything else does. born is the
// time at which it begins, in milliseconds of the session.
func (s *Session) script(realm string, born float64) string {
	config, err := json.Marshal(map[string]any{"seed": s.o.Seed, "epoch": s.o.epoch(), "regime": s.b.Regime, "realm": realm, "now": born, "lag": lag, "far": foremost / 2,
		"block": realm == "" && !s.o.ServiceWorkers})
	if err != nil {
		panic(err) // strings, numbers and truth values
	}
	return fmt.Sprintf("{const CONFIG=%s;\n%s\n%s\n%s\n%s\n%s\n%s}", config, clockScript, worldScript, keysScript, timingScript, popupScript, pendingScript)
}
