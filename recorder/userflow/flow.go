// Package userflow reads and carries out user flows: the JSON that the Recorder
// panel of Chrome's developer tools exports.
package userflow

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// maxFlow is how long a flow may be, in bytes.
const maxFlow = 64 << 20

// Flow is a recorded user flow.
type Flow struct {
	Title    string `json:"title"`
	Timeout  int    `json:"timeout,omitempty"` // milliseconds, for steps that have none
	Selector string `json:"selectorAttribute,omitempty"`
	Steps    []Step `json:"steps"`
}

// Navigates reports whether the flow goes to an address before it does anything
// else.
func (f *Flow) Navigates() bool {
	for _, s := range f.Steps {
		switch s.Type {
		case "setViewport", "emulateNetworkConditions", "customStep":
		default:
			return s.Type == "navigate"
		}
	}
	return false
}

// Step is one thing to do. Which members matter depends on Type.
type Step struct {
	Type     string     `json:"type"`
	Target   string     `json:"target,omitempty"` // "main", or the address of another page
	Frame    []int      `json:"frame,omitempty"`  // indexes of frames, from the main one inwards
	Timeout  int        `json:"timeout,omitempty"`
	Asserted []Asserted `json:"assertedEvents,omitempty"`

	Selectors  Selectors       `json:"selectors,omitempty"`
	OffsetX    float64         `json:"offsetX,omitempty"` // CSS pixels from the element's corner
	OffsetY    float64         `json:"offsetY,omitempty"`
	Button     string          `json:"button,omitempty"`
	DeviceType string          `json:"deviceType,omitempty"`
	Duration   float64         `json:"duration,omitempty"` // milliseconds
	Value      string          `json:"value,omitempty"`
	Key        string          `json:"key,omitempty"`
	URL        string          `json:"url,omitempty"`
	X          float64         `json:"x,omitempty"`
	Y          float64         `json:"y,omitempty"`
	Operator   string          `json:"operator,omitempty"`
	Count      *int            `json:"count,omitempty"`
	Visible    *bool           `json:"visible,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	Properties json.RawMessage `json:"properties,omitempty"`
	Expression string          `json:"expression,omitempty"`
	Name       string          `json:"name,omitempty"`
	Parameters json.RawMessage `json:"parameters,omitempty"`

	Width    int     `json:"width,omitempty"`
	Height   int     `json:"height,omitempty"`
	Scale    float64 `json:"deviceScaleFactor,omitempty"`
	Mobile   bool    `json:"isMobile,omitempty"`
	Touch    bool    `json:"hasTouch,omitempty"`
	Sideways bool    `json:"isLandscape,omitempty"`

	Download float64 `json:"download,omitempty"` // bytes a second
	Upload   float64 `json:"upload,omitempty"`
	Latency  float64 `json:"latency,omitempty"` // milliseconds
}

// Asserted is what a step causes, such as a navigation.
type Asserted struct {
	Type  string `json:"type"`
	URL   string `json:"url,omitempty"`
	Title string `json:"title,omitempty"`
}

// Selectors are several ways to find an element, the best first. Each is a
// chain of selectors, of which every one but the last leads to a shadow host.
type Selectors [][]string

// UnmarshalJSON reads selectors, of which a chain of one may be a string.
func (s *Selectors) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil {
		return fmt.Errorf("selectors: %w", err)
	}
	*s = nil
	for _, item := range list {
		var one string
		var chain []string
		if json.Unmarshal(item, &one) == nil {
			chain = []string{one}
		} else if err := json.Unmarshal(item, &chain); err != nil {
			return fmt.Errorf("selectors: %w", err)
		}
		if len(chain) == 0 {
			return errors.New("selectors: an empty chain")
		}
		*s = append(*s, chain)
	}
	return nil
}

// types are the types of steps that there are.
var types = map[string]bool{"setViewport": true, "navigate": true, "click": true, "doubleClick": true, "hover": true, "change": true,
	"keyDown": true, "keyUp": true, "scroll": true, "waitForElement": true, "waitForExpression": true, "close": true,
	"emulateNetworkConditions": true, "customStep": true}

// needElement are those that cannot be carried out without an element.
var needElement = map[string]bool{"click": true, "doubleClick": true, "hover": true, "change": true, "waitForElement": true}

// Read reads a flow. What is not one is an error that says which step is wrong.
func Read(r io.Reader) (*Flow, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFlow+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFlow {
		return nil, errors.New("the user flow is too long")
	}
	var f Flow
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("not a user flow: %w", err)
	}
	if len(f.Steps) == 0 {
		return nil, errors.New("not a user flow: it has no steps")
	}
	for i, s := range f.Steps {
		switch {
		case !types[s.Type]:
			return nil, fmt.Errorf("step %d: there is no type %q", i+1, s.Type)
		case needElement[s.Type] && len(s.Selectors) == 0:
			return nil, fmt.Errorf("step %d (%s): no selectors", i+1, s.Type)
		}
	}
	return &f, nil
}

// ReadFile reads the flow in a file.
func ReadFile(name string) (*Flow, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	flow, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return flow, nil
}

// timeout is how long a step may take.
func (f *Flow) timeout(s *Step) time.Duration {
	for _, ms := range []int{s.Timeout, f.Timeout} {
		if ms > 0 {
			return time.Duration(ms) * time.Millisecond
		}
	}
	return 5 * time.Second
}

// Locator writes a chain of selectors as traces do.
func Locator(frame []int, chain []string) string {
	var parts []string
	for _, s := range chain {
		parts = append(parts, locator(s))
	}
	return inFrame(frame, strings.Join(parts, " >> "))
}

// inFrame is a selector for an element of a frame, from the main one.
func inFrame(frame []int, selector string) string {
	var parts []string
	for _, i := range frame {
		parts = append(parts, fmt.Sprintf("iframe >> nth=%d", i), "internal:control=enter-frame")
	}
	return strings.Join(append(parts, selector), " >> ")
}

func locator(s string) string {
	kind, rest, _ := strings.Cut(s, "/")
	switch kind {
	case "xpath":
		return "xpath=" + rest
	case "pierce":
		return rest
	case "text":
		return "internal:text=" + quote(rest) + "i"
	case "aria":
		name, role := ariaParts(rest)
		if role == "" {
			return "internal:label=" + quote(name) + "i"
		}
		return "internal:role=" + role + "[name=" + quote(name) + "i]"
	}
	return s
}

// ariaParts takes Name[role="button"] apart.
func ariaParts(s string) (name, role string) {
	for {
		i := strings.LastIndex(s, "[")
		if i < 0 || !strings.HasSuffix(s, "]") {
			return s, role
		}
		key, value, ok := strings.Cut(s[i+1:len(s)-1], "=")
		value = strings.Trim(value, `"'`)
		switch {
		case ok && key == "role":
			role = value
		case ok && key == "name":
			return value, role
		default:
			return s, role
		}
		s = s[:i]
	}
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string can always be written
	return string(b)
}
