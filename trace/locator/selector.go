// Package locator parses, prints and translates the selectors by which recorded actions name elements:
// chains of engines joined with ">>", in the form Playwright writes into traces
// (`internal:role=button[name="Save"i] >> nth=0`).
//
// Parse takes a selector apart without losing a byte, Format shows it as the locator code a person would
// write in a given language, and FromCode goes the other way. Nothing here looks at a page.
package locator

import "strings"

// Selector is a chain of parts, each applied to what the part before it found. The zero value is an empty
// chain, which matches nothing and does not parse.
type Selector struct {
	Parts []Part

	source string
}

// Part is one link of a chain: an engine and the text given to it.
type Part struct {
	// Engine names how to search, in full even where the source leaves it out: "css", "xpath", "text",
	// "internal:role", "nth" …
	Engine string
	// Body is what the engine is given, exactly as written. CSS, Text, Attributes and Inner read it.
	Body string
	// Capture says that the chain yields the element of this part and not of its last one (a leading '*').
	// At most one part of a chain may have it.
	Capture bool

	raw string
}

// Engines that take another selector as their body.
const (
	EngineHas    = "internal:has"
	EngineHasNot = "internal:has-not"
	EngineAnd    = "internal:and"
	EngineOr     = "internal:or"
	EngineChain  = "internal:chain"
)

// Engines that name an element by what a person perceives, or that steer the chain.
const (
	EngineCSS        = "css"
	EngineCSSLight   = "css:light"
	EngineXPath      = "xpath"
	EngineText       = "text"
	EngineRole       = "internal:role"
	EngineByText     = "internal:text"
	EngineLabel      = "internal:label"
	EngineAttr       = "internal:attr"
	EngineTestID     = "internal:testid"
	EngineHasText    = "internal:has-text"
	EngineHasNotText = "internal:has-not-text"
	EngineControl    = "internal:control"
	EngineDescribe   = "internal:describe"
	EngineNth        = "nth"
	EngineVisible    = "visible"
)

// Bodies of the "internal:control" engine.
const (
	EnterFrame = "enter-frame" // go on inside the document of the frame found so far
	AnyFrame   = "any-frame"   // go on inside every frame below
)

// String prints the selector. A selector that Parse made and nobody changed prints as it was written, to
// the byte; otherwise its parts are joined with " >> ".
func (s Selector) String() string {
	if s.source != "" && s.unchanged() {
		return s.source
	}
	parts := make([]string, len(s.Parts))
	for i, p := range s.Parts {
		parts[i] = p.String()
	}
	return strings.Join(parts, " >> ")
}

func (s Selector) unchanged() bool {
	raws := split(s.source)
	if len(raws) != len(s.Parts) {
		return false
	}
	for i, p := range s.Parts {
		if p.raw != raws[i] || !p.unchanged() {
			return false
		}
	}
	return true
}

// String prints the part as it was written, blanks around it aside, or as "engine=body" if it was made or changed by hand. The
// engine of CSS and of unmistakable XPath is left out.
func (p Part) String() string {
	if p.raw != "" && p.unchanged() {
		return trim(p.raw)
	}
	return p.canonical()
}

func (p Part) unchanged() bool {
	q := parsePart(p.raw)
	return q.Engine == p.Engine && q.Body == p.Body && q.Capture == p.Capture
}

func (p Part) canonical() string {
	star := ""
	if p.Capture {
		star = "*"
	}
	if !p.Capture && p.impliesEngine() {
		return p.Body
	}
	return star + p.Engine + "=" + p.Body
}

// impliesEngine says whether the body alone would be read back as this part.
func (p Part) impliesEngine() bool {
	if p.Engine == EngineText && len(split(EngineText+"="+p.Body)) > 1 {
		// Quotes that hold in bare text are letters behind "text=".
		q := parsePart(p.Body)
		return q.Engine == p.Engine && q.Body == p.Body && len(split(p.Body)) == 1
	}
	if p.Engine != EngineCSS && (p.Engine != EngineXPath || strings.HasPrefix(p.Body, "(")) {
		return false
	}
	q := parsePart(p.Body)
	return q.Engine == p.Engine && q.Body == p.Body
}

// Description is the name a test gave the element with locator.describe, and "" if it gave none.
func (s Selector) Description() string {
	for i := len(s.Parts) - 1; i >= 0; i-- {
		if s.Parts[i].Engine != EngineDescribe {
			continue
		}
		if t, ok := decodeJSONString(s.Parts[i].Body); ok {
			return t
		}
	}
	return ""
}

// Frames splits the chain where it enters a frame: every selector but the last finds the frame element in
// whose document the next one starts. The control parts themselves are left out.
func (s Selector) Frames() []Selector {
	frames := []Selector{{}}
	for _, p := range s.Parts {
		if p.Engine == EngineControl && p.Body == EnterFrame {
			frames = append(frames, Selector{})
			continue
		}
		last := &frames[len(frames)-1]
		last.Parts = append(last.Parts, p)
	}
	return frames
}
