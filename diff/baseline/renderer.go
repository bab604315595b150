package baseline

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
)

// Renderer is what decides how the same page becomes pixels.
type Renderer struct {
	Browser  string  `json:"browser"`            // product and full version, such as "chromium 141.0.7390.54"
	Regime   string  `json:"regime,omitempty"`   // how frames were made, such as "begin-frame"; empty: by the browser itself
	Platform string  `json:"platform,omitempty"` // "linux", "darwin", "win32"
	Width    int     `json:"width,omitempty"`    // of the viewport, CSS pixels
	Height   int     `json:"height,omitempty"`   // of the viewport, CSS pixels
	Scale    float64 `json:"scale,omitempty"`    // device pixels for a CSS pixel
	Flags    string  `json:"flags,omitempty"`    // digest of the browser's command line
	Fonts    string  `json:"fonts,omitempty"`    // digest of the fonts that were there
}

// ID is short and names exactly this renderer, such as
// "chromium141-linux-1280x720-3f9a0c1e".
func (r Renderer) ID() string {
	text, _ := json.Marshal(r)
	sum := sha256.Sum256(text)
	parts := []string{r.short()}
	if r.Platform != "" {
		parts = append(parts, plain(r.Platform))
	}
	if r.Width > 0 {
		parts = append(parts, strconv.Itoa(r.Width)+"x"+strconv.Itoa(r.Height))
	}
	return strings.Join(append(parts, hex.EncodeToString(sum[:4])), "-")
}

// short is the browser's product and the first number of its version.
func (r Renderer) short() string {
	words := strings.FieldsFunc(r.Browser, func(c rune) bool { return c == ' ' || c == '/' })
	name := "browser"
	for i, w := range words {
		if w[0] >= '0' && w[0] <= '9' {
			major, _, _ := strings.Cut(w, ".")
			return name + major
		}
		if i == 0 {
			name = plain(w)
		}
	}
	return name
}

// plain keeps letters, digits and dots.
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' {
			return c
		}
		return -1
	}, strings.ToLower(s))
}

// Comparable is whether pictures of both are meant to be alike: same regime,
// same viewport, same scale. The build, its flags and the fonts may differ.
func (r Renderer) Comparable(o Renderer) bool {
	return r.Regime == o.Regime && r.Width == o.Width && r.Height == o.Height && r.Scale == o.Scale
}

// Difference says in words what o has other than r: "browser chromium 140 →
// chromium 141". It is empty if they are equal.
func (r Renderer) Difference(o Renderer) string {
	var list []string
	note := func(what, a, b string) {
		if a != b {
			list = append(list, what+" "+orNone(a)+" → "+orNone(b))
		}
	}
	note("browser", r.Browser, o.Browser)
	note("regime", r.Regime, o.Regime)
	note("platform", r.Platform, o.Platform)
	note("viewport", r.viewport(), o.viewport())
	note("flags", brief(r.Flags), brief(o.Flags))
	note("fonts", brief(r.Fonts), brief(o.Fonts))
	return strings.Join(list, ", ")
}

func (r Renderer) viewport() string {
	if r.Width == 0 {
		return ""
	}
	s := strconv.Itoa(r.Width) + "×" + strconv.Itoa(r.Height)
	if r.Scale != 0 && r.Scale != 1 {
		s += "@" + strconv.FormatFloat(r.Scale, 'g', -1, 64)
	}
	return s
}

func orNone(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// brief is the beginning of a digest.
func brief(digest string) string {
	_, hex, ok := strings.Cut(digest, ":")
	if !ok {
		hex = digest
	}
	return hex[:min(len(hex), 8)]
}
