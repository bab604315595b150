package userflow

import (
	"encoding/json"
	"io"
)

// Write writes the flow as the JSON that Chrome's developer tools import.
func (f *Flow) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(f)
}

// plainStep is a step whose members are left out where they are zero.
type plainStep Step

// MarshalJSON writes the members that a step of its type has to have, also
// where they are zero: readers refuse a step that lacks one.
func (s Step) MarshalJSON() ([]byte, error) {
	switch s.Type {
	case "setViewport":
		return json.Marshal(struct {
			plainStep
			Width    int     `json:"width"`
			Height   int     `json:"height"`
			Scale    float64 `json:"deviceScaleFactor"`
			Mobile   bool    `json:"isMobile"`
			Touch    bool    `json:"hasTouch"`
			Sideways bool    `json:"isLandscape"`
		}{plainStep(s), s.Width, s.Height, max(s.Scale, 0), s.Mobile, s.Touch, s.Sideways})
	case "emulateNetworkConditions":
		return json.Marshal(struct {
			plainStep
			Download float64 `json:"download"`
			Upload   float64 `json:"upload"`
			Latency  float64 `json:"latency"`
		}{plainStep(s), s.Download, s.Upload, s.Latency})
	case "click", "doubleClick":
		return json.Marshal(struct {
			plainStep
			OffsetX float64 `json:"offsetX"`
			OffsetY float64 `json:"offsetY"`
		}{plainStep(s), s.OffsetX, s.OffsetY})
	case "change":
		return json.Marshal(struct {
			plainStep
			Value string `json:"value"`
		}{plainStep(s), s.Value})
	case "customStep":
		parameters := s.Parameters
		if len(parameters) == 0 {
			parameters = json.RawMessage("{}")
		}
		return json.Marshal(struct {
			plainStep
			Parameters json.RawMessage `json:"parameters"`
		}{plainStep(s), parameters})
	}
	return json.Marshal(plainStep(s))
}
