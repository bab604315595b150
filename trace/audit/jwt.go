package audit

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
)

// classifyJWT reads the token: only one whose header names an algorithm and
// whose payload is an object is one. Of the payload nothing but the expiry is
// told.
func classifyJWT(h *hit) bool {
	parts := strings.Split(h.value, ".")
	if len(parts) != 3 {
		return false
	}
	var head struct {
		Alg *string `json:"alg"`
	}
	var payload map[string]json.RawMessage
	if decodePart(parts[0], &head) != nil || head.Alg == nil || decodePart(parts[1], &payload) != nil || payload == nil {
		return false
	}
	h.class = jwt
	if strings.EqualFold(*head.Alg, "none") {
		h.notes = append(h.notes, "alg none: it is not signed, and anybody can make one")
	}
	var role string
	if json.Unmarshal(payload["role"], &role) == nil {
		switch role {
		case "service_role":
			h.class, h.form = certain, "Supabase service role key"
		case "anon":
			h.class, h.notes = public, append(h.notes, "an anonymous key, made to be in pages")
		}
	}
	var exp float64
	switch {
	case json.Unmarshal(payload["exp"], &exp) != nil || exp <= 0 || exp > 1e11:
		h.notes = append(h.notes, "does not expire")
	default:
		h.notes = append(h.notes, "expires "+time.Unix(int64(exp), 0).UTC().Format(time.RFC3339))
	}
	return true
}

func decodePart(part string, into any) error {
	b, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}
