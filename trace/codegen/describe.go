package codegen

import (
	"encoding/json"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/tracedeck/tracedeck/trace"
	"github.com/tracedeck/tracedeck/trace/locator"
)

// describe reads what the trace says about the session as a whole.
func (s *Scenario) describe() {
	for _, c := range s.trace.Contexts {
		if c.Title != "" && s.Name == "" {
			s.Name = c.Title
		}
		if c.Runner() {
			continue
		}
		s.Settings.read(c.ContextOptions)
		if s.TestID == "" {
			s.TestID = c.TestIDAttribute
		}
	}
	s.Settings.seen(s.trace)
	if s.o.Name != "" {
		s.Name = s.o.Name
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(filepath.Base(filepath.ToSlash(s.Source)), ".zip")
	}
	s.Name = cut(oneLine(s.Name), 80)
	s.TestID = orDefault(s.TestID, locator.DefaultTestIDAttribute)
}

func (s *Settings) read(c *trace.ContextOptions) {
	if v, ok := c.Viewport(); ok && s.Viewport == (trace.Size{}) {
		s.Viewport = v
	}
	s.Browser = orDefault(s.Browser, c.BrowserName)
	var o struct {
		DeviceScaleFactor               float64
		IsMobile, HasTouch              bool
		Locale, TimezoneID, ColorScheme string
		UserAgent                       string
	}
	if json.Unmarshal(c.Options, &o) != nil {
		return
	}
	s.Scale, s.Mobile, s.Touch = max(s.Scale, o.DeviceScaleFactor), s.Mobile || o.IsMobile, s.Touch || o.HasTouch
	s.Locale, s.Timezone = orDefault(s.Locale, o.Locale), orDefault(s.Timezone, o.TimezoneID)
	s.ColorScheme, s.UserAgent = orDefault(s.ColorScheme, o.ColorScheme), orDefault(s.UserAgent, o.UserAgent)
}

// seen takes from the first page's own words what its context does not say.
func (s *Settings) seen(t *trace.Trace) {
	for _, e := range t.Events {
		if e.Method != "environment" {
			continue
		}
		var p struct {
			Viewport struct{ Width, Height float64 }
		}
		if json.Unmarshal(e.Params, &p) == nil && s.Viewport == (trace.Size{}) {
			s.Viewport = trace.Size{Width: p.Viewport.Width, Height: p.Viewport.Height}
		}
		return
	}
}

// origin returns the part of an http(s) address before its path, and "" for
// other addresses.
func origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// relative is the address without the scenario's origin.
func (s *Scenario) relative(address string) string {
	if s.recorded == "" || origin(address) != s.recorded {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Scheme, u.Host, u.User = "", "", nil
	if r := u.String(); strings.HasPrefix(r, "/") && !strings.HasPrefix(r, "//") {
		return r
	}
	if u.Path == "" {
		u.Path = "/"
		return u.String()
	}
	return address
}

// cut returns at most n characters of a text.
func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return strings.TrimSpace(string(r[:n-1])) + "…"
}

// oneLine is the text with blanks joined and nothing in it that cannot be seen.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return ' '
		}
		return r
	}, sgr.ReplaceAllString(s, ""))
	return strings.Join(strings.Fields(s), " ")
}
